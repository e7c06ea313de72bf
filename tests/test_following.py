"""Runs that are still going on: whole lines as they come, items with their attempts, what is not counted and why."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from command_line import ROOT
from informed.errors import SourceError
from informed.evidence.seen import Seen
from informed.sources import following
from informed.sources.following import Columns, Growing
from informed.sources.watched import Batch, WatchedColumns, WatchedLog

LM_EVAL = ROOT / "tests/samples/cases/lm_eval/org__model-a"


def watched(path: Path | str, *more: str, **how: Any) -> WatchedColumns:
    roles = ("real", "predicted", *more)
    return WatchedColumns(Columns(Growing(str(path)), tuple(x[0] for x in roles)), roles, **how)


def take(source: Any, *, last: bool = False, n: int | None = None) -> list[tuple[Any, Any]]:
    """What there is, or the first n of it, counted."""
    batch: Batch = source.batch(last=last)
    n = len(batch) if n is None else n
    source.took(batch, n)
    if batch.problem is not None and n == len(batch):
        raise batch.problem
    return list(zip(batch.real[:n], batch.predicted[:n], strict=True))


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_a_half_line_waits(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"r": "a", "p": "a"}\n{"r": "b", ')
    source = watched(path)
    assert take(source) == [("a", "a")]
    assert take(source) == []
    with path.open("a") as file:
        file.write('"p": null}\n\n{"r": 1, "p": 1.0}\n')
    assert take(source) == [("b", None), ("1", "1.0")], "numbers are labels as they are written"
    assert source.said() == []


def test_a_last_line_without_its_end(tmp_path: Path) -> None:
    """JSON that is whole is counted; what may be half is said, and is counted when its end comes."""
    path = tmp_path / "run.jsonl"
    path.write_text('{"r": "a", "p": "a"}\n{"r": "b", "p": "b"}')
    source = watched(path)
    assert take(source, last=True) == [("a", "a")]
    assert take(source, last=True) == [("b", "b")]
    assert take(source, last=True) == []

    for name, held in (("run.csv", "r,p\na,a\nb,b"), ("run.json", '{"r": "a", "p": "a"}\n{"r": "b')):
        path = tmp_path / name
        path.write_text(held)
        source = watched(path)
        assert [take(source, last=True) for _ in range(2)] == [[("a", "a")], []]
        assert source.said() == [f"The last line of {path} has no end and may be half of one: it was not counted."]


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text('\ufeffid;r;p\n1;a;"x\ny"\n2;"a;b";\n', encoding="utf-8")
    source = watched(path)
    assert take(source) == [("a", "x\ny"), ("a;b", None)]
    with path.open("a") as file:
        file.write('3;c;"half\n')
    assert take(source) == []
    with path.open("a") as file:
        file.write('whole"\n')
    assert take(source) == [("c", "half\nwhole")]
    tabs = tmp_path / "run.tsv"
    tabs.write_text("r\tp\na\tb\n")
    assert take(watched(tabs)) == [("a", "b")]


def test_quotes_are_quotes_at_the_start_of_a_value_only(tmp_path: Path) -> None:
    """One odd quote inside a value of 1,000 rows made `watch` lose all rows behind it without a word."""
    path = tmp_path / "run.csv"
    rows = [("a", "b"[i % 3 :] or "a", '5" pipe' if i == 100 else "x") for i in range(1000)]
    path.write_text("r,p,note\n" + "".join(",".join(row) + "\n" for row in rows))
    source = watched(path)
    assert take(source, last=True) == [row[:2] for row in rows]
    assert source.said() == []


def test_a_quoted_value_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that one odd quote swallows are refused; a long text that is still being written is held back, and said."""
    path = tmp_path / "run.csv"
    path.write_text("r,p,note\na,a,x\n" + 'a,b,"5 pipe\n' + "b,b,x\n" * 900)
    source = watched(path)
    assert take(source) == [("a", "a")]
    with pytest.raises(SourceError, match=r"line 3: a quoted value begins .* in the 901 lines .* double the quotes"):
        take(source, last=True)
    monkeypatch.setattr(following, "CHUNK", 1 << 10)
    with pytest.raises(SourceError, match="line 3: a quoted value begins"):
        take(source)

    path.write_text('r,p,note\na,a,x\na,b,"The answer, as I said,\nis this:\n')
    source = watched(path)
    assert [take(source, last=True) for _ in range(2)] == [[("a", "a")], []]
    said = f"{path} ends in a quoted value that begins in line 3 and has no end: 2 lines not counted."
    assert source.said() == [said]
    with path.open("a") as file:
        file.write('b."\n')
    assert take(source, last=True) == [("a", "b")]
    assert source.said() == []


