// What every panel uses: asking the server, writing numbers, and the state in the address.
export { html, render, useState, useEffect, useRef, useMemo, useCallback, useLayoutEffect } from "/static/vendor/preact-htm.js";

// ------------------------------------------------------------------ the token of this run

const KEEP = "informed-token";

export function takeToken() {
  const found = location.hash.match(/^#token=([^&]+)/);
  if (found) {
    localStorage.setItem(KEEP, decodeURIComponent(found[1]));
    history.replaceState(null, "", location.pathname + location.search + "#start");
  }
  return Boolean(found);
}

export const setToken = (token) => localStorage.setItem(KEEP, token.trim());
export const header = () => ({ "X-Informed-Token": localStorage.getItem(KEEP) || "" });

// ------------------------------------------------------------------ asking

export class Refusal extends Error {
  constructor(message, status) { super(message); this.status = status; }
}

const TRIES = 5; // of a question that a busy lab sends away

let away = 0; // questions that wait for their next try
const toldBusy = (more) => { away += more; dispatchEvent(new CustomEvent("busy", { detail: away > 0 })); };

// As long as the lab asks for and up to twice that, so that not all come back at once.
function pause(seconds, signal) {
  return new Promise((done, leave) => {
    const left = () => { clearTimeout(timer); leave(signal.reason); };
    const timer = setTimeout(() => { signal?.removeEventListener("abort", left); done(); }, 1000 * seconds * (1 + Math.random()));
    signal?.addEventListener("abort", left, { once: true });
  });
}

// What `once` found: {status, after}; asked again where a busy lab says after how many seconds. `told` of 1 and -1 is around each wait.
export async function again(once, signal, told = toldBusy) {
  for (let i = 1; ; i += 1) {
    const found = await once();
    const seconds = found.status === 503 && Number(found.after);
    if (!seconds || i >= TRIES) return found;
    told(1);
    try { await pause(seconds, signal); } finally { told(-1); }
  }
}

async function sent(path, body, signal) {
  const { response } = await again(async () => {
    const response = await sentOnce(path, body, signal);
    return { response, status: response.status, after: response.headers.get("Retry-After") };
  }, signal);
  if (response.ok) return response;
  let said = "Something went wrong.";
  try { said = (await response.json()).error || said; } catch { /* no JSON: the sentence stays */ }
  throw new Refusal(said, response.status);
}

async function sentOnce(path, body, signal) {
  try {
    return await fetch(path, {
      method: "POST", signal, body: JSON.stringify(body ?? {}),
      headers: { "Content-Type": "application/json", ...header() },
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The lab does not answer: is it still running?", 0);
  }
}

export const ask = async (path, body, signal) => (await sent(path, body, signal)).json();

// Lines of JSON as they come.
export async function* lines(path, body, signal) {
  const reader = (await sent(path, body, signal)).body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    held += value;
    const parts = held.split("\n");
    held = parts.pop();
    for (const part of parts) if (part) yield JSON.parse(part);
  }
}

// One question at a time; of those that wait only the latest is asked.
export function latest(work) {
  let busy = false, next = null;
  return async function run(...asked) {
    if (busy) { next = asked; return; }
    busy = true;
    try { await work(...asked); } finally {
      busy = false;
      if (next) { const waiting = next; next = null; run(...waiting); }
    }
  };
}

// ------------------------------------------------------------------ numbers

const minus = (text) => text.replace("-", "−");

export function rate(x, digits = 3) {
  if (x === null || x === undefined) return "–";
  const text = x.toFixed(digits);
  return minus(Number(text) === 0 ? (0).toFixed(digits) : text);
}

export function count(x) {
  if (x === null || x === undefined) return "–";
  return minus(x.toLocaleString("en", { maximumFractionDigits: Math.abs(x) < 1000 ? 1 : 0 }).replace(/,/g, " "));
}

// As typed into a cell: short, but with every digit that matters.
export const cell = (x) => String(Number.isInteger(x) ? x : Number(x.toFixed(x < 10 ? 2 : 1)));

export const percent = (x) => (x === null ? "–" : minus(`${Number((100 * x).toPrecision(3))} %`));
/** A chance in whole per cent, never rounded to none or certain. */
export const chance = (x) => (x === null ? "–" : x > 0 && x < 0.005 ? "< 1 %" : x < 1 && x > 0.995 ? "> 99 %" : percent(Math.round(100 * x) / 100));

/** A sentence whose numbers stay with their per cent signs. */
export const tied = (text) => text.replace(/(\d) %/g, "$1\u00a0%");

export function pvalue(p) {
  if (p === null || p === undefined) return "–";
  return p < 0.0001 ? "< 0.0001" : p.toPrecision(2).replace(/^(0\.\d*?)0+$/, "$1");
}

export const range = (e) => (e.low === null ? "–" : `${rate(e.low)} to ${rate(e.high)}`);

export function bytes(n) {
  const unit = n >= 1 << 30 ? [30, "GB"] : n >= 1 << 20 ? [20, "MB"] : [10, "KB"];
  return `${(n / 2 ** unit[0]).toFixed(n >= 1 << 30 ? 2 : 1)} ${unit[1]}`;
}

// ------------------------------------------------------------------ the address

export function readAddress() {
  const [panel, query] = location.hash.slice(1).split("?");
  return { panel: panel || "start", query: new URLSearchParams(query || "") };
}

export function address(panel, fields = {}) {
  const text = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([key, value]) => `${key}=${encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3B/g, ";").replace(/%3A/g, ":")}`)
    .join("&");
  return `#${panel}${text ? "?" + text : ""}`;
}

// Every settled state is a page that the back button returns to; a moving one is not.
export const last = {}; // where each panel was left

export function goTo(to, push = true) {
  last[to.slice(1).split("?")[0]] = to;
  if (to === location.hash) return;
  if (push) history.pushState(null, "", to);
  else history.replaceState(null, "", to);
}

export const writeCounts = (counts) => counts.map((row) => row.map((x) => Number(x.toPrecision(7))).join(",")).join(";");

export function readCounts(text) {
  if (!text) return null;
  const rows = text.split(";").map((row) => row.split(",").map(Number));
  const k = rows.length;
  const fine = k >= 2 && k <= 12 && rows.every((row) => row.length === k && row.every((x) => Number.isFinite(x) && x >= 0));
  return fine ? rows : null;
}

// Names in the address: commas part them, so that a comma in a name is written \\c.
export const writeList = (names) => names.map((x) => x.replace(/\\/g, "\\b").replace(/,/g, "\\c")).join(",");
export const readList = (text) => (text ? text.split(",").map((x) => x.replace(/\\c/g, ",").replace(/\\b/g, "\\")) : []);

export const usualLabels = (k) => (k === 2 ? ["+", "−"] : Array.from({ length: k }, (_, i) => String.fromCharCode(65 + i)));

export function readLabels(text, k) {
  const labels = readList(text);
  return labels.length === k && new Set(labels).size === k ? labels : usualLabels(k);
}

export const writeLabels = (labels) => (labels.join("\n") === usualLabels(labels.length).join("\n") ? "" : writeList(labels));
