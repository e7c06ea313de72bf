// Files that hold more than one answer a case: which columns, and what for.
import { html } from "/static/lib.js";
import { Choice, ClassChoice, Some } from "/static/columns.js";

const SEPARATORS = [[";", "a semicolon ;"], [",", "a comma ,"], ["|", "a bar |"], [" ", "a space"]];

export const KINDS = [
  { key: "tags", said: "several labels a case", button: "Make the report", working: "Counting the tags",
    can: (file) => Object.keys(file.tags).length > 0 || patterned(file, "tags").length > 0 },
];

export const kindOf = (as) => KINDS.find((kind) => kind.key === as);

const patterned = (file, what) => Object.keys(file.patterns).filter((name) => file.patterns[name] === what);

/** What was probably meant by a file of a kind. */
export function suggestedKind(file) {
  const texts = Object.keys(file.tags), stars = patterned(file, "tags");
  const named = (names, words) => names.find((name) => words.some((word) => name.toLowerCase().includes(word)));
  const real = file.real && texts.includes(file.real) ? file.real : named(texts, ["real", "true", "gold", "tags"]) || texts[0];
  if (texts.length > 1) return { as: "tags", real, systems: texts.filter((name) => name !== real), separator: file.tags[real] };
  const truth = stars.find((name) => /^(y|real|true|gold)_/.test(name));
  if (truth && stars.length > 1) return { as: "tags", real: truth, systems: stars.filter((name) => name !== truth), separator: "" };
  return null;
}

/** What is asked of the lab, of a file of a kind. */
export function kindQuestion(asked) {
  const { file, as, real, systems, separator, by, unit } = asked;
  const tags = { real, systems: systems.filter((name) => name !== real), by, unit, ...(real.includes("*") ? {} : { separator: separator || ";" }) };
  return ["/api/kind", { kind: as, id: file[0], ...{ tags }[as] }, kindOf(as).working];
}

/** Whether all is chosen that a kind needs. */
export const kindReady = (asked) => asked.systems.some((name) => name !== asked.real);

export function KindFields({ asked, change, file }) {
  const set = (name) => (event) => change({ [name]: event.currentTarget.value });
  const pick = (id, label, name, columns, more = {}) => html`<${Choice} id=${id} label=${label} columns=${columns} value=${asked[name]} onChange=${set(name)} ...${more} />`;
  const further = html`${pick("by", "Groups (if any)", "by", file.columns, { none: "no groups" })}
    ${pick("unit", "Cases belong together by (document, patient)", "unit", file.columns, { none: "each is by itself" })}`;
  return html`<div class="fields">
      ${asked.as === "tags" && html`${pick("real", "Real tags", "real", [...patterned(file, "tags"), ...file.columns], { required: true })}
        ${!asked.real.includes("*") && html`<${Some} id="separator" label="Between the tags stands" choices=${SEPARATORS} value=${asked.separator || ";"} onChange=${set("separator")} />`}
        ${further}`}</div>
    <${Columns} legend="Columns of predicted tags, one for each system" asked=${asked} change=${change}
      names=${asked.real.includes("*") ? patterned(file, "tags") : Object.keys(file.tags).length > 1 ? Object.keys(file.tags) : file.columns} />`;
}

function Columns({ legend, names, asked, change }) {
  const toggle = (c) => change({ systems: asked.systems.includes(c) ? asked.systems.filter((x) => x !== c) : [...asked.systems, c] });
  return html`<fieldset class="rivals"><legend>${legend}</legend>
    ${names.filter((c) => c !== asked.real).map((c) => html`<label key=${c}><input type="checkbox" checked=${asked.systems.includes(c)} onChange=${() => toggle(c)} /> ${c}</label>`)}</fieldset>`;
}
