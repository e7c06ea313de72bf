// The lab: which panel is open is in the address.
import { html, render, useState, useEffect, ask, takeToken, setToken, readAddress, last, address, goTo } from "/static/lib.js";
import { StartPanel } from "/static/start.js";
import { TablePanel } from "/static/table.js";
import { DataPanel } from "/static/data.js";
import { ThresholdPanel } from "/static/threshold.js";
import { WatchPanel } from "/static/watch.js";
import { MontePanel } from "/static/monte.js";
import { LearnPanel } from "/static/learn.js";
import { offer } from "/static/report.js";
import { share, isPage, opened } from "/static/share.js";

const PANELS = [
  { key: "start", name: "Start", view: StartPanel },
  { key: "table", name: "Table", view: TablePanel },
  { key: "data", name: "Data", view: DataPanel },
  { key: "threshold", name: "Threshold", view: ThresholdPanel },
  { key: "watch", name: "Watch", view: WatchPanel },
  { key: "monte", name: "Monte Carlo", view: MontePanel },
  { key: "learn", name: "Learn", view: LearnPanel },
];

let fresh = false; // whether the printed address was just opened

function Lab() {
  const [start, setStart] = useState(null);
  const [refused, setRefused] = useState(null);
  const [panel, setPanel] = useState(readAddress().panel);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const begin = () => ask("/api/start").then((found) => {
    if (fresh && found.files.length) { goTo(address("data", { file: found.files[0].id }), false); setPanel("data"); } // the file that was asked for
    fresh = false;
    offer(found.formats);
    setStart(found);
    setRefused(null);
  }).catch(setRefused);
  useEffect(() => {
    begin();
    const move = () => setPanel(readAddress().panel);
    const wait = (event) => setBusy(event.detail);
    addEventListener("busy", wait);
    addEventListener("popstate", move);
    addEventListener("hashchange", move);
    const take = async (event) => { // a page that was shared is opened where it was
      const page = [...((event.dataTransfer || {}).files || [])].find(isPage);
      if (!page) return;
      const to = await opened(page);
      setProblem(to ? "" : `${page.name} is no page of the lab.`);
      if (to) location.hash = to;
    };
    addEventListener("drop", take);
    return () => { removeEventListener("busy", wait); removeEventListener("popstate", move); removeEventListener("hashchange", move); removeEventListener("drop", take); };
  }, []);
  const open = PANELS.find((p) => p.key === panel) || PANELS[0];
  useEffect(() => { document.title = `${open.name} · informed lab`; }, [open.key]);
  return html`<header class="top"><a class="brand" href="#start">informed <span>lab</span></a>
      <nav aria-label="Panels"><ul>${PANELS.map((p) => html`<li key=${p.key}><a href=${last[p.key] || `#${p.key}`} aria-current=${p === open ? "page" : null}>${p.name}</a></li>`)}</ul></nav>
      ${start && html`<button type="button" class="share" title="One file with what you see, to send or keep; no rows of your data" onClick=${() => share(open.key, start.version).catch((error) => setProblem(error.message))}>Share this page</button>`}</header>
    ${problem && html`<p class="problem top" role="alert">${problem}</p>`}
    ${busy && html`<p class="problem top" role="status">Many ask the lab at the moment; your question is asked again by itself.</p>`}
    <main>${refused ? html`<${Locked} refused=${refused} again=${begin} />`
      : start ? html`<${open.view} key=${open.key} start=${start} />` : html`<p class="waiting">Opening the lab…</p>`}</main>
    <footer>Everything is computed on this machine${start ? ` by informed ${start.version}` : ""}; nothing is sent anywhere.</footer>`;
}

function Locked({ refused, again }) {
  if (refused.status !== 403) return html`<div class="locked"><h1>The lab does not answer</h1><p>${refused.message}</p><div class="buttons"><button type="button" onClick=${again}>Try again</button></div></div>`;
  return html`<form class="locked" onSubmit=${(event) => { event.preventDefault(); setToken(new FormData(event.currentTarget).get("token")); again(); }}>
    <h1>Which lab is this?</h1><p>Open the address that <code>informed lab</code> printed, or type the token at its end.</p>
    <label for="token">Token</label><input id="token" name="token" autocomplete="off" required /><div class="buttons"><button type="submit" class="main">Open</button></div></form>`;
}

// A file that misses its place must not take the lab away; the panels that take files listen too.
for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());

fresh = takeToken();
const place = document.getElementById("lab");
place.replaceChildren();
render(html`<${Lab} />`, place);
