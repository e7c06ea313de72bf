"""The shape of the code: imports point left, names are complete, nothing is undocumented."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import informed
from informed import ALIASES, MEASURES, Measure

SOURCE = Path(informed.__file__).parent

# Each layer may import its own and those before it.
LAYERS = [
    {"errors", "_arrays", "_numbers"},
    {"evidence"},
    {"measures"},
    {"inference"},
    {"systems", "decisions"},
    {"summary"},
    {"simulation"},
    {"sources"},
    {"documents"},
    {"papers", "plotting"},
    {"sklearn", "torch", "testing", "cli", "web", "__main__", "__init__"},
]
LAYER = {name: level for level, names in enumerate(LAYERS) for name in names}


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module by its part of the package, the package's own names first."""
    for path in sorted(SOURCE.rglob("*.py")):
        inside = path.relative_to(SOURCE)
        part = inside.parts[0].removesuffix(".py")
        yield part, ast.parse(path.read_text(encoding="utf-8"), str(inside))


def imported(tree: ast.Module) -> Iterator[str]:
    """Parts of the package that a module imports, at its top or inside a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "informed":
                names = [f"informed.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (n.split(".")[1] for n in names if n.startswith("informed."))


def test_every_part_has_its_layer() -> None:
    unknown = {part for part, _ in modules()} - LAYER.keys()
    assert not unknown, f"say in LAYERS where {sorted(unknown)} belong"


def test_imports_point_left() -> None:
    wrong = [
        (part, other)
        for part, tree in modules()
        for other in imported(tree)
        if part != "__init__" and LAYER.get(other, 0) > LAYER[part]
    ]
    assert not wrong


def test_no_relative_imports() -> None:
    for part, tree in modules():
        relative = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level]
        assert not relative, part


def test_no_drawer_for_everything() -> None:
    names = {path.stem.strip("_") for path in SOURCE.rglob("*.py")}
    assert not names & {"utils", "util", "common", "helpers", "helper", "misc"}


def test_scipy_is_imported_inside_functions() -> None:
    for part, tree in modules():
        top = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
        for node in top:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module]
            heavy = [n for n in names if n and n.split(".")[0] in {"scipy", "duckdb", "sklearn"}]
            assert not heavy or part == "sklearn", (part, heavy)


def test_import_costs_nothing() -> None:
    code = f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r}); import informed; "
    code += "print(*{name.partition('.')[0] for name in sys.modules})"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(said.stdout.split())
    assert "informed" in loaded
    assert not loaded & {"numpy", "scipy", "duckdb", "narwhals", "pandas", "rich", "click"}


# ---------------------------------------------------------------- names


def test_all_is_the_registry_and_the_other_public_names() -> None:
    names = [n for n in informed.__all__ if n != "__version__"]
    assert len(names) == len(set(names))
    assert set(MEASURES) <= set(names)
    for name in set(names) - set(MEASURES):
        value = getattr(informed, name)
        assert not isinstance(value, Measure)
        assert not (callable(value) and getattr(value, "__name__", "") in ALIASES)
    assert not set(ALIASES) & set(names), "an alias is reached, not listed"
    assert dir(informed) == sorted(informed.__all__)


@pytest.mark.parametrize("name", informed.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(informed, name) is not None


def test_every_alias_is_importable() -> None:
    for alias, name in ALIASES.items():
        assert getattr(informed, alias) is MEASURES[name].function, alias
        assert informed.find(alias).name == name
        assert alias not in MEASURES
        assert alias.isidentifier()


def test_type_checkers_see_every_name() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    block = next(n for n in tree.body if isinstance(n, ast.If))
    seen: set[str] = set()
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        names = {alias.asname or alias.name for alias in node.names}
        if names == {"*"}:
            module = sys.modules[str(node.module)]
            names = {n for n in vars(module) if not n.startswith("_")}
        seen |= names
    assert set(informed.__all__) - {"__version__"} <= seen


# ---------------------------------------------------------------- documentation and references


@pytest.mark.parametrize("m", MEASURES.values(), ids=str)
def test_every_measure_is_documented(m: Measure) -> None:
    doc = inspect.getdoc(m.function) or ""
    assert f">>> {m.name}(" in doc or f"{m.name}(Table" in doc or f"{m.name}(t" in doc
    assert m.summary[0].isupper()
    assert m.summary.endswith(".")
    assert m.title
    assert m.facts.tex
    assert m.facts.refs
    assert m.facts.bounds[0] < m.facts.bounds[1]
    for named in (m.facts.dual, m.facts.inverse):
        assert named is None or named in MEASURES
    assert not isinstance(m.facts.chance, str) or m.facts.chance in MEASURES


def test_references() -> None:
    entries = re.findall(
        r"^@\w+\{(\w+),", (SOURCE / "references.bib").read_text(encoding="utf-8"), re.M
    )
    assert len(entries) == len(set(entries))
    assert entries == sorted(entries)
    cited = {re.split(r"[ ,(]", ref)[0] for m in MEASURES.values() for ref in m.facts.refs}
    assert cited <= set(entries), cited - set(entries)


def test_every_reference_is_complete() -> None:
    text = (SOURCE / "references.bib").read_text(encoding="utf-8")
    for entry in re.split(r"^(?=@)", text, flags=re.M)[1:]:
        for field in ("author", "title", "year"):
            assert re.search(rf"\b{field} = \{{", entry), entry
        assert entry.count("{") == entry.count("}"), entry
