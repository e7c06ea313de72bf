// The Threshold panel: a score, its curve, and the threshold that costs least.
import { html, useState, useLayoutEffect, ask, rate, percent, count, latest, useMemo, address, goTo, readAddress } from "/static/lib.js";
import { Live, useLive } from "/static/live.js";
import { useWork, Drop } from "/static/files.js";
import { Choice, ClassChoice, Preview } from "/static/columns.js";
import { Measures } from "/static/measures.js";
import { Picture } from "/static/pictures.js";
import { short } from "/static/plane.js";
import { Downloads } from "/static/report.js";

const COSTS = [[1, 20], [1, 10], [1, 5], [1, 3], [1, 2], [1, 1], [2, 1], [3, 1], [5, 1], [10, 1], [20, 1]];
const SIDE = 320, LEFT = 48, TOP = 12;

const EVEN = 5; // where a miss costs as much as a false alarm

function fromAddress() {
  const { query } = readAddress();
  const cost = COSTS.findIndex((c) => c.join(":") === query.get("cost"));
  return {
    c: query.get("c") || "", name: query.get("name") || "", at: query.has("at") ? Math.max(0, Math.trunc(Number(query.get("at"))) || 0) : null,
    cost: cost < 0 ? EVEN : cost, abstain: Math.min(1, Math.max(0, Number(query.get("abstain")) || 0)),
  };
}

const toAddress = ({ c, name, at, cost, abstain }) => address("threshold", { c, name, at: at ?? "", cost: cost === EVEN ? "" : COSTS[cost].join(":"), abstain: abstain || "" });

const nearest = (curve, best) => {
  const gap = (t) => (best.threshold === null || t === null ? (best.threshold === t ? 0 : Infinity) : Math.abs(t - best.threshold));
  return curve.thresholds.reduce((found, t, i, all) => (gap(t) < gap(all[found]) ? i : found), 0);
};

