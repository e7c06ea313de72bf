"""Log readers against damaged and hostile files: one sentence, no traceback, hang or flood."""

from __future__ import annotations

import io
import json
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from informed.errors import InformedError, SourceError
from informed.sources import logs
from informed.sources.logs import bounded_files as _files

SAMPLES = Path(__file__).parent / "samples"
QRELS, RUN = SAMPLES / "trec" / "qrels.test", SAMPLES / "trec" / "results.test"
RUN_TIME = "2026-11-16T06-59-32.419041"
FILES: dict[str, tuple[str, dict[str, Any]]] = {  # with a choice, so that the readers go on
    "lm_eval/samples_local_mc_2026-11-15T21-47-03.675325.jsonl": ("lm-eval", {}),
    "lm_eval/samples_local_gen_2026-11-15T21-47-03.675325.jsonl": ("lm-eval", {}),
    "inspect_ai/two.eval": ("inspect", {"scorer": "match"}),
    "openai_evals/gpt_mcq.jsonl": ("openai-evals", {}),
    "openai_evals/match.jsonl": ("openai-evals", {}),
    "mlflow/eval_results_table.json": ("mlflow", {}),
    "weka/weka_p0.txt": ("weka", {}),
    "weka/weka_summary.txt": ("weka", {"section": "Error on training data"}),
    "trec/results.test": ("trec", {"qrels": QRELS, "universe": 10_000}),
    "conll/out.conll": ("conll", {}),
    "pycm/matrix.obj": ("pycm", {}),
    "promptfoo/sentiment.json": ("promptfoo", {"scorer": "passed"}),
    "promptfoo/sentiment13.jsonl": ("promptfoo", {"scorer": "exact"}),
    "promptfoo/sentiment13.csv": ("promptfoo", {"scorer": "passed", "real": "expected"}),
    "deepeval/test_run_20261116_064332.json": ("deepeval", {"scorer": "Exact Match"}),
    "helm/simple_mcqa/scenario_state.json": ("helm", {"scorer": "exact_match"}),
    f"lighteval/details/org/mock-a/{RUN_TIME}/details_toyqa-0_{RUN_TIME}.parquet": ("lighteval", {}),
    f"lighteval/results/org/mock-a/results_{RUN_TIME}.json": ("lighteval", {}),
    "swe_bench/org__agent-a.r1.json": ("swe-bench", {}),
    "ragas/evaluation.csv": ("ragas", {"scorer": "exact_match"}),
    "ragas/evaluation.jsonl": ("ragas", {"scorer": "exact_match"}),
    "mlflow_genai/eval_results.json": ("mlflow-genai", {"scorer": "exact_match"}),
    "langsmith/experiment.csv": ("langsmith", {"scorer": "exact_match"}),
    "braintrust/experiment.json": ("braintrust", {"scorer": "ExactMatch"}),
    "simple_evals/simpleqa_gpt-mock-a_20260102_030405_allresults.json": ("simple-evals", {}),
    "nanochat/base_model_000500.csv": ("nanochat", {}),
    "nanochat/base_model_000500_examples.jsonl": ("nanochat", {}),
}
WHOLE = ("inspect", "lighteval")  # cut at 10 KB they would be damaged already
JSON = [name for name in FILES if Path(name).suffix in (".jsonl", ".json", ".obj")] + ["inspect_ai/mcq.json"]

