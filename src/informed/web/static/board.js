// Systems compared: a forest of their values, the places that they may have, who cannot be told apart.
import { html, tied as whole, rate, range, pvalue, count } from "/static/lib.js";
import { short } from "/static/plane.js";
import { Picture } from "/static/pictures.js";
import { Downloads } from "/static/report.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const STEP = 28, TOP = 10, LEFT = 130, WIDE = 300;
const signed = (x) => (x === null ? "–" : x > 0 ? `+${rate(x)}` : rate(x));
const tied = (s) => s.groups.map((g) => LETTERS[g] || g + 1).join(" ");
const places = (s) => (s.rank_low === s.rank_high ? String(s.rank_low) : `${s.rank_low} to ${s.rank_high}`);

export function Board({ board }) {
  const { systems } = board;
  const guessing = board.called !== "score"; // of marks nobody knows what guessing gets
  return html`<section class="card board" aria-labelledby="board-h" data-stem=${board.stem}><h2 id="board-h">The systems, compared on the same ${count(board.items)} items</h2>
    <p class="lead">${whole(board.answer)}</p>
    <${Downloads} id=${board.id} />
    <div class="pictures"><${Picture} name="systems"><${Forest} rows=${systems.map((s) => ({ ...s, tone: s.beyond ? "more" : "even" }))} title="${board.called === "score" ? "Score" : "Informedness"} of each system" low=${systems.some((s) => (s.low ?? 0) < 0) ? Math.max(-1, Math.floor(5 * Math.min(...systems.map((s) => s.low ?? 0))) / 5) : 0} high=${1} /><//>
      <${Picture} name="places"><${Places} systems=${systems} /><//></div>
    <div class="scroll" tabindex="0" role="group" aria-label="Systems"><table class="standing"><caption class="sr">Systems from the best to the worst</caption>
      <thead><tr><th scope="col">system</th><th scope="col" class="r">${board.called}</th><th scope="col" class="r">95 % interval</th>
        <th scope="col" class="r">possible places</th><th scope="col">tied</th>${guessing && html`<th scope="col">beyond guessing</th>`}<th scope="col" class="r">answered</th></tr></thead>
      <tbody>${systems.map((s) => html`<tr key=${s.name}><th scope="row">${s.name}</th><td class="r"><b>${rate(s.value)}</b></td>
        <td class="r">${range(s)}</td><td class="r">${places(s)}</td><td>${tied(s)}</td>${guessing && html`<td>${s.beyond ? "yes" : "no"}</td>`}<td class="r">${s.coverage === null ? "–" : `${Number((100 * s.coverage).toPrecision(3))} %`}</td></tr>`)}</tbody></table></div>
    <p class="note">Intervals and places hold together at 95 %. Systems that share a letter cannot be told apart. Compared on ${board.basis}. ${board.notes.join(" ")}</p>
    ${board.differences.length > 0 ? html`<h3>Measure by measure</h3><${Differences} rows=${board.differences} pair=${board.pairs[0]} />`
      : html`<h3>Every two systems</h3><${Pairs} pairs=${board.pairs} called=${board.called} />`}</section>`;
}

// Values below each other: interval as a line, value as a dot.
function Forest({ rows, title, low, high }) {
  const x = (v) => LEFT + WIDE * (Math.min(high, Math.max(low, v)) - low) / (high - low);
  const tall = TOP + STEP * rows.length;
  const ticks = [0, 0.25, 0.5, 0.75, 1].filter((v) => v >= low && v <= high).concat(low < -0.1 ? [low] : []);
  return html`<svg class="forest" viewBox="0 0 ${LEFT + WIDE + 54} ${tall + 26}" width=${LEFT + WIDE + 54} height=${tall + 26} role="img" aria-labelledby="forest-t forest-d"><title id="forest-t">${title}</title>
    <desc id="forest-d">${rows.map((r) => `${r.name} ${rate(r.value)}, ${range(r)}`).join("; ")}.</desc>
    ${ticks.map((v) => html`<line class=${v === 0 ? "chance" : "grid"} x1=${x(v)} x2=${x(v)} y1=${TOP} y2=${tall} /><text class="tick" x=${x(v)} y=${tall + 17} text-anchor="middle">${rate(v, v % 0.5 ? 2 : 1)}</text>`)}
    ${rows.map((r, i) => { const y = TOP + STEP * (i + 0.5); return html`<g key=${r.name} class="row ${r.tone}"><text x=${LEFT - 12} y=${y + 4} text-anchor="end">${short(r.name)}</text>
      ${r.low !== null && html`<line class="whisker" x1=${x(r.low)} x2=${x(r.high)} y1=${y} y2=${y} />`}
      ${r.value !== null && html`<circle class="dot" cx=${x(r.value)} cy=${y} r="5" />`}<text class="tick" x=${LEFT + WIDE + 12} y=${y + 4}>${rate(r.value)}</text></g>`; })}</svg>`;
}

