"""Write docs/reference: every public name and every command, from the code.

Run by `make docs`; a test checks that the committed pages are what this script would write.
Nothing here runs or imports torch: what needs it is read from its source.
"""

from __future__ import annotations

import ast
import inspect
import sys
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import click

import informed
from informed.measures import MEASURES
from informed.measures.catalogue import families
from informed.results import Result, Written

sys.path.insert(0, str(Path(__file__).parent))
from docstrings import first, inline, markdown, signature  # beside this script

HERE = Path(__file__).parent / "reference"

# Pages in order: the part of the package that each is about, its title, and a sentence.
PARTS = {
    "tables": ("Tables", "Making, reading and keeping tables of counts."),
    "measures": ("Measures", "A number from a table, and what is known of it."),
    "inference": ("Intervals, tests, power", "What a table says about the world."),
    "systems": ("Systems", "Comparing, ranking, raters, judges, slices."),
    "decisions": ("Decisions", "Scores, thresholds, costs, bets, names for clusters."),
    "documents": ("Reports", "The report in every format."),
    "simulation": ("Simulation", "`informed.simulation`: the Monte Carlo lab."),
    "papers": ("The papers", "`informed.papers`: the seeds' figures, claims and questions."),
    "sklearn": ("scikit-learn", "`informed.sklearn`: the measures in scikit-learn's signatures."),
    "plotting": ("Plotting", "`informed.plotting`: figures with matplotlib."),
    "torch": ("PyTorch", "`informed.torch`: a metric for training loops."),
    "testing": ("Testing", "`informed.testing`: for test suites."),
}
PAGE = {  # of rooms that have none of their own
    **dict.fromkeys(("errors", "evidence", "sources"), "tables"),
    **dict.fromkeys(("results", "summary"), "documents"),
}
MEASURE_TAKES = "(t=None, /, *, real=None, predicted=None, "
MODULES = ("simulation", "papers", "sklearn", "plotting", "torch", "testing")


@dataclass(frozen=True)
class Name:
    """A public name: how it is written, what it is, and the page it belongs to."""

    path: str  # such as informed.Table
    value: Any
    page: str

    @property
    def short(self) -> str:
        return self.path.rpartition(".")[2]


def pages() -> dict[str, str]:
    """Every file of the reference by its path in docs/reference."""
    names = [*public(), *results()]
    written = {"README.md": index(names), "cli.md": commands()}
    for part, (title, said) in PARTS.items():
        own = [name for name in names if name.page == part]
        written[f"{part}.md"] = "\n".join([f"# {title}", "", said, "", *body(part, own)]) + "\n"
    return written


def body(part: str, own: list[Name]) -> Iterator[str]:
    if part == "torch":
        yield from torch_metric()
    for name in own:
        yield from entry(name)
    if part == "measures":
        yield from measures()
    if part == "sklearn":
        yield from scores()
    yield "[Reference](README.md)"


# ---------------------------------------------------------------------- what is public


def public() -> list[Name]:
    """The names of `informed` and of its public modules, without the measures and scores."""
    found = []
    for home, names in informed._HOMES.items():
        part = home.split(".")[1]
        page = PAGE.get(part, part)
        found += [named("informed", name, page) for name in names]
    for part in MODULES:
        names = import_module(f"informed.{part}").__all__
        found += [named(f"informed.{part}", name, part) for name in names if not made(part, name)]
    return found


def named(home: str, name: str, page: str) -> Name:
    path = f"{home}.{name}"
    return Name(path, {} if path in HELD else getattr(import_module(home), name), page)


def made(part: str, name: str) -> bool:
    """Names that are made for each measure, or shown on another page."""
    own = part == "sklearn" and name.endswith("Display")
    return own or part == "torch" or (name.endswith(("_score", "_scorer")) and name != "probability_score")


def results() -> list[Name]:
    """Classes that public functions and methods return: what they hold is public as well."""
    named = [name.value for name in public()]
    found: list[Name] = []
    waiting = list(named)
    while waiting:
        for kind in returned(waiting.pop(0)):
            if kind in named or not kind.__module__.startswith("informed."):
                continue
            if kind.__name__.startswith("_"):
                continue
            part = kind.__module__.split(".")[1]
            page = PAGE.get(part, part)
            if page in PARTS:
                found.append(Name(f"{kind.__module__}.{kind.__name__}", kind, page))
            named.append(kind)
            waiting.append(kind)
    return found


