// The Threshold panel: a score, its curve, and the threshold that costs least.
import { html, useState, useEffect, ask, rate, percent, count, latest, useMemo, address, goTo, readAddress } from "/static/lib.js";
import { Live, useLive } from "/static/live.js";
import { useWork, Drop, Choice } from "/static/files.js";
import { Measures } from "/static/measures.js";

const COSTS = [[1, 20], [1, 10], [1, 5], [1, 3], [1, 2], [1, 1], [2, 1], [3, 1], [5, 1], [10, 1], [20, 1]];
const SIDE = 320, LEFT = 48, TOP = 12;

export function ThresholdPanel({ start }) {
  const files = useWork();
  const [file, setFile] = useState(null);
  const [chosen, setChosen] = useState({ real: "", score: "", positive: "" });
  const [held, setHeld] = useState(null); // {id, curve, best, reject}
  const [id, setId] = useState(undefined);
  const [at, setAt] = useState(0);
  const [asks] = useState(() => readAddress().query);
  const [cost, setCost] = useState(Math.max(0, COSTS.findIndex((c) => c.join(":") === (asks.get("cost") || "1:1"))));
  const [abstain, setAbstain] = useState(Math.min(1, Math.max(0, Number(asks.get("abstain")) || 0)));
  const live = useLive(() => new Live({ counts: [[1, 1], [1, 1]], labels: ["+", "−"] }));
  const decide = useMemo(() => latest(async (asked, place) => {
    const found = await ask("/api/curve", asked);
    setHeld((before) => ({ ...before, ...found }));
    if (found.curve && place) place(found.curve, found.best);
  }), []);
  const asked = (more) => ({ ...(id === undefined ? {} : { id }), miss: COSTS[cost][0], alarm: COSTS[cost][1], ...(abstain > 0 ? { abstain } : {}), ...more });
  const go = (curve, i) => {
    setAt(i);
    const positives = curve.tp[curve.tp.length - 1], negatives = curve.fp[curve.fp.length - 1];
    live.set({ counts: [[curve.tp[i], curve.fp[i]], [positives - curve.tp[i], negatives - curve.fp[i]]], labels: curve.labels });
  };
  const nearest = (curve, best) => {
    const gap = (t) => (best.threshold === null || t === null ? (best.threshold === t ? 0 : Infinity) : Math.abs(t - best.threshold));
    return curve.thresholds.reduce((found, t, i, all) => (gap(t) < gap(all[found]) ? i : found), 0);
  };
  useEffect(() => {
    const there = id === undefined && asks.has("at") ? Number(asks.get("at")) : -1;
    decide(asked({ whole: true }), (curve, best) => go(curve, there >= 0 && there < curve.tp.length ? there : nearest(curve, best)));
  }, [id]);
  useEffect(() => { // a file is not in the address: it is known to this run only
    if (held) goTo(address("threshold", { at: id === undefined ? at : "", cost: cost === 5 ? "" : COSTS[cost].join(":"), abstain: abstain || "" }), false);
  }, [held, at, cost, abstain]);
  useEffect(() => { if (held) { setHeld({ ...held, reject: null }); decide(asked({})); } }, [cost, abstain]);
  const set = (name) => (event) => setChosen({ ...chosen, [name]: event.currentTarget.value });
  return html`<div class="curve-panel"><h1>Where to draw the line</h1>
    ${held && held.curve && html`<${Curve} held=${held} at=${at} go=${(i) => go(held.curve, i)} live=${live} cost=${cost} setCost=${setCost} abstain=${abstain} setAbstain=${setAbstain} nearest=${nearest}
      name=${id === undefined ? "Example: a test for an illness, 120 ill and 280 well people" : file.name} />`}
    <${Drop} work=${files} start=${start} what="one with real classes and a score." onFiles=${([given]) => { setFile(given); setChosen({ real: given.real || "", score: given.columns.find((c) => /score|prob|logit/i.test(c)) || "", positive: "" }); }} />
    ${file && !files.busy && file.columns.length > 0 && html`<form class="card" aria-label="Columns" onSubmit=${(event) => { event.preventDefault(); files.guarded(async () => setId((await files.job("/api/score", { id: file.id, ...chosen }, `Counting ${file.name}`)).id)); }}>
      <h2>${file.name}: which columns?</h2><div class="fields">
        <${Choice} id="real" label="Real classes" columns=${file.columns} value=${chosen.real} onChange=${set("real")} required />
        <${Choice} id="score" label="Score" columns=${file.columns} value=${chosen.score} onChange=${set("score")} required />
        <div><label for="positive">Class of high scores</label><input id="positive" type="text" value=${chosen.positive} placeholder="as recognised" onInput=${set("positive")} /></div></div>
      <div class="buttons"><button type="submit" class="main">Draw the curve</button></div></form>`}</div>`;
}

