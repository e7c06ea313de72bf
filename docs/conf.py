"""The site: `make docs` builds it from the Markdown of this folder, strictly, with Sphinx.

The pages stay plain Markdown. What Sphinx needs beyond them is made here: the menu is the order of
the links in each README.md, and formulas become MathML, which browsers draw without a script.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

project = "informed"
author = "The informed authors"
copyright = "The informed authors, MIT licence"
html_title = "informed"

extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
nitpicky = True
root_doc = "README"
smartquotes = False

html_theme = "furo"
html_math_renderer = "mathml"
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # it would fetch pages, which a page from disk may not
html_static_path = ["site.css"]
html_css_files = ["site.css"]


def setup(app: Any) -> None:
    app.connect("source-read", for_the_site)
    app.connect("source-read", with_menu)
    app.connect("build-finished", with_index)
    app.add_html_math_renderer("mathml", (inline_mathml, None), (block_mathml, None))


def for_the_site(_: Any, __: str, source: list[str]) -> None:
    """What only the site has, the pages of the gallery, stands in comments; a session ends without an empty line."""
    shown = re.sub(r"<!-- site: (.*?) -->", r"\1", source[0], flags=re.DOTALL)
    source[0] = re.sub(r"^(```python\n.*?)\n+(^```$)", r"\1\n\2", shown, flags=re.MULTILINE | re.DOTALL)


def with_menu(_: Any, name: str, source: list[str]) -> None:
    """Give a README the menu of the pages it links to, by its headings."""
    if Path(name).name != "README" or name == "how-to/README":  # its pages are in the menu of the front page
        return
    for title, text in sections(source[0]):
        listed = "\n".join(re.findall(r"^- .*", text, flags=re.MULTILINE)) if name == root_doc else text
        pages = dict.fromkeys(re.findall(r"\]\(([^)#:]+)\.md\)", listed))
        inside = [page for page in pages if not page.startswith("../")]
        if inside:
            caption = [f":caption: {title}"] if title and name == root_doc else []
            menu = ["```{toctree}", ":hidden:", *caption, "", *inside, "```"]
            source[0] += "\n" + "\n".join(menu) + "\n"


def sections(text: str) -> list[tuple[str, str]]:
    """Parts of a page by their second-level headings."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return list(zip(["", *parts[1::2]], parts[::2], strict=True))


def with_index(app: Any, error: Exception | None) -> None:
    """A server, and a person who opens the folder, look for index.html."""
    if error is None:
        shutil.copyfile(Path(app.outdir) / "README.html", Path(app.outdir) / "index.html")


def inline_mathml(translator: Any, node: Any) -> None:
    translator.body.append(convert(node.astext()))
    raise SkipNode


def block_mathml(translator: Any, node: Any) -> None:
    translator.body.append(f'<div class="math" tabindex="0">{convert(node.astext(), display="block")}</div>\n')
    raise SkipNode
