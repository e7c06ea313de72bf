// A question with a few answers: it is asked before anything is told.
import { html } from "/static/lib.js";

/** Buttons to answer by; once something was said, the right one is marked, and the one that was said. */
export function Choices({ label, choices, said, right, fair, onSay }) {
  return html`<div class="choices" role="group" aria-label=${label}>${choices.map(([key, name]) => html`<button type="button" key=${key} aria-pressed=${said === key}
    class="choice ${said ? (key === right ? "right" : said === key && key !== fair ? "wrong" : "") : ""}" onClick=${() => onSay(key)}>${name}${said && key === right ? html`<span class="tick-mark" aria-hidden="true"> ✓</span><span class="sr"> (right)</span>` : ""}</button>`)}</div>`;
}
