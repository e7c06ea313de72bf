// The Data panel: a file in, a report out.
import { html, useState, useRef, useEffect, lines, header, bytes, address, writeCounts, writeLabels } from "/static/lib.js";
import { Report } from "/static/report.js";

const LARGEST = 2 ** 30;

// XMLHttpRequest, because fetch does not say how much was sent.
function upload(file, progress, keep) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    keep(request);
    request.open("POST", `/api/upload?name=${encodeURIComponent(file.name)}`);
    for (const [name, value] of Object.entries(header())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => progress(event.loaded / event.total);
    request.onload = () => {
      let held = {};
      try { held = JSON.parse(request.responseText); } catch { /* its status says enough */ }
      if (request.status === 200) resolve(held.id);
      else reject(new Error(held.error || "The file could not be sent."));
    };
    request.onerror = () => reject(new Error("The file could not be sent: is the lab still running?"));
    request.onabort = () => reject(new Error("Stopped."));
    request.send(file);
  });
}

async function worked(path, body, signal, progress) {
  for await (const line of lines(path, body, signal)) {
    if (line.error) throw new Error(line.error);
    if (line.result) return line.result;
    progress(line);
  }
  throw new Error("The lab stopped before it was done.");
}

export function DataPanel({ start }) {
  const [file, setFile] = useState(null); // {id, name, size, columns, …}
  const [busy, setBusy] = useState(null); // {said, share}
  const [error, setError] = useState("");
  const [found, setFound] = useState(null);
  const [over, setOver] = useState(false);
  const [chosen, setChosen] = useState({});
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);

  const guarded = async (work) => {
    setError("");
    try { await work(); } catch (problem) { setError(problem.name === "AbortError" ? "Stopped." : problem.message); }
    setBusy(null);
  };
  const abortable = () => { const control = new AbortController(); stop.current = () => control.abort(); return control.signal; };
  const looked = async (held) => {
    setBusy({ said: `Looking at ${held.name}` });
    const seen = await worked("/api/look", { id: held.id }, abortable(), () => {});
    setFile({ ...held, ...seen });
    setChosen({ real: seen.real || "", predicted: seen.predicted || "", by: "", missing: "error", positive: "" });
    if (seen.recognised) await counted(held, {});
  };
  const counted = async (held, choices) => {
    setBusy({ said: `Counting ${held.name}` });
    const result = await worked("/api/count", { id: held.id, ...choices }, abortable(),
      (line) => { if (line.progress !== undefined) setBusy({ said: line.stage === "report" ? "Writing the report" : `Counting ${held.name}`, share: line.progress }); });
    setFound({ ...result, of: held.name });
  };
  const take = (given) => guarded(async () => {
    setFound(null);
    setFile(null);
    if (given.size > LARGEST) throw new Error(`${given.name} has ${bytes(given.size)}; the lab takes up to 1 GB. Try: informed lab ${given.name}`);
    setBusy({ said: `Sending ${given.name}`, share: 0 });
    const id = await upload(given, (share) => setBusy({ said: `Sending ${given.name}`, share }), (request) => { stop.current = () => request.abort(); });
    await looked({ id, name: given.name, size: given.size });
  });
  const dropped = (event) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  };
  const set = (name) => (event) => setChosen({ ...chosen, [name]: event.currentTarget.value });
  return html`<div class="data"><h1>Your predictions, reported</h1>
    <div class="drop-zone ${over ? "over" : ""}" onDragOver=${(event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)} onDrop=${dropped}>
      <p><b>Drop a file here</b>: CSV, TSV, JSON lines, Parquet, or an evaluation log.</p>
      <p><label class="button" for="file">Choose a file</label><input class="sr" id="file" type="file" accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.parquet,.pq,.eval,.gz"
        onChange=${(event) => { if (event.currentTarget.files[0]) take(event.currentTarget.files[0]); event.currentTarget.value = ""; }} /></p>
      <p class="note">Up to 1 GB. It goes to a private folder on this machine, which is removed when the lab closes.</p></div>
    ${start.files.length > 0 && html`<ul class="files">${start.files.map((held) => html`<li key=${held.id}><button type="button" onClick=${() => guarded(async () => { setFound(null); await looked(held); })}>${held.name} <span class="note">${bytes(held.size)}</span></button></li>`)}</ul>`}
    ${busy && html`<div class="card" role="status"><p>${busy.said}…${busy.share !== undefined ? ` ${Math.round(100 * busy.share)} %` : ""}</p>
      <progress aria-label=${busy.said} max="1" value=${busy.share === undefined ? null : busy.share}></progress>
      <div class="buttons"><button type="button" onClick=${() => stop.current()}>Stop</button></div></div>`}
    <p class="problem" role="alert">${error}</p>
    ${file && !file.recognised && !busy && html`<form class="card" aria-label="Columns" onSubmit=${(event) => { event.preventDefault(); guarded(() => counted(file, chosen)); }}>
      <h2>${file.name}: which columns?</h2>
      <div class="fields">
        <${Choice} id="real" label="Real classes" columns=${file.columns} value=${chosen.real} onChange=${set("real")} required />
        <${Choice} id="predicted" label="Predictions" columns=${file.columns} value=${chosen.predicted} onChange=${set("predicted")} required />
        <${Choice} id="by" label="Groups (if any)" columns=${file.columns} value=${chosen.by} onChange=${set("by")} none="no groups" />
        <div><label for="positive">Positive class (of two)</label><input id="positive" type="text" value=${chosen.positive} placeholder="as recognised" onInput=${set("positive")} /></div>
        <div><label for="missing">A missing label</label><select id="missing" value=${chosen.missing} onChange=${set("missing")}>
          <option value="error">is an error</option><option value="drop">drops the row</option><option value="abstain">is no answer</option></select></div>
      </div><div class="buttons"><button type="submit" class="main">Make the report</button></div></form>`}
    ${found && html`<section class="card found" aria-labelledby="found-h"><h2 id="found-h">${found.of}</h2>
      <p class="lead">${found.answer[0]}</p>${found.answer.length > 1 && html`<p class="rest">${found.answer.slice(1).join(" ")}</p>`}
      ${found.counts && html`<div class="buttons"><a class="button" href=${address("table", { t: writeCounts(found.counts), l: writeLabels(found.labels) })}>Play with this table</a></div>`}
      <${Report} id=${found.id} /></section>`}
  </div>`;
}

function Choice({ id, label, columns, value, onChange, none, required }) {
  return html`<div><label for=${id}>${label}</label><select id=${id} required=${required} value=${value} onChange=${onChange}>
    <option value="">${none || "choose…"}</option>${columns.map((c) => html`<option key=${c} value=${c} selected=${c === value}>${c}</option>`)}</select></div>`;
}
