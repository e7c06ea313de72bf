"""`read(keep=)`: other columns of the items, and what `Paired` does with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from informed import InformedError, Table

WIDE = "id,real,new,old,lang,w\n1,a,a,b,en,1\n2,b,b,b,en,2\n3,a,a,a,de,1\n4,b,a,b,de,0.5\n"
LONG = "id,system,real,said,lang\n" + "".join(
    f"{i},{s},{r},{x},{lang}\n"
    for i, r, new, old, lang in ((1, *"aab", "en"), (2, *"bbb", "en"), (3, *"aaa", "de"))
    for s, x in (("new", new), ("old", old))
)


def file(tmp_path: Path, text: str, name: str = "x.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_columns_stay_with_their_items(tmp_path: Path) -> None:
    how: dict[str, Any] = {"real": "real", "predicted": ["new", "old"], "keep": ["lang"]}
    wide = informed.read(file(tmp_path, WIDE), item="id", weights="w", **how)
    assert wide.items == ("1", "2", "3", "4")
    assert dict(wide.kept) == {"lang": ("en", "en", "de", "de")}
    assert wide.weights.tolist() == [1, 2, 1, 0.5]
    nameless = informed.read(file(tmp_path, WIDE + "5,a,a,b,en,1\n"), **how)
    assert sorted(nameless.kept["lang"]) == ["de", "de", "en", "en", "en"]
    t = nameless.tables_by(nameless.kept["lang"])
    assert t.shape == (2, 2)
    assert t["old", "en"].counts.tolist() == [[0, 0], [2, 1]]
    long = informed.read(file(tmp_path, LONG), real="real", predicted="said", by="system", item="id", keep="lang")
    assert long.kept["lang"] == ("en", "en", "de")
    some = long.where(np.array([True, False, True])).among(["old"])
    assert (some.items, some.names, some.kept["lang"]) == (("1", "3"), ("old",), ("en", "de"))
    assert some != long


def test_weighted_tables_are_those_of_labels(tmp_path: Path) -> None:
    wide = informed.read(file(tmp_path, WIDE), real="real", predicted=["new", "old"], item="id", weights="w")
    w = [1, 2, 1, 0.5]
    wanted = Table.from_labels(real=list("abab"), predicted=list("abaa"), weights=w)
    found = wide.tables["new"]
    assert found.counts.tolist() == wanted.counts.tolist()
    assert found.effective_n("accuracy") == wanted.effective_n("accuracy")
    a = informed.compare.paired(wide, a="new", b="old")["accuracy"]
    b = informed.compare.paired(real=list("abab"), a=list("abaa"), b=list("bbab"), weights=w)
    assert (a.estimate, a.pvalue) == pytest.approx((b["accuracy"].estimate, b["accuracy"].pvalue))


def test_counts_of_identical_items_are_so_many_items(tmp_path: Path) -> None:
    text = "real,new,old,n\na,a,b,3\nb,b,b,2\nb,a,b,1\n"
    how: dict[str, Any] = {"real": "real", "predicted": ["new", "old"], "counts": "n"}
    found = informed.read(file(tmp_path, text), **how)
    assert (len(found), found.weights, found.items) == (6, None, None)
    assert found.tables["new"].counts.tolist() == [[3, 1], [0, 2]]
    with pytest.raises(InformedError, match="are not whole"):
        informed.read(file(tmp_path, text.replace("b,2", "b,2.5")), **how)


def test_what_cannot_be_kept(tmp_path: Path) -> None:
    torn = file(tmp_path, LONG.replace("2,old,b,b,en", "2,old,b,b,fr"))
    how: dict[str, Any] = {"real": "real", "predicted": "said"}
    with pytest.raises(InformedError, match=r"'2' .* more than one 'lang' \('en' and 'fr'\)"):
        informed.read(torn, by="system", item="id", keep="lang", **how)
    with pytest.raises(InformedError, match="`keep` is for several systems"):
        informed.read(torn, keep="lang", **how)
    heavy = file(tmp_path, WIDE.replace(",0.5", ",much"), "heavy.csv")
    with pytest.raises(InformedError, match="hold 'much'; every item needs a number"):
        informed.read(heavy, real="real", predicted=["new", "old"], weights="w")
    wide = informed.read(file(tmp_path, WIDE), real="real", predicted=["new", "old"])
    with pytest.raises(InformedError, match="3 groups were given for 4 items"):
        wide.tables_by(["a", "b", "c"])
    with pytest.raises(InformedError, match="Some cases belong to no group"):
        wide.tables_by(["a", "b", "c", None])
    with pytest.raises(InformedError, match="a joint table is counted already"):
        informed.compare.paired(joint=np.ones((2, 2, 2)), weights=[1])
