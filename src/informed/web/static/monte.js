// The Monte Carlo panel: tables stream in, and the picture builds.
import { html, useState, useRef, useEffect, lines, rate, count, address, goTo, readAddress } from "/static/lib.js";
import { Some } from "/static/columns.js";
import { Picture } from "/static/pictures.js";

const PRESETS = [
  ["A rare disease, guessed by a coin", { generator: "multinomial", k: 2, n: 400, prevalence: "rare", guess: "even" }],
  ["A fair test set", { generator: "multinomial", k: 4, n: 128, prevalence: "even", guess: "prevalence" }],
  ["Only 30 cases", { generator: "multinomial", k: 2, n: 30, prevalence: "even", guess: "prevalence" }],
  ["The papers' recipe", { generator: "premarginal", k: 4, n: 128, prevalence: "even", guess: "prevalence" }],
  ["Their 16 cases", { generator: "premarginal", k: 4, n: 16, prevalence: "even", guess: "prevalence" }],
];
const RECIPES = { multinomial: "case by case, as a test set", "fixed-classes": "class sizes chosen beforehand", "class-specific": "some classes known better",
  "uniform-cells": "cells at random", premarginal: "the papers': margins first", "perfect-plus-chance": "the papers': perfect plus chance", "noise-everywhere": "the papers': noise everywhere" };
const SHARES = [["even", "all alike"], ["rare", "the first is rare, 1 in 20"], ["geometric", "common to rare, 10 to 1"], ["long-tailed", "a long tail, 1/rank"], ["sparse", "half of them hardly ever"]];
const GUESSES = [["prevalence", "as often as they come"], ["even", "all alike, as a coin"], ["reversed", "the rarest most often"], ...SHARES.slice(1)];
const NAMES = { informedness: "informedness", markedness: "markedness", correlation: "correlation", cohen_kappa: "kappa", accuracy: "accuracy" };
const USUAL = { generator: "multinomial", k: 2, n: 400, prevalence: "rare", guess: "even", levels: "0:1:0.1", replicates: 1000, seed: 7 };

function fromAddress() {
  const { query } = readAddress();
  const asked = { ...USUAL };
  for (const key of Object.keys(USUAL)) if (query.has(key)) asked[key] = typeof USUAL[key] === "number" ? Number(query.get(key)) : query.get(key);
  return asked;
}

const figureAsked = () => readAddress().query.get("figure") || "";