// From which place to which a system may stand; bars at the right join those that cannot be told apart.
function Places({ systems }) {
  const most = systems.length, wide = 210;
  const x = (place) => LEFT + 8 + wide * (place - 1) / Math.max(1, most - 1);
  const tall = TOP + STEP * most;
  const ties = [...new Set(systems.flatMap((s) => s.groups))].map((g) => systems.map((s, i) => (s.groups.includes(g) ? i : -1)).filter((i) => i >= 0)).filter((rows) => rows.length > 1);
  const marks = Array.from({ length: most }, (_, i) => i + 1).filter((p) => most <= 12 || p === 1 || p % 5 === 0);
  return html`<svg class="forest" viewBox="0 0 ${LEFT + wide + 40 + 10 * ties.length} ${tall + 44}" width=${LEFT + wide + 40 + 10 * ties.length} height=${tall + 44} role="img" aria-labelledby="places-t places-d"><title id="places-t">Places that the systems may have</title>
    <desc id="places-d">${systems.map((s) => `${s.name}: ${places(s)}`).join("; ")}. Bars at the right join systems that cannot be told apart.</desc>
    ${marks.map((p) => html`<line class="grid" x1=${x(p)} x2=${x(p)} y1=${TOP} y2=${tall} /><text class="tick" x=${x(p)} y=${tall + 17} text-anchor="middle">${p}</text>`)}
    ${systems.map((s, i) => { const y = TOP + STEP * (i + 0.5); return html`<g key=${s.name} class="row ${s.rank_low === 1 ? "more" : "even"}"><text x=${LEFT - 12} y=${y + 4} text-anchor="end">${short(s.name)}</text>
      <line class="span" x1=${x(s.rank_low) - 0.1} x2=${x(s.rank_high) + 0.1} y1=${y} y2=${y} /><circle class="dot" cx=${x(Math.min(s.rank_high, Math.max(s.rank_low, i + 1)))} cy=${y} r="5" /></g>`; })}
    ${ties.map((rows, c) => html`<line key=${c} class="tie" x1=${LEFT + wide + 28 + 10 * c} x2=${LEFT + wide + 28 + 10 * c} y1=${TOP + STEP * rows[0] + 6} y2=${TOP + STEP * (rows[rows.length - 1] + 1) - 6} />`)}
    <text class="axis" x=${LEFT + 8 + wide / 2} y=${tall + 37} text-anchor="middle">place, 1 is best</text></svg>`;
}

function Pairs({ pairs, called }) {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Every two systems"><table><caption class="sr">Differences of ${called} of every two systems</caption>
    <thead><tr><th scope="col">better − worse</th><th scope="col" class="r">difference</th><th scope="col" class="r">95 % interval</th><th scope="col" class="r">p (Holm)</th></tr></thead>
    <tbody>${pairs.map((d) => html`<tr key="${d.a} ${d.b}"><th scope="row">${d.a} − ${d.b}</th><td class="r"><b>${signed(d.value)}</b></td><td class="r">${d.low === null ? "–" : `${signed(d.low)} to ${signed(d.high)}`}</td>
      <td class="r"><b class=${d.pvalue !== null && d.pvalue < 0.05 ? "small-p" : ""}>${pvalue(d.pvalue)}</b></td></tr>`)}</tbody></table></div>`;
}

function Differences({ rows, pair }) {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Differences"><table><caption class="sr">Both systems and their difference, measure by measure</caption>
    <thead><tr><th scope="col">measure</th><th scope="col" class="r">${short(pair.a)}</th><th scope="col" class="r">${short(pair.b)}</th><th scope="col" class="r">difference</th><th scope="col" class="r">95 % interval</th><th scope="col" class="r">p</th></tr></thead>
    <tbody>${rows.map((d) => html`<tr key=${d.title}><th scope="row">${d.title}</th><td class="r">${rate(d.a)}</td><td class="r">${rate(d.b)}</td><td class="r"><b>${signed(d.value)}</b></td>
      <td class="r">${d.low === null ? "–" : `${signed(d.low)} to ${signed(d.high)}`}</td><td class="r"><b class=${d.pvalue !== null && d.pvalue < 0.05 ? "small-p" : ""}>${pvalue(d.pvalue)}</b></td></tr>`)}</tbody></table></div>`;
}
