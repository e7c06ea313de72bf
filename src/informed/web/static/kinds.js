// Files that are more than a table of answers: which columns, and what for.
import { html } from "/static/lib.js";
import { Choice, ClassChoice, Some, Typed } from "/static/columns.js";

const SEPARATORS = [[";", "a semicolon ;"], [",", "a comma ,"], ["|", "a bar |"], [" ", "a space"]];
const patterned = (file, what) => Object.keys(file.patterns).filter((name) => file.patterns[name] === what);
const goodOf = (classes) => (classes || []).find((x) => /^(good|pass|passed|correct|right|yes|true|1)$/i.test(x)) || "";
const MISSING = [["abstain", "is no answer"], ["drop", "drops the row"]];
const listed = (text) => text.split(",").map((x) => x.trim()).filter(Boolean);
const chosen = (asked) => asked.systems.some((name) => name !== asked.real);

// The real tags and those that systems said: texts with a separator, or patterns of columns.
function tagsOf(file) {
  const texts = Object.keys(file.tags), stars = patterned(file, "tags"), names = texts.length > 1 ? texts : stars;
  const real = names.includes(file.real) ? file.real : names.find((name) => /^(y|real|true|gold|tags)/i.test(name)) || names[0] || "";
  return { real, systems: names.filter((name) => name !== real), separator: file.tags[real] || "" };
}

// The column that was probably meant, or the only one that has classes.
const truthOf = (file) => file.real || (Object.keys(file.values).length === 1 ? Object.keys(file.values)[0] : "");

// Columns of shares; those of a pattern are one system.
function sharesOf(file) {
  const stars = patterned(file, "probability"), inside = (name) => stars.some((star) => name.startsWith(star.slice(0, -1)));
  return [...stars, ...file.scores.filter((name) => !inside(name))];
}

// Answers of which some were verified: the column with gaps, and one with the same values.
function verifiedOf(file) {
  const gold = file.gold || file.gaps[0] || "", known = new Set(file.values[gold] || []), judge = file.verdict || "";
  const predicted = Object.keys(file.values).find((c) => c !== gold && c !== judge && file.values[c].some((x) => known.has(x)));
  return { gold, judge: predicted ? judge : "", predicted: predicted || judge };
}

// Classes are declared where there are more than two.
const classesOf = (file, real) => { const found = (file.values || {})[real] || []; return found.length > 2 ? found.join(", ") : ""; };

/** Columns of one kind that would be wrong ones of another. */
export const CLEAR = { real: "", predicted: "", systems: [], separator: "", verdict: "", gold: "", judge: "", other: "", against: "", expect: "", labels: "", positive: "", missing: "", normalize: "", design: "" };

// What each is called, what was probably meant by a file, and whether that is sure enough to be offered first.
export const KINDS = [
  { key: "tags", said: "several labels a case", button: "Make the report", working: "Counting the tags", ready: chosen, fill: tagsOf,
    can: (file) => Object.keys(file.tags).length > 0 || patterned(file, "tags").length > 0, sure: (file) => tagsOf(file).systems.length > 0 },
  { key: "probability", said: "probabilities", button: "What are they worth?", working: "Reading the probabilities", ready: chosen,
    fill: (file) => ({ real: truthOf(file), systems: sharesOf(file) }), can: (file) => sharesOf(file).length > 0, sure: (file) => Boolean(truthOf(file) && !file.predicted && sharesOf(file).length) },
  { key: "judge", said: "a judge's verdicts, and what people found of some", button: "Find the true rate", working: "Reading the verdicts",
    ready: (asked) => Boolean(asked.verdict && asked.gold && asked.verdict !== asked.gold), can: (file) => file.columns.length > 1,
    fill: (file) => ({ verdict: file.verdict || "", gold: file.gold || "", positive: goodOf(file.values[file.gold]) }), sure: (file) => Boolean(file.verdict && file.gold) },
  { key: "verify", said: "answers, of which people verified some", button: "Find the table", working: "Reading the answers", fill: verifiedOf,
    ready: (asked) => Boolean(asked.predicted && asked.gold && new Set([asked.predicted, asked.gold, asked.judge]).size === 3), can: (file) => file.gaps.length > 0, sure: () => false },
  { key: "watch", said: "a run, watched in the order of its rows", button: "Watch it", working: "Watching the run", can: (file) => file.columns.length > 1 && /\.(csv|tsv|txt|jsonl|ndjson)$/i.test(file.name), sure: () => false,
    fill: (file) => ({ real: file.real || "", predicted: file.predicted || "", labels: classesOf(file, file.real) }), ready: (asked) => Boolean(asked.real && asked.predicted && ![asked.real, asked.other].includes(asked.predicted) && asked.other !== asked.real) },
];

export const kindOf = (as) => KINDS.find((kind) => kind.key === as);

/** What was probably meant by a file of a kind. */
export function suggestedKind(file) {
  const kind = KINDS.find((x) => x.sure(file));
  return kind ? { as: kind.key, ...kind.fill(file) } : null;
}

