// The Data panel: a file in, a report out; several systems side by side, compared.
import { html, useState, rate, range, address, writeCounts, writeLabels } from "/static/lib.js";
import { useFile, Drop, Choice } from "/static/files.js";
import { Report } from "/static/report.js";
import { Bar } from "/static/measures.js";

export function DataPanel({ start }) {
  const files = useFile(start);
  const [found, setFound] = useState(null);
  const [board, setBoard] = useState(null);
  const [chosen, setChosen] = useState({});
  const [others, setOthers] = useState([]);
  const { file } = files;
  const taken = async (held) => {
    setFound(null);
    setBoard(null);
    setOthers([]);
    setChosen({ real: held.real || "", predicted: held.predicted || "", by: "", missing: "error", positive: "" });
    if (held.recognised) await count(held, {});
  };
  const count = async (held, choices, rivals = []) => {
    setBoard(null);
    const result = await files.job("/api/count", { id: held.id, ...choices }, `Counting ${held.name}`);
    setFound({ ...result, of: held.name });
    if (rivals.length) setBoard(await files.job("/api/compare", { id: held.id, real: choices.real, systems: [choices.predicted, ...rivals] }, "Comparing the systems"));
  };
  const set = (name) => (event) => setChosen({ ...chosen, [name]: event.currentTarget.value });
  const rivals = file ? file.columns.filter((c) => c !== chosen.real && c !== chosen.predicted && c !== chosen.by) : [];
  const toggle = (c) => setOthers(others.includes(c) ? others.filter((x) => x !== c) : [...others, c]);
  return html`<div class="data"><h1>Your predictions, reported</h1>
    <${Drop} files=${files} start=${start} what="CSV, TSV, JSON lines, Parquet, or an evaluation log." onTaken=${taken} />
    ${file && !file.recognised && !files.busy && html`<form class="card" aria-label="Columns" onSubmit=${(event) => { event.preventDefault(); files.guarded(() => count(file, chosen, others.filter((c) => rivals.includes(c)))); }}>
      <h2>${file.name}: which columns?</h2>
      <div class="fields">
        <${Choice} id="real" label="Real classes" columns=${file.columns} value=${chosen.real} onChange=${set("real")} required />
        <${Choice} id="predicted" label="Predictions" columns=${file.columns} value=${chosen.predicted} onChange=${set("predicted")} required />
        <${Choice} id="by" label="Groups (if any)" columns=${file.columns} value=${chosen.by} onChange=${set("by")} none="no groups" />
        <div><label for="positive">Positive class (of two)</label><input id="positive" type="text" value=${chosen.positive} placeholder="as recognised" onInput=${set("positive")} /></div>
        <div><label for="missing">A missing label</label><select id="missing" value=${chosen.missing} onChange=${set("missing")}>
          <option value="error">is an error</option><option value="drop">drops the row</option><option value="abstain">is no answer</option></select></div>
      </div>
      ${rivals.length > 0 && rivals.length <= 60 && html`<details class="rivals"><summary>Compare with other systems in this file</summary><fieldset><legend>Columns of their predictions</legend>
        ${rivals.map((c) => html`<label key=${c}><input type="checkbox" checked=${others.includes(c)} onChange=${() => toggle(c)} /> ${c}</label>`)}</fieldset></details>`}
      <div class="buttons"><button type="submit" class="main">Make the report</button></div></form>`}
    ${board && html`<${Board} board=${board} />`}
    ${found && html`<section class="card found" aria-labelledby="found-h"><h2 id="found-h">${found.of}</h2>
      <p class="lead">${found.answer[0]}</p>${found.answer.length > 1 && html`<p class="rest">${found.answer.slice(1).join(" ")}</p>`}
      ${found.counts && html`<div class="buttons"><a class="button" href=${address("table", { t: writeCounts(found.counts), l: writeLabels(found.labels) })}>Play with this table</a></div>`}
      <${Report} id=${found.id} /></section>`}
  </div>`;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

function Board({ board }) {
  const low = board.systems.some((s) => (s.low ?? 0) < 0) ? -1 : 0;
  return html`<section class="card board" aria-labelledby="board-h"><h2 id="board-h">The systems, compared on ${board.items} items</h2>
    <div class="scroll" tabindex="0" role="group" aria-label="Systems"><table class="measures"><caption class="sr">Systems from the best to the worst</caption>
      <thead><tr><th scope="col">system</th><th scope="col" class="r">informedness</th><th scope="col"><span class="sr">picture</span></th><th scope="col" class="r">95 % interval</th>
        <th scope="col" class="r">possible ranks</th><th scope="col">tied with</th></tr></thead>
      <tbody>${board.systems.map((s) => html`<tr key=${s.name}><th scope="row">${s.name}</th><td class="r"><b>${rate(s.value)}</b></td><td><${Bar} e=${s} low=${low} wide=${220} /></td>
        <td class="r">${range(s)}</td><td class="r">${s.rank_low === s.rank_high ? s.rank_low : `${s.rank_low} to ${s.rank_high}`}</td>
        <td>${s.groups.map((g) => LETTERS[g] || g + 1).join(" ")}</td></tr>`)}</tbody></table></div>
    <p class="note">Intervals and ranks hold together at 95 %. Systems that share a letter cannot be told apart. ${board.notes.join(" ")}</p></section>`;
}
