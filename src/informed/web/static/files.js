// Files on their way to the lab: sending them, working on them, choosing their columns.
import { html, useState, useRef, useEffect, lines, header, bytes } from "/static/lib.js";

export const LARGEST = 2 ** 30;

// XMLHttpRequest, because fetch does not say how much was sent.
export function upload(file, progress, keep) {
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

export async function worked(path, body, signal, progress) {
  for await (const line of lines(path, body, signal)) {
    if (line.error) throw new Error(line.error);
    if (line.result) return line.result;
    progress(line);
  }
  throw new Error("The lab stopped before it was done.");
}

export function Choice({ id, label, columns, value, onChange, none, required }) {
  return html`<div><label for=${id}>${label}</label><select id=${id} required=${required} value=${value} onChange=${onChange}>
    <option value="">${none || "choose…"}</option>${columns.map((c) => html`<option key=${c} value=${c} selected=${c === value}>${c}</option>`)}</select></div>`;
}

// What the panels with files share: the file, what goes on, what went wrong.
export function useFile(start) {
  const [file, setFile] = useState(null); // {id, name, size, columns, …}
  const [busy, setBusy] = useState(null); // {said, share}
  const [error, setError] = useState("");
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);
  const guarded = async (work) => {
    setError("");
    try { await work(); } catch (problem) { setError(problem.name === "AbortError" ? "Stopped." : problem.message); }
    setBusy(null);
  };
  const job = (path, body, said) => {
    const control = new AbortController();
    stop.current = () => control.abort();
    setBusy({ said });
    return worked(path, body, control.signal, (line) => {
      if (line.progress !== undefined) setBusy({ said: line.stage === "report" ? "Writing the report" : said, share: line.progress });
    });
  };
  const look = async (held) => {
    const seen = await job("/api/look", { id: held.id }, `Looking at ${held.name}`);
    const found = { ...held, ...seen };
    setFile(found);
    return found;
  };
  const send = async (given) => {
    setFile(null);
    if (given.size > LARGEST) throw new Error(`${given.name} has ${bytes(given.size)}; the lab takes up to 1 GB. Try: informed lab ${given.name}`);
    setBusy({ said: `Sending ${given.name}`, share: 0 });
    const id = await upload(given, (share) => setBusy({ said: `Sending ${given.name}`, share }), (request) => { stop.current = () => request.abort(); });
    return look({ id, name: given.name, size: given.size });
  };
  return { file, busy, error, guarded, job, look, send, stop: () => stop.current() };
}

export function Drop({ files, start, what, onTaken }) {
  const [over, setOver] = useState(false);
  const take = (work) => files.guarded(async () => onTaken(await work()));
  const dropped = (event) => {
    event.preventDefault();
    setOver(false);
    const given = event.dataTransfer.files[0];
    if (given) take(() => files.send(given));
  };
  return html`<div class="drop-zone ${over ? "over" : ""}" onDragOver=${(event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)} onDrop=${dropped}>
      <p><b>Drop a file here</b>: ${what}</p>
      <p><label class="button" for="file">Choose a file</label><input class="sr" id="file" type="file" accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.parquet,.pq,.eval,.gz"
        onChange=${(event) => { const given = event.currentTarget.files[0]; if (given) take(() => files.send(given)); event.currentTarget.value = ""; }} /></p>
      <p class="note">Up to 1 GB. It goes to a private folder on this machine, which is removed when the lab closes.</p></div>
    ${start.files.length > 0 && html`<ul class="files">${start.files.map((held) => html`<li key=${held.id}><button type="button" onClick=${() => take(() => files.look(held))}>${held.name} <span class="note">${bytes(held.size)}</span></button></li>`)}</ul>`}
    ${files.busy && html`<div class="card" role="status"><p>${files.busy.said}…${files.busy.share !== undefined ? ` ${Math.round(100 * files.busy.share)} %` : ""}</p>
      <progress aria-label=${files.busy.said} max="1" value=${files.busy.share === undefined ? null : files.busy.share}></progress>
      <div class="buttons"><button type="button" onClick=${files.stop}>Stop</button></div></div>`}
    <p class="problem" role="alert">${files.error}</p>`;
}
