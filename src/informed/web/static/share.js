// A page to hand on: what is seen now in one file that needs nothing else, and what the lab needs to go on from it.
import { header } from "/static/lib.js";
import { save, stem } from "/static/pictures.js";

const STATE = "informed-lab"; // the name of the <meta> that holds the address
const GONE = "button, .buttons, .exports, .presets, .tries, .toggle, .choices, .drop-zone, .files, .downloads, .examples, .preview, .problem, .next, .unshared, .steps, form.asking, .keeps, input[type=range], .catch, script";
const LIVE = ["aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext", "tabindex", "role", "aria-label"];

// A <meta> of a page; what follows the head is not looked at, and nothing of it runs.
const meta = (text, which) => new DOMParser().parseFromString(text.split(/<style|<body/i, 1)[0], "text/html").querySelector(`meta[${which}]`);

const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

/** What stands in the page as it was typed and chosen, with nothing left to press. */
function still(main) {
  const copy = main.cloneNode(true);
  const fields = [...main.querySelectorAll("input, select")];
  copy.querySelectorAll("input, select").forEach((field, i) => {
    const { type, value, checked } = fields[i];
    if (field.localName === "select") for (const option of field.options) option.toggleAttribute("selected", option.value === value);
    else if (["radio", "checkbox"].includes(type)) field.toggleAttribute("checked", checked);
    else field.setAttribute("value", value);
    field.toggleAttribute(["text", "number"].includes(type) ? "readonly" : "disabled", true);
  });
  for (const button of copy.querySelectorAll("button.plain")) button.replaceWith(...button.childNodes);
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  for (const element of copy.querySelectorAll(GONE)) element.remove();
  for (const svg of copy.querySelectorAll("svg[role=group]")) {
    svg.setAttribute("role", "img");
    for (const part of svg.querySelectorAll("[role], [tabindex]")) for (const name of LIVE) part.removeAttribute(name);
  }
  return copy;
}

// The report inside the page: its own policy names its own script, and no other is let in.
async function embedded(copy, main) {
  let policy = "";
  const frames = [...main.querySelectorAll("iframe")];
  for (const [i, frame] of [...copy.querySelectorAll("iframe")].entries()) {
    const text = await (await fetch(frames[i].getAttribute("src"), { headers: header() })).text();
    const own = meta(text, "http-equiv=Content-Security-Policy i");
    policy = ((own ? own.content : "").match(/script-src [^;]*/) || [""])[0];
    frame.removeAttribute("src");
    frame.setAttribute("srcdoc", text);
  }
  return policy;
}

export async function share(name, version) {
  const main = document.querySelector("main");
  const copy = still(main);
  const script = await embedded(copy, main);
  const style = await (await fetch("/static/style.css")).text();
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'${script ? `; ${script}` : ""}`;
  const title = `${document.title.split(" · ")[0]} · informed lab`;
  save(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="${STATE}" content="${escaped(location.hash || "#start")}">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body class="shared">
<header class="top"><span class="brand">informed <span>lab</span></span></header>
${copy.outerHTML}
<footer>A page of the informed lab (informed ${escaped(version)}), ${new Date().toISOString().slice(0, 10)}. It needs no network. To go on from here, run <code>informed lab</code> and drop this page onto it.</footer>
</body>
</html>
`, "text/html", `${stem(main.querySelector("[data-stem]"))}-${name}.html`);
}

export const isPage = (file) => /\.html?$/i.test(file.name);

/** The address that a shared page was made of; null where it is another page. */
export async function opened(file) {
  if (file.size > 1 << 26) return null;
  const held = meta(await file.text(), `name="${STATE}"`);
  return held && /^#[a-z]+(\?.*)?$/s.test(held.content) ? held.content : null;
}
