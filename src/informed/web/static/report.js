// A report: the page in a sandbox, and every format to download.
import { html } from "/static/lib.js";

let formats = []; // what the server writes, told at the start
export const offer = (told) => { formats = told; };

const at = (id, ending) => `/results/${id}/report.${ending}`;

export function Downloads({ id }) {
  return html`<p class="downloads"><span>Download</span>${formats.map(({ ending, title }) => html`<a key=${ending} href="${at(id, ending)}?download" download>${title}</a>`)}
    <a href=${at(id, "html")} target="_blank" rel="noopener">Open the page</a></p>`;
}

export function Report({ id, page = true }) {
  return html`<div class="report"><${Downloads} id=${id} />
    ${page && html`<iframe src=${at(id, "html")} title="The full report" sandbox="allow-scripts"></iframe>`}</div>`;
}