QUICK = settings(
    max_examples=40,
    deadline=3000,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def needed(kind: str) -> dict[str, Any]:
    """The options without which a format cannot be read."""
    return {"qrels": QRELS} if kind == "trec" else {}


def survives(path: Path, kind: str, options: dict[str, Any]) -> None:
    """A table, or an error that is one of ours and names a file."""
    found = logs.recognise(path)
    assert found is None or found in logs.FORMATS
    said = ""
    try:
        logs.read_log(path, kind, **options)
    except InformedError as error:
        said = str(error)
    try:
        json.dumps(logs.describe(path, kind, **options), default=str)
    except InformedError as error:
        said += str(error)
    assert len(said) < 2000


# ---------------------------------------------------------------- damaged bytes


def shortened(data: bytes, draw: st.DrawFn) -> bytes:
    return data[: draw(st.integers(0, len(data)))]


def flipped(data: bytes, draw: st.DrawFn) -> bytes:
    changed = bytearray(data)
    for _ in range(draw(st.integers(1, 8))):
        changed[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(changed)


def stuffed(data: bytes, draw: st.DrawFn) -> bytes:
    at = draw(st.integers(0, len(data)))
    alien = st.sampled_from([b"\0", b"\xff\xfe", b"[" * 5000, b" " * 5000, b"9" * 5000, b"\r\n\n"])
    return data[:at] + draw(alien) + data[at:]


def torn(data: bytes, draw: st.DrawFn) -> bytes:
    a, b = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
    return data[:a] + data[b:]


MUTATIONS: list[Callable[[bytes, st.DrawFn], bytes]] = [shortened, flipped, stuffed, torn]


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    return draw(st.sampled_from(MUTATIONS))(data, draw)


@pytest.mark.parametrize("name", FILES)
def test_damaged_files_give_a_table_or_a_sentence(name: str, tmp_path: Path) -> None:
    kind, options = FILES[name]
    original = (SAMPLES / name).read_bytes()

    @QUICK
    @given(damaged(original if kind in WHOLE else original[:10_000]))
    def check(data: bytes) -> None:
        path = tmp_path / "log"
        path.write_bytes(data)
        survives(path, kind, options)

    check()


@pytest.mark.parametrize("kind", logs.FORMATS)
def test_any_file_as_any_format_gives_a_sentence(kind: str, tmp_path: Path) -> None:
    """Wrongly forced formats, and every other file of the samples."""
    options = needed(kind)
    for path in sorted(p for p in SAMPLES.rglob("*") if p.is_file()):
        survives(path, kind, options)
    for content in (b"", b"\n", b"{}", b"[]", b"null", b"\xff", b"PK\x03\x04", b"{}\n{}\n", b"a\n"):
        path = tmp_path / "log"
        path.write_bytes(content)
        with pytest.raises(InformedError, match=r"log|qrels\.test"):
            logs.read_log(path, kind, **options)


# ---------------------------------------------------------------- wrong values


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where the values of a JSON document are."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value[:30]))
    return [path, *(place for key, held in inner for place in places(held, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], new)
    return copy


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


STRANGE: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([None, True, -1, 0, 10**30, 10**400, 1e308, float("nan"), float("inf"), "", " ", "é" * 300]),
    st.sampled_from([[], {}, [[]], [None], {"": None}, nested(300), ["a", "b"], [["x", "y"]]]),
    st.text(max_size=5),
)


@pytest.mark.parametrize("name", JSON)
def test_wrong_values_give_a_table_or_a_sentence(name: str, tmp_path: Path) -> None:
    kind, options = FILES.get(name, ("inspect", {}))
    text = (SAMPLES / name).read_text()
    by_line = name.endswith("l")
    documents = [json.loads(line) for line in (text.splitlines()[:6] if by_line else [text])]
    spots = [(i, place) for i, held in enumerate(documents) for place in places(held)]

    @QUICK
    @given(st.lists(st.tuples(st.sampled_from(spots), STRANGE), min_size=1, max_size=2))
    def check(changes: list[tuple[tuple[int, tuple[Any, ...]], Any]]) -> None:
        held = list(documents)
        for (i, place), new in changes:
            try:
                held[i] = replaced(held[i], place, new)
            except (KeyError, IndexError, TypeError):  # the first change took the second's place
                continue
        path = tmp_path / "log"
        path.write_text("\n".join(json.dumps(x) for x in held))
        survives(path, kind, options)

    check()


@pytest.mark.parametrize("depth", [900, 990, 5_000, 200_000])
@pytest.mark.parametrize(
    "kind",
    [
        *("lm-eval", "inspect", "openai-evals", "mlflow", "pycm", "array", "promptfoo", "deepeval", "helm"),
        *("lighteval", "swe-bench", "ragas", "mlflow-genai", "langsmith", "braintrust", "simple-evals", "nanochat"),
    ],
)
def test_deep_nesting_gives_a_sentence(kind: str, depth: int, tmp_path: Path) -> None:
    path = tmp_path / "log"
    deep = "[" * depth + "]" * depth
    path.write_text(
        f'{{"doc_id": 1, "columns": ["label", "output"], "data": [[1, {deep}]], '
        f'"filtered_resps": {deep}, "target": {deep}, "type": "match", "Matrix": {deep}, '
        f'"eval": {{}}, "samples": [{{"target": {deep}}}]}}'
    )
    with pytest.raises(InformedError, match="log"):
        logs.read_log(path, kind)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("weka", "inst# actual predicted error\n1 1:a" + " " * 200_000 + "x"),
        ("weka", "=== Confusion Matrix ===\n 1 2 | a = " + " " * 200_000 + "x | y"),
        ("weka", "=== " + "= " * 200_000),
        ("sklearn", "[[1" + " " * 200_000 + "]"),
        ("sklearn", "[[1]" + " ," * 100_000 + "x"),
        ("sklearn", "[" * 100_000),
        ("sklearn", "[[" * 50_000 + "1" + "]" * 50_000),
        ("conll", "a " * 200_000 + "\na"),
        ("trec", "1 Q0 " + "x" * 200_000),
    ],
)
def test_long_lines_do_not_hang(kind: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(line)
    begun = time.perf_counter()
    logs.recognise(path)
    with pytest.raises(InformedError):
        logs.read_log(path, kind, **needed(kind))
    assert time.perf_counter() - begun < 2


# ---------------------------------------------------------------- size


@pytest.mark.parametrize("kind", ["lm-eval", "inspect"])  # lines, and one document
def test_a_gigabyte_on_one_line_is_refused_unread(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    assert logs.recognise(path) is None
    tracemalloc.start()
    try:
        with pytest.raises(SourceError, match=r"log(, line 1)?: .*(longer|larger) than \d+ MB"):
            logs.read_log(path, kind, **needed(kind))
        assert tracemalloc.get_traced_memory()[1] < 2.1 * _files.DOCUMENT
    finally:
        tracemalloc.stop()


def test_a_long_line_is_named_by_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_files, "LINE", 100)
    path = tmp_path / "log"
    path.write_text('{"spec": {}}\n' + "x" * 101)
    with pytest.raises(SourceError, match="log, line 2: the line is longer than 100 bytes"):
        logs.read_log(path, "openai-evals")


def bomb(path: Path, size: int, zstd: bool) -> Path:
    """A small zip whose summaries inflate to `size` bytes of JSON white space."""
    maker: Any = import_module("backports.zstd.zipfile") if zstd else zipfile
    method = maker.ZIP_ZSTANDARD if zstd else maker.ZIP_DEFLATED
    with maker.ZipFile(path, "w", method) as archive:
        archive.writestr("header.json", "{}")
        with archive.open("summaries.json", "w", force_zip64=True) as member:
            for _ in range(size >> 20):
                member.write(b" " * (1 << 20))
    return path


@pytest.mark.parametrize("zstd", [False, True])
def test_a_zip_bomb_is_refused_while_it_streams(zstd: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bomb(tmp_path / "bomb.eval", 40 << 20, zstd)
    assert path.stat().st_size < 1 << 20
    monkeypatch.setattr(_files, "DOCUMENT", 4 << 20)
    tracemalloc.start()
    try:
        with pytest.raises(SourceError, match=r"summaries\.json inflates to more than 4 MB"):
            logs.read_log(path)
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def test_many_members_share_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_files, "DOCUMENT", 1 << 20)
    path = tmp_path / "many.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", "{}")
        for i in range(20):
            archive.writestr(f"_journal/summaries/{i}.json", "[" + " " * 100_000 + "]")
    with pytest.raises(SourceError, match="inflates to more than 1 MB"):
        logs.read_log(path)