export function ThresholdPanel({ start }) {
  const files = useWork();
  const [file, setFile] = useState(null);
  const [chosen, setChosen] = useState({ real: "", score: "", positive: "", unit: "", item: "" });
  const [held, setHeld] = useState(null); // {of, curve, best, reject}
  const [state, setState] = useState(fromAddress);
  const [error, setError] = useState("");
  const live = useLive(() => new Live({ counts: [[1, 1], [1, 1]], labels: ["+", "−"] }));
  const [byUnit, setByUnit] = useState(null); // measures whose intervals are between units, where cases have some
  const units = useMemo(() => latest(async (c, at) => {
    try { setByUnit((await ask("/api/threshold", { id: c, at })).measures); } catch (problem) { setError(problem.message); }
  }), []);
  const table = (curve, i, c) => {
    if (curve.unit) units(c, curve.thresholds[i]);
    else setByUnit(null);
    const last = curve.tp.length - 1;
    live.set({ counts: [[curve.tp[i], curve.fp[i]], [curve.tp[last] - curve.tp[i], curve.fp[last] - curve.fp[i]]], labels: curve.labels });
  };
  // The curve once, then only what the costs decide; of what waits only the latest is asked.
  const decide = useMemo(() => {
    let of, curve; // the curve that is there
    return latest(async (want) => {
      const body = { ...(want.c ? { id: want.c } : {}), miss: COSTS[want.cost][0], alarm: COSTS[want.cost][1], ...(want.abstain > 0 ? { abstain: want.abstain } : {}), whole: of !== want.c };
      try {
        const found = await ask("/api/curve", body);
        setError("");
        setHeld((before) => ({ ...(found.curve ? {} : before), reject: null, ...found, of: want.c }));
        curve = found.curve || curve;
        if (found.curve || want.at === null) {
          const at = want.at !== null && want.at < curve.tp.length ? want.at : nearest(curve, found.best);
          setState((now) => ({ ...now, at }));
          table(curve, at, want.c);
        }
        of = want.c;
      } catch (problem) { setError(problem.message); }
    });
  }, []);
  // What moves is shown at once; where it rests is a page that the back button returns to.
  const move = (fields, rest = false) => {
    const next = { ...state, ...fields };
    setState(next);
    if (held && held.curve && fields.at !== undefined && fields.at !== null) table(held.curve, fields.at, held.of);
    if (fields.cost !== undefined || fields.abstain !== undefined || fields.c !== undefined) decide(next);
    if (rest) goTo(toAddress(next));
  };
  useLayoutEffect(() => {
    decide(state);
    const back = () => {
      if (readAddress().panel !== "threshold") return;
      const then = fromAddress();
      setState((now) => ({ ...then, at: then.at ?? now.at }));
      decide(then);
      setHeld((now) => { if (now && now.of === then.c && then.at !== null && then.at < now.curve.tp.length) table(now.curve, then.at, now.of); return now; });
    };
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const set = (name) => (event) => setChosen({ ...chosen, [name]: event.currentTarget.value });
  const draw = (event) => {
    event.preventDefault();
    files.guarded(async () => {
      const { id } = await files.job("/api/score", { id: file.id, ...chosen }, `Counting ${file.name}`);
      move({ c: id, name: file.name, at: null }, true);
    });
  };
  return html`<div class="curve-panel"><h1>Where to draw the line</h1>
    ${held && held.curve && state.at !== null && state.at < held.curve.tp.length && html`<${Curve} held=${held} state=${state} move=${move} live=${live} byUnit=${held.curve.unit ? byUnit : null}
      name=${state.c ? state.name || "Your file" : "Example: a test for an illness, 120 ill and 280 well people"} />`}
    <p class="problem" role="status">${error}</p>
    <${Drop} work=${files} start=${start} what="one with real classes and a score." onFiles=${([given]) => { setFile(given); setChosen({ real: given.real || "", score: given.score || "", positive: "", unit: "", item: "" }); }} slim=${Boolean(file)} />
    ${file && !files.busy && file.columns.length > 0 && html`<form class="card asking" aria-label="Columns" onSubmit=${draw}>
      <h2>${file.name}: which columns?</h2><div class="fields">
        <${Choice} id="real" label="Real classes" columns=${file.columns} value=${chosen.real} onChange=${set("real")} required />
        <${Choice} id="score" label="Score" columns=${file.columns} value=${chosen.score} onChange=${set("score")} required />
        <${ClassChoice} id="positive" label="Class of high scores" values=${(file.values || {})[chosen.real]} whole=${file.whole} value=${chosen.positive} onChange=${(positive) => setChosen({ ...chosen, positive })} />
        <${Choice} id="unit" label="Cases belong together by (document, patient)" columns=${file.columns} value=${chosen.unit} onChange=${set("unit")} none="each is by itself" />
        <${Choice} id="again" label="Items asked several times" columns=${file.columns} value=${chosen.item} onChange=${set("item")} none="each row is one" /></div>
      <${Preview} file=${file} uses=${{ real: chosen.real, score: chosen.score, "belongs together": chosen.unit, item: chosen.item }} />
      <div class="buttons"><button type="submit" class="main">Draw the curve</button></div></form>`}</div>`;
}

function Curve({ held, state, move, live, byUnit, name }) {
  const { curve, best, reject } = held;
  const { at, cost, abstain } = state;
  const open = reject && abstain > 0 && reject.coverage <= 0.9995 ? reject : null; // scores that are better left open
  const last = curve.tp.length - 1, positives = curve.tp[last], negatives = curve.fp[last];
  const x = (f) => LEFT + SIDE * f, y = (r) => TOP + SIDE * (1 - r);
  const points = curve.tp.map((tp, i) => [curve.fp[i] / negatives, tp / positives]);
  const here = points[at];
  const shown = curve.thresholds[at] === null ? "above every score" : Number(curve.thresholds[at].toPrecision(4));
  return html`<div class="stage" data-stem=${held.stem || null}>
    <section class="card" aria-labelledby="roc-h"><h2 id="roc-h">${name}</h2>
      <${Picture} name="roc-curve"><svg class="plane still" viewBox="0 0 ${LEFT + SIDE + 16} ${TOP + SIDE + 44}" width=${LEFT + SIDE + 16} height=${TOP + SIDE + 44} role="img" aria-labelledby="roc-t roc-d">
        <title id="roc-t">ROC curve</title><desc id="roc-d">Area ${rate(curve.auc.value)}; at this threshold recall ${rate(here[1])} and fallout ${rate(here[0])}.</desc>
        ${[0, 0.25, 0.5, 0.75, 1].map((v) => html`<line class="grid" x1=${x(v)} x2=${x(v)} y1=${y(0)} y2=${y(1)} /><line class="grid" x1=${x(0)} x2=${x(1)} y1=${y(v)} y2=${y(v)} />
          <text class="tick" x=${x(v)} y=${y(0) + 16} text-anchor="middle">${v}</text><text class="tick" x=${LEFT - 7} y=${y(v) + 4} text-anchor="end">${v}</text>`)}
        <line class="chance" x1=${x(0)} y1=${y(0)} x2=${x(1)} y2=${y(1)} />
        <polyline class="hull" points=${curve.hull.map(([f, r]) => `${x(f)},${y(r)}`).join(" ")} />
        <polyline class="roc-line" points=${points.map(([f, r]) => `${x(f)},${y(r)}`).join(" ")} />
        ${open && html`<polyline class="open-line" points=${points.filter((_, i) => between(curve.thresholds[i], open)).map(([f, r]) => `${x(f)},${y(r)}`).join(" ")} />`}
        <circle class="best" cx=${x(best.fallout)} cy=${y(best.recall)} r="9" />
        <circle class="dot" cx=${x(here[0])} cy=${y(here[1])} r="6.5" />
        <text class="axis" x=${x(0.5)} y=${y(0) + 36} text-anchor="middle">fallout</text><text class="axis" x=${-(TOP + SIDE / 2)} y="12" transform="rotate(-90)" text-anchor="middle">recall</text></svg>
      <ul class="legend"><li class="k-chance">chance</li><li class="k-hull">hull</li><li class="k-best">least cost</li>${open && html`<li class="k-open">no answer</li>`}</ul><//>
      <p class="note">Area under the curve <b>${rate(curve.auc.value)}</b> (95 % interval ${rate(curve.auc.low)} to ${rate(curve.auc.high)}; guessing 0.5): the probability that a case of “${curve.labels[0]}” scores higher than one of “${curve.labels[1]}”. ${curve.notes.join(" ")}</p>
      ${state.c && html`<${Downloads} id=${state.c} />`}
    </section>
    <section class="card" aria-labelledby="at-h"><h2 id="at-h">At this threshold</h2>
      <div class="slider"><label for="threshold">Say ${curve.labels[0]} from a score of</label><output for="threshold">${shown}</output>
        <input type="range" id="threshold" min="0" max=${last} step="1" value=${last - at} aria-valuetext=${String(shown)} onInput=${(event) => move({ at: last - Number(event.currentTarget.value) })} onChange=${(event) => move({ at: last - Number(event.currentTarget.value) }, true)} /></div>
      <${Picture} name="scores"><${Scores} curve=${curve} at=${at} open=${open} /><//>
      ${live.answer && html`<p class="counts">${count(live.counts[0][0])} of ${count(positives)} ${curve.labels[0]} found, ${count(live.counts[0][1])} of ${count(negatives)} ${curve.labels[1]} alarmed falsely.</p>
        ${held.curve.unit && !byUnit ? html`<p class="note">Counting…</p>` : html`<${Measures} measures=${byUnit || live.answer.measures} only=${["informedness", "markedness", "recall", "precision", "accuracy", "f1"]} />`}
        ${held.curve.unit && html`<p class="note">Cases of one ${held.curve.unit} belong together: intervals are between these.</p>`}`}
      <div class="slider"><label for="curve-cost">What a miss costs : what a false alarm costs</label><output for="curve-cost">${COSTS[cost][0]} : ${COSTS[cost][1]}</output>
        <input type="range" id="curve-cost" min="0" max=${COSTS.length - 1} step="1" value=${cost} aria-valuetext="${COSTS[cost][0]} to ${COSTS[cost][1]}" onInput=${(event) => move({ cost: Number(event.currentTarget.value) })} onChange=${(event) => move({ cost: Number(event.currentTarget.value) }, true)} /></div>
      <p class="least">Least cost: from <b>${best.threshold === null ? "nobody: say it never" : Number(best.threshold.toPrecision(4))}</b> (recall ${rate(best.recall, 2)}, fallout ${rate(best.fallout, 2)}).${held.cost && held.cost.expected_cost !== null && html` The expected cost is ${rate(held.cost.expected_cost)} per case on new cases (95% CI ${rate(held.cost.low)} to ${rate(held.cost.high)}; ${rate(held.cost.apparent)} on these cases, which chose the threshold).`}</p>
      <div class="buttons"><button type="button" onClick=${() => move({ at: nearest(curve, best) }, true)}>Go there</button></div>
      <div class="slider"><label for="abstain">What no answer costs</label><output for="abstain">${abstain === 0 ? "always answer" : abstain}</output>
        <input type="range" id="abstain" min="0" max="1" step="0.05" value=${abstain} aria-valuetext=${abstain === 0 ? "always answer" : String(abstain)} onInput=${(event) => move({ abstain: Number(event.currentTarget.value) })} onChange=${(event) => move({ abstain: Number(event.currentTarget.value) }, true)} /></div>
      ${reject && abstain > 0 && html`<p class="reject">${reject.coverage > 0.9995 ? "At this price it pays to answer always."
        : html`Leave ${percent(Math.round(1000 * (1 - reject.coverage)) / 1000)} open, those with scores from ${rate(reject.lower, 2)} to ${rate(reject.upper, 2)}: on these cases, which chose both, a case then costs ${rate(reject.expected_cost)} instead of ${rate(reject.without)}.`}</p>`}
    </section></div>`;
}

const between = (t, open) => t !== null && t >= open.lower && t <= open.upper;

// How the scores of both classes lie, and where the line is drawn: one class up, the other down.
function Scores({ curve, at, open }) {
  const known = curve.thresholds.filter((t) => t !== null);
  const low = Math.min(...known), high = Math.max(...known), bins = 30, wide = 440, half = 56;
  const place = (t) => Math.min(bins - 1, Math.floor(bins * (t - low) / (high - low || 1)));
  const up = Array(bins).fill(0), down = Array(bins).fill(0);
  curve.thresholds.forEach((t, i) => {
    if (t === null || i === 0) return;
    up[place(t)] += curve.tp[i] - curve.tp[i - 1];
    down[place(t)] += curve.fp[i] - curve.fp[i - 1];
  });
  const last = curve.tp.length - 1;
  const shares = [up.map((n) => n / curve.tp[last]), down.map((n) => n / curve.fp[last])];
  const most = Math.max(...shares.flat()) || 1;
  const x = (t) => 10 + wide * (Math.min(high, Math.max(low, t)) - low) / (high - low || 1);
  const step = wide / bins;
  const line = curve.thresholds[at] === null ? 10 + wide : x(curve.thresholds[at]);
  const tick = (t) => Number(t.toPrecision(3));
  return html`<svg class="scores" viewBox="0 0 ${wide + 20} ${2 * half + 34}" width=${wide + 20} height=${2 * half + 34} role="img" aria-labelledby="scores-t scores-d"><title id="scores-t">Scores of both classes</title>
    <desc id="scores-d">Upwards ${curve.labels[0]}, downwards ${curve.labels[1]}, from ${tick(low)} to ${tick(high)}.${open ? ` No answer from ${tick(open.lower)} to ${tick(open.upper)}.` : ""}</desc>
    ${open && html`<rect class="open" x=${x(open.lower)} y="2" width=${Math.max(1, x(open.upper) - x(open.lower))} height=${2 * half + 8} />`}
    ${shares.map((side, s) => side.map((share, i) => share > 0 && html`<rect key="${s} ${i}" class=${s ? "down" : "up"} x=${10 + i * step + 0.5} width=${step - 1} y=${s ? half + 6 : half + 5 - half * share / most} height=${half * share / most} />`))}
    <line class="here" x1=${line} x2=${line} y1="0" y2=${2 * half + 12} />
    <text class="tick" x="10" y=${2 * half + 28}>${tick(low)}</text><text class="tick" x=${10 + wide} y=${2 * half + 28} text-anchor="end">${tick(high)}</text>
    <text class="tick" x=${10 + wide / 2} y=${2 * half + 28} text-anchor="middle">up: ${short(curve.labels[0])}, down: ${short(curve.labels[1])}</text></svg>`;
}
