// A report: the page in a sandbox, and every format to download.
import { html } from "/static/lib.js";

const FORMATS = [["html", "Page"], ["json", "JSON"], ["csv", "CSV"], ["md", "Markdown"], ["tex", "LaTeX"], ["txt", "Text"]];

export function Report({ id, page = true }) {
  const at = (ending) => `/results/${id}/report.${ending}`;
  return html`<div class="report">
    <p class="downloads"><span>Download</span>${FORMATS.map(([ending, name]) => html`<a key=${ending} href="${at(ending)}?download" download="informed-report.${ending}">${name}</a>`)}
      <a href=${at("html")} target="_blank" rel="noopener">Open the page</a></p>
    ${page && html`<iframe src=${at("html")} title="The full report" sandbox="allow-scripts"></iframe>`}</div>`;
}
