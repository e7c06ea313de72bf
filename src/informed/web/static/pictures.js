// Pictures to take along: each as SVG or PNG, with its colours and its legend in the file.
import { html, useRef, useState } from "/static/lib.js";

const PAD = 14, TIMES = 2; // a PNG has twice the points, for sharp screens and print
const DRAWN = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font-family", "font-size", "font-weight"];
const LIVE = ["class", "role", "tabindex", "style", "aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext"];

/** What a file of this part of the page is called: by its data, as the report of them is. */
export const stem = (element) => ((element && element.closest("[data-stem]")) || { dataset: { stem: "informed" } }).dataset.stem;

let SPACE = ""; // the namespace of drawings, as the page has it

export function save(content, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// A colour as every program reads it, whatever the style wrote it as.
function plain(colour) {
  if (!colour || colour === "none" || /^rgba?\(/.test(colour)) return colour;
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
  return `rgba(${r}, ${g}, ${b}, ${Number((a / 255).toFixed(3))})`;
}

const made = (name, fields, text) => {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(fields)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
};

/** The drawing by itself: what the style sheet says of it is written into it. */
export function standalone(svg, legend) {
  SPACE = svg.namespaceURI;
  const copy = svg.cloneNode(true);
  const from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    if (!["title", "desc"].includes(element.localName)) for (const name of DRAWN) {
      const value = style.getPropertyValue(name);
      if (value) to[i].setAttribute(name, name === "fill" || name === "stroke" ? plain(value) : value);
    }
    for (const name of LIVE) to[i].removeAttribute(name);
  });
  const { width, height } = svg.viewBox.baseVal;
  const below = legend ? drawnLegend(legend, width, height) : { marks: [], tall: 0 };
  const box = { x: -PAD, y: -PAD, width: width + 2 * PAD, height: height + below.tall + 2 * PAD };
  copy.prepend(made("rect", { ...box, fill: plain(getComputedStyle(svg.closest(".card, .stagelet") || document.body).backgroundColor) }));
  copy.append(...below.marks);
  for (const [name, value] of Object.entries({ viewBox: Object.values(box).join(" "), width: box.width, height: box.height, role: "img" })) copy.setAttribute(name, value);
  return { text: new XMLSerializer().serializeToString(copy), width: box.width, height: box.height };
}

// The entries of the legend below the drawing, in as many rows as they need; and how tall that is.
function drawnLegend(legend, width, top) {
  const style = getComputedStyle(legend);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `13px ${style.fontFamily}`;
  const rows = [];
  for (const li of legend.children) {
    const wide = 46 + pen.measureText(li.textContent).width;
    const row = rows[rows.length - 1];
    if (row && row.wide + wide <= width) { row.entries.push([li, row.wide]); row.wide += wide; } else rows.push({ entries: [[li, 0]], wide });
  }
  const marks = rows.flatMap(({ entries, wide }, r) => entries.flatMap(([li, x]) => entry(li, x + Math.max(0, (width - wide) / 2), top + 14 + 20 * r, style)));
  return { marks, tall: 20 * rows.length + 6 };
}

function entry(li, x, y, style) {
  const swatch = getComputedStyle(li, "::before");
  const thick = parseFloat(swatch.borderTopWidth) || 0;
  const line = thick && swatch.borderTopLeftRadius === "0px", edge = { stroke: plain(swatch.borderTopColor), "stroke-width": thick };
  const sign = line ? made("line", { x1: x, x2: x + 22, y1: y, y2: y, ...edge, ...(swatch.borderTopStyle === "dashed" ? { "stroke-dasharray": "6 4" } : {}) })
    : thick ? made("circle", { cx: x + 14, cy: y, r: 6, fill: "none", ...edge }) : made("rect", { x, y: y - 6, width: 22, height: 12, fill: plain(swatch.backgroundColor) });
  return [sign, made("text", { x: x + 28, y: y + 4, fill: plain(style.color), "font-size": 13, "font-family": style.fontFamily }, li.textContent)];
}

export async function png({ text, width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(TIMES * width), height: Math.round(TIMES * height) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((found) => (found ? resolve(found) : reject(new Error("The picture could not be drawn."))), "image/png"));
}

/** A drawing with its legend, and two buttons to take it along. `given` is an SVG text that needs no style. */
export function Picture({ name, given, children }) {
  const box = useRef(null);
  const [error, setError] = useState("");
  const drawing = () => {
    if (!given) return standalone(box.current.querySelector("svg"), box.current.querySelector(".legend"));
    const size = (which) => Number((given.match(new RegExp(`<svg[^>]*\\s${which}="([\\d.]+)"`)) || [])[1]) || 600;
    return { text: given, width: size("width"), height: size("height") };
  };
  const take = (ending) => async () => {
    try {
      const found = drawing();
      save(ending === "svg" ? found.text : await png(found), "image/svg+xml", `${stem(box.current)}-${name}.${ending}`);
      setError("");
    } catch (problem) { setError(problem.message); }
  };
  const said = name.replace(/-/g, " ");
  return html`<figure class="picture" ref=${box}>${children}
    <div class="exports"><span aria-hidden="true">Save</span>${["svg", "png"].map((ending) => html`<button type="button" key=${ending} aria-label="Save the picture “${said}” as ${ending.toUpperCase()}" onClick=${take(ending)}>${ending.toUpperCase()}</button>`)}</div>
    <p class="problem" role="status">${error}</p></figure>`;
}