/** What is asked of the lab, of a file of a kind. */
export function kindQuestion(asked) {
  const { file, as, real, predicted, systems, separator, by, unit, verdict, gold, judge, other, again, against, expect, labels, missing, positive } = asked;
  const tags = { real, systems: systems.filter((name) => name !== real), by, unit, ...(real.includes("*") ? {} : { separator: separator || ";" }) };
  const watch = { real, predicted, other, item: again, labels: listed(labels), missing: missing || "abstain", ...(against ? { against: Number(against) } : {}), ...(expect ? { expect: Number(expect) } : {}) };
  const of = { tags, probability: { real, systems: tags.systems, positive, by, unit }, judge: { verdict, gold, positive, unit }, verify: { predicted, gold, judge, positive, unit }, watch };
  return ["/api/kind", { kind: as, id: file[0], ...of[as] }, kindOf(as).working];
}

/** Whether all is chosen that a kind needs. */
export const kindReady = (asked) => kindOf(asked.as).ready(asked);

export function KindFields({ asked, change, file }) {
  const set = (name) => (event) => change({ [name]: event.currentTarget.value });
  const pick = (id, label, name, columns, more = {}) => html`<${Choice} id=${id} label=${label} columns=${columns} value=${asked[name]} onChange=${set(name)} ...${more} />`;
  const together = pick("unit", "Cases belong together by (document, patient)", "unit", file.columns, { none: "each is by itself" });
  const positive = (label, column) => html`<${ClassChoice} id="positive" label=${label} values=${(file.values || {})[column]} whole=${false} value=${asked.positive} onChange=${(value) => change({ positive: value })} />`;
  if (asked.as === "verify") return html`<div class="fields">
      ${pick("predicted", "What the system said", "predicted", file.columns, { required: true })}
      ${pick("gold", "What people found (blank where nobody looked)", "gold", file.columns, { required: true })}
      ${pick("judge", "What a judge said (if one did)", "judge", file.columns, { none: "no judge" })}
      ${positive("Positive class (of two)", asked.gold)}
      ${together}</div>
    <p class="note">Which cases people saw may depend on what the system and the judge said, and on nothing else.</p>`;
  if (asked.as === "watch") return html`<div class="fields">
      ${pick("real", "Real classes", "real", file.columns, { required: true, onChange: (event) => change({ real: event.currentTarget.value, labels: classesOf(file, event.currentTarget.value) }) })}
      ${pick("predicted", "Predictions", "predicted", file.columns, { required: true })}
      ${pick("other", "Predictions of a second system", "other", file.columns, { none: "one is watched" })}
      ${pick("again", "Items asked several times", "again", file.columns, { none: "each row is one" })}
      <${Typed} id="against" label="The bar" type="number" value=${asked.against} usual="0" onInput=${set("against")} />
      <${Typed} id="expect" label="What you expect (if anything)" type="number" value=${asked.expect} usual="nothing" onInput=${set("expect")} />
      <${Typed} id="classes" label="Classes, where there are more than two" value=${asked.labels} usual="two, as they come" onInput=${set("labels")} />
      <${Some} id="missing" label="A missing label" choices=${MISSING} value=${asked.missing || "abstain"} onChange=${set("missing")} /></div>
    <p class="note">The rows must be in the order in which the items were scheduled, and the bar be chosen before anybody looked.</p>`;
  if (asked.as === "judge") return html`<div class="fields">
      ${pick("verdict", "What the judge said", "verdict", file.columns, { required: true })}
      ${pick("gold", "What people found (blank where nobody looked)", "gold", file.columns, { required: true })}
      ${positive("Whose rate", asked.gold)}
      ${together}</div>
    <p class="note">The cases that people saw must be a random part of all, or of each verdict.</p>`;
  if (asked.as === "probability") return html`<div class="fields">
      ${pick("real", "Real classes", "real", file.columns, { required: true })}
      ${positive("Class that they are of", asked.real)}
      ${pick("by", "Groups (if any)", "by", file.columns, { none: "no groups" })}${together}</div>
    <${Columns} legend="Columns of probabilities, one for each system; columns with a star (p_*) are one system, a column for each class" asked=${asked} change=${change}
      names=${sharesOf(file).length ? sharesOf(file) : file.columns} />`;
  const stars = patterned(file, "tags"), texts = Object.keys(file.tags);
  return html`<div class="fields">
      ${pick("real", "Real tags", "real", [...stars, ...file.columns], { required: true })}
      ${!asked.real.includes("*") && html`<${Some} id="separator" label="Between the tags stands" choices=${SEPARATORS} value=${asked.separator || ";"} onChange=${set("separator")} />`}
      ${pick("by", "Groups (if any)", "by", file.columns, { none: "no groups" })}${together}</div>
    <${Columns} legend="Columns of predicted tags, one for each system" asked=${asked} change=${change}
      names=${asked.real.includes("*") ? stars : texts.length > 1 ? texts : file.columns} />`;
}

function Columns({ legend, names, asked, change }) {
  const toggle = (c) => change({ systems: asked.systems.includes(c) ? asked.systems.filter((x) => x !== c) : [...asked.systems, c] });
  return html`<fieldset class="rivals"><legend>${legend}</legend>
    ${names.filter((c) => c !== asked.real).map((c) => html`<label key=${c}><input type="checkbox" checked=${asked.systems.includes(c)} onChange=${() => toggle(c)} /> ${c}</label>`)}</fieldset>`;
}
