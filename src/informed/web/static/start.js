// The opening page: a guess to make, the answer, and a test that never looks to play with.
import { html, useState, useEffect, useRef, ask, latest, useMemo, percent, rate, count, address, goTo, readAddress } from "/static/lib.js";
import { Choices } from "/static/choices.js";
import { Picture } from "/static/pictures.js";

const TESTS = {
  a: { name: "Test A", counts: [[0, 0], [20, 980]], how: "It never looks. It says “well” to everybody, and is right because nearly everybody is." },
  b: { name: "Test B", counts: [[18, 98], [2, 882]], how: "It finds 18 of the 20 who are ill. Its mistakes are false alarms, and accuracy counts each of them like a missed illness." },
};
const SAID = {
  a: ["So accuracy says. It is the other way round.", false],
  b: ["Right.", true],
  no: ["True: from accuracy alone nobody can. Here is what it hides.", true],
};
const USUAL = { ill: 0.02, says: 0.5, knows: 0 };

function fromAddress() {
  const { query } = readAddress();
  const share = (name, low) => Math.min(1, Math.max(low, query.has(name) && Number.isFinite(Number(query.get(name))) ? Number(query.get(name)) : USUAL[name]));
  const said = query.get("said");
  return { said: Object.hasOwn(SAID, said ?? "") ? said : "", ill: Math.min(0.99, share("ill", 0.01)), says: share("says", 0), knows: share("knows", 0) };
}

const toAddress = ({ said, ...rest }) => address("start", { said, ...Object.fromEntries(Object.entries(rest).map(([name, x]) => [name, x === USUAL[name] ? "" : x])) });

