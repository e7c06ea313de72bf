// The Data panel: files in, a report out, or several systems compared.
import { html, useState, useLayoutEffect, tied, address, goTo, readAddress, writeCounts, writeLabels, writeList, readList } from "/static/lib.js";
import { useWork, Drop } from "/static/files.js";
import { Choice, ClassChoice, LogChoices, Some, Typed, Preview } from "/static/columns.js";
import { Report } from "/static/report.js";
import { Board } from "/static/board.js";
import { keepYours } from "/static/yours.js";
import { CLEAR, KINDS, kindOf, kindQuestion, kindReady, suggestedKind, KindFields } from "/static/kinds.js";

const FIELDS = ["file", "as", "layout", "real", "predicted", "systems", "by", "item", "unit", "again", "named", "truth", "positive", "missing", "normalize", "design", "separator", "verdict", "gold", "judge", "other", "against", "expect", "labels", "option", "go"];
const LISTS = ["file", "systems", "option"];
const NOTHING = Object.fromEntries(FIELDS.map((name) => [name, LISTS.includes(name) ? [] : ""]));
const results = new Map(); // what was answered, by the address that asked for it

function fromAddress() {
  const { query } = readAddress();
  return Object.fromEntries(FIELDS.map((name) => [name, LISTS.includes(name) ? readList(query.get(name)) : query.get(name) || ""]));
}

const toAddress = (asked) => address("data", Object.fromEntries(FIELDS.map((name) => [name, LISTS.includes(name) ? writeList(asked[name]) : asked[name]])));

// What was probably meant by files with these columns.
function suggested(held) {
  const [first] = held;
  const long = held.length === 1 && first.by && first.item;
  const common = held.length > 1 && !held.some((file) => file.recognised);
  const logs = held.every((file) => file.log) && (held.length > 1 || first.several);
  const truths = held.filter((file) => file.real && file.columns.includes(file.real));
  const predicted = (held.find((file) => file.predicted) || {}).predicted || "";
  const kind = held.length === 1 && !first.recognised && suggestedKind(first);
  if (kind) return { ...NOTHING, file: [first.id], ...kind };
  return {
    ...NOTHING, file: held.map((file) => file.id), as: long || common || logs ? "compare" : "", layout: long ? "rows" : common ? "files" : logs ? "logs" : "",
    real: (truths[0] || {}).real || "", predicted, by: long ? first.by : "", item: first.item || "",
    truth: common && truths.length === 1 ? truths[0].id : "", systems: held.length === 1 ? (first.systems || []).slice(0, 30) : [], go: held.every((file) => file.recognised && !file.log) ? "1" : "",
  };
}

const question = (asked) => {
  const { file, as, layout, real, predicted, by, item, unit, again, named, truth, systems, positive, missing, normalize, design, labels, option } = asked;
  const spelt = { ...(normalize ? { normalize } : {}), ...(design ? { design } : {}) };
  const choices = Object.fromEntries(option.map((x) => [x.split("=", 1)[0].trim(), x.slice(x.indexOf("=") + 1).trim()]));
  if (kindOf(as)) return kindQuestion(asked);
  if (as !== "compare") return ["/api/count", { ids: file, real, predicted, by, unit, item: again, named, positive, choices, labels: labels.split(",").map((x) => x.trim()).filter(Boolean), ...(missing ? { missing } : {}), ...spelt }, "Counting"];
  if (layout === "logs") return ["/api/compare", { layout, ids: file, choices }, "Comparing the systems"];
  if (layout === "files") return ["/api/compare", { layout, ids: file, real, predicted, item, ...(truth ? { truth } : { unit }), ...spelt }, "Comparing the systems"];
  return ["/api/compare", layout === "rows" ? { layout, id: file[0], real, predicted, by, item, unit, ...spelt } : { layout: "columns", id: file[0], real, systems, unit, item: again, ...spelt }, "Comparing the systems"];
};

