// The Table panel: a table to play with, and everything that follows from it.
import { html, useState, useEffect, useLayoutEffect, useRef, ask, rate, count, percent, tied, chance, pvalue, address, goTo, readAddress, readCounts, readLabels,
  writeCounts, writeLabels, usualLabels } from "/static/lib.js";
import { Live, useLive } from "/static/live.js";
import { Editor } from "/static/editor.js";
import { Plane, short } from "/static/plane.js";
import { Measures, Classes } from "/static/measures.js";
import { Picture } from "/static/pictures.js";
import { Report } from "/static/report.js";
import { yours } from "/static/yours.js";

export const PRESETS = [
  { name: "Says yes too often", counts: [[56, 20], [12, 12]], said: "68 % right, informed 20 %: the first example of Powers 2011." },
  { name: "Its careful twin", counts: [[30, 12], [30, 28]], said: "Accuracy and F are far lower than its twin's, informedness is the same: the second example of Powers 2011." },
  { name: "A rare disease", counts: [[9, 99], [1, 9891]], labels: ["ill", "well"], said: "99 % right and well informed, yet most alarms are false." },
  { name: "Always says yes", counts: [[90, 10], [0, 0]], labels: ["yes", "no"], said: "It never looks, and is right 90 % of the time." },
  { name: "Guesses", counts: [[56, 24], [14, 6]], said: "It says + four times out of five whatever comes, and is right 62 % of the time. This and the next three are of the spreadsheet of Powers 2003." },
  { name: "Knows a little", counts: [[58.1, 20.4], [11.9, 9.6]], said: "It knows 15 % of the cases and guesses the rest." },
  { name: "Says the opposite", counts: [[47.6, 24.9], [22.4, 5.1]], said: "It knows 15 % of the cases and then says the opposite." },
  { name: "Knows everything", counts: [[70, 0], [0, 30]], said: "It is right about every case." },
  { name: "Three animals", counts: [[50, 3, 2], [4, 45, 6], [1, 7, 32]], labels: ["cat", "dog", "fox"], said: "A decent system for three classes." },
  { name: "Wrong names", counts: [[2, 45, 3], [3, 4, 43], [44, 2, 4]], labels: ["red", "green", "blue"], said: "It tells the classes apart and names them wrongly: worse than guessing." },
];
const KEEPS = [
  ["nothing", "nothing"], ["n", "number of cases"], ["real", "real totals"], ["predicted", "predicted totals"], ["informedness", "informedness"],
];
const COSTS = [[1, 20], [1, 10], [1, 5], [1, 3], [1, 2], [1, 1], [2, 1], [3, 1], [5, 1], [10, 1], [20, 1]];

function fromAddress() {
  const { query } = readAddress();
  const counts = readCounts(query.get("t")) || PRESETS[0].counts;
  const [miss, alarm] = (query.get("cost") || "1:1").split(":").map(Number);
  const keep = query.get("keep");
  return {
    counts, labels: readLabels(query.get("l"), counts.length),
    focus: Math.min(counts.length - 1, Math.max(0, Number(query.get("f")) || 0)),
    keep: KEEPS.some(([k]) => k === keep) ? keep : "nothing",
    miss: miss > 0 ? miss : 1, alarm: alarm > 0 ? alarm : 1, pn: query.get("pn") === "1",
  };
}

const toAddress = (live) => address("table", {
  t: writeCounts(live.counts), l: writeLabels(live.labels), f: live.focus || "", keep: live.keep === "nothing" ? "" : live.keep,
  cost: live.miss === live.alarm ? "" : `${live.miss}:${live.alarm}`, pn: live.pn ? 1 : "",
});

