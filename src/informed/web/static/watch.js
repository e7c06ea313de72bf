// The Watch panel: a bettor's money case by case, the interval closing, and what looking costs those who test as usual.
import { html, useState, useEffect, useRef, ask, rate, count, address, goTo, readAddress } from "/static/lib.js";
import { Some } from "/static/columns.js";
import { Picture } from "/static/pictures.js";

const KNOWS = [["0", "nothing: it guesses"], ["0.1", "0.1 of the time"], ["0.2", "0.2 of the time"], ["0.3", "0.3 of the time"], ["0.5", "0.5 of the time"], ["0.8", "0.8 of the time"]];
const COMMON = [["0.5", "every second case"], ["0.2", "1 case in 5"], ["0.1", "1 case in 10"], ["0.05", "1 case in 20"]];
const EXPECT = [["", "nothing"], ["0.1", "an informedness of 0.1"], ["0.2", "an informedness of 0.2"], ["0.3", "an informedness of 0.3"], ["0.5", "an informedness of 0.5"]];
const USUAL = { knows: "0.3", prevalence: "0.5", expect: "", seed: "1" };
const STEP = 60; // milliseconds between looks while it runs
const MORE = 20; // runs at once
const RUNS = 4; // asked at a time

function fromAddress() {
  const { query } = readAddress();
  return Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, query.get(name) ?? usual]));
}

const question = ({ knows, prevalence, expect, seed }) => ({ knows: Number(knows), prevalence: Number(prevalence), seed: Number(seed), ...(expect ? { expect: Number(expect) } : {}) });
const toAddress = (asked) => address("watch", Object.fromEntries(Object.entries(asked).filter(([name, value]) => USUAL[name] !== value)));

export function WatchPanel() {
  const [asked, setAsked] = useState(fromAddress);
  const [run, setRun] = useState(null);
  const [at, setAt] = useState(0); // the look that is shown
  const [going, setGoing] = useState(false);
  const [waiting, setWaiting] = useState(true); // for the run that was asked for: what is shown is the one before it
  const [error, setError] = useState("");
  const turn = useRef(0);
  const begin = async (what, push = true) => {
    const mine = (turn.current += 1);
    setAsked(what); setGoing(false); setWaiting(true); setError("");
    if (push) goTo(toAddress(what), location.hash !== "#watch");
    try {
      const found = await ask("/api/watch", question(what));
      if (turn.current === mine) { setRun(found); setWaiting(false); setAt(0); setGoing(!matchMedia("(prefers-reduced-motion: reduce)").matches); }
    } catch (problem) { if (turn.current === mine) { setError(problem.message); setWaiting(false); } }
  };
  useEffect(() => {
    begin(fromAddress(), false);
    const back = () => { if (readAddress().panel === "watch") begin(fromAddress(), false); };
    addEventListener("popstate", back);
    return () => { turn.current += 1; removeEventListener("popstate", back); };
  }, []);
  const end = run ? run.looks.length - 1 : 0;
  useEffect(() => {
    if (!going) return undefined;
    const timer = setTimeout(() => { if (at < end) setAt(at + 1); if (at + 1 >= end) setGoing(false); }, STEP);
    return () => clearTimeout(timer);
  }, [going, at, end]);
  const set = (name) => (event) => begin({ ...asked, [name]: event.currentTarget.value });
  return html`<div class="watch"><h1>Look whenever you like</h1>
    <div class="stage" aria-busy=${waiting}>
      <section class="card" aria-labelledby="run-h"><h2 id="run-h">A run, case by case</h2>
        <div class="fields">
          <${Some} id="knows" label="What the system knows" choices=${KNOWS} value=${asked.knows} onChange=${set("knows")} />
          <${Some} id="common" label="The positive class is" choices=${COMMON} value=${asked.prevalence} onChange=${set("prevalence")} />
          <${Some} id="expect" label="Declared beforehand: you expect" choices=${EXPECT} value=${asked.expect} onChange=${set("expect")} /></div>
        <p class="note">A bettor starts with 1 and bets at fair odds that the system knows something. Against a guesser nobody
          gets rich: that he ever has 20 happens in at most 1 of 20 runs, however often you look.</p>
        <div class="buttons"><button type="button" class="main" disabled=${waiting} onClick=${() => (at >= end ? begin({ ...asked, seed: String(Number(asked.seed) + 1) }) : setGoing(!going))}>${going ? "Pause" : at >= end ? "Another run" : "Go on"}</button>
          <button type="button" disabled=${waiting || at >= end} onClick=${() => { setGoing(false); setAt(Math.min(end, at + 1)); }}>One look</button>
          <button type="button" disabled=${waiting || at >= end} onClick=${() => { setGoing(false); setAt(end); }}>To the end</button></div>
        <p class="problem" role="alert">${error}</p>
        ${run && html`<${Said} run=${run} at=${at} />`}
        ${run && html`<${Tally} asked=${asked} key=${`${asked.knows} ${asked.prevalence} ${asked.expect}`} />`}</section>
      <section class="card" aria-labelledby="money-h"><h2 id="money-h">Money and interval</h2>
        ${run ? html`<${Picture} name="watch"><${Drawn} run=${run} at=${at} /><//>` : html`<p class="waiting">The first cases come in…</p>`}</section></div></div>`;
}

