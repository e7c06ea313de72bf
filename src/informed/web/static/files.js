// Files on their way to the lab: sending them, and working on them.
import { isPage } from "/static/share.js";
import { html, useState, useRef, useEffect, useLayoutEffect, again, lines, header, bytes } from "/static/lib.js";

export const LARGEST = 2 ** 30;

// Sent again where a busy lab asks for it; `waits` is told while it waits, `progress` how much was sent.
export async function upload(file, signal, progress, waits) {
  const { status, held } = await again(() => uploadOnce(file, signal, progress), signal, (more) => { if (more > 0) waits(); });
  if (status !== 200) throw new Error(held.error || "The file could not be sent.");
  return held.id;
}

// XMLHttpRequest, because fetch does not say how much was sent.
function uploadOnce(file, signal, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", `/api/upload?name=${encodeURIComponent(file.name)}`);
    for (const [name, value] of Object.entries(header())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => progress(event.loaded, event.total);
    request.onload = () => {
      let held = {};
      try { held = JSON.parse(request.responseText); } catch { /* its status says enough */ }
      resolve({ status: request.status, after: request.getResponseHeader("Retry-After"), held });
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

// What was seen of each file, by its id: going back does not look again.
const known = new Map();

// What the panels with files share: what goes on, what went wrong, and how to stop it.
export function useWork() {
  const [busy, setBusy] = useState(null); // {said, share, more}
  const [error, setError] = useState("");
  const stop = useRef(() => {});
  const turn = useRef(0); // work that was begun later decides what is shown
  useEffect(() => () => stop.current(), []);
  const guarded = async (work) => {
    const mine = (turn.current += 1);
    stop.current();
    setError("");
    try { await work(() => turn.current === mine); } catch (problem) {
      if (turn.current === mine) setError(problem.name === "AbortError" ? "Stopped." : problem.message);
    }
    if (turn.current === mine) setBusy(null);
  };
  const job = (path, body, said) => {
    const control = new AbortController();
    stop.current = () => control.abort();
    setBusy({ said });
    return worked(path, body, control.signal, (line) => {
      if (line.waiting) setBusy({ said: "Waiting for another file" });
      else if (line.progress !== undefined) setBusy({ said: line.stage === "report" ? "Writing the report" : said, share: line.progress });
    });
  };
  const look = async (ids, name = "the file") => {
    const fresh = ids.filter((id) => !known.has(id));
    if (fresh.length) (await job("/api/look", { ids: fresh }, `Looking at ${name}`)).files.forEach((seen, i) => known.set(fresh[i], { id: fresh[i], ...seen }));
    return ids.map((id) => known.get(id));
  };
  // A File is handed to the browser's own sender: it reads from the disk as it sends.
  const send = async (given) => {
    const ids = [];
    const large = given.find((file) => file.size > LARGEST);
    if (large) throw new Error(`${large.name} has ${bytes(large.size)}; the lab takes up to 1 GB. Try: informed lab ${large.name}`);
    for (const [i, file] of given.entries()) {
      const said = `Sending ${file.name}${given.length > 1 ? ` (${i + 1} of ${given.length})` : ""}`;
      const control = new AbortController();
      stop.current = () => control.abort();
      setBusy({ said, share: 0 });
      ids.push(await upload(file, control.signal, (sent, of) => setBusy({ said, share: sent / of, more: `${bytes(sent)} of ${bytes(of)}` }),
        () => setBusy({ said: `Many use the lab at the moment; ${file.name} is sent again by itself` })));
    }
    return look(ids, given.map((file) => file.name).join(", "));
  };
  return { busy, error, guarded, job, look, send, stop: () => stop.current() };
}

// A place to drop files, which is the whole page, and the files that are at hand already.
export function Drop({ work, start, what, onFiles, several = false, slim = false }) {
  const [over, setOver] = useState(false);
  const take = (all) => { const given = all.filter((file) => !isPage(file)); if (given.length) work.guarded(async (now) => { const held = await work.send(several ? given : given.slice(0, 1)); if (now()) await onFiles(held); }); };
  const latest = useRef(take);
  latest.current = take;
  useLayoutEffect(() => {
    const enter = (event) => { if (event.dataTransfer && [...event.dataTransfer.types].includes("Files")) { event.preventDefault(); setOver(true); } };
    const leave = (event) => { if (!event.relatedTarget) setOver(false); };
    const drop = (event) => { event.preventDefault(); setOver(false); latest.current([...event.dataTransfer.files]); };
    const all = [["dragenter", enter], ["dragover", enter], ["dragleave", leave], ["drop", drop]];
    for (const [name, on] of all) addEventListener(name, on);
    return () => { for (const [name, on] of all) removeEventListener(name, on); };
  }, []);
  return html`<div class="drop-zone ${over ? "over" : ""} ${slim ? "slim" : ""}">
      <p><b>Drop ${slim ? "another file" : several ? "files" : "a file"} here</b>${slim ? "" : `: ${what}`}</p>
      <p><label class="button" for="file">Choose ${several ? "files" : "a file"}</label><input class="sr" id="file" type="file" multiple=${several} accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.parquet,.pq,.eval,.conll,.gz"
        onChange=${(event) => { const given = [...event.currentTarget.files]; event.currentTarget.value = ""; take(given); }} /></p>
      <p class="note limits">Up to 1 GB each. They go to a private folder on this machine, which is removed when the lab closes.</p></div>
    ${start.files.length > 0 && html`<ul class="files" aria-label="Files at hand">${start.files.map((held) => html`<li key=${held.id}><button type="button" onClick=${() => work.guarded(async (now) => { const seen = await work.look([held.id], held.name); if (now()) await onFiles(seen); })}>${held.name} <span class="note">${bytes(held.size)}</span></button></li>`)}</ul>`}
    ${work.busy && html`<div class="card"><p class="doing"><span role="status">${work.busy.said}…</span> ${work.busy.share !== undefined && html`<span class="note">${Math.round(100 * work.busy.share)} %${work.busy.more ? `, ${work.busy.more}` : ""}</span>`}</p>
      <progress aria-label=${work.busy.said} max="1" value=${work.busy.share === undefined ? null : work.busy.share}></progress>
      <div class="buttons"><button type="button" onClick=${work.stop}>Stop</button></div></div>`}
    <p class="problem" role="alert">${work.error}</p>`;
}