export function MontePanel({ start }) {
  const [asked, setAsked] = useState(fromAddress);
  const [figure, setFigure] = useState(figureAsked); // one of the papers' instead of an experiment
  const [line, setLine] = useState(null);
  const [error, setError] = useState("");
  const [running, setRunning] = useState(false);
  const stop = useRef(() => {});
  const stream = async (path, body, take) => {
    stop.current();
    const control = new AbortController();
    stop.current = () => control.abort();
    setRunning(true);
    setError("");
    try {
      for await (const found of lines(path, body, control.signal)) {
        if (control.signal.aborted) return;
        if (found.error) setError(found.error);
        else take(found);
      }
    } catch (problem) { if (problem.name !== "AbortError") setError(problem.message); }
    if (!control.signal.aborted) setRunning(false);
  };
  const run = (what) => {
    goTo(address("monte", Object.fromEntries(Object.entries(what).filter(([key, value]) => USUAL[key] !== value))), location.hash !== "#monte");
    setFigure("");
    return stream("/api/simulate", what, (found) => setLine(found));
  };
  const draw = (name) => {
    goTo(address("monte", { figure: name }));
    setFigure(name);
    setLine(null);
    return stream("/api/figure", { name }, (found) => setLine((before) => ({ ...before, ...found, figure: name })));
  };
  const show = () => {
    const name = figureAsked();
    if (name) return draw(name);
    const what = fromAddress();
    setAsked(what);
    setLine(null);
    return run(what);
  };
  useEffect(() => {
    show();
    const back = () => { if (readAddress().panel === "monte") show(); };
    addEventListener("popstate", back);
    return () => { removeEventListener("popstate", back); stop.current(); };
  }, []);
  const set = (name, number) => (event) => setAsked({ ...asked, [name]: number ? event.currentTarget.valueAsNumber : event.currentTarget.value });
  const generator = start.generators.find((g) => g.name === asked.generator);
  return html`<div class="monte" data-stem=${figure || null}><h1>Tables whose truth is known</h1>
    <div class="stage ${figure ? "single" : ""}">
      <form class="card" aria-label="Experiment" onSubmit=${(event) => { event.preventDefault(); setLine(null); run(asked); }}><h2>The experiment</h2>
        <div class="presets" role="group" aria-label="Set-ups">${PRESETS.map(([name, fields]) => html`<button type="button" class="chip" key=${name} aria-pressed=${!figure && Object.entries(fields).every(([key, value]) => asked[key] === value)}
          onClick=${() => { const what = { ...asked, ...fields }; setAsked(what); setLine(null); run(what); }}>${name}</button>`)}</div>
        <div class="fields">
          <div><label for="generator">How tables are made</label><select id="generator" value=${asked.generator} onChange=${set("generator")}>${start.generators.map((g) => html`<option key=${g.name} value=${g.name} selected=${g.name === asked.generator}>${RECIPES[g.name] || g.name}</option>`)}</select></div>
          ${generator && generator.margins && html`<${Some} id="prevalence" label="How common the classes are" choices=${SHARES} value=${asked.prevalence} onChange=${set("prevalence")} />
            <${Some} id="guess" label="How often each is guessed" choices=${GUESSES} value=${asked.guess} onChange=${set("guess")} />`}
          <div><label for="k">Classes</label><input id="k" type="number" min="2" max="10" required value=${asked.k} onInput=${set("k", true)} /></div>
          <div><label for="n">Cases in a table</label><input id="n" type="number" min="2" max="100000" required value=${asked.n} onInput=${set("n", true)} /></div>
          <div><label for="levels">Levels of informedness</label><input id="levels" type="text" required value=${asked.levels} onInput=${set("levels")} /></div>
          <div><label for="replicates">Tables at each level</label><input id="replicates" type="number" min="2" max="50000" required value=${asked.replicates} onInput=${set("replicates", true)} /></div>
          <div><label for="seed">Seed</label><input id="seed" type="number" min="0" max="2000000000" required value=${asked.seed} onInput=${set("seed", true)} /></div></div>
        <p class="note">${generator ? generator.summary : ""} A system knows as often as the level says, and guesses otherwise.</p>
        <div class="buttons"><button type="submit" class="main">Run</button><button type="button" disabled=${!running} onClick=${() => { stop.current(); setRunning(false); }}>Stop</button></div>
        <p class="problem" role="alert">${error}</p>
        <h3 class="unshared">The papers' figures, drawn again</h3>
        <div class="presets" role="group" aria-label="Figures of the papers">${start.figures.map((f) => html`<button type="button" class="chip" key=${f.name} title=${f.title} aria-pressed=${f.name === figure}
          onClick=${() => draw(f.name)}>${f.called}</button>`)}</div></form>
      <section class="card" aria-labelledby="monte-h"><h2 id="monte-h">${figure ? (start.figures.find((f) => f.name === figure) || {}).title : "What the measures say"}</h2>
        ${line && !line.still && html`<p class="note progress" role="status">${figure ? `${count(line.done)} of ${count(line.of)} tables a level` : `${count(line.done)} of ${count(line.of)} tables`}</p><progress aria-label="Tables" max=${line.of} value=${line.done}></progress>`}
        ${line && line.rows && html`<${Picture} name="monte-carlo"><${Lines} rows=${line.rows} /><//>`}
        ${line && line.paper && html`<${Drawing} svg=${line.paper} name="${line.title}, as in the paper" as="as-in-the-paper" />`}</section>
    </div>
    ${line && line.modern && html`<section class="card" aria-labelledby="modern-h"><h2 id="modern-h">${line.still ? "Another view" : "The same as distributions"}</h2>
      <${Drawing} svg=${line.modern} name="${line.title}, ${line.still ? "another view" : "as distributions"}" as=${line.still ? "another-view" : "as-distributions"} />
      ${line.id && html`<p class="downloads"><span>Download</span>${DRAWINGS.map(([file, name]) => html`<a key=${file} href="/results/${line.id}/${file}?download" download>${name}</a>`)}</p>`}
      <p class="note">The same as <code>informed reproduce ${figure}</code>.</p></section>`}
    ${line && line.rows && html`<section class="card" aria-labelledby="rows-h"><h2 id="rows-h">Mean ± standard deviation</h2><${Rows} rows=${line.rows} /></section>`}</div>`;
}

const DRAWINGS = [["figure.svg", "Picture as in the paper"], ["distribution.svg", "Second picture"], ["figure.csv", "Numbers (CSV)"]];

// As a picture and not as part of the page: it brings colours and names of its own.
function Drawing({ svg, name, as }) {
  return html`<${Picture} name=${as} given=${svg}><div class="scroll" tabindex="0" role="group" aria-label=${name}><img class="drawing" alt=${name} src="data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}" /></div><//>`;
}