def test_a_header_of_any_length(tmp_path: Path) -> None:
    """A field over 128 KB, which Python's csv refuses by itself, and one with ends of lines in it."""
    path = tmp_path / "run.csv"
    path.write_text(f'r,"{"x" * 200_000}\ny",p\na,1,b\n')
    assert take(watched(path)) == [("a", "b")]


def test_lines_that_end_with_cr_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_bytes(b"r,p\ra,a\rb,b\r")
    with pytest.raises(SourceError, match="has lines that end with CR alone; write them with LF"):
        take(watched(path), last=True)


@pytest.mark.parametrize("value", ["1.0", "1", "1e5", "true", "0.50", '"x"', '"1.0"', '" "', '""', "null", "NaN"])
def test_labels_are_those_that_read_gives(tmp_path: Path, value: str) -> None:
    """One spelling for `watch` and for `report`, of JSON and of CSV."""
    import informed

    path = tmp_path / "run.jsonl"
    path.write_text(f'{{"r": "a", "p": {value}}}\n' + lines(*({"r": "b", "p": "a"} for _ in range(9))))
    ((_, label), *_) = take(watched(path))
    table = informed.read(path, real="r", predicted="p", missing="abstain", normalize="none")
    said = set(table.predicted_labels) - {"a", "b"}
    assert label == next(iter(said), None)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (b"r,q\na,a\n", "has no column 'p'; it has 'r', 'q'."),
        (b"r,p\na,a\nb\n", "line 3: it has 1 values and the header 2."),
        (b'{"r": 1}\n', "line 1: it has no field 'p'; it has 'r'."),
        (b'{"r": 1, "p": 1}\n[1]\n', "line 2: a JSON object is needed"),
        (b'{"r": 1, "p": 1}\n{"r": 1, "p"\n', "line 2: this is not JSON"),
        (b'{"r": 1, "p": {}}\n', "line 1: the p is"),
        (b"\x1f\x8b\x08\n", "is packed (gzip)"),
        (b"r,p\na,\xff\n", "is not UTF-8 text"),
        (b"r,p\na,b\0\n", "line 2: this is not a line of text (it holds a zero byte)."),
        (b"r,p\na,a\nb,b\r\n", "line 3: it ends with CR and LF, and the header with LF; write one kind of line end."),
        (b"r,p\r\na,a\r\nb,b\n", "line 3: it ends with LF, and the header with CR and LF;"),
        (b'r,p\na,"5" pipe"\n', "line 2: this is no regular CSV (quotes inside a quoted value are doubled)."),
        (b"r,p,p\na,b,c\n", "has 2 columns called 'p' (columns 2, 3); rename one of them."),
        (b'{"r": 1, "p": 1}\n{"r": 1, "p": 0, "p": 1}\n', "line 2: the key 'p' stands 2 times in one object;"),
        (b'{"r": null, "p": 1}\n', "line 1: the real label is missing; `missing='drop'`"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, held: bytes, said: str) -> None:
    path = tmp_path / "run"
    path.write_bytes(held)
    with pytest.raises(SourceError) as error:
        take(watched(path))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_what_stands_before_a_bad_line_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(lines(*({"r": i % 2, "p": 1} for i in range(1000))) + "{\n" + lines({"r": 1, "p": 0}))
    source = watched(path)
    with pytest.raises(SourceError, match="line 1,001"):
        take(source)
    assert source.columns.source.line == 1000
    path.write_text(path.read_text().replace("{\n", '{"r": 0, "p": 0}\n'))
    assert take(source) == [("0", "0"), ("1", "0")]


