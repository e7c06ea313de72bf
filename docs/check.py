"""No broken link, no undocumented public name, nothing from elsewhere in the site, nothing cut off.

`python docs/check.py` looks at the Markdown and the reference, `python docs/check.py site` also at
the pages that were built. The tests look at the Markdown in the same way.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote

import click

ROOT = Path(__file__).parent.parent
PAGES = ("*.md", "docs/**/*.md", "examples/*.md")
MODULES = ("simulation", "sklearn", "plotting", "testing")
ELSEWHERE = ("http://", "https://", "mailto:")


# ---------------------------------------------------------------------- links in Markdown


def broken_links(root: Path = ROOT, patterns: tuple[str, ...] = PAGES) -> Iterator[str]:
    """Links to files or headings that are not there, as sentences."""
    for pattern in patterns:
        for page in sorted(root.glob(pattern)):
            for target in links(page):
                path, _, anchor = unquote(target).partition("#")
                meant = (page.parent / path).resolve() if path else page.resolve()
                where = page.relative_to(root)
                if not meant.is_relative_to(root.resolve()):
                    yield f"{where}: {target} is outside the repository."
                elif not meant.exists():
                    yield f"{where}: {target} is not there."
                elif anchor and (meant.suffix != ".md" or anchor not in anchors(meant)):
                    yield f"{where}: {target} has no such heading."


def links(page: Path) -> list[str]:
    """What a page links to or shows, within the project."""
    text = without_code(page.read_text("utf-8"))
    found = re.findall(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)", text)
    found += re.findall(r"<(?:img|a)\b[^>]*?(?:src|href)=\"([^\"]+)\"", text)
    return [target for target in found if not target.startswith(ELSEWHERE)]


def without_code(text: str) -> str:
    """Without what is only shown, and without what only the site has."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"^(```+|~~~+).*?^\1\s*$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(`+).+?\1", "`", text)


@cache
def anchors(page: Path) -> frozenset[str]:
    """Names that GitHub, and the site, give to the headings of a page."""
    text = re.sub(r"^(```+|~~~+).*?^\1\s*$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    found: dict[str, int] = {}
    for heading in re.findall(r"^#{1,6} (.+?)\s*#*$", text, flags=re.MULTILINE):
        name = slug(heading)
        found[name] = found.get(name, -1) + 1
    return frozenset(n if not i else f"{n}-{i}" for n, most in found.items() for i in range(most + 1))


def slug(heading: str) -> str:
    """What a heading is called in an address."""
    said = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", said.strip().lower()).replace(" ", "-")


# ---------------------------------------------------------------------- names


def undocumented() -> Iterator[str]:
    """Public names, members and options that have no words, or no place in the reference."""
    import informed

    reference = "\n".join(p.read_text("utf-8") for p in (ROOT / "docs/reference").glob("*.md"))
    named = [("informed", name) for name in informed.__all__ if name != "__version__"]
    for part in MODULES:
        module = import_module(f"informed.{part}")
        named += [(f"informed.{part}", name) for name in module.__all__]
    for home, name in named:
        if not re.search(rf"\b{name}\b", reference):
            yield f"{home}.{name} is not in the reference."
        if name == "scorers" or name.endswith("_scorer"):  # scikit-learn's own objects
            continue
        value = getattr(import_module(home), name)
        if callable(value) and not inspect.getdoc(value):
            yield f"{home}.{name} has no docstring."
        kind = value if inspect.isclass(value) else type(value)
        if kind.__module__.startswith("informed"):
            yield from silent_members(kind, f"{home}.{name}", reference)
    for kind in set(re.findall(r"^`(informed\.[\w.]+\.[A-Z]\w+)`$", reference, re.MULTILINE)):
        home, _, name = kind.rpartition(".")
        yield from silent_members(getattr(import_module(home), name), kind, reference)
    yield from silent_options(reference)


def silent_members(kind: type, path: str, reference: str) -> Iterator[str]:
    from informed.results import Result, Written

    for name in dir(kind):
        held = inspect.getattr_static(kind, name)
        kept = (*getattr(kind, "__dataclass_fields__", ()), *getattr(kind, "_fields", ()))
        if name.startswith("_") or name in kept:
            continue
        own = next(base for base in kind.__mro__ if name in vars(base))
        if not own.__module__.startswith("informed"):
            continue
        if name in Result.__annotations__:  # how it is shown
            continue
        if kind is not Result and name in {*vars(Result), *vars(Written)}:
            continue  # said once, of Result
        if f"{path.rpartition('.')[2]}.{name}" not in reference:
            yield f"{path}.{name} is not in the reference."
        if not inspect.getdoc(held):
            yield f"{path}.{name} has no docstring."


def silent_options(reference: str) -> Iterator[str]:
    from informed.cli import COMMANDS, cli

    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        if f"## informed {name}\n" not in reference:
            yield f"informed {name} is not in the reference."
        if command is None or not command.help:
            yield f"informed {name} has no help."
            continue
        for option in command.params:
            if isinstance(option, click.Option) and not option.help:
                yield f"informed {name} {option.opts[0]} has no help."


# ---------------------------------------------------------------------- the site


class Page(HTMLParser):
    """Where a page can be linked to, where it links to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.goes: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids.add(given.get("id", ""))
        if tag == "a":
            self.goes.append(given.get("href", ""))
        self.loads += [given[name] for name in ("src", "data") if given.get(name)]
        if tag == "link":
            self.loads.append(given.get("href", ""))


def site_faults(site: Path) -> Iterator[str]:
    """Links of built pages that lead nowhere, and anything that is loaded from elsewhere."""
    pages = {p.resolve(): Page(p.read_text("utf-8")) for p in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site} has no pages."
    for path, page in pages.items():
        where = path.relative_to(site.resolve())
        for target in (*page.goes, *page.loads):
            if target.startswith((*ELSEWHERE, "data:")):
                continue
            file, _, anchor = unquote(target).partition("#")
            meant = (path.parent / file.partition("?")[0]).resolve() if file else path
            if not meant.exists():
                yield f"{where}: {target} is not there."
            elif anchor and meant in pages and anchor not in pages[meant].ids:
                yield f"{where}: {target} has no such place."
        yield from (f"{where} loads {x}." for x in page.loads if x.startswith(ELSEWHERE))
    for style in site.rglob("*.css"):
        if re.search(r"""(@import|url\()[\s'"(url]*https?://""", style.read_text("utf-8")):
            yield f"{style.name} loads something from elsewhere."


def in_a_browser(site: Path) -> list[str]:
    """What is cut off or not found there; nothing where there is no browser, which is said."""
    import check_browser

    if check_browser.CHROMIUM.exists():
        return list(check_browser.seen_faults(site))
    sys.stdout.write("There is no browser: nobody has looked at the pages.\n")
    return []


def main(site: str | None = None) -> int:
    faults = [*broken_links(), *undocumented()]
    if site is not None:
        faults += site_faults(ROOT / site)
        faults += in_a_browser(ROOT / site)
    for fault in faults:
        sys.stderr.write(fault + "\n")
    sys.stdout.write(f"{len(faults)} faults in links and names\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
