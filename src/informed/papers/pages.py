"""Runs of claims and questions as pages of the documentation, and as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from informed.evidence.table_text import aligned
from informed.papers.claims import claim, results_of
from informed.papers.errata import ERRATA, errata, pairs
from informed.papers.figures import FIGURES, reproduce
from informed.papers.questions import Rows, condensed, distinct, question
from informed.papers.texts import chosen, estimate, fields, templates, told
from informed.papers.verdicts import Verdict, by_reading
from informed.simulation.estimates import MonteCarlo


def claims_page(run: Mapping[str, Any], seeds: Mapping[str, Any]) -> str:
    """A run of the claims, and their verdicts with other seeds; ``docs/claims.md`` is the one that is kept."""
    rows, held = run["rows"], templates("pages")["claims"]
    verdicts = [(v, sum(r["verdict"] == v for r in rows)) for v in Verdict if v != Verdict.OPEN]
    listed = [(f"[{r['says']}](#{r['claim']})", r["verdict"]) for r in rows]
    page = held["page"].format(
        **run["run"],
        seeds=_seeds(seeds),
        verdicts=_table(("verdict", "claims"), verdicts),
        claims=_table(("claim", "verdict"), listed),
    )
    for r in rows:
        rule = _table(("the sentence", "what was measured", "wanted", "so"), map(_judged, r["rule"]))
        page += held["part"].format(**{**r, "rule": rule}, table=_results(r))
    return str(page)


def seeds_text(held: Mapping[str, Any]) -> str:
    """The verdict of each claim with every seed, and whether they are the same."""
    verdicts = held["verdicts"]
    rows = [["claim", *next(iter(verdicts.values()))], *([name, *found.values()] for name, found in verdicts.items())]
    said = _seeds(held)
    return "\n".join([*aligned(rows), "", f"{said[0].upper()}{said[1:]}."])


def _seeds(held: Mapping[str, Any]) -> str:
    """Whether the verdicts are the same with every seed."""
    several = [name for name, found in held["verdicts"].items() if len(set(found.values())) > 1]
    which = list(next(iter(held["verdicts"].values())))
    same = f"not the same for {', '.join(several)}" if several else "the same for every claim"
    return f"with seeds {', '.join(which)} and {held['tables']:,} tables an entry the verdicts are {same}"


def _judged(part: Mapping[str, Any]) -> tuple[str, ...]:
    """A part of a rule: words, statistic, threshold, and in which readings it is so."""
    met, missed, close = (part[side] for side in ("met", "missed", "close"))
    if "" in (*met, *missed, *close):
        so = "yes" if met else "no" if missed else "too close to tell"
    elif not close and not (met and missed):
        so = "in all readings" if met else "in no reading"
    else:
        heads = {"": met, "*Not:* ": missed, "*Too close to tell:* ": close}
        so = ". ".join(head + "; ".join(names) for head, names in heads.items() if names)
    return part["says"], part["of"], part["wanted"], so


def _results(held: Mapping[str, Any]) -> str:
    """What was found: a column for each reading, and below it what has none."""
    readings = claim.texts[held["claim"]]["readings"]
    several, others = by_reading(results_of(held), readings)
    parts = []
    if several:
        rows = [(name, *(str(found.get(r, "")) for r in readings)) for name, found in several.items()]
        parts.append(_table(("", *readings), rows))
    if others:
        parts.append(_table(("", "result"), [(name, str(e)) for name, e in others.items()]))
    return "\n\n".join(parts)


def figures_page(run: Mapping[str, Any]) -> str:
    """``docs/figures.md``: every figure and table with its command, and what the run of the claims says of them."""
    held = templates("pages")["figures"]
    found = {f"{r['claim']}: {x['name']}": estimate(x) for r in run["rows"] for x in r["results"]}
    numbers = fields(held["numbers"], [found])
    parts = {"listing": listed_figures(), "table": _figures_table(), "table_2": reproduce("table-2").csv().strip()}
    return str(held["page"].lstrip("\n").format(**numbers, **parts))


def listed_figures() -> str:
    """The names of figures and tables, and what each is."""
    wide = max(map(len, FIGURES))
    return "\n".join(f"{name:<{wide}}  {held['title']}" for name, held in FIGURES.items())


def _figures_table() -> str:
    """Where each stands in the papers, the command that makes it, and its pictures."""
    rows = sorted((*place.split(" ", 1), name) for name, held in FIGURES.items() for place in held["of"])
    shown = [
        (
            f"**{paper}**",
            where,
            f"`informed reproduce {name}`",
            f"[as printed](img/{name}.svg), [more](img/{name}-bands.svg)",
        )
        for paper, where, name in rows
    ]
    return _table(("paper", "figure or table", "command", "pictures"), shown)


def errata_page() -> str:
    """``docs/errata.md``: what is printed wrong beside what it should be, with both numbers."""
    held = templates("pages")["errata"]
    parts = {n: _erratum(n, held) for n in ERRATA}
    formulas, statements = (
        [text for n, text in parts.items() if (n <= held["formulas"]) is so] for so in (True, False)
    )
    csv = errata(6, 14, 31, 41).csv().strip()
    page = held["page"].lstrip("\n")
    return str(page.format(csv=csv, formulas="\n\n".join(formulas), statements="\n\n".join(statements)))


def _erratum(n: int, held: Mapping[str, Any]) -> str:
    """An erratum in words, and its numbers or why there are none."""
    said = held["part"].format(**{"says": "", **ERRATA[n]}, n=n).rstrip()
    if "reason" in ERRATA[n]:
        return f"{said} *{ERRATA[n]['reason'].capitalize()}.*"
    rows = [(name, *(f"{x:.4g}".replace("-", "−") for x in pair)) for name, pair in pairs(n).items()]
    return f"{said}\n\n{_table(held['head'], rows)}"


def questions_pages(run: Mapping[str, Any]) -> dict[str, str]:
    """A run of the questions by file: an index and a page for each group; those of ``docs`` are the kept one."""
    held, ran = templates("pages")["questions"], distinct(run["rows"], "question")
    pages, listed = {}, ""
    for group, of in held["groups"].items():
        file, names = f"open-questions-{group}.md", [n for n in of["questions"] if n in ran]
        listed += f"\n\n## {of['title'].capitalize()}\n"
        listed += "".join(held["listed"].format(**_head(n), page=file).rstrip("\n") + "\n" for n in names)
        pages[file] = held["group"].lstrip("\n").format(**of) + "".join(_answer(n, run["rows"]) for n in names)

    numbers = fields(held["numbers"], run["rows"])
    index = held["page"].lstrip("\n").format(**run["run"], **numbers, questions=listed)
    return {"open-questions.md": index, **pages}


def _head(name: str) -> dict[str, str]:
    """A question with its number in brackets, if it has one."""
    text = question.texts[name]
    return {"name": name, "asks": text["asks"], "bracket": f" ({text['number']})" if text["number"] else ""}


def _answer(name: str, rows: Rows) -> str:
    """A question with its picture, how it was run, the answer and the table."""
    text, some = question.texts[name], chosen(rows, question=name)
    said, table = told(text["says"], text["numbers"], some), _table(*_shown(name, some))
    part = templates("pages")["questions"]["part"]
    return str(part.format(**_head(name), ran=text["ran"], said=said, table=table))


def questions_text(run: Mapping[str, Any]) -> str:
    """A run of the questions as text: each, how it was tried, and its rows in columns."""
    parts = []
    for name in distinct(run["rows"], "question"):
        text = question.texts[name]
        columns, rows = _shown(name, chosen(run["rows"], question=name))
        grid = aligned([columns, *([_words(x) for x in row] for row in rows)])
        parts.append("\n".join([f"{text['asks']} ({name})", f"Run: {text['ran']}", "", *grid]))
    return "\n\n".join(parts)


def _shown(name: str, rows: Rows) -> tuple[list[str], list[list[Any]]]:
    """Columns and rows of a question, condensed where they are too many."""
    shown = condensed.runs[name](rows) if name in condensed.runs else rows
    columns = [c for c in shown[0] if c != "question"]
    return columns, [[r[c] for c in columns] for r in shown]


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table of Markdown; a bar in a cell does not end it."""
    cells = [[_words(x).replace("|", "\\|") for x in row] for row in (columns, *rows)]
    head, *body = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([head.replace("|  |", "| |"), "|" + "---|" * len(columns), *body])


def _words(value: Any) -> str:
    if isinstance(value, (dict, MonteCarlo)):
        found = estimate(value)
        error = found.standard_error
        return f"{found.value:.3f}" + (f" ± {error:.3f}" if error else "")
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)