const measured = (rows) => [...new Set(rows.map((r) => r.measure))];

function Lines({ rows }) {
  const levels = [...new Set(rows.map((r) => r.level))].sort((a, b) => a - b);
  const first = Math.min(0, ...levels), low = Math.min(0, ...rows.map((r) => (r.mean ?? 0) - (r.sd ?? 0))) < -0.02 ? Math.max(-1, Math.floor(10 * Math.min(...rows.map((r) => (r.mean ?? 0) - (r.sd ?? 0)))) / 10) : 0;
  const x = (v) => 62 + 380 * (v - first) / (1 - first), y = (v) => 12 + 300 * (1 - (Math.min(1, v) - low) / (1 - low));
  const names = measured(rows);
  const shift = (i) => (i - (names.length - 1) / 2) * 3;
  return html`<svg class="monte-picture" viewBox="0 0 464 356" width="464" height="356" role="img" aria-labelledby="monte-t monte-d"><title id="monte-t">Measures against the level of informedness</title>
      <desc id="monte-d">Mean of each measure at each level, with one standard deviation up and down; the numbers are in the table below.</desc>
      ${[0, 0.25, 0.5, 0.75, 1].map((v) => html`<line class="grid" x1="48" x2="448" y1=${y(v)} y2=${y(v)} /><text class="tick" x="41" y=${y(v) + 4} text-anchor="end">${v}</text><text class="tick" x=${x(v)} y="330" text-anchor="middle">${v}</text>`)}
      <line class="truth" x1=${x(Math.max(first, low))} y1=${y(Math.max(first, low))} x2=${x(1)} y2=${y(1)} />
      ${names.map((name, i) => { const own = rows.filter((r) => r.measure === name && r.mean !== null && r.mean !== undefined).sort((a, b) => a.level - b.level);
        return html`<g class="series s${i}" key=${name}><polyline points=${own.map((r) => `${x(r.level) + shift(i)},${y(r.mean)}`).join(" ")} />
          ${own.map((r) => html`<line key=${r.level} x1=${x(r.level) + shift(i)} x2=${x(r.level) + shift(i)} y1=${y(r.mean - (r.sd ?? 0))} y2=${y(r.mean + (r.sd ?? 0))} /><circle cx=${x(r.level) + shift(i)} cy=${y(r.mean)} r="2.6" />`)}</g>`; })}
      <text class="axis" x="248" y="350" text-anchor="middle">level of informedness aimed at</text></svg>
    <ul class="legend">${names.map((name, i) => html`<li key=${name} class="k-series s${i}">${NAMES[name] || name}</li>`)}<li class="k-truth">as aimed at</li></ul>`;
}

function Rows({ rows }) {
  const levels = [...new Set(rows.map((r) => r.level))].sort((a, b) => a - b);
  const names = measured(rows);
  const at = Object.fromEntries(rows.map((r) => [`${r.measure} ${r.level}`, r]));
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Numbers"><table><caption class="sr">Mean and standard deviation of each measure at each level</caption>
    <thead><tr><th scope="col" class="r">level</th>${names.map((n) => html`<th key=${n} scope="col" class="r">${NAMES[n] || n}</th>`)}</tr></thead>
    <tbody>${levels.map((level) => html`<tr key=${level}><th scope="row" class="r">${rate(level, 2)}</th>${names.map((n) => { const r = at[`${n} ${level}`]; return html`<td key=${n} class="r">${r ? html`${rate(r.mean, 3)} <span class="note">± ${rate(r.sd, 3)}</span>` : "–"}</td>`; })}</tr>`)}</tbody></table></div>`;
}