export function TablePanel({ start }) {
  const live = useLive(() => new Live(fromAddress(), (me) => goTo(toAddress(me), !/^(#table)?$/.test(location.hash))));
  useEffect(() => {
    const back = () => { if (readAddress().panel === "table" && location.hash !== toAddress(live)) live.set(fromAddress()); };
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  if (!live.answer) return html`<p class="waiting">${live.error || "Counting…"}</p>`;
  const { answer, counts, labels, focus } = live;
  const k = counts.length;
  const resize = (by) => {
    if (by > 0) {
      const name = usualLabels(12).find((x) => !labels.includes(x)) || `class ${k + 1}`;
      const usual = labels.join() === usualLabels(k).join() ? usualLabels(k + 1) : [...labels, name];
      live.set({ counts: [...counts.map((row) => [...row, 0]), Array(k + 1).fill(0).map((_, i) => (i === k ? 10 : 0))], labels: usual });
    } else {
      const usual = labels.join() === usualLabels(k).join() ? usualLabels(k - 1) : labels.slice(0, -1);
      live.set({ counts: counts.slice(0, -1).map((row) => row.slice(0, -1)), labels: usual });
    }
  };
  const paste = (found) => (found.error ? live.say(found.error)
    : live.set({ counts: found.counts, labels: found.labels || (found.counts.length === k ? labels : usualLabels(found.counts.length)) }));
  const rename = (j, input) => {
    const name = input.value.trim();
    if (!name || labels.some((x, i) => x === name && i !== j)) { input.value = labels[j]; return live.say(name ? "Two classes cannot have the same name." : "A class needs a name."); }
    live.set({ labels: labels.map((x, i) => (i === j ? name : x)) });
  };
  const mine = yours();
  const own = mine && { name: "Your file", counts: mine.counts, labels: mine.labels, said: `As counted in ${mine.name}.` };
  const presets = own ? [...PRESETS, own] : PRESETS;
  const preset = presets.find((p) => writeCounts(p.counts) === writeCounts(counts));
  return html`<div class="table-panel">
    <h1 class="sr">Table</h1>
    <${Answer} live=${live} />
    <div class="stage">
      <section class="card" aria-labelledby="edit-h">
        <h2 id="edit-h">The table</h2>
        <div class="presets" role="group" aria-label="Examples">${presets.map((p) => html`<button type="button" key=${p.name} class="chip" aria-pressed=${p === preset} title=${p.said}
          onClick=${() => live.set({ counts: p.counts, labels: p.labels || usualLabels(p.counts.length), focus: 0 })}>${p.name}</button>`)}
          ${!own && html`<a class="button chip" href=${address("data", { file: start.files.length ? start.files[0].id : "" })}>Your file${start.files.length ? `: ${short(start.files[0].name)}` : ""}…</a>`}</div>
        <${Editor} answer=${answer} counts=${counts} labels=${labels} onCell=${(...x) => live.cell(...x)} onSettle=${() => live.settle()} onPaste=${paste} onLabel=${rename} />
        <p class="note">${preset ? preset.said + " " : ""}The small number is what guessing would put there.${" "}
          <span class="unshared">Type, use + and −, or paste a block from a spreadsheet.</span></p>
        <div class="buttons">
          <button type="button" onClick=${() => resize(1)} disabled=${k >= 12}>Add a class</button>
          <button type="button" onClick=${() => resize(-1)} disabled=${k <= 2}>Remove the last</button>
          <button type="button" onClick=${() => live.set({ counts: counts.map((row) => row.map(Math.round)) })} disabled=${!counts.some((row) => row.some((n) => n % 1))}>Round</button>
        </div>
        <p class="problem" role="status">${live.error}</p>
        <${Controls} live=${live} />
      </section>
      <section class="card" aria-labelledby="plane-h">
        <div class="head"><h2 id="plane-h">${k > 2 ? html`The plane of ${short(labels[focus])}` : "The plane"}</h2>
          <div class="toggle" role="group" aria-label="Axes">
            <button type="button" aria-pressed=${!live.pn} onClick=${() => live.set({ pn: false })}>ROC</button>
            <button type="button" aria-pressed=${!!live.pn} onClick=${() => live.set({ pn: true })}>PN</button></div></div>
        <${Picture} name="roc-plane"><div class="plane-box"><${Plane} answer=${answer} labels=${labels} focus=${focus} pn=${live.pn}
          onFocus=${(i) => live.set({ focus: i })} onDrag=${(to, first) => live.drag(to, first)} onDrop=${(to) => live.drop(to)} /></div>
        <ul class="legend"><li class="k-chance">chance</li><li class="k-band">95 % interval of informedness</li><li class="k-cost">equal cost</li></ul><//>
        <${Costs} live=${live} />
      </section>
    </div>
    <div class="stage columns">
      <div>
        <section class="card" aria-labelledby="measures-h"><h2 id="measures-h">Measures</h2>
          <${Measures} measures=${answer.measures} />
          <p class="note">The orange tick is what guessing with the same totals scores. ${answer.quick ? "Closed-form intervals while it moves." : "Intervals: Fisher arc and mid-P."}</p></section>
        ${k === 2 && html`<section class="card unshared" aria-labelledby="solve-h"><h2 id="solve-h">A table from three ratios</h2><${Solve} live=${live} ratios=${start.ratios} /></section>`}
        <section class="card unshared" aria-labelledby="report-h"><h2 id="report-h">The full report</h2><${ReportOf} live=${live} /></section>
      </div>
      <div>
        <section class="card" aria-labelledby="classes-h"><h2 id="classes-h">Class by class</h2>
          <${Classes} answer=${answer} labels=${labels} focus=${focus} onFocus=${(i) => live.set({ focus: i })} />
          ${answer.odds && html`<${Bets} answer=${answer} labels=${labels} />`}</section>
        <section class="card" aria-labelledby="tests-h"><h2 id="tests-h">Could it be luck?</h2><${Tests} tests=${answer.tests} /></section>
        <section class="card" aria-labelledby="size-h"><h2 id="size-h">Is the sample big enough?</h2><${Size} size=${answer.size} n=${answer.n} /></section>
      </div>
    </div>
  </div>`;
}

// While something moves the words may get shorter, but nothing below them may jump.
function Answer({ live }) {
  const box = useRef(null);
  const [tall, setTall] = useState(0);
  const b = live.answer.measures[0];
  const settled = !live.answer.quick;
  useLayoutEffect(() => { if (settled && box.current) setTall(box.current.offsetHeight); }, [settled, live.answer]);
  const [first, ...rest] = settled ? live.answer.answer : [sentence(b)];
  return html`<div class="answer" ref=${box} style=${{ minHeight: settled ? "" : `${tall}px` }}>
    <p class="lead" aria-live="polite">${tied(first)}</p>${rest.length > 0 && html`<p class="rest">${tied(rest.join(" "))}</p>`}</div>`;
}

const sentence = (b) => (b.value === null ? `Informedness is undefined: ${b.why}.`
  : `Informed ${percent(b.value)} of the time${b.low === null ? "" : `, between ${percent(b.low)} and ${percent(b.high)}`}; guessing scores 0.`);

function Slider({ id, label, value, min, max, step, shown, onMove, onSettle, disabled }) {
  const [held, setHeld] = useState(null);
  const [first, setFirst] = useState(true);
  return html`<div class="slider"><label for=${id}>${label}</label><output for=${id}>${shown}</output>
    <input type="range" id=${id} min=${min} max=${max} step=${step} value=${held ?? value} disabled=${disabled} aria-valuetext=${shown}
      onInput=${(event) => { const v = Number(event.currentTarget.value); setHeld(v); onMove(v, first); setFirst(false); }}
      onChange=${(event) => { onSettle(Number(event.currentTarget.value)); setHeld(null); setFirst(true); }} /></div>`;
}

function Controls({ live }) {
  const { answer, focus } = live;
  const k = live.counts.length;
  const b = answer.classes[focus].informedness.value;
  const name = k > 2 ? ` of ${short(live.labels[focus])}` : "";
  const slide = (which, lowest) => ({
    min: lowest, max: which === "prevalence" ? 0.995 : 1, step: 0.005, // at 0 a class would be gone for good
    onMove: (v, first) => live.ratio(which, v, first, false), onSettle: (v) => live.ratio(which, v, false, true),
  });
  return html`<div class="controls">
    <fieldset class="keeps"><legend>While something moves, keep</legend>
      ${KEEPS.map(([value, said]) => html`<label key=${value}><input type="radio" name="keep" value=${value} checked=${live.keep === value}
        disabled=${k > 2 && value === "predicted"} onChange=${() => live.set({ keep: value })} /> ${said}</label>`)}</fieldset>
    <${Slider} id="prevalence" label="Prevalence${name}" value=${answer.prevalence[focus] ?? 0} shown=${percent(answer.prevalence[focus])}
      disabled=${live.keep === "real" || answer.prevalence[focus] === null} ...${slide("prevalence", 0.005)} />
    ${k === 2 && html`<${Slider} id="bias" label="Bias (how often it says ${short(live.labels[0])})" value=${answer.bias[0] ?? 0} shown=${percent(answer.bias[0])}
      disabled=${live.keep === "predicted" || b === null} ...${slide("bias", 0)} />
    <${Slider} id="informedness" label="Informedness" value=${b ?? 0} shown=${rate(b)} disabled=${live.keep === "informedness" || b === null} ...${slide("informedness", -1)} />`}
  </div>`;
}

function Costs({ live }) {
  const { plane } = live.answer;
  const ratio = Math.log(live.miss / live.alarm);
  const at = COSTS.map(([m, a]) => Math.abs(Math.log(m / a) - ratio)).reduce((best, gap, i, all) => (gap < all[best] ? i : best), 0);
  const it = short(live.labels[live.focus]);
  const [name, least] = plane.always < plane.never ? [`always saying ${it}`, plane.always] : [`never saying ${it}`, plane.never];
  const gap = plane.expected_cost - least;
  return html`<div class="controls"><${Slider} id="cost" label="What a miss costs : what a false alarm costs" value=${at} min=${0} max=${COSTS.length - 1} step=${1} shown="${live.miss} : ${live.alarm}"
      onMove=${(i) => live.set({ miss: COSTS[i][0], alarm: COSTS[i][1] })} onSettle=${() => {}} />
    ${plane.expected_cost !== null && html`<p class="note">A case costs ${rate(plane.expected_cost)}; ${name} would cost ${rate(least)}.
      ${Math.abs(gap) < 5e-4 ? " Using it makes no difference." : gap < 0 ? " Using it pays." : " At these costs it is better not to use it."}</p>`}</div>`;
}

function Bets({ answer, labels }) {
  const { odds } = answer;
  return html`<h3>As a bet</h3><div class="scroll" tabindex="0" role="group" aria-label="Odds and payoffs"><table>
    <caption class="sr">Fair odds and what the predictions win at them</caption>
    <thead><tr><th scope="col">class</th><th scope="col" class="r">fair odds</th><th scope="col" class="r">right wins</th><th scope="col" class="r">wrong loses</th><th scope="col" class="r">won a case</th><th scope="col">verdict</th></tr></thead>
    <tbody>${labels.map((label, i) => html`<tr key=${i}><th scope="row">${short(label)}</th><td class="r">${odds.fractional[i]}</td>
      <td class="r">${rate(odds.payoff[i][i], 2)}</td><td class="r">${rate(odds.payoff[i][i === 0 ? 1 : 0], 2)}</td><td class="r">${rate(odds.won[i])}</td><td>${odds.verdicts[i]}</td></tr>`)}</tbody>
    <tfoot><tr><th scope="row" colspan="4">together, which is informedness</th><td class="r"><b>${rate(odds.total)}</b></td><td></td></tr></tfoot></table></div>`;
}

const TEST_NAMES = {
  "permutation-midp": "Shuffled predictions", "pearson-n1": "Pearson χ², N − 1", "g-williams": "G, Williams' correction", "fisher-midp": "Fisher exact, mid-P",
  "mcnemar-midp": "McNemar, mid-P", mcnemar: "McNemar", "stuart-maxwell": "Stuart–Maxwell",
};

function Tests({ tests }) {
  if (!tests) return html`<p class="note">Counting…</p>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Tests"><table><caption class="sr">Tests of significance</caption>
    <thead><tr><th scope="col">test</th><th scope="col" class="r">statistic</th><th scope="col" class="r">p</th></tr></thead>
    <tbody>${tests.map((t, i) => html`<tr key=${i}><th scope="row">${TEST_NAMES[t.method] || t.method}<small>${t.why || `if ${t.null.split(":")[0]}`}</small></th>
      <td class="r">${t.statistic === undefined || t.statistic === null ? "–" : t.statistic.toFixed(2).replace("-", "−")}</td>
      <td class="r"><b class=${t.pvalue !== null && t.pvalue < 0.05 ? "small-p" : ""}>${pvalue(t.pvalue)}</b></td></tr>`)}</tbody></table></div>`;
}

function Size({ size, n }) {
  if (size === undefined) return html`<p class="note">Counting…</p>`;
  if (!size) return html`<p class="note">A class has no case, so that nothing can be planned from this table.</p>`;
  const x = (m) => 46 + 330 * (Math.log10(m) - 1) / (Math.log10(5000) - 1), y = (p) => 12 + 120 * (1 - p);
  const here = Math.min(5000, Math.max(10, n));
  return html`<p>${size.detectable === null ? "Even a perfect system would often be missed with so few cases."
      : html`<b>${count(n)} cases</b> show an informedness of ${rate(size.detectable, 2)} or more, four times out of five.`}</p>
    <${Picture} name="power"><svg class="power" viewBox="0 0 400 176" width="400" height="176" role="img" aria-labelledby="power-t power-d">
      <title id="power-t">Power</title><desc id="power-d">Chance that a system of informedness 0.2 is told from guessing, against the number of cases: ${size.curve.map(([m, p]) => `${m}: ${rate(p, 2)}`).join(", ")}.</desc>
      ${[0, 0.5, 0.8, 1].map((p) => html`<line class=${p === 0.8 ? "goal" : "grid"} x1="46" x2="376" y1=${y(p)} y2=${y(p)} /><text class="tick" x="39" y=${y(p) + 4} text-anchor="end">${p}</text>`)}
      <line class="here" x1=${x(here)} x2=${x(here)} y1="12" y2="132" />
      <path class="curve" d=${size.curve.filter(([, p]) => p !== null).map(([m, p], i) => `${i ? "L" : "M"}${x(m)} ${y(p)}`).join("")} />
      ${[10, 100, 1000, 5000].map((m) => html`<text class="tick" x=${x(m)} y="149" text-anchor="middle">${count(m)}</text>`)}
      <text class="axis" x="211" y="170" text-anchor="middle">cases, to see informedness 0.2</text></svg><//>
    <table class="narrow"><caption class="sr">Power at this number of cases</caption><thead><tr><th scope="col">if it is informed</th>${size.power.map(([b]) => html`<th key=${b} scope="col" class="r">${percent(b)}</th>`)}</tr></thead>
      <tbody><tr><th scope="row">chance to see it</th>${size.power.map(([b, p]) => html`<td key=${b} class="r">${chance(p)}</td>`)}</tr></tbody></table>`;
}

function Solve({ live, ratios }) {
  const [three, setThree] = useState([["prevalence", 0.2], ["recall", 0.8], ["fallout", 0.3]]);
  const [n, setN] = useState(100);
  const [found, setFound] = useState(null);
  const [error, setError] = useState("");
  const set = (i, at, value) => setThree(three.map((pair, j) => (j === i ? (at ? [pair[0], value] : [value, pair[1]]) : pair)));
  const solve = async (event) => {
    event.preventDefault();
    setFound(null);
    try {
      const { tables } = await ask("/api/solve", { n, three: Object.fromEntries(three) });
      setError("");
      if (tables.length === 1) live.set({ counts: tables[0], labels: usualLabels(2) });
      else setFound(tables);
    } catch (refusal) { setError(refusal.message); }
  };
  return html`<form onSubmit=${solve} class="solve"><p class="note">Any three that are independent leave one table, or a few.</p>
    ${three.map(([name, value], i) => html`<div class="pair" key=${i}>
      <select aria-label="Ratio ${i + 1}" value=${name} onChange=${(event) => set(i, 0, event.currentTarget.value)}>
        ${ratios.map((r) => html`<option key=${r.name} value=${r.name} selected=${r.name === name} disabled=${three.some(([other], j) => j !== i && other === r.name)}>${r.title}</option>`)}</select>
      <input type="number" aria-label="Value ${i + 1}" min="-1" max="1" step="any" required value=${value} onInput=${(event) => set(i, 1, event.currentTarget.valueAsNumber)} /></div>`)}
    <div class="pair"><label for="solve-n">Number of cases</label><input id="solve-n" type="number" min="1" max="1000000000" step="any" required value=${n} onInput=${(event) => setN(event.currentTarget.valueAsNumber)} /></div>
    <div class="buttons"><button type="submit" class="main">Make the table</button></div>
    ${found && html`<p>${found.length} tables have these ratios:</p><div class="buttons">${found.map((t, i) => html`<button type="button" key=${i}
      onClick=${() => live.set({ counts: t, labels: usualLabels(2) })}>${t.map((row) => row.map((x) => count(x)).join(" ")).join(" / ")}</button>`)}</div>`}
    <p class="problem" role="status">${error}</p></form>`;
}

function ReportOf({ live }) {
  const [id, setId] = useState(null);
  const [error, setError] = useState("");
  const make = async () => {
    try { setId((await ask("/api/report", { counts: live.counts, labels: live.labels })).id); setError(""); } catch (refusal) { setError(refusal.message); }
  };
  return html`<p class="note">Every number, picture and caveat on one page that works offline; or as data.</p>
    <div class="buttons"><button type="button" class="main" onClick=${make}>Make the report</button></div>
    <p class="problem" role="status">${error}</p>${id && html`<${Report} id=${id} page=${false} />`}`;
}