export function StartPanel() {
  const [state, setState] = useState(fromAddress);
  const answer = useRef(null);
  useEffect(() => {
    const back = () => { if (readAddress().panel === "start") setState(fromAddress()); };
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const move = (fields, rest) => {
    const next = { ...state, ...fields };
    setState(next);
    if (rest) goTo(toAddress(next));
  };
  const guess = (said) => {
    move({ said }, true);
    requestAnimationFrame(() => answer.current && answer.current.focus());
  };
  return html`<div class="start"><h1>Accuracy rewards guessing</h1>
    <section class="card" aria-labelledby="which-h">
      <p class="lead" id="which-h">A thousand people are tested; 20 of them are ill. Which test knows more about who is ill?</p>
      <div class="rivals-two">${Object.entries(TESTS).map(([key, test]) => html`<${Test} key=${key} test=${test} open=${Boolean(state.said)} />`)}</div>
      <${Choices} label="Which test knows more?" choices=${[["a", "Test A"], ["b", "Test B"], ["no", "Nobody can say"]]} said=${state.said} right="b" fair="no" onSay=${guess} />
      ${state.said && html`<p class="told" tabindex="-1" ref=${answer}><b>${SAID[state.said][0]}</b> Test A gets its 98 % by guessing, which the orange mark shows: guessing alone scores as much.${" "}<b>Informedness</b> is what a test knows above that: nothing for A, 80 % for B.</p>`}
    </section>
    ${state.said && html`<${Guesser} state=${state} move=${move} />
    <section class="card next" aria-labelledby="next-h"><h2 id="next-h">What next?</h2><ul class="ways">
      <li><a href="#data">Try it on a file</a><span>Your predictions, or an example: the full report.</span></li>
      <li><a href="#learn">Take the tour</a><span>Eight questions, each with a table that answers.</span></li>
      <li><a href="#table">Play with a table</a><span>Type, drag, and see every measure follow.</span></li></ul></section>`}
  </div>`;
}

function Test({ test, open }) {
  const [measures, setMeasures] = useState([]);
  const [error, setError] = useState("");
  useEffect(() => { ask("/api/table", { counts: test.counts, labels: ["ill", "well"], quick: true }).then((answer) => setMeasures(answer.measures), (problem) => setError(problem.message)); }, []);
  const found = (name) => measures.find((m) => m.name === name);
  const accuracy = found("accuracy"), informedness = found("informedness");
  return html`<div class="rival"><h2>${test.name}</h2>
    ${accuracy ? html`<p class="big">right <b>${percent(accuracy.value)}</b> of the time</p>` : html`<p class="waiting">${error || "Counting…"}</p>`}
    ${open && accuracy && html`<${Meter} name="Accuracy" e=${accuracy} /><${Meter} name="Informedness" e=${informedness} main />
      <p class="note">${test.how}</p>`}</div>`;
}

// A bar from 0 to 1 with an orange mark where guessing stands.
export function Meter({ name, e, main = false }) {
  const clip = (v) => 300 * Math.min(1, Math.max(0, v));
  return html`<div class="meter ${main ? "strong" : ""}"><span>${name}</span><b>${rate(e.value, 2)}</b>
    <svg viewBox="-2 0 304 18" preserveAspectRatio="none" height="18" role="img" aria-label="${name} ${rate(e.value, 2)}; guessing scores ${rate(e.chance, 2)}">
      <rect class="track" x="0" y="3" width="300" height="12" /><rect class="fill" x="0" y="3" width=${clip(e.value ?? 0)} height="12" />
      ${e.chance !== null && html`<rect class="mark" x=${clip(e.chance) - 1.5} y="0" width="3" height="18" />`}</svg></div>`;
}

// One test to be: it knows so often, and else says "ill" so often.
function Guesser({ state, move }) {
  const { ill, says, knows } = state;
  const [found, setFound] = useState(null);
  const [error, setError] = useState("");
  const fetched = useMemo(() => latest(async (prevalence, known) => {
    try { setFound({ ...(await ask("/api/guessing", { prevalence, knows: known })), ill: prevalence, knows: known }); setError(""); } catch (problem) { setError(problem.message); }
  }), []);
  useEffect(() => { fetched(ill, knows); }, [ill, knows]);
  const at = Math.round(100 * says);
  const slider = (id, label, low, high) => html`<div class="slider"><label for=${id}>${label}</label><output for=${id}>${percent(state[id])}</output>
    <input type="range" id=${id} min=${low} max=${high} step="0.01" value=${state[id]} aria-valuetext=${percent(state[id])}
      onInput=${(event) => move({ [id]: Number(event.currentTarget.value) })} onChange=${(event) => move({ [id]: Number(event.currentTarget.value) }, true)} /></div>`;
  const here = found && { accuracy: found.accuracy[at], informedness: found.informedness[at], f1: found.f1[at] };
  return html`<section class="card guesser" aria-labelledby="be-h"><h2 id="be-h">Now be a test that never looks</h2>
    <div class="guesser-two"><div>
      <p>Say “ill” less often, and watch. Accuracy climbs; what you know stays where it is.</p>
      ${slider("says", "When it guesses, it says “ill” this often", 0, 1)}
      ${slider("ill", "This many people are ill", 0.01, 0.99)}
      ${slider("knows", "It knows the answer this often", 0, 1)}
      ${here && html`<p class="verdict" aria-live="polite">Right <b>${percent(Math.round(1000 * here.accuracy) / 1000)}</b> of the time, informed <b>${percent(Math.round(1000 * here.informedness) / 1000)}</b>.
        ${found.knows === 0 ? " All of it is guessing." : found.knows === 1 ? " It never guesses." : " The rest is guessing."}</p>
      <p class="note">Of ${count(1000)} people it calls ${count(found.counts[at][0][0] + found.counts[at][0][1])} ill, ${count(found.counts[at][0][0])} of them rightly.</p>`}
      <p class="problem" role="status">${error}</p></div>
    ${found && html`<${Picture} name="guessing"><${Says} found=${found} at=${at} move=${move} />
      <ul class="legend"><li class="k-series s3">accuracy</li><li class="k-series s2">F1</li><li class="k-series s0">informedness</li></ul><//>`}
    </div></section>`;
}

const LEFT = 44, TOP = 12, WIDE = 380, TALL = 230;

function Says({ found, at, move }) {
  const area = useRef(null);
  const dragging = useRef(false);
  const x = (v) => LEFT + WIDE * v, y = (v) => TOP + TALL * (1 - v);
  const line = (name) => found.says.map((s, i) => (found[name][i] === null ? null : `${x(s)},${y(found[name][i])}`)).filter(Boolean).join(" ");
  const to = (event, rest) => {
    const box = area.current.getBoundingClientRect();
    move({ says: Math.round(100 * Math.min(1, Math.max(0, (event.clientX - box.left) / box.width))) / 100 }, rest);
  };
  const grab = (event) => { dragging.current = true; event.currentTarget.setPointerCapture(event.pointerId); to(event, false); event.preventDefault(); };
  const drop = (event) => { if (dragging.current) { dragging.current = false; to(event, true); } };
  const s = found.says[at];
  return html`<svg class="says" viewBox="0 0 ${LEFT + WIDE + 16} ${TOP + TALL + 44}" width=${LEFT + WIDE + 16} height=${TOP + TALL + 44} role="img" aria-labelledby="says-t says-d">
    <title id="says-t">Accuracy, F1 and informedness by how often a guess says “ill”</title>
    <desc id="says-d">Where it says “ill” ${percent(s)} of the time: accuracy ${rate(found.accuracy[at])}, F1 ${rate(found.f1[at])}, informedness ${rate(found.informedness[at])}. Informedness is the same everywhere.</desc>
    ${[0, 0.25, 0.5, 0.75, 1].map((v) => html`<line class="grid" x1=${x(0)} x2=${x(1)} y1=${y(v)} y2=${y(v)} /><text class="tick" x=${LEFT - 7} y=${y(v) + 4} text-anchor="end">${v}</text>
      <text class="tick" x=${x(v)} y=${y(0) + 18} text-anchor="middle">${percent(v)}</text>`)}
    ${[["accuracy", 3], ["f1", 2], ["informedness", 0]].map(([name, i]) => html`<g class="series thick s${i}" key=${name}><polyline points=${line(name)} /></g>`)}
    <line class="here" x1=${x(s)} x2=${x(s)} y1=${TOP} y2=${y(0)} />
    ${[["accuracy", 3], ["f1", 2], ["informedness", 0]].map(([name, i]) => found[name][at] !== null && html`<g class="series s${i}" key=${name}><circle cx=${x(s)} cy=${y(found[name][at])} r="6" /></g>`)}
    <text class="axis" x=${LEFT + WIDE / 2} y=${y(0) + 38} text-anchor="middle">how often a guess says “ill”</text>
    <rect class="catch" ref=${area} x=${LEFT} y=${TOP} width=${WIDE} height=${TALL} onPointerDown=${grab} onPointerMove=${(event) => dragging.current && to(event, false)} onPointerUp=${drop} onPointerCancel=${drop} /></svg>`;
}
