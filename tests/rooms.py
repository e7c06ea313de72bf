"""The rooms of the house and who may import whom: a check over sources, given as text."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

# Each room may import its own modules and the rooms before it; not within a line in a circle.
ROOMS = [
    {"errors", "_arrays", "_files", "_numbers", "_wording"},
    {"evidence"},
    {"measures"},
    {"results"},
    {"inference"},
    {"systems", "decisions"},
    {"summary"},
    {"simulation"},
    {"sources"},
    {"documents"},
    {"papers", "plotting"},
    {"inspect", "sklearn", "torch", "testing", "cli", "web", "__main__"},
]
LEVEL = {name: level for level, names in enumerate(ROOMS) for name in names}
STAIR = ("results", "documents")  # the way up: the base of all results asks for its page
TYPES_ONLY = {"TYPE_CHECKING", "typing.TYPE_CHECKING"}

Pair = tuple[str, str]


def sources(folder: Path) -> dict[str, str]:
    """The text of every module of the package in a folder, by its dotted name."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        parts = [folder.name, *path.relative_to(folder).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path.read_text(encoding="utf-8")
    return found


@cache
def parsed(text: str) -> ast.Module:
    """A module, for who only looks at it."""
    return ast.parse(text)


def imports(texts: Mapping[str, str]) -> set[Pair]:
    """Which module uses which, the allowed stair apart."""
    homes = homes_of(texts)
    return {
        (module, other)
        for module, text in texts.items()
        if module != "informed"  # it names every room, for type checkers and on first use
        for other in used(parsed(text), texts, homes)
        if other != module and (room(module), room(other)) != STAIR
    }


def offences(pairs: set[Pair]) -> set[Pair]:
    """Imports that point right, go through a private door or close a circle."""
    wrong = {(a, b) for a, b in pairs if LEVEL[room(b)] > LEVEL[room(a)] or private(a, b)}
    return wrong | circles(pairs - wrong)


def room(module: str) -> str:
    return module.split(".")[1]


def private(module: str, other: str) -> bool:
    """Whether another room's module with a leading underscore is used."""
    return room(module) != room(other) and any(p[0] == "_" for p in other.split(".")[2:])


def circles(pairs: set[Pair]) -> set[Pair]:
    """Imports that lie on a way back to where they start."""
    after: dict[str, set[str]] = {}
    for a, b in pairs:
        after.setdefault(a, set()).add(b)

    def reached(start: str) -> set[str]:
        seen, todo = set[str](), [start]
        while todo:
            new = after.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        return seen

    ways = {module: reached(module) for module in after}
    return {(a, b) for a, b in pairs if a in ways.get(b, ())}


def used(tree: ast.Module, texts: Mapping[str, str], homes: Mapping[str, str]) -> set[str]:
    """Modules that a module uses: at its top, inside functions, through the package's names."""
    found, package = set[str](), set[str]()
    nodes = at_run_time(tree)

    def name_of_package(name: str) -> str:  # unknown names are aliases: informed.mcc
        inside = f"informed.{name}"
        return inside if inside in texts else homes.get(name, "informed.measures")

    for node in nodes:
        match node:
            case ast.Import(names=names):
                found |= {alias.name for alias in names}
                package |= {x.asname or "informed" for x in names if x.name == "informed"}
                package |= {"informed" for x in names if x.name in texts and not x.asname}
            case ast.ImportFrom(module="informed", names=names):
                found |= {name_of_package(alias.name) for alias in names}
            case ast.ImportFrom(module=str(module), names=names):
                inside = {f"{module}.{alias.name}" for alias in names}
                found |= (inside & texts.keys()) | ({module} if inside - texts.keys() else set())
            case ast.Constant(value=str(value)):  # import_module("informed.summary")
                found.add(value)
    for node in nodes:
        match node:  # informed.report(…) behind `import informed`
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in package:
                found.add(name_of_package(attr))
    return {name for name in found if name in texts and name != "informed"}


def at_run_time(tree: ast.Module) -> list[ast.AST]:
    """All nodes but those that only a type checker reads."""
    found, todo = list[ast.AST](), list[ast.AST](tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) in TYPES_ONLY:
            todo += node.orelse
            continue
        found.append(node)
        todo += ast.iter_child_nodes(node)
    return found


def homes_of(texts: Mapping[str, str]) -> dict[str, str]:
    """Where each public name lives that is no measure: what the package says of itself."""
    for node in parsed(texts["informed"]).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES":
            return {name: home for home, names in ast.literal_eval(node.value).items() for name in names}
    return {}