def test_a_lying_zip_is_refused(tmp_path: Path) -> None:
    data = bytearray((SAMPLES / "inspect_ai" / "mcq.eval").read_bytes())
    held = zipfile.ZipFile(io.BytesIO(bytes(data)))
    at = held.getinfo("summaries.json").header_offset + 60
    data[at] ^= 0xFF
    path = tmp_path / "x.eval"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"summaries\.json is damaged"):
        logs.read_log(path)


def test_places_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="it cannot be read"):
        logs.read_log(tmp_path, "lm-eval")
    with pytest.raises(SourceError, match="it cannot be read"):
        logs.read_log(tmp_path / "absent", "inspect")


# ---------------------------------------------------------------- Parquet, folders, columns


def parquet_bomb(path: Path, rows: int, size: int) -> Path:
    """A small Parquet file of details whose one prompt, of `size` bytes, stands in every row."""
    arrow: Any = import_module("pyarrow")
    one = arrow.array(["x" * size])
    text = arrow.DictionaryArray.from_arrays(arrow.array([0] * rows, arrow.int32()), one)
    lists = arrow.array([[0]] * rows)
    options, scores = arrow.array([["a", "b"]] * rows), arrow.array([[0.5, 0.1]] * rows)
    marks = arrow.array([{"acc": 1}] * rows)
    columns = {"example": text, "gold_index": lists, "choices": options, "predictions": scores, "metrics": marks}
    import_module("pyarrow.parquet").write_table(arrow.table(columns), path)
    return path


def test_a_parquet_bomb_is_refused(tmp_path: Path) -> None:
    path = parquet_bomb(tmp_path / "bomb.parquet", 4_000, 1_000_000)  # 4 GB of text
    assert path.stat().st_size < 1 << 20
    assert logs.recognise(path) == "lighteval"
    with pytest.raises(SourceError, match=r"bomb\.parquet: its rows (need more than 1GB|hold more than 256 MB)"):
        logs.load(path)