const RICH = 1e6; // more is not told apart
const amount = (x) => (x === null || x >= RICH ? "more than a million" : x < 1 ? `${rate(x, 2)} left` : x < 100 ? rate(x, 1) : count(Math.round(x)));

// What may be said now, and what somebody would have said who looks at a usual interval each time.
function Said({ run, at }) {
  const look = run.looks[at];
  const usual = run.usual !== null && run.usual <= look.n, won = run.stopped !== null && run.stopped <= look.n;
  return html`<p class="lead" role="status">After ${count(look.n)} case${look.n > 1 ? "s" : ""} he has ${amount(look.wealth)}. Informedness ${rate(look.low, 2)} to ${rate(look.high, 2)}, valid at every look.</p>
    <ul class="ways verdicts"><li><b>The bettor</b><span>${won ? `had 20 after ${count(run.stopped)} cases: it knows something` : "has not had 20 yet: go on, or stop without a verdict"}</span></li>
      <li><b>Usual 95 % intervals</b><span>${usual ? `left 0 out after ${count(run.usual)} cases${run.knows === 0 ? ": a false alarm, because it guesses" : ": “significant”"}` : "have held 0 at every look from 20 cases on"}</span></li></ul>`;
}

// More runs of the same kind, and how many of each kind of watcher were convinced.
function Tally({ asked }) {
  const [found, setFound] = useState({ runs: 0, bettor: 0, usual: 0, cases: 0 });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const alive = useRef(true);
  useEffect(() => { alive.current = true; return () => { alive.current = false; }; }, []);
  const more = async () => {
    setBusy(true); setError("");
    const first = 1000 + found.runs;
    try {
      for (let i = 0; i < MORE && alive.current; i += RUNS) {
        const seeds = Array.from({ length: RUNS }, (_, j) => first + i + j);
        const runs = await Promise.all(seeds.map((seed) => ask("/api/watch", { ...question(asked), seed, brief: true })));
        if (alive.current) setFound((held) => runs.reduce((sum, run) => ({ runs: sum.runs + 1, bettor: sum.bettor + (run.stopped !== null), usual: sum.usual + (run.usual !== null), cases: sum.cases + (run.stopped ?? run.n) }), held));
      }
    } catch (problem) { if (alive.current) setError(problem.message); }
    if (alive.current) setBusy(false);
  };
  return html`<div class="tally"><div class="buttons"><button type="button" disabled=${busy} onClick=${more}>${busy ? "Running…" : `${MORE} runs at once`}</button></div>
    ${found.runs > 0 && html`<p class="note" role="status">Of ${found.runs} runs the bettor was convinced in <b>${found.bettor}</b> (after ${count(Math.round(found.cases / found.runs))} cases on average, at most ${count(1000)}),
      and a usual interval at some look in <b>${found.usual}</b>.${asked.knows === "0" ? " Every one of them is a false alarm." : ""}</p>`}
    <p class="problem" role="alert">${error}</p></div>`;
}

const LEFT = 66, LEAST = -0.5,  WIDE = 420, TALL = 150, GAP = 34, TOP = 12;

