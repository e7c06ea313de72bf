// What the columns of a file hold: its first rows, and fields to choose a column or one of its values by.
import { html, useState } from "/static/lib.js";

export function Choice({ id, label, columns, value, onChange, none, required }) {
  return html`<div><label for=${id}>${label}</label><select id=${id} required=${required} value=${value} onChange=${onChange}>
    <option value="">${none || "choose…"}</option>${columns.map((c) => html`<option key=${c} value=${c} selected=${c === value}>${c}</option>`)}</select></div>`;
}

/** One of a few things, each with words of its own. */
export function Some({ id, label, choices, value, onChange }) {
  return html`<div><label for=${id}>${label}</label><select id=${id} value=${value} onChange=${onChange}>
    ${choices.map(([key, name]) => html`<option key=${key} value=${key} selected=${key === value}>${name}</option>`)}</select></div>`;
}

/** A text or a number that is typed. */
export function Typed({ id, label, type = "text", value, usual, onInput }) {
  const step = type === "number" ? { step: "any", min: -1, max: 1 } : {};
  return html`<div><label for=${id}>${label}</label><input id=${id} type=${type} value=${value} placeholder=${usual} onInput=${onInput} ...${step} /></div>`;
}

const OTHER = "\u0000other";

/** One of the classes that were seen in a column; where there may be more, another can be typed. */
export function ClassChoice({ id, label, values, whole, fixed, value, onChange }) {
  const [typing, setTyping] = useState(false);
  const known = values || [];
  if ((whole && known.length > 2) || (fixed && known.length !== 2)) return null; // the positive class is one of two
  if (!known.length) return html`<div><label for=${id}>${label}</label><input id=${id} type="text" value=${value} placeholder="as recognised" onInput=${(event) => onChange(event.currentTarget.value)} /></div>`;
  const other = typing || (value !== "" && !known.includes(value));
  const choose = (event) => { const chosen = event.currentTarget.value; setTyping(chosen === OTHER); onChange(chosen === OTHER ? "" : chosen); };
  return html`<div><label for=${id}>${label}</label><select id=${id} value=${other ? OTHER : value} onChange=${choose}>
      <option value="">as recognised</option>${known.map((x) => html`<option key=${x} value=${x} selected=${!other && x === value}>${x}</option>`)}
      ${(!whole || other) && html`<option value=${OTHER} selected=${other}>another…</option>`}</select>
    ${other && html`<input type="text" aria-label="${label}: another" value=${value} onInput=${(event) => onChange(event.currentTarget.value)} />`}</div>`;
}

const USUAL = { system: "every one", task: "all of them", by: "no groups" };

/** What can be chosen of evaluation logs, where all of them have it: a task, a system, a scorer. What could not be looked at is typed. */
export function LogChoices({ held, asked, comparing, change }) {
  if (!held.every((file) => file.choices)) return html`<div><label for="option">Choice, if the log needs one</label>
    <input id="option" type="text" value=${asked.option.join(", ")} placeholder="filter=none" onInput=${(event) => change({ option: event.currentTarget.value.split(",").map((x) => x.trim()).filter(Boolean) })} /></div>`;
  const [first, ...others] = held;
  const shared = first.choices.map((x) => ({ ...x, values: x.values.filter((value) => others.every((file) => file.choices.some((y) => y.name === x.name && y.values.includes(value)))) }))
    .filter((x) => x.values.length > (x.name === "by" ? 0 : 1) && !(x.name === "by" && (comparing || others.length)) && !(x.name === "system" && comparing));
  const of = (name) => (name === "by" ? asked.by : (asked.option.find((x) => x.startsWith(`${name}=`)) || "").slice(name.length + 1));
  const choose = (name, value) => change(name === "by" ? { by: value } : { option: [...asked.option.filter((x) => !x.startsWith(`${name}=`)), ...(value ? [`${name}=${value}`] : [])] });
  return shared.map(({ name, label, values, required }) => html`<${Choice} key=${name} id="of-${name}" label=${label} columns=${values} value=${of(name)} required=${required} none=${required ? "choose…" : USUAL[name] || "as the log reports"} onChange=${(event) => choose(name, event.currentTarget.value)} />`);
}

/** The first rows of a file, and which of its columns are chosen for what. */
export function Preview({ file, uses = {} }) {
  if (!file.rows || !file.rows.length) return null;
  const use = (c) => Object.entries(uses).filter(([, given]) => (Array.isArray(given) ? given.includes(c) : given === c)).map(([what]) => what).join(", ");
  return html`<div class="preview"><p class="note">The first rows of ${file.name}:</p><div class="scroll" tabindex="0" role="group" aria-label="First rows of ${file.name}"><table>
    <caption class="sr">First rows of ${file.name}</caption>
    <thead><tr>${file.columns.map((c) => html`<th key=${c} scope="col" class=${use(c) ? "used" : ""}>${c}${use(c) && html`<small>${use(c)}</small>`}</th>`)}</tr></thead>
    <tbody>${file.rows.map((row, i) => html`<tr key=${i}>${row.map((x, j) => html`<td key=${j} class=${use(file.columns[j]) ? "used" : ""}>${x === null ? html`<span class="why">missing</span>` : x}</td>`)}</tr>`)}</tbody></table></div></div>`;
}
