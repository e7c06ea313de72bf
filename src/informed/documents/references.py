"""Works that are cited, from `references.bib`, and the section of a page that names methods for a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from unicodedata import normalize

import informed
from informed._wording import listed
from informed.documents.blocks import Section, Words
from informed.inference.method_names import OWN, NamedMethod

Statement = tuple[str, tuple[str, ...]]  # a sentence without its full stop, and the works that it cites
METHODS, CITED = "methods", "Methods, to cite"  # the key of their section, and its title
Used = Iterable[tuple[NamedMethod, Sequence[str]]]  # methods, and what each was used for


def entries(text: str) -> dict[str, dict[str, str]]:
    """Fields of the entries of a BibTeX file, by key."""
    works = {}
    for entry in re.split(r"^@", text, flags=re.MULTILINE)[1:]:
        head = re.match(r"\w+\s*\{\s*([^,\s]+)\s*,", entry)
        if head is not None:
            works[head[1]] = fields(entry[head.end() :])
    return works


def fields(text: str) -> dict[str, str]:
    """Fields of an entry; values stand in braces, which may hold braces."""
    found: dict[str, str] = {}
    at = 0
    while start := re.compile(r"(\w+)\s*=\s*\{").search(text, at):
        depth, at = 1, start.end()
        while depth and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        found[start[1].lower()] = unaccented(text[start.end() : at - 1])
    return found


def unaccented(value: str) -> str:
    """TeX's accents, quotes and dashes as the characters they stand for."""
    marks = dict(zip("'`\"v^~", "\u0301\u0300\u0308\u030c\u0302\u0303", strict=True))
    plain = re.sub(
        r"\\(['`\"^~]|v(?![a-z]))\s*\{?(\w)\}?", lambda found: normalize("NFC", found[2] + marks[found[1]]), value
    )
    plain = re.sub(r"``(.*?)\'\'", "\u201c\\1\u201d", plain)
    return " ".join(re.sub(r"[{}]", "", plain).replace("--", "–").replace("\\&", "&").split())


@cache
def works() -> Mapping[str, Mapping[str, str]]:
    """All works that informed cites."""
    return entries((files("informed") / "references.bib").read_text(encoding="utf-8"))


def in_text(key: str) -> str:
    """A work as it is cited in a sentence: Zou and Donner, 2008."""
    work = works()[key]
    names = [x.partition(",")[0] for x in work["author"].split(" and ")]
    who = names[0] if len(names) == 1 else listed(names) if len(names) == 2 else f"{names[0]} et al."
    return f"{who}, {work['year']}"


def in_list(key: str) -> str:
    """A work as a list of references has it."""
    f = works()[key]
    volume = f.get("volume", "") + (f"({f['number']})" if "number" in f else "")
    where = ", ".join(x for x in (f.get("journal") or f.get("booktitle") or f.get("publisher") or "", volume) if x)
    where += f": {f['pages']}" if "pages" in f and where else ""
    parts = (f"{f['author'].replace(' and ', '; ')} ({f['year']})", f["title"], where)
    said = ". ".join(x.rstrip(".") for x in parts if x)
    return f"{said}. doi:{f['doi']}" if "doi" in f else f"{said}."


def methods_section(
    intervals: Used, tests: Used, level: str, key: str = "", more: Iterable[Statement] = ()
) -> Section | None:
    """Sentences about the methods, to paste into a paper, and the works that they cite."""
    intervals, tests = list(intervals), list(tests)
    said: list[Statement] = []
    if intervals:
        each = "; ".join(f"{_cited(method)} for {listed(map(_bracketed, of))}" for method, of in intervals)
        said.append((f"The {level.replace(' ', '')} confidence limits are those of {each}", ()))
    for null in dict.fromkeys(null for _, (null, *_) in tests):
        by = [f"by {_cited(method)}" for method, (other, *_) in tests if other == null]
        said.append((f"The hypothesis that {null} was tested {listed(by)}", ()))
    keys = [ref for method, _ in (*intervals, *tests) for ref in method.refs]
    return stated([*said, *more], key, keys)


def stated(said: Iterable[Statement], key: str = "", further: Iterable[str] = ()) -> Section | None:
    """The section of sentences about methods, and the works that they, or `further` ones, cite."""
    said = list(dict.fromkeys(said))
    if not said:
        return None
    each = [f"{text} ({'; '.join(map(in_text, refs))})." if refs else f"{text}." for text, refs in said]
    each.append(_computed())
    keys = sorted({*further, *(ref for _, refs in said for ref in refs), OWN})
    return Section(f"{key}{METHODS}", CITED, (Words(" ".join(each)), *(Words(in_list(x), "note") for x in keys)))


def _computed() -> str:
    return f"All were computed with informed {informed.__version__} ({in_text(OWN)})."


def cited_once(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections of pages that stand together, with one section of all their methods, which is the last."""
    sections = tuple(sections)
    cited = [x for x in sections if x.key.endswith(METHODS) and x.title == CITED]
    if len(cited) < 2:
        return sections
    texts = [[x for x in section.blocks if isinstance(x, Words)] for section in cited]
    said = " ".join(dict.fromkeys(words[0].text.removesuffix(_computed()).strip() for words in texts))
    listed_works = sorted({x.text for words in texts for x in words[1:]})
    blocks = Words(f"{said} {_computed()}"), *(Words(x, "note") for x in listed_works)
    return (*(x for x in sections if x not in cited), Section(METHODS, CITED, blocks))


def _cited(method: NamedMethod) -> str:
    """A method in a sentence, with its works."""
    named = method.title if method.title.split()[0].endswith("'s") else f"the {method.title}"
    return f"{named} ({'; '.join(map(in_text, method.refs))})" if method.refs else named


def _bracketed(title: str) -> str:
    """A title in a list that has commas of its own: recall (macro average)."""
    name, comma, how = title.partition(", ")
    return f"{name} ({how})" if comma else title