function Drawn({ run, at }) {
  const all = run.looks.map((l) => ({ ...l, wealth: l.wealth ?? RICH })), looks = all.slice(0, at + 1), last = all[all.length - 1], now = looks[at];
  const x = (n) => LEFT + WIDE * n / last.n;
  const rich = Math.max(100, ...all.map((l) => l.wealth)), poor = Math.min(0.1, ...all.map((l) => l.wealth));
  const most = Math.min(6, Math.ceil(Math.log10(rich))), least = Math.max(-3, Math.floor(Math.log10(poor)));
  const money = (w) => TOP + TALL * (1 - (Math.min(most, Math.max(least, Math.log10(w))) - least) / (most - least));
  const base = TOP + TALL + GAP, y = (b) => base + TALL * (1 - (Math.max(LEAST, b) - LEAST) / (1 - LEAST));
  const line = (value, place) => looks.map((l) => `${x(l.n)},${place(value(l))}`).join(" ");
  const band = [...looks.map((l) => `${x(l.n)},${y(l.low)}`), ...[...looks].reverse().map((l) => `${x(l.n)},${y(l.high)}`)].join(" ");
  const powers = Array.from({ length: most - least + 1 }, (_, i) => least + i).filter((p) => (most - least < 6 ? true : p % 2 === 0));
  const words = (p) => (p < 0 ? String(10 ** p) : count(10 ** p));
  return html`<svg class="watched" viewBox="0 0 ${LEFT + WIDE + 16} ${base + TALL + 40}" width=${LEFT + WIDE + 16} height=${base + TALL + 40} role="img" aria-labelledby="watch-t watch-d">
      <title id="watch-t">What the bettor has, and the interval of informedness</title><desc id="watch-d">After ${now.n} cases ${rate(now.wealth, 2)}; informedness from ${rate(now.low, 2)} to ${rate(now.high, 2)}.</desc>
      ${powers.map((p) => html`<line key=${p} class="grid" x1=${LEFT} x2=${LEFT + WIDE} y1=${money(10 ** p)} y2=${money(10 ** p)} /><text class="tick" x=${LEFT - 7} y=${money(10 ** p) + 4} text-anchor="end">${words(p)}</text>`)}
      <line class="chance" x1=${LEFT} x2=${LEFT + WIDE} y1=${money(1)} y2=${money(1)} /><line class="enough" x1=${LEFT} x2=${LEFT + WIDE} y1=${money(run.enough)} y2=${money(run.enough)} />
      <text class="tick" x=${LEFT + WIDE} y=${money(run.enough) - 5} text-anchor="end">${run.enough}: convinced</text>
      <polyline class="money" points=${line((l) => l.wealth, money)} /><circle class="dot" cx=${x(now.n)} cy=${money(now.wealth)} r="4.5" />
      <text class="axis" x=${-(TOP + TALL / 2)} y="12" transform="rotate(-90)" text-anchor="middle">the bettor has</text>
      ${[-0.5, 0, 0.5, 1].map((b) => html`<line key=${b} class=${b === 0 ? "chance" : "grid"} x1=${LEFT} x2=${LEFT + WIDE} y1=${y(b)} y2=${y(b)} /><text class="tick" x=${LEFT - 7} y=${y(b) + 4} text-anchor="end">${rate(b, b % 1 ? 1 : 0)}</text>`)}
      <polygon class="held" points=${band} />
      ${now.usual_low !== null && html`<polyline class="usual" points=${looks.filter((l) => l.usual_low !== null).map((l) => `${x(l.n)},${y(l.usual_low)}`).join(" ")} /><polyline class="usual" points=${looks.filter((l) => l.usual_low !== null).map((l) => `${x(l.n)},${y(l.usual_high)}`).join(" ")} />`}
      ${run.knows !== undefined && html`<line class="truth" x1=${LEFT} x2=${LEFT + WIDE} y1=${y(run.knows)} y2=${y(run.knows)} />`}
      ${[[run.stopped, "stop"], [run.usual, "alarm"]].map(([n, kind]) => n !== null && n <= now.n && html`<line key=${kind} class=${kind} x1=${x(n)} x2=${x(n)} y1=${TOP} y2=${base + TALL} />`)}
      ${[0, 0.25, 0.5, 0.75, 1].map((s) => html`<text key=${s} class="tick" x=${x(s * last.n)} y=${base + TALL + 17} text-anchor="middle">${count(Math.round(s * last.n))}</text>`)}
      <text class="axis" x=${LEFT + WIDE / 2} y=${base + TALL + 36} text-anchor="middle">cases</text><text class="axis" x=${-(base + TALL / 2)} y="12" transform="rotate(-90)" text-anchor="middle">informedness</text></svg>
    <ul class="legend"><li class="k-held">valid at every look</li><li class="k-usual">usual 95 % interval</li><li class="k-truth">the truth</li><li class="k-stop">bettor convinced</li><li class="k-alarm">usual interval left 0 out</li></ul>`;
}