export function DataPanel({ start }) {
  const work = useWork();
  const [asked, setAsked] = useState(fromAddress);
  const [held, setHeld] = useState([]);
  const [done, setDone] = useState(null); // {asked, found}

  const show = (given) => work.guarded(async (now) => {
    const files = await work.look(given.file);
    if (!now()) return;
    const bare = files.length > 0 && !given.go && !given.real && !given.predicted;
    const what = bare ? suggested(files) : given;
    setHeld(files);
    setAsked(what);
    setDone(null);
    if (!what.go) return;
    const key = toAddress(what);
    if (!results.has(key)) { const [path, body, said] = question(what); results.set(key, await work.job(path, body, `${said}${files.length === 1 ? ` of ${files[0].name}` : ""}`)); }
    if (!now()) return;
    const found = results.get(key);
    const name = files.map((file) => file.name).join(", ");
    if (found.counts) keepYours({ name, counts: found.counts, labels: found.labels, address: key });
    setDone({ asked: what, found, name });
  });
  const go = (what) => { goTo(toAddress(what)); return show(what); };
  useLayoutEffect(() => { // before anybody can choose a file, which a later look would undo
    show(fromAddress());
    const back = () => { if (readAddress().panel === "data") show(fromAddress()); };
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);

  const taken = (seen) => {
    const adding = asked.as === "compare" && ["files", "logs"].includes(asked.layout) && held.length > 0;
    const files = adding ? [...held, ...seen.filter((file) => !asked.file.includes(file.id))] : seen;
    const what = suggested(files);
    return go(adding ? { ...what, as: "compare", layout: asked.layout } : what);
  };
  const form = held.length > 0 && !work.busy && !(held.every((file) => file.recognised) && !held.some((file) => file.log));
  return html`<div class="data"><h1>Your predictions, reported</h1>
    <${Drop} work=${work} start=${start} several slim=${held.length > 0} what="CSV, TSV, JSON lines, Parquet, or an evaluation log; several files are compared." onFiles=${taken} />
    ${!held.length && !work.busy && html`<${Examples} examples=${start.examples} go=${(asked) => go({ ...NOTHING, ...asked })} />`}
    ${form && html`<${Asking} start=${start} held=${held} asked=${asked} setAsked=${setAsked} go=${go} />`}
    ${done && done.asked.as === "compare" && html`<${Board} board=${done.found} />`}
    ${done && done.asked.as !== "compare" && html`<${Found} found=${done.found} name=${done.name} />`}
  </div>`;
}

function Examples({ examples, go }) {
  return html`<section class="examples" aria-labelledby="examples-h"><h2 id="examples-h">No file at hand? Try an example</h2><ul class="ways">
    ${examples.map((x) => html`<li key=${x.title}><button type="button" class="plain" onClick=${() => go(x.asked)}>${x.title}</button><span>${x.said}</span></li>`)}</ul></section>`;
}

function Found({ found, name }) {
  return html`<section class="card found" aria-labelledby="found-h" data-stem=${found.stem}><h2 id="found-h">${name}</h2>
    <p class="lead">${tied(found.answer[0])}</p>${found.answer.length > 1 && html`<p class="rest">${tied(found.answer.slice(1).join(" "))}</p>`}
    ${Object.keys(found.states ?? {}).length > 2 && html`<p class="rest">Cases: ${Object.entries(found.states).map(([state, n]) => `${n} ${state}`).join(", ")}.</p>`}
    ${found.counts && html`<div class="buttons"><a class="button" href=${address("table", { t: writeCounts(found.counts), l: writeLabels(found.labels) })}>Play with this table</a></div>`}
    <${Report} id=${found.id} /></section>`;
}

const DESIGNS = [["", "are as they come"], ["case-control", "were chosen (case-control)"]];
const MISSING = [["", "is an error"], ["drop", "drops the row"], ["abstain", "is no answer"]];

// Which columns, and what for.
function Asking({ start, held, asked, setAsked, go }) {
  const logs = held.every((file) => file.recognised);
  const comparing = asked.as === "compare", kind = kindOf(asked.as);
  const offered = !logs && held.length === 1 ? KINDS.filter((x) => x === kind || x.can(held[0])) : [];
  const layout = logs ? "logs" : held.length > 1 ? "files" : asked.layout === "rows" ? "rows" : "columns";
  const every = held.map((file) => file.columns);
  const shared = every.reduce((a, b) => a.filter((c) => b.includes(c)));
  const any = [...new Set(every.flat())];
  const change = (fields) => setAsked({ ...asked, ...fields, go: "" });
  const set = (name) => (event) => change({ [name]: event.currentTarget.value });
  const pick = (id, label, name, columns, more = {}) => html`<${Choice} id=${id} label=${label} columns=${columns} value=${asked[name]} onChange=${set(name)} ...${more} />`;
  const radio = (group, value, on, said, to) => html`<label><input type="radio" name=${group} value=${value} checked=${on} onChange=${() => change(to)} /> ${said}</label>`;
  const usual = kind ? { ...CLEAR, real: held[0].real || "", predicted: held[0].predicted || "", systems: (held[0].systems || []).slice(0, 30) } : {};
  const rivals = any.filter((c) => c !== asked.real);
  const toggle = (c) => change({ systems: asked.systems.includes(c) ? asked.systems.filter((x) => x !== c) : [...asked.systems, c] });
  const submit = (event) => {
    event.preventDefault();
    if (kind) { go({ ...asked, go: "1" }); return; }
    go({ ...asked, as: comparing ? "compare" : "", layout: comparing ? layout : "", systems: comparing && layout === "columns" ? any.filter((c) => asked.systems.includes(c) && c !== asked.real) : [],
      truth: comparing && layout === "files" ? asked.truth : "", go: "1" });
  };
  const ready = kind ? kindReady(asked) : !comparing || layout !== "columns" || asked.systems.filter((c) => c !== asked.real).length > 1;
  return html`<form class="card asking" aria-label="Columns" onSubmit=${submit}>
    <h2>${logs ? html`${held[0].name}${held.length > 1 ? ` and ${held.length - 1} more` : ""}: ${held.length > 1 ? "evaluation logs" : "an evaluation log"}` : `${held.map((file) => file.name).join(", ")}: which columns?`}</h2>
    ${held.every((file) => file.log || !logs) && html`<fieldset class="keeps"><legend>What to do with ${held.length > 1 ? "them" : "it"}</legend>
      ${radio("as", "report", !comparing && !kind, held.length > 1 ? "a report, each file a group" : logs ? "a report" : "a report of one system", { ...usual, as: "", layout: "" })}
      ${radio("as", "compare", comparing, logs && held.length === 1 ? "compare the systems in it" : "compare systems", { ...usual, as: "compare", layout })}
      ${offered.map((x) => radio("as", x.key, x === kind, x.said, { ...CLEAR, as: x.key, layout: "", ...x.fill(held[0]) }))}</fieldset>`}
    ${comparing && !logs && held.length === 1 && html`<fieldset class="keeps"><legend>Where the systems are</legend>
      ${radio("layout", "columns", layout === "columns", "in columns side by side", { layout: "columns" })}
      ${radio("layout", "rows", layout === "rows", "in rows below each other, with a column that names the system", { layout: "rows" })}</fieldset>`}
    ${kind ? html`<${KindFields} asked=${asked} change=${change} file=${held[0]} />` : html`<div class="fields">
      ${!logs && pick("real", "Real classes", "real", comparing && layout === "files" ? any : shared, { required: true })}
      ${!logs && !(comparing && layout === "columns") && pick("predicted", "Predictions", "predicted", comparing && layout === "files" ? any : shared, { required: true })}
      ${!logs && !comparing && held.length === 1 && pick("by", "Groups (if any)", "by", shared, { none: "no groups" })}
      ${comparing && layout === "rows" && pick("by", "Name of the system", "by", shared, { required: true })}
      ${comparing && ["rows", "files"].includes(layout) && pick("item", layout === "files" ? "Id to join the files by" : "Name of the item", "item", shared, { required: true })}
      ${!logs && !asked.truth && pick("unit", "Cases belong together by (document, patient)", "unit", shared, { none: "each is by itself" })}
      ${!logs && !(comparing && layout !== "columns") && pick("again", "Items asked several times", "again", shared, { none: "each row is one" })}
      ${!logs && !comparing && pick("named", "Ids of cases", "named", shared, { none: asked.again ? "those of the items" : "name none" })}
      ${comparing && layout === "files" && html`<div><label for="truth">Real classes are in</label><select id="truth" value=${asked.truth} onChange=${set("truth")}>
        <option value="">every file</option>${held.map((file) => html`<option key=${file.id} value=${file.id} selected=${file.id === asked.truth}>${file.name} only</option>`)}</select></div>`}
      ${!comparing && html`<${ClassChoice} id="positive" label="Positive class (of two)" values=${(held[0].values || {})[asked.real]} whole=${held.length === 1 && held[0].whole} fixed=${logs && Boolean(held[0].choices)} value=${asked.positive} onChange=${(positive) => change({ positive })} />`}
      ${!logs && !comparing && html`<${Typed} id="labels" label="Order of the labels (if any)" value=${asked.labels} usual="worst, …, best" onInput=${set("labels")} />`}
      ${!logs && !comparing && html`<${Some} id="missing" label="A missing label" choices=${MISSING} value=${asked.missing} onChange=${set("missing")} />`}
      ${!logs && html`<${Some} id="normalize" label="Labels that differ only in spelling" choices=${start.spellings} value=${asked.normalize} onChange=${set("normalize")} />`}
      ${!logs && html`<${Some} id="design" label="Numbers of cases of each class" choices=${DESIGNS} value=${asked.design} onChange=${set("design")} />`}
      ${logs && html`<${LogChoices} held=${held} asked=${asked} comparing=${comparing} change=${change} />`}
    </div>`}
    ${comparing && layout === "columns" && html`<fieldset class="rivals"><legend>Columns of predictions, one for each system</legend>
      ${rivals.map((c) => html`<label key=${c}><input type="checkbox" checked=${asked.systems.includes(c)} onChange=${() => toggle(c)} /> ${c}</label>`)}</fieldset>`}
    ${!logs && held.slice(0, 3).map((file) => html`<${Preview} key=${file.id} file=${file} uses=${{ real: asked.real, verdict: asked.verdict, gold: asked.gold, judge: asked.judge, predictions: kind ? [...asked.systems, asked.predicted, asked.other] : (comparing && layout === "columns") ? asked.systems : asked.predicted,
      groups: asked.by, id: !comparing ? asked.named : layout !== "columns" ? asked.item : "", "belongs together": asked.unit, item: asked.again }} />`)}
    ${comparing && layout !== "columns" && html`<p class="note">A missing prediction is an abstention, never dropped in silence.${layout !== "rows" ? " Drop more files to add systems." : ""}</p>`}
    <div class="buttons"><button type="submit" class="main" disabled=${!ready}>${kind ? kind.button : comparing ? "Compare the systems" : "Make the report"}</button></div></form>`;
}