def returned(value: Any) -> Iterator[type]:
    """Classes in the annotations of what a function, or each member of a class, returns."""
    held = value if inspect.isclass(value) or inspect.isfunction(value) else type(value)
    if inspect.isfunction(held):
        functions = [held]
    else:  # what is called or indexed gives results as well
        special = (vars(held).get(name) for name in ("__call__", "__getitem__"))
        functions = [*(m.function for m in members(held)), *filter(inspect.isfunction, special)]
    for function in functions:
        hint = function.__annotations__.get("return")
        if isinstance(hint, str):
            try:
                hint = eval(hint, vars(sys.modules[function.__module__]))
            except NameError:  # a name for type checkers only
                continue
        yield from classes(hint)


def classes(hint: Any) -> Iterator[type]:
    if inspect.isclass(hint):
        yield hint
    for inner in typing.get_args(hint):
        yield from classes(inner)


@dataclass(frozen=True)
class Member:
    """A public method or property of a class."""

    name: str
    function: Any
    is_property: bool


def members(kind: type) -> list[Member]:
    """Public methods and properties, also those inherited within the package."""
    found: dict[str, Member] = {}
    shared = set() if kind is Result else {*vars(Result), *vars(Written)}  # said once, of Result
    kept = getattr(kind, "__dataclass_fields__", {})
    for base in reversed(kind.__mro__):
        if not base.__module__.startswith("informed"):
            continue
        for name, held in vars(base).items():
            if name.startswith("_") or name in kept or name in shared or inspect.isclass(held):
                continue
            if isinstance(held, property | cached_property):
                function = held.fget if isinstance(held, property) else held.func
                found[name] = Member(name, function, True)
            elif isinstance(held, classmethod | staticmethod):
                found[name] = Member(name, held.__func__, False)
            elif inspect.isfunction(held):
                found[name] = Member(name, held, False)
    return list(found.values())


# ---------------------------------------------------------------------- entries


def entry(name: Name) -> Iterator[str]:
    """A name with its signature, its words and, for a class, its members."""
    value = name.value
    yield f"## {heading(name)}"
    yield ""
    if inspect.isclass(value):
        yield from a_class(name)
    elif inspect.isfunction(value):
        yield from code(signature(name.path, value))
        yield from markdown(inspect.getdoc(value) or "")
    elif isinstance(value, dict):
        yield f"`{name.path}`: {HELD[name.path]}"
        yield ""
    else:  # an object that is called, with methods of its own
        call = type(value).__call__
        yield from code(signature(name.path, call))
        yield from markdown(inspect.getdoc(call) or "")
        yield from methods(name)


def heading(name: Name) -> str:
    """A class is called one: anchors have no capitals, and `interval` gives an `Interval`."""
    return f"class {name.short}" if inspect.isclass(name.value) else name.short


HELD = {  # what a dictionary holds has no docstring of its own
    "informed.MEASURES": "every `Measure` by its name.",
    "informed.ALIASES": "the name of the measure that each other name stands for.",
    "informed.papers.FIGURES": "what `reproduce` can draw again: titles and parameters by name.",
    "informed.simulation.GENERATORS": "every `Generator` by its name.",
    "informed.sklearn.scorers": "a scorer for every measure that has a best value, by name.",
}


def a_class(name: Name) -> Iterator[str]:
    kind = name.value
    made = kind.__init__ if "__init__" in vars(kind) else None
    if made is not None and not hasattr(kind, "__dataclass_fields__"):
        yield from code(signature(name.path, made))
    elif not any(part.startswith("_") for part in name.path.split(".")):
        yield f"`{name.path}`"
        yield ""
    yield from markdown(inspect.getdoc(kind) or "")
    held = list(fields(kind))
    if held:
        yield "| holds | of type | which is |"
        yield "|---|---|---|"
        for field, hint, said in held:
            yield cells(f"`{field}`", f"`{hint}`", inline(said))
        yield ""
    if issubclass(kind, informed.InformedError):
        yield from errors(kind)
    yield from methods(name)


def methods(name: Name) -> Iterator[str]:
    kind = name.value if inspect.isclass(name.value) else type(name.value)
    all_of_them = members(kind)
    if issubclass(kind, Written) and kind is not Result:
        yield from as_every_result(kind)
    properties = [m for m in all_of_them if m.is_property]
    for member in properties:
        words = " ".join(first(inspect.getdoc(member.function) or "").split())
        yield f"- `{name.short}.{member.name}`: {words}"
    if properties:
        yield ""
    for member in all_of_them:
        if not member.is_property:
            yield f"### {name.short}.{member.name}"
            yield ""
            yield from code(signature(f"{name.short}.{member.name}", member.function))
            yield from markdown(inspect.getdoc(member.function) or "")


