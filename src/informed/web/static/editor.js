// The contingency table to type into: cells, names, totals, paste from a spreadsheet.
import { html, useState, cell, count } from "/static/lib.js";

// How much more (1 to 4) or less (−1 to −4) a cell holds than chance puts there.
export function heat(n, expected, total) {
  if (expected === null || !total) return "h0";
  const gap = (n - expected) / Math.sqrt(Math.max(expected, total / 400, 0.5));
  const level = Math.min(4, Math.round(Math.abs(gap) / 1.1));
  return level === 0 ? "h0" : gap > 0 ? `m${level}` : `l${level}`;
}

// A block of cells as a spreadsheet copies it, with or without names.
export function parsed(text) {
  const rows = text.replace(/\r/g, "").split("\n").filter((row) => row.trim())
    .map((row) => (row.includes("\t") ? row.split("\t") : row.includes(";") ? row.split(";") : row.includes(",") ? row.split(",") : row.trim().split(/\s+/)).map((x) => x.trim()));
  if (rows.length < 2 && (rows[0] || []).length < 2) return null;
  const number = (x) => (x === "" ? NaN : Number(x.replace(/[\s\u00a0\u202f]/g, "").replace(/^(\d{1,3})((?:,\d{3})+)$/, (_, a, b) => a + b.replace(/,/g, "")).replace(/^(\d+),(\d+)$/, "$1.$2")));
  let labels = null;
  if (rows[0].slice(1).every((x) => Number.isNaN(number(x)))) labels = rows.shift();
  if (rows.every((row) => Number.isNaN(number(row[0])))) {
    const names = rows.map((row) => row.shift());
    labels = names;
  } else if (labels && labels.length === rows.length + 1) labels = labels.slice(1);
  const totals = labels && labels.length === rows.length && rows.length > 2 && /^(totals?|sum|all|Σ)$/i.test(labels[labels.length - 1]);
  if (totals) { labels = labels.slice(0, -1); rows.pop(); for (const row of rows) row.pop(); }
  const counts = rows.map((row) => row.map(number));
  const k = counts.length;
  if (counts.some((row) => row.length !== k)) return { error: `What was pasted has ${k} rows and ${counts[0].length} columns of numbers; a table is square.` };
  if (k < 2 || k > 12) return { error: `What was pasted has ${k} classes; the lab takes 2 to 12.` };
  if (counts.some((row) => row.some((x) => !Number.isFinite(x) || x < 0))) return { error: "What was pasted holds something that is no count." };
  return { counts, labels: labels && labels.length === k && new Set(labels).size === k ? labels : null };
}

export function Editor({ answer, counts, labels, onCell, onSettle, onPaste, onLabel, name = "The table" }) {
  const [typing, setTyping] = useState(null); // {i, j, text}
  const k = counts.length;
  const real = counts[0].map((_, j) => counts.reduce((sum, row) => sum + row[j], 0));
  const total = real.reduce((a, b) => a + b, 0);
  const ok = answer.counts.length === k;
  const step = (i, j, by) => { setTyping(null); onCell(i, j, Math.max(0, counts[i][j] + by), true); };
  const key = (event, i, j) => {
    const by = { ArrowUp: 1, "+": 1, ArrowDown: -1, "-": -1 }[event.key];
    if (by) { event.preventDefault(); step(i, j, by * (event.shiftKey && event.key.startsWith("Arrow") ? 10 : 1)); }
    if (event.key === "Enter") {
      event.preventDefault();
      const next = event.currentTarget.closest("table").querySelector(`input[data-cell="${(i + (event.shiftKey ? k - 1 : 1)) % k},${j}"]`);
      if (next) { next.focus(); next.select(); }
    }
  };
  const paste = (event) => {
    const found = parsed(event.clipboardData.getData("text/plain"));
    if (found) { event.preventDefault(); setTyping(null); onPaste(found); }
  };
  const typed = (event, i, j) => {
    const text = event.currentTarget.value;
    setTyping({ i, j, text });
    const value = Number(text.replace(",", "."));
    if (text.trim() !== "" && Number.isFinite(value) && value >= 0 && value <= 1e12) onCell(i, j, value, false);
  };
  return html`<div class="scroll"><table class="editor ${k > 8 ? "dense denser" : k > 6 ? "dense" : ""}" onPaste=${paste}>
    <caption class="sr">${name}: rows are predictions, columns are reality</caption>
    <thead>
      <tr><td></td><th colspan=${k} class="side" scope="colgroup">really</th><td></td></tr>
      <tr><td class="side corner">said</td>${labels.map((label, j) => html`<th key=${j} scope="col">
        <input class="name" aria-label="Name of class ${j + 1}" value=${label} maxlength="60" disabled=${!onLabel} onChange=${(event) => onLabel(j, event.currentTarget)} /></th>`)}
        <th scope="col" class="sum">total</th></tr>
    </thead>
    <tbody>${counts.map((row, i) => html`<tr key=${i}>
      <th scope="row">${labels[i]}</th>
      ${row.map((n, j) => html`<td key=${j} class="${ok ? heat(n, answer.expected[i][j], total) : "h0"} ${i === j ? "hit" : ""}">
        <input inputmode="decimal" autocomplete="off" data-cell="${i},${j}" aria-label="Said ${labels[i]}, really ${labels[j]}"
          value=${typing && typing.i === i && typing.j === j ? typing.text : cell(n)}
          onFocus=${(event) => event.currentTarget.select()}
          onInput=${(event) => typed(event, i, j)} onKeyDown=${(event) => key(event, i, j)}
          onBlur=${() => { setTyping(null); onSettle(); }} />
        <span class="expected" aria-hidden="true">${ok && answer.expected[i][j] !== null && k <= 6 ? count(answer.expected[i][j]) : ""}</span></td>`)}
      <td class="sum">${count(row.reduce((a, b) => a + b, 0))}</td></tr>`)}</tbody>
    <tfoot><tr><th scope="row">total</th>${real.map((n, j) => html`<td key=${j} class="sum">${count(n)}</td>`)}<td class="sum">${count(total)}</td></tr></tfoot>
  </table></div>`;
}
