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
import mutations
import rooms
from informed import ALIASES, MEASURES, Measure

SOURCE = Path(informed.__file__).parent

TEXTS = rooms.sources(SOURCE)


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module by its part of the package, the package's own names first."""
    for path in sorted(SOURCE.rglob("*.py")):
        part = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        yield part, rooms.parsed(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pairs() -> set[rooms.Pair]:
    return rooms.imports(TEXTS)


def test_every_module_has_its_room() -> None:
    unknown = {part for part, _ in modules()} - rooms.LEVEL.keys() - {"__init__"}
    assert not unknown, f"say in ROOMS where {sorted(unknown)} belong"


def test_imports_point_left_and_never_in_a_circle(pairs: set[rooms.Pair]) -> None:
    assert not rooms.offences(pairs)


@pytest.mark.parametrize(
    ("room", "text", "offence"),
    [
        ("measures", "from informed import report", "summary.analysis"),
        ("measures", "import informed\n\ninformed.report(t)", "summary.analysis"),
        ("measures", "import informed as i\n\nx = i.documents.page", "documents"),
        ("measures", "def f():\n    from informed.inference.tests import test", "inference.tests"),
        ("measures", "def f():\n    import informed.inference.tests as x", "inference.tests"),
        ("evidence", "from informed import mcc", "measures"),
        ("evidence", "import_module('informed.web.app')", "web.app"),
        ("documents", "from informed.cli import _options", "cli._options"),
        ("web", "from informed.cli import _options", "cli._options"),
        ("sources", "from informed.evidence.table import Table", None),
        ("cli", "from informed.cli import _options", None),
        ("results", "def f():\n    from informed.documents import page", None),
        ("inference", "if TYPE_CHECKING:\n    from informed import Report", None),
        ("inference", "if not TYPE_CHECKING:\n    from informed import Report", "summary.report"),
    ],
)
def test_the_guard_sees(room: str, text: str, offence: str | None) -> None:
    empty = dict.fromkeys(TEXTS, "") | {"informed": TEXTS["informed"]}
    new = f"informed.{room}.new"
    found = rooms.offences(rooms.imports(empty | {new: text}))
    assert found == ({(new, f"informed.{offence}")} if offence else set())


def test_the_guard_sees_circles() -> None:
    lazy = {
        "informed": "",
        "informed.web.a": "from informed.web.b import x",
        "informed.web.b": "def x():\n    import informed.web.c",
        "informed.web.c": "import informed.web.d\n\ndef y():\n    from informed.web import a",
        "informed.web.d": "",
    }
    letters = {(a[-1], b[-1]) for a, b in rooms.offences(rooms.imports(lazy))}
    assert letters == {("a", "b"), ("b", "c"), ("c", "a")}


@pytest.mark.parametrize("mistake", mutations.MISTAKES, ids=lambda m: m.what)
def test_every_mistake_can_still_be_made(mistake: mutations.Mistake) -> None:
    assert mutations.applies(mistake), "say in tests/mutations.py what it would be now"


def test_no_private_name_leaves_its_room() -> None:
    taken = [
        (part, node.module, alias.name)
        for part, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("informed.")
        for alias in node.names
        if alias.name.startswith("_") and str(node.module).split(".")[1] != part
    ]
    assert not taken


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


def test_star_import_gives_every_public_name() -> None:
    names: dict[str, object] = {}
    exec("from informed import *", names)
    assert set(informed.__all__) <= set(names)


def listed(node: ast.AST) -> list[str]:
    """Texts that a tuple, list, set or the keys of a dictionary hold."""
    held: list[ast.expr | None] = []
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        held = list(node.elts)
    if isinstance(node, ast.Dict):
        held = list(node.keys)
    return [str(x.value) for x in held if isinstance(x, ast.Constant) and isinstance(x.value, str)]


def test_measures_are_listed_in_one_place() -> None:
    """What is asked of a measure stands in its facts, which are shown where in `shown`."""
    for path in sorted(SOURCE.rglob("*.py")):
        inside = path.relative_to(SOURCE).as_posix()
        if inside.startswith(("measures/", "papers/")):
            continue
        for node in ast.walk(rooms.parsed(path.read_text(encoding="utf-8"))):
            names = [name for name in listed(node) if name in MEASURES]
            assert len(names) < 4, f"{inside} lists {names}"


def test_every_measure_that_is_shown_exists() -> None:
    from informed.measures import shown

    for selection in [held for name, held in vars(shown).items() if name.isupper()]:
        assert len({str(informed.find(name)) for name in selection}) == len(selection)


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
    entries = re.findall(r"^@\w+\{(\w+),", (SOURCE / "references.bib").read_text(encoding="utf-8"), re.M)
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
