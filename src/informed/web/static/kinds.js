// Files that hold more than one answer a case: which columns, and what for.
import { html } from "/static/lib.js";
import { Choice, ClassChoice, Some } from "/static/columns.js";

const tagged = (asked) => asked.systems.some((name) => name !== asked.real);
const SEPARATORS = [[";", "a semicolon ;"], [",", "a comma ,"], ["|", "a bar |"], [" ", "a space"]];

export const KINDS = [
  { key: "tags", said: "several labels a case", button: "Make the report", working: "Counting the tags",
    can: (file) => Object.keys(file.tags).length > 0 || patterned(file, "tags").length > 0, ready: tagged },
  { key: "judge", said: "a judge's verdicts, and what people found of some", button: "Find the true rate", working: "Reading the verdicts",
    can: (file) => file.columns.length > 1, ready: (asked) => asked.verdict && asked.gold && asked.verdict !== asked.gold },
];

export const kindOf = (as) => KINDS.find((kind) => kind.key === as);

const patterned = (file, what) => Object.keys(file.patterns).filter((name) => file.patterns[name] === what);

const goodOf = (classes) => (classes || []).find((x) => /^(good|pass|passed|correct|right|yes|true|1)$/i.test(x)) || "";

/** What was probably meant by a file of a kind. */
export function suggestedKind(file) {
  const texts = Object.keys(file.tags), stars = patterned(file, "tags");
  const named = (names, words) => names.find((name) => words.some((word) => name.toLowerCase().includes(word)));
  const real = file.real && texts.includes(file.real) ? file.real : named(texts, ["real", "true", "gold", "tags"]) || texts[0];
  if (texts.length > 1) return { as: "tags", real, systems: texts.filter((name) => name !== real), separator: file.tags[real] };
  const truth = stars.find((name) => /^(y|real|true|gold)_/.test(name));
  if (truth && stars.length > 1) return { as: "tags", real: truth, systems: stars.filter((name) => name !== truth), separator: "" };
  if (file.verdict && file.gold) return { as: "judge", verdict: file.verdict, gold: file.gold, positive: goodOf(file.values[file.gold]) };
  return null;
}

/** What is asked of the lab, of a file of a kind. */
export function kindQuestion(asked) {
  const { file, as, real, systems, separator, by, unit, verdict, gold, positive } = asked;
  const tags = { real, systems: systems.filter((name) => name !== real), by, unit, ...(real.includes("*") ? {} : { separator: separator || ";" }) };
  return ["/api/kind", { kind: as, id: file[0], ...{ tags, judge: { verdict, gold, positive, unit } }[as] }, kindOf(as).working];
}

/** Whether all is chosen that a kind needs. */
export const kindReady = (asked) => kindOf(asked.as).ready(asked);

export function KindFields({ asked, change, file }) {
  const set = (name) => (event) => change({ [name]: event.currentTarget.value });
  const pick = (id, label, name, columns, more = {}) => html`<${Choice} id=${id} label=${label} columns=${columns} value=${asked[name]} onChange=${set(name)} ...${more} />`;
  const together = pick("unit", "Cases belong together by (document, patient)", "unit", file.columns, { none: "each is by itself" });
  if (asked.as === "judge") return html`<div class="fields">
      ${pick("verdict", "What the judge said", "verdict", file.columns, { required: true })}
      ${pick("gold", "What people found (blank where nobody looked)", "gold", file.columns, { required: true })}
      <${ClassChoice} id="positive" label="Whose rate" values=${(file.values || {})[asked.gold]} whole=${false} value=${asked.positive} onChange=${(positive) => change({ positive })} />
      ${together}</div>
    <p class="note">The cases that people saw must be a random part of all, or of each verdict.</p>`;
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
