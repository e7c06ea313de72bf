// The table of the file that was counted last: an example of the Table panel, as long as this tab is open.
const KEEP = "informed-yours";

export function keepYours(held) {
  try { sessionStorage.setItem(KEEP, JSON.stringify(held)); } catch { /* a private window may refuse */ }
}

export function yours() {
  try { return JSON.parse(sessionStorage.getItem(KEEP)); } catch { return null; }
}