def test_rows_of_parquet_share_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = parquet_bomb(tmp_path / "rows.parquet", 2_000, 1_000)
    assert len(logs.load(path).cases) == 2_000
    monkeypatch.setattr(_files, "DOCUMENT", 1 << 20)
    with pytest.raises(SourceError, match="its rows hold more than 1 MB, the most that is read"):
        logs.load(path)


@pytest.mark.parametrize("content", [b"PAR1", b"PAR1" * 1000, b"PAR1" + b"\0" * 100 + b"PAR1"])
def test_a_parquet_file_that_is_cut_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    assert logs.recognise(path) is None
    with pytest.raises(SourceError, match="log: this is no whole Parquet file"):
        logs.load(path, "lighteval")


def test_folders_that_are_no_runs(tmp_path: Path) -> None:
    (tmp_path / "scenario_state.json").write_text("{}")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "report.json").write_text("[" * 10_000)
    assert logs.recognise(tmp_path) is None
    for kind in ("helm", "swe-bench", "lighteval", "promptfoo", "ragas", "nanochat"):
        with pytest.raises(SourceError):
            logs.load(tmp_path, kind)


def test_a_run_of_helm_with_a_broken_file_names_that_file(tmp_path: Path) -> None:
    for name in ("scenario_state.json", "per_instance_stats.json", "stats.json", "run_spec.json"):
        (tmp_path / name).write_bytes((SAMPLES / "helm" / "simple_mcqa" / name).read_bytes())
    assert logs.recognise(tmp_path) == "helm"
    for name in ("per_instance_stats.json", "stats.json", "run_spec.json"):
        held = (tmp_path / name).read_text()
        (tmp_path / name).write_text(held[:500])
        with pytest.raises(SourceError, match=rf"{name}: this is not JSON"):
            logs.load(tmp_path)
        (tmp_path / name).write_text(held)


@pytest.mark.parametrize(
    ("kind", "content", "said"),
    [
        ("promptfoo", "q,[a] p,Status,Score\n1,x,PASS\n", "row 2 has 3 values and the header 4"),
        ("promptfoo", "q,[a] p,Status,Score\n1,x,GOOD,1\n", "status 'GOOD'; PASS, FAIL or ERROR is needed"),
        ("promptfoo", '{"results": {"version": 3, "prompts": [], "results": []}}', "there are no results"),
        ("promptfoo", '{"results": {"version": 3, "prompts": [], "results": [1]}}', "result 1 does not say"),
        ("ragas", 'user_input,response,ok\n"a,b,1\n', "this is no regular CSV"),
        ("ragas", "user_input,response,ok\na,b\n", "row 2 has 2 values and the header 3"),
        ("ragas", '[{"user_input": "a", "response": "b", "why": "so"}]', "no column holds scores"),
        ("langsmith", "a,b\n1,2\n", "no column 'error'"),
        ("braintrust", '[{"span_id": "b", "root_span_id": "a", "scores": {}, "output": 1}]', "there are no rows"),
        ("nanochat", "Task,Accuracy,Centered\na,b\n", "row 2 has 2 values"),
        ("nanochat", "Task,Accuracy,Centered\n", "there is no number"),
        ("nanochat", '{"task": "a", "idx": 1, "is_correct": 2}', "line 1: an example needs"),
        ("simple-evals", '{"score": 1, "htmls": ["<p>Score: 1</p>", "x"]}', "example 2 shows no score"),
        ("simple-evals", '{"score": "high", "htmls": []}', "needs a `score`"),
        ("swe-bench", '{"total_instances": 3}', "totals and no lists of ids"),
        ("swe-bench", '{"resolved_ids": [1]}', "holds what is no id"),
        ("swe-bench", '{"a": {"resolved": "yes"}}', "a does not say whether it is resolved"),
        ("deepeval", '{"testCases": [{"metricsData": [{}]}]}', "a metric of test case 1 has no name"),
        ("lighteval", '{"config_general": {}}', "needs an object `results`"),
    ],
)
def test_what_is_missing_is_said_in_one_sentence(kind: str, content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(content)
    with pytest.raises(SourceError, match=said) as error:
        logs.load(path, kind)
    assert "\n" not in str(error.value)


def test_nan_is_no_mark(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text('{"user_input": "a", "response": "b", "faithfulness": NaN}\n' * 2)
    assert [(case.mark, case.state, case.epoch) for case in logs.load(path, "ragas").cases] == [
        (None, "unscored", 1),
        (None, "unscored", 2),
    ]