def as_every_result(kind: type) -> Iterator[str]:
    """What it shares with all results, and what its rows are."""
    rows = getattr(kind, "records", None)
    own = inspect.isfunction(rows) and rows is not Result.records
    said = f" `records()`: {first(inspect.getdoc(rows) or '')}" if own else ""
    yield f"Written and shown as every [result](documents.md#class-result).{said}"
    yield ""


def errors(kind: type[Exception]) -> Iterator[str]:
    """The errors that are raised on purpose, from the most general on."""
    for error in kind.__subclasses__():
        if error.__module__ == kind.__module__:
            yield f"- `{error.__module__}.{error.__name__}`: {inspect.getdoc(error)}"
    yield ""


def fields(kind: type) -> Iterator[tuple[str, str, str]]:
    """Public fields of a dataclass or a tuple, inherited ones first: name, type, and the comment beside it."""
    if not {"__dataclass_fields__", "_fields"} & vars(kind).keys():
        return
    for base in kind.__bases__:
        yield from fields(base)
    lines = inspect.getsource(kind).splitlines()
    (tree,) = ast.parse(dedent("\n".join(lines))).body
    assert isinstance(tree, ast.ClassDef)
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            field = node.target.id
            if not field.startswith("_") and "ClassVar" not in ast.unparse(node.annotation):
                line = lines[(node.end_lineno or node.lineno) - 1]
                said = line.partition("  # ")[2] if "  # type:" not in line else ""
                yield field, ast.unparse(node.annotation).replace("'", ""), said


def cells(*words: str) -> str:
    """A row of a table."""
    return "| " + " | ".join(word.replace("|", "\\|") for word in words) + " |"


def code(text: str) -> list[str]:
    return ["```", text, "```", ""]


# ---------------------------------------------------------------------- families of names


def measures() -> Iterator[str]:
    """Every measure: its call, and its page in the catalogue."""
    yield "## Every measure"
    yield ""
    yield "Each takes a table or a stack and gives a number or an array. Instead of a table it takes labels by name,"
    yield "with the options of `Table.from_labels`: `informed.recall(real=y, predicted=p, positive=1)`."
    yield '`undefined="limit"` gives the papers\' value where it is 0/0 instead of NaN, and for measures of two classes'
    yield "`average=` gives one number for more."
    for title, held in families(MEASURES.values()):
        yield from ["", f"### {title.partition(':')[0]}", "", "| call | meaning |", "|---|---|"]
        for m in held:
            call = signature(f"informed.{m.name}", m.function, types=False).replace(MEASURE_TAKES, "(t, *, ")
            yield cells(f"[`{call}`](../catalogue/{m.name}.md)", inline(m.summary))
    yield ""


def scores() -> Iterator[str]:
    """The names that informed.sklearn makes for each measure."""
    module = import_module("informed.sklearn")
    yield "## A score and a scorer for each measure"
    yield ""
    yield "`name_score(y_true, y_pred, …)` takes the parameters of `score`, and the measure's own;"
    yield "`name_scorer` goes to `cross_validate` and searches. Measures that are not better when"
    yield "larger or smaller have no scorer. The displays are those of [plotting](plotting.md):"
    yield ", ".join(f"`{each}`" for each in module.__all__ if each.endswith("Display")) + "."
    yield ""
    yield "| measure | score | scorer |"
    yield "|---|---|---|"
    for name in MEASURES:
        scorer = f"`{name}_scorer`" if f"{name}_scorer" in module.__all__ else ""
        yield f"| [{name}](../catalogue/{name}.md) | `{name}_score` | {scorer} |"
    for name in module.BY_PROBABILITY:
        yield f"| [{name}](../probabilities.md) of `predict_proba` | `{name}_score` | `{name}_scorer` |"
    yield ""


def torch_metric() -> Iterator[str]:
    """The metrics, read from their source: to import them would need torch."""
    module = import_module("informed.torch")
    yield from markdown(inspect.getdoc(module) or "")
    for title in module.__all__:
        made = module._OWN[title]
        (metric,) = ast.parse(inspect.getsource(made)).body
        assert isinstance(metric, ast.ClassDef)
        own = {n.name: n for n in metric.body if isinstance(n, ast.FunctionDef)}
        yield f"## class {title}"
        yield ""
        yield from code(signature(f"informed.torch.{title}", like(own["__init__"])))
        yield from markdown(inspect.cleandoc(ast.get_docstring(metric) or ""))
        for name, node in own.items():
            if not name.startswith("_"):
                yield f"### {title}.{name}"
                yield ""
                yield from code(signature(f"{title}.{name}", like(node)))
                yield from markdown(ast.get_docstring(node) or "")