function Curve({ held, at, go, live, cost, setCost, abstain, setAbstain, nearest, name }) {
  const { curve, best, reject } = held;
  const last = curve.tp.length - 1, positives = curve.tp[last], negatives = curve.fp[last];
  const x = (f) => LEFT + SIDE * f, y = (r) => TOP + SIDE * (1 - r);
  const points = curve.tp.map((tp, i) => [curve.fp[i] / negatives, tp / positives]);
  const here = points[at];
  const shown = curve.thresholds[at] === null ? "above every score" : Number(curve.thresholds[at].toPrecision(4));
  return html`<div class="stage">
    <section class="card" aria-labelledby="roc-h"><h2 id="roc-h">${name}</h2>
      <svg class="plane still" viewBox="0 0 ${LEFT + SIDE + 16} ${TOP + SIDE + 44}" width=${LEFT + SIDE + 16} height=${TOP + SIDE + 44} role="img" aria-labelledby="roc-t roc-d">
        <title id="roc-t">ROC curve</title><desc id="roc-d">Area ${rate(curve.auc.value)}; at this threshold recall ${rate(here[1])} and fallout ${rate(here[0])}.</desc>
        ${[0, 0.25, 0.5, 0.75, 1].map((v) => html`<line class="grid" x1=${x(v)} x2=${x(v)} y1=${y(0)} y2=${y(1)} /><line class="grid" x1=${x(0)} x2=${x(1)} y1=${y(v)} y2=${y(v)} />
          <text class="tick" x=${x(v)} y=${y(0) + 16} text-anchor="middle">${v}</text><text class="tick" x=${LEFT - 7} y=${y(v) + 4} text-anchor="end">${v}</text>`)}
        <line class="chance" x1=${x(0)} y1=${y(0)} x2=${x(1)} y2=${y(1)} />
        <polyline class="hull" points=${curve.hull.map(([f, r]) => `${x(f)},${y(r)}`).join(" ")} />
        <polyline class="roc-line" points=${points.map(([f, r]) => `${x(f)},${y(r)}`).join(" ")} />
        <circle class="best" cx=${x(best.fallout)} cy=${y(best.recall)} r="9" />
        <circle class="dot" cx=${x(here[0])} cy=${y(here[1])} r="6.5" />
        <text class="axis" x=${x(0.5)} y=${y(0) + 36} text-anchor="middle">fallout</text><text class="axis" x=${-(TOP + SIDE / 2)} y="12" transform="rotate(-90)" text-anchor="middle">recall</text></svg>
      <ul class="legend"><li class="k-chance">chance</li><li class="k-hull">hull</li><li class="k-best">least cost</li></ul>
      <p class="note">Area under the curve <b>${rate(curve.auc.value)}</b> (95 % interval ${rate(curve.auc.low)} to ${rate(curve.auc.high)}; guessing 0.5): the probability that a case of “${curve.labels[0]}” scores higher than one of “${curve.labels[1]}”. ${curve.notes.join(" ")}</p>
    </section>
    <section class="card" aria-labelledby="at-h"><h2 id="at-h">At this threshold</h2>
      <div class="slider"><label for="threshold">Say ${curve.labels[0]} from a score of</label><output for="threshold">${shown}</output>
        <input type="range" id="threshold" min="0" max=${last} step="1" value=${at} aria-valuetext=${String(shown)} onInput=${(event) => go(Number(event.currentTarget.value))} /></div>
      ${live.answer && html`<p class="counts">${count(live.counts[0][0])} of ${count(positives)} ${curve.labels[0]} found, ${count(live.counts[0][1])} of ${count(negatives)} ${curve.labels[1]} alarmed falsely.</p>
        <${Measures} measures=${live.answer.measures} only=${["informedness", "markedness", "recall", "precision", "accuracy", "f1"]} />`}
      <div class="slider"><label for="curve-cost">What a miss costs : what a false alarm costs</label><output for="curve-cost">${COSTS[cost][0]} : ${COSTS[cost][1]}</output>
        <input type="range" id="curve-cost" min="0" max=${COSTS.length - 1} step="1" value=${cost} aria-valuetext="${COSTS[cost][0]} to ${COSTS[cost][1]}" onInput=${(event) => setCost(Number(event.currentTarget.value))} /></div>
      <p class="least">Least cost: from <b>${best.threshold === null ? "nobody: say it never" : Number(best.threshold.toPrecision(4))}</b> (recall ${rate(best.recall, 2)}, fallout ${rate(best.fallout, 2)}).</p>
      <div class="buttons"><button type="button" onClick=${() => go(nearest(curve, best))}>Go there</button></div>
      <div class="slider"><label for="abstain">What no answer costs</label><output for="abstain">${abstain === 0 ? "always answer" : abstain}</output>
        <input type="range" id="abstain" min="0" max="1" step="0.05" value=${abstain} aria-valuetext=${abstain === 0 ? "always answer" : String(abstain)} onInput=${(event) => setAbstain(Number(event.currentTarget.value))} /></div>
      ${reject && abstain > 0 && html`<p class="reject">${reject.coverage > 0.9995 ? "At this price it pays to answer always."
        : html`Leave ${percent(Math.round(1000 * (1 - reject.coverage)) / 1000)} open, those with scores from ${rate(reject.lower, 2)} to ${rate(reject.upper, 2)}: a case then costs ${rate(reject.cost)} instead of ${rate(reject.without)}.`}</p>`}
    </section></div>`;
}
