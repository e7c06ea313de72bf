"""LaTeX with booktabs, to be \\input into a paper or compiled by itself.

Characters are escaped one by one; what pdfLaTeX has no letter for is written by its code point,
so that a label can neither run as a command nor stop the compilation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import informed
from informed._numbers import unbroken
from informed.documents.blocks import Cell, Grid, Heading, Words
from informed.documents.document import Document
from informed.documents.writers import writer

_TEXT = (
    "\\ backslash, ^ asciicircum, ~ asciitilde, < less, > greater, | bar, \" quotedbl, ` asciigrave, ' quotesingle, "
    "− minus, ± pm, ² twosuperior, × times"
)
_SYMBOLS = "χ chi, √ surd, ≥ geq, ≤ leq, ≈ approx, Σ Sigma, α alpha, κ kappa"
_CHARACTERS = (
    {"\N{NO-BREAK SPACE}": "~", "–": "--", "—": "---", "“": "``", "”": "''", "’": "'", "…": r"\dots{}"}
    | {c: rf"\{c}" for c in "{}$&#%_"}
    | {c: rf"\text{name}{{}}" for c, name in map(str.split, _TEXT.split(", "))}
    | {c: rf"$\{name}$" for c, name in map(str.split, _SYMBOLS.split(", "))}
)
PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\usepackage{booktabs}
\usepackage{graphicx}
\usepackage[margin=2.5cm]{geometry}
\begin{document}
"""


@writer("latex", suffixes=(".tex",), media="text/x-tex", title="LaTeX")
def latex(document: Document, *, whole: bool = True) -> str:
    """A document that compiles, or (`whole=False`) only what goes between."""
    lines = [f"% informed {informed.__version__}; needs booktabs, graphicx, textcomp"]
    if whole:
        title = text(document.title)
        lines += [PREAMBLE.rstrip(), rf"\title{{{title}}}", r"\date{}", r"\maketitle"]

    lines.append(rf"\par\noindent \textbf{{{sentences(document.said)}}}\par")
    for block in document.flow():
        lines += _block(block)
    if whole:
        lines.append(r"\end{document}")
    return "\n".join(lines) + "\n"


def text(said: str) -> str:
    """Words in which no character is a command."""
    return "".join(map(_character, " ".join(said.split())))


def sentences(said: str) -> str:
    """The same, where no line ends inside a number."""
    return "".join(map(_character, unbroken(" ".join(said.split()))))


def _character(c: str) -> str:
    if c in _CHARACTERS:
        return _CHARACTERS[c]
    if " " <= c <= "~" or "¡" <= c <= "ÿ":
        return c
    return rf"[U+{ord(c):04X}]"


def _block(block: Heading | Words | Grid) -> Iterable[str]:
    if isinstance(block, Heading):
        return "", rf"\{'sub' * block.depth}section*{{{text(block.text)}}}"
    if isinstance(block, Grid):
        return _grid(block.without_pictures())
    said = sentences(block.text)
    if block.kind == "warning":
        said = rf"\textit{{Warning:}} {said}"
    elif block.term:
        said = rf"\textbf{{{text(block.term)}:}} {said}"
    return (rf"\par\medskip\noindent {said}\par",)


def _grid(grid: Grid) -> Iterator[str]:
    sides = "".join("r" if c.numeric else "l" for c in grid.columns)
    yield rf"\par\medskip\noindent \textit{{{sentences(grid.caption)}}}\par\smallskip\noindent"
    wide = len(grid.columns) > 5
    if wide:
        yield r"\resizebox{\textwidth}{!}{%"
    yield rf"\begin{{tabular}}{{@{{}}{sides}@{{}}}}"
    yield r"\toprule"
    yield " & ".join(text(c.title) for c in grid.columns) + r" \\"
    yield r"\midrule"

    numeric = [c.numeric for c in grid.columns]
    for number, row in enumerate(grid.rows):
        if grid.sums and number == len(grid.rows) - grid.sums:
            yield r"\midrule"
        yield " & ".join(map(_cell, row, numeric)) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}" + ("}" if wide else "")


def _cell(cell: Cell, numeric: bool) -> str:
    said = text(str(cell))
    if numeric:
        said = said.replace("-", r"\textminus{}")
    return f"{{{said}}}" if said.startswith("[") else said  # \\[…] is a length