def like(node: ast.FunctionDef) -> Any:
    """A function with these parameters that does nothing."""
    made: dict[str, Any] = {}
    later = "from __future__ import annotations\n"
    exec(f"{later}def {node.name}({ast.unparse(node.args)}): ...", made)
    return made[node.name]


# ---------------------------------------------------------------------- commands


def commands() -> str:
    """Every command with its arguments, options and examples."""
    from informed.cli import COMMANDS, cli

    context = click.Context(cli)
    lines = [
        "# The command line",
        "",
        "Exit code 0: fine. 1: a gate failed. 2: bad input or usage, told in one sentence. `-h` or",
        "`--help` says what stands here; `informed --version` says which version answers, and",
        "`informed --traceback …` where an error came from.",
        "",
        "| command | what it answers |",
        "|---|---|",
    ]
    lines += [f"| [informed {name}](#informed-{name}) | {said} |" for name, said in COMMANDS.items()]
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        lines += ["", *a_command(name, command)]
    return "\n".join([*lines, "", "[Reference](README.md)"]) + "\n"


def a_command(name: str, command: click.Command) -> Iterator[str]:
    arguments = [p for p in command.params if isinstance(p, click.Argument)]
    options = [p for p in command.params if isinstance(p, click.Option) and not p.hidden]
    called = " ".join(p.metavar or str(p.name).upper() for p in arguments)
    yield f"## informed {name}"
    yield ""
    yield from code(f"informed {name} [options] {called}".rstrip())
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        if paragraph.lstrip().startswith("\b"):
            yield from code(paragraph.lstrip().removeprefix("\b").strip("\n"))
        else:
            yield inline(paragraph)
            yield ""
    yield "| option | meaning |"
    yield "|---|---|"
    for option in options:
        yield cells(f"`{spelled(option)}`", inline(meaning(option)))


def spelled(option: click.Option) -> str:
    """The names of an option and what it takes."""
    names = ", ".join([*option.opts, *option.secondary_opts])
    if option.is_flag or option.count:
        return names
    if option.metavar:
        return f"{names} {option.metavar}"
    if isinstance(option.type, click.Choice):
        return f"{names} {' or '.join(map(str, option.type.choices))}"
    return f"{names} {option.type.name.upper()}"


def meaning(option: click.Option) -> str:
    said = " ".join((option.help or "").split())
    default = option.default
    if option.show_default and isinstance(default, str | int | float) and not option.is_flag:
        said += f" Default: {default}."
    return said + (" May be given several times." if option.multiple else "")


# ---------------------------------------------------------------------- the index


def index(names: list[Name]) -> str:
    """Every page, and every name of it in a line."""
    lines = [
        "# Reference",
        "",
        "Every public name, from its own docstring, and every command. These pages are written by",
        "`make docs`. What a measure means stands in the [catalogue](../catalogue/README.md).",
        "",
        "- [The command line](cli.md): `informed report`, `compare`, `roc` and the others",
    ]
    for part, (title, said) in PARTS.items():
        own = [name for name in names if name.page == part]
        lines.append(f"- [{title}]({part}.md): {said}")
        lines += [
            f"  - [`{name.path if name.path.count('.') < 2 else name.short}`]"
            f"({part}.md#{heading(name).lower().replace(' ', '-')}){told(name)}"
            for name in own
        ]
        if part == "torch":
            lines.append("  - [`Metric`](torch.md#class-metric): Measures of all predictions so far.")
    return "\n".join(lines) + "\n"


def told(name: Name) -> str:
    if isinstance(name.value, dict):
        return f": {HELD[name.path]}"
    value = name.value
    if not inspect.isclass(value) and not inspect.isfunction(value):
        value = type(value).__call__
    return f": {' '.join(first(inspect.getdoc(value) or '').split())}"


def main() -> None:
    written = pages()
    HERE.mkdir(exist_ok=True)
    for old in HERE.glob("*.md"):
        if old.name not in written:
            old.unlink()
    for name, text in written.items():
        (HERE / name).write_text(text, "utf-8")
    sys.stdout.write(f"{len(written)} files in {HERE.name}/\n")


if __name__ == "__main__":
    main()
