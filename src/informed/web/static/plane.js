// The ROC plane of one class against the rest: its point can be dragged, or moved by the arrow keys.
import { html, useRef, rate, count, percent } from "/static/lib.js";

const SIDE = 300, LEFT = 52, TOP = 14;

export function Plane({ answer, labels, focus, pn, onFocus, onDrag, onDrop, title }) {
  const area = useRef(null);
  const dragging = useRef(false);
  const here = answer.plane;
  const positives = answer.prevalence[focus] * answer.n, negatives = answer.n - positives;
  const widest = Math.max(positives, negatives, 1e-9);
  const wide = pn ? Math.max(SIDE * negatives / widest, 70) : SIDE;
  const tall = pn ? Math.max(SIDE * positives / widest, 70) : SIDE;
  const x = (fallout) => LEFT + wide * fallout, y = (recall) => TOP + tall * (1 - recall);
  const defined = here.recall !== null && here.fallout !== null;

  const at = (event) => {
    const box = area.current.getBoundingClientRect();
    const clip = (value) => Math.min(1, Math.max(0, value));
    return { fallout: clip((event.clientX - box.left) / box.width), recall: clip(1 - (event.clientY - box.top) / box.height) };
  };
  const grab = (event) => {
    if (!defined || !onDrag) return;
    dragging.current = true;
    event.currentTarget.setPointerCapture(event.pointerId);
    onDrag(at(event), true);
    event.preventDefault();
  };
  const move = (event) => { if (dragging.current) onDrag(at(event), false); };
  const drop = (event) => {
    if (!dragging.current) return;
    dragging.current = false;
    onDrop(at(event));
  };
  const key = (event) => {
    const step = event.shiftKey ? 0.1 : 0.02;
    const by = { ArrowUp: [0, step], ArrowDown: [0, -step], ArrowLeft: [-step, 0], ArrowRight: [step, 0] }[event.key];
    if (!by || !defined || !onDrag) return;
    event.preventDefault();
    const clip = (value) => Math.min(1, Math.max(0, value));
    const to = { fallout: clip(here.fallout + by[0]), recall: clip(here.recall + by[1]) };
    onDrag(to, true);
    onDrop(to);
  };

  // A line recall = b + s · fallout, cut to the square.
  const line = (b, s) => {
    const ends = [];
    for (const f of [0, 1]) if (b + s * f >= -1e-9 && b + s * f <= 1 + 1e-9) ends.push([f, b + s * f]);
    if (Math.abs(s) > 1e-9) for (const r of [0, 1]) {
      const f = (r - b) / s;
      if (f >= 0 && f <= 1 && !ends.some((e) => Math.abs(e[0] - f) < 1e-9)) ends.push([f, r]);
    }
    return ends.length < 2 ? null : ends.slice(0, 2);
  };
  const drawn = (ends, name) => ends && html`<line class=${name} x1=${x(ends[0][0])} y1=${y(ends[0][1])} x2=${x(ends[1][0])} y2=${y(ends[1][1])} />`;
  const band = (low, high) => {
    const points = [];
    for (const [f, r] of [[0, 0], [1, 1]]) points.push([f, r]);
    const side = (b) => { const ends = line(b, 1); return ends ? ends.sort((p, q) => p[0] - q[0]) : null; };
    const a = side(low), c = side(high);
    if (!a || !c) return null;
    const corners = [a[0], c[0]];
    if (low < 0 && high > 0) corners.splice(1, 0, [0, 0]);
    corners.push(c[1]);
    if (low < 0 && high > 0) corners.push([1, 1]);
    corners.push(a[1]);
    return html`<polygon class="band" points=${corners.map(([f, r]) => `${x(f)},${y(r)}`).join(" ")} />`;
  };
  const b = answer.classes[focus].informedness;
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const words = defined
    ? `recall ${rate(here.recall)}, fallout ${rate(here.fallout)}, informedness ${rate(here.recall - here.fallout)}`
    : "undefined: a class has no case";
  const width = LEFT + wide + 16, height = TOP + tall + 46;
  return html`<svg class="plane" viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="group" aria-label=${title || "ROC plane"}>
    <rect class="paper" ref=${area} x=${LEFT} y=${TOP} width=${wide} height=${tall} onPointerDown=${grab} onPointerMove=${move} onPointerUp=${drop} onPointerCancel=${drop} />
    <g class="quiet">
      ${[0.25, 0.5, 0.75].map((v) => html`<line class="grid" x1=${x(v)} x2=${x(v)} y1=${y(0)} y2=${y(1)} /><line class="grid" x1=${x(0)} x2=${x(1)} y1=${y(v)} y2=${y(v)} />`)}
      ${defined && b.low !== null && band(b.low, b.high)}
      <line class="chance" x1=${x(0)} y1=${y(0)} x2=${x(1)} y2=${y(1)} />
      ${defined && here.slope !== null && [-0.5, -0.25, 0.25, 0.5].map((gap) => drawn(line(here.recall - here.slope * here.fallout + gap * (1 + here.slope), here.slope), "cost faint"))}
      ${defined && here.slope !== null && drawn(line(here.recall - here.slope * here.fallout, here.slope), "cost")}
      <rect class="frame" x=${LEFT} y=${TOP} width=${wide} height=${tall} />
      ${defined && html`<line class="drop" x1=${x(here.fallout)} x2=${x(here.fallout)} y1=${y(here.recall)} y2=${y(here.fallout)} />`}
      ${(pn ? [0, 0.5, 1] : ticks).map((v) => html`
        <text class="tick" x=${x(v)} y=${TOP + tall + 16} text-anchor="middle">${pn ? count(v * negatives) : v}</text>
        <text class="tick" x=${LEFT - 7} y=${y(v) + 4} text-anchor="end">${pn ? count(v * positives) : v}</text>`)}
      <text class="axis" x=${LEFT + wide / 2} y=${TOP + tall + 36} text-anchor="middle">${pn ? "false positives" : "fallout"}</text>
      <text class="axis" x=${-(TOP + tall / 2)} y="13" transform="rotate(-90)" text-anchor="middle">${pn ? "true positives" : "recall"}</text>
    </g>
    ${answer.classes.map((c, i) => i !== focus && answer.classes.length > 2 && c.recall.value !== null && c.fallout.value !== null && html`
      <g class="other" key=${i} role="button" tabindex="0" aria-label="Look at class ${labels[i]}" onClick=${() => onFocus && onFocus(i)}
        onKeyDown=${(event) => { if ((event.key === "Enter" || event.key === " ") && onFocus) { event.preventDefault(); onFocus(i); } }}>
        <circle cx=${x(c.fallout.value)} cy=${y(c.recall.value)} r="5" />
        <text class="tag" x=${x(c.fallout.value) + 9} y=${y(c.recall.value) + 4}>${short(labels[i])}</text>
      </g>`)}
    ${defined && html`<g class="point" role="slider" tabindex=${onDrag ? 0 : -1} aria-label="Point of class ${labels[focus]}: up and down for recall, left and right for fallout"
        aria-valuemin="-1" aria-valuemax="1" aria-valuenow=${Number((here.recall - here.fallout).toFixed(3))} aria-valuetext=${words}
        onKeyDown=${key} onPointerDown=${grab} onPointerMove=${move} onPointerUp=${drop} onPointerCancel=${drop}>
        <circle class="halo" cx=${x(here.fallout)} cy=${y(here.recall)} r="18" />
        <circle class="dot" cx=${x(here.fallout)} cy=${y(here.recall)} r="8" />
        ${answer.classes.length > 2 && html`<text class="tag strong" x=${x(here.fallout) + 13} y=${y(here.recall) + 4}>${short(labels[focus])}</text>`}
      </g>`}
  </svg>`;
}

export const short = (label) => (label.length > 14 ? `${label.slice(0, 6)}…${label.slice(-7)}` : label); // names often differ at their end
export { percent };
