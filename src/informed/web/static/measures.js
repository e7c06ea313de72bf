// Measures with their intervals and chance levels, as numbers and as a picture.
import { html, rate, range } from "/static/lib.js";
import { short } from "/static/plane.js";

const W = 150, H = 22;

export function Bar({ e, low = -1, wide = W }) {
  const x = (v) => 4 + (wide - 8) * (Math.min(1, Math.max(low, v)) - low) / (1 - low);
  return html`<svg class="bar" viewBox="0 0 ${wide} ${H}" width=${wide} height=${H} aria-hidden="true">
    <line class="rail" x1=${x(low)} x2=${x(1)} y1="11" y2="11" />
    ${e.chance !== null && html`<line class="tickmark" x1=${x(e.chance)} x2=${x(e.chance)} y1="3" y2="19" />`}
    ${e.low !== null && html`<line class="whisker" x1=${x(e.low)} x2=${x(e.high)} y1="11" y2="11" />`}
    ${e.value !== null && html`<circle class="dot" cx=${x(e.value)} cy="11" r="4.5" />`}
  </svg>`;
}

export function Measures({ measures, only, caption = "Measures" }) {
  const shown = only ? only.map((name) => measures.find((m) => m.name === name)).filter(Boolean) : measures;
  const low = shown.some((m) => (m.low ?? m.value) < 0) ? -1 : 0;
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${caption}>
    <table class="measures">
      <caption class="sr">${caption}</caption>
      <thead><tr><th scope="col">measure</th><th scope="col" class="r">value</th><th scope="col"><span class="sr">picture</span></th>
        <th scope="col" class="r">95 % interval</th><th scope="col" class="r">by chance</th></tr></thead>
      <tbody>${shown.map((m, i) => html`<tr key=${m.name} class=${i < 3 && !only ? "core" : ""}>
        <th scope="row" title=${m.method ? `interval: ${m.method}` : null}>${m.title}</th>
        <td class="r"><b>${rate(m.value)}</b></td>
        <td>${m.value === null ? html`<span class="why">${m.why || "undefined"}</span>` : html`<${Bar} e=${m} low=${low} />`}</td>
        <td class="r">${range(m)}</td>
        <td class="r chance-level">${rate(m.chance)}</td></tr>`)}</tbody>
    </table></div>`;
}

export function Classes({ answer, labels, focus, onFocus }) {
  const low = answer.classes.some((c) => (c.informedness.low ?? 0) < 0) ? -1 : 0;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Class by class">
    <table class="classes">
      <caption class="sr">Each class against the rest</caption>
      <thead><tr><th scope="col">class</th><th scope="col" class="r">real</th><th scope="col" class="r">said</th>
        <th scope="col" class="r">recall</th><th scope="col" class="r">precision</th>
        <th scope="col">informedness</th><th scope="col" class="r"><span class="sr">value</span></th></tr></thead>
      <tbody>${answer.classes.map((c, i) => html`<tr key=${i} class=${i === focus ? "chosen" : ""}>
        <th scope="row">${onFocus && answer.classes.length > 2
          ? html`<button type="button" class="plain" aria-pressed=${i === focus} onClick=${() => onFocus(i)}>${short(labels[i])}</button>` : short(labels[i])}</th>
        <td class="r">${rate(answer.prevalence[i], 2)}</td><td class="r">${rate(answer.bias[i], 2)}</td>
        <td class="r">${rate(c.recall.value, 2)}</td><td class="r">${rate(c.precision.value, 2)}</td>
        <td>${c.informedness.value === null ? html`<span class="why">${c.informedness.why || "undefined"}</span>` : html`<${Bar} e=${c.informedness} low=${low} wide=${120} />`}</td>
        <td class="r"><b>${rate(c.informedness.value, 2)}</b></td></tr>`)}</tbody>
    </table></div>`;
}
