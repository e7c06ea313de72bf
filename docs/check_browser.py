"""What a browser makes of the site: nothing cut off on a screen or a phone, and a search that finds.

`docs/check.py` asks for it where there is a browser.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = Path("/usr/bin/chromium")
SIZES = {1280: 900, 390: 844}
SEARCHES = {
    "csv": "reading.html",
    "confusion matrix": "reading.html",
    "exit codes": "agents.html",
}  # what must be found

# Wider than its frame, or taller, and no way to get there.
CUT = """() => {
  const reachable = (x) => {
    for (let at = x; at && at !== document.body; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  const shown = (x) => x.getClientRects().length > 0;
  const right = document.documentElement.clientWidth + 1;
  const found = [];
  if (document.documentElement.scrollWidth > right) found.push('the page');
  for (const x of document.querySelectorAll('article pre, article table, article math, article img, article .math')) {
    if (!shown(x)) continue;
    const over = x.scrollWidth > x.clientWidth + 1 && getComputedStyle(x).overflowX === 'hidden';
    const away = x.getBoundingClientRect().right > right && !reachable(x);
    const low = x.matches('.math') && x.scrollHeight > x.clientHeight + 1;
    if (over || away || low) found.push(x.tagName.toLowerCase() + ' ' + x.textContent.trim().slice(0, 40));
  }
  return found;
}"""


def seen_faults(site: Path) -> Iterator[str]:
    """What is cut off, and what a search does not find, as sentences."""
    from playwright.sync_api import sync_playwright

    pages = [page for page in sorted(site.rglob("*.html")) if page.parent.name != "samples"]
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=str(CHROMIUM), args=["--headless", "--no-sandbox"])
        tab = browser.new_page()
        for page in pages:
            tab.goto(page.resolve().as_uri(), wait_until="load")
            yield from (f"{page.relative_to(site)}: {fault}" for fault in cut_off(tab))
        for asked, wanted in SEARCHES.items():
            if wanted not in found(tab, site, asked):
                yield f"A search for “{asked}” does not find {wanted}."
        browser.close()


def cut_off(tab: Page) -> Iterator[str]:
    for wide, tall in SIZES.items():
        tab.set_viewport_size({"width": wide, "height": tall})
        yield from (f"{what} is cut off at {wide} pixels." for what in tab.evaluate(CUT))


def found(tab: Page, site: Path, asked: str) -> list[str]:
    """Pages that the search of the site lists, without their folders, best first."""
    tab.goto(f"{(site / 'search.html').resolve().as_uri()}?q={asked}")
    tab.locator("#search-results ul.search li a").first.wait_for()
    tab.wait_for_timeout(500)  # the list grows
    links = tab.locator("#search-results ul.search li a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    return [link.partition("?")[0].partition("#")[0] for link in links]