def test_missing_labels(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("r,p\n,a\na,a\n,b\nb,\nc,\n")
    source = watched(path, missing="drop")
    assert take(source, n=1) == [("a", "a")]
    assert take(source) == [("b", None), ("c", None)]
    assert take(source) == []
    with pytest.raises(SourceError, match="line 2: the real label is missing"):
        take(watched(path, missing="error"))
    path.write_text("r,p\na,a\nb,\n")
    with pytest.raises(SourceError, match="line 3: the answer is missing; `missing='abstain'`"):
        take(watched(path, missing="error"))


def test_attempts_at_an_item_are_one_unit(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("r,p,i\na,a,1\na,b,1\nb,b,2\nb,-,2\n")
    source = watched(path, "item", abstain=frozenset("-"))
    assert take(source) == [("a", ["a", "b"])], "the last item waits for the next"
    with path.open("a") as file:
        file.write("b,b,2\na,a,3\na,a,1\nb,b,4\n")
    assert take(source) == [("b", ["b", None, "b"]), ("a", "a")]
    assert take(source, last=True) == [("b", "b")]
    assert source.said() == ["1 row is of items that were counted already (the first of '1'): not counted again."]

    path.write_text("r,p,i\na,a,1\na,b,1\nb,b,2\nb,b,2\n")
    assert len(take(watched(path, "item", epochs=2))) == 2, "an item that has all its attempts does not wait"
    path.write_text("r,p,i\na,a,1\nb,b,1\na,a,2\n")
    with pytest.raises(SourceError, match="line 3: the item '1' is really 'a' and 'b'"):
        take(watched(path, "item"))


def test_going_on_is_exact(tmp_path: Path) -> None:
    """However it is cut, the same units come, each once."""
    path = tmp_path / "run.csv"
    path.write_text("r,p,i\n" + "".join(f"{i % 2},{i % 3},{i // 2}\n" for i in range(0, 400, 2)))
    whole = take(watched(path, "item"), last=True)
    found, state = [], None
    for n in (1, 0, 5, 50, 144):
        source = watched(path, "item")
        if state is not None:
            source.resume(json.loads(state))
        found += take(source, last=True, n=n)
        state = json.dumps(source.state())
    assert found == whole

    source = watched(path, "item")
    path.write_text("r,p,i\nother,a,1\n" * 500)
    with pytest.raises(SourceError, match="does not begin as the file that was watched"):
        source.resume(json.loads(str(state)))
    path.write_text("r,p,i\n")
    with pytest.raises(SourceError, match="does not begin as the file that was watched"):
        source.resume(json.loads(str(state)))


def test_a_file_that_becomes_shorter(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("r,p\na,a\nb,b\n")
    source = watched(path)
    take(source)
    with path.open("r+") as file:
        file.truncate(6)
    with pytest.raises(SourceError, match=r"has become shorter than what was counted \(6 of 12 bytes\)"):
        take(source)


def test_memory_does_not_grow_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "CHUNK", 1 << 10)
    path = tmp_path / "run.csv"
    path.write_text("r,p\n" + "yes,no\n" * 5000)
    source = watched(path)
    pieces = []
    while piece := take(source):
        pieces.append(len(piece))
    assert sum(pieces) == 5000
    assert max(pieces) <= 1024 // 7 + 1


def test_a_pipe() -> None:
    """What comes is counted as it comes; a half line waits for its end."""
    read, write = os.pipe()
    theirs = os.fdopen(write, "wb", buffering=0)
    with os.fdopen(read, encoding="utf-8") as ours, mock.patch.object(sys, "stdin", ours):
        source = watched("-")
        theirs.write(b'{"r": "a", "p": "a"}\n{"r": "b"')
        assert take(source) == [("a", "a")]
        assert not source.ended
        theirs.write(b', "p": "c"}\n')
        assert take(source) == [("b", "c")]
        theirs.close()
        assert take(source, last=True) == []
        assert source.ended


def test_a_closed_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SourceError, match="Standard input is closed"):
        take(watched("-"))


def test_items_are_kept_in_8_bytes() -> None:
    seen = Seen()
    for i in range(1000):
        seen.add(f"item {i}")
    held = seen.to_dict()
    assert len(held["items"]) < 1000 * 11
    assert "item 7" in Seen.from_dict(json.loads(json.dumps(held)))
    assert "item 1000" not in Seen.from_dict(held)


def test_the_place_in_the_schedule(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("r,p,i\na,b,3\na,a,0\n")
    batch = watched(path, "index").batch()
    assert batch.index == [3, 0]
    path.write_text("r,p,i,index\na,b,x,3\na,b,x,3\na,a,y,0\n")
    columns = Columns(Growing(str(path)), ("r", "p", "i", "index"))
    batch = WatchedColumns(columns, ("real", "predicted", "item", "index")).batch(last=True)
    assert (batch.index, batch.predicted) == ([3, 0], [["b", "b"], "a"])
    path.write_text("r,p,i\na,b,0\na,a,-1\n")
    with pytest.raises(SourceError, match="line 3: the place in the schedule is '-1'; a whole number from 0"):
        take(watched(path, "index"))


def inspected(told: str) -> list[tuple[str, str | None]]:
    """Cases of items by their answers; x is right of all but the third, and - is none."""
    return [("y" if x[0] == "3" else "x", None if x[1] == "-" else x[1]) for x in told.split()]


def inspect(path: Path, told: str, status: str) -> None:
    """A log of Inspect with five scheduled samples, of which some are there, in the order in which they ended."""
    samples = []
    for x, (real, answer) in zip(told.split(), inspected(told), strict=True):
        score = {"value": "C" if answer == real else "I" if answer else "N", "answer": answer}
        samples.append({"id": x[0], "epoch": 1, "target": real, "choices": None, "scores": {"match": score}})
    about = {"dataset": {"sample_ids": list("01234")}, "config": {"epochs": 1}, "model": "m", "task": "t"}
    path.write_text(json.dumps({"version": 2, "status": status, "eval": about, "samples": samples}))


class TestLogs:
    def test_a_log_that_grows(self, tmp_path: Path) -> None:
        whole = next(LM_EVAL.glob("*toy_yn*"))
        held = whole.read_bytes()
        path = tmp_path / whole.name
        path.write_bytes(held[: held.index(b"\n", len(held) // 2) - 20])
        source = WatchedLog(str(path))
        first = take(source)
        assert 0 < len(first) < 16
        assert "has no end" in source.said()[0]
        path.write_bytes(held)
        again = WatchedLog(str(path))
        again.resume(json.loads(json.dumps(source.state())))
        more = take(again)
        assert first + more == take(WatchedLog(str(whole)))
        assert take(again) == []
        assert again.said() == []

    def test_two_logs_are_paired_by_their_items(self) -> None:
        one, other = (next((LM_EVAL.parent / x).glob("*toy_yn*")) for x in ("org__model-a", "org__model-b"))
        batch = WatchedLog(str(one), other=str(other)).batch()
        assert batch.other is not None
        assert len(batch) == len(batch.other) == 16

    def test_an_item_waits_for_those_scheduled_before_it(self, tmp_path: Path) -> None:
        """Quick answers are more often right: who counts what comes first counts those."""
        path, other = tmp_path / "a.json", tmp_path / "b.json"
        inspect(path, "2x 0x 1- 4x", "started")
        source = WatchedLog(str(path))
        assert take(source) == inspected("0x 1- 2x")
        assert source.said() == ["1 item waits for one that was scheduled before: not counted yet."]
        assert take(source, last=True) == []

        inspect(other, "0x 1x 4x 3x", "started")
        pair = WatchedLog(str(path), other=str(other))
        assert take(pair) == inspected("0x 1-")
        assert pair.said() == ["2 items wait for one that was scheduled before: not counted yet."]

        inspect(path, "2x 0x 1- 4x 3y", "success")
        assert take(source) == inspected("3y 4x")
        assert source.said() == []

    def test_one_target_so_far_may_be_one_of_several(self, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        inspect(path, "0x 1y", "started")  # both ask for x
        source = WatchedLog(str(path))
        assert take(source) == []
        inspect(path, "0x 1y 2x 3y", "started")
        assert take(source) == inspected("0x 1y 2x 3y")

        inspect(path, "0x 1y", "cancelled")
        with pytest.raises(SourceError, match="Every item asks for 'x'"):
            take(WatchedLog(str(path)))

    def test_another_log_is_refused(self, tmp_path: Path) -> None:
        path, other = tmp_path / "a.json", tmp_path / "b.json"
        for each in (path, other):
            inspect(each, "0x 3y", "started")
        source = WatchedLog(str(path))
        take(source)
        with pytest.raises(SourceError, match="What was begun is the log"):
            WatchedLog(str(other)).resume(source.state())

    def test_a_log_without_classes_has_marks(self) -> None:
        path = str(next(LM_EVAL.glob("*toy_gsm*")))
        with pytest.raises(SourceError, match=r"--measure score --against 0\.5"):
            WatchedLog(path).batch()
        batch = WatchedLog(path, how={"marks": True}).batch()
        assert set(batch.predicted) <= {0.0, 1.0}
        assert set(batch.real) == {"score"}

    def test_no_log(self, tmp_path: Path) -> None:
        path = tmp_path / "x.txt"
        path.write_text("nothing")
        with pytest.raises(SourceError, match="no evaluation log that is known"):
            WatchedLog(str(path)).batch()
        shutil.copy(next(LM_EVAL.glob("*toy_yn*")), path)
