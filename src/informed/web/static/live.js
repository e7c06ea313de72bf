// A table that is alive: what is typed, dragged or slid goes to the server, and what it says is shown.
import { ask, latest, useEffect, useState, useMemo } from "/static/lib.js";

export class Live {
  constructor(start, settled = () => {}) {
    Object.assign(this, { focus: 0, keep: "nothing", miss: 1, alarm: 1, error: "", answer: null, moving: false }, start);
    this.settled = settled;
    this.base = this.counts; // where a movement began: it is always asked of this
    this.move = null;
    this.listeners = new Set();
    this.quick = latest(() => this.asked(true));
    this.idle = 0;
    this.asking = 0; // counts what was wanted, so that a late answer does not undo a later one
    this.heard = 0;
    this.done = -1; // what was answered in full
    this.slow = new AbortController();
  }

  // Closed form at once, everything a little later; of the slow questions only the last matters.
  ask(quick) {
    this.slow.abort();
    if (quick) return this.quick();
    this.slow = new AbortController();
    return this.asked(false, this.slow.signal);
  }

  changed() { for (const listener of this.listeners) listener({}); }

  async asked(quick, signal) {
    const wanted = this.asking;
    const { next } = this;
    const { base: counts, labels, focus, keep, miss, alarm, move } = { ...this, ...next };
    try {
      const answer = await ask("/api/table", { counts, labels, focus, keep, miss, alarm, move, quick }, signal);
      if (wanted < this.heard || (quick ? wanted === this.done : wanted !== this.asking)) return; // something moved since
      this.heard = wanted;
      if (!quick) this.done = wanted;
      // What takes time (tests, planning) stays until it is computed anew.
      this.answer = { ...(this.answer && this.answer.counts.length === answer.counts.length ? this.answer : {}), ...answer, quick };
      if (next && this.next === next) { Object.assign(this, next); this.next = null; }
      this.counts = answer.counts;
      this.error = "";
      if (!quick) { this.base = answer.counts; this.move = null; this.settled(this); }
    } catch (error) {
      if (error.name === "AbortError") return;
      this.error = error.message;
      if (!quick) { this.move = null; this.next = null; if (this.answer) { this.counts = this.answer.counts; } this.base = this.counts; }
    }
    this.changed();
  }

  begin() { this.base = this.counts; this.move = null; }

  go(move, settle) {
    this.asking += 1;
    this.move = move;
    clearTimeout(this.idle);
    if (settle) this.ask(false);
    else { this.ask(true); this.idle = setTimeout(() => this.ask(false), 700); }
  }

  // What is typed into one cell is one movement, however many keys it takes.
  cell(row, column, value, settle) {
    if (settle || this.typed !== `${row},${column}`) this.begin();
    this.typed = settle ? null : `${row},${column}`;
    this.counts = this.counts.map((r, i) => r.map((n, j) => (i === row && j === column ? value : n)));
    this.changed();
    this.go({ kind: "cell", row, column, value }, settle);
  }

  settle() { this.typed = null; if (this.move) { clearTimeout(this.idle); this.ask(false); } }
  drag(to, first) { if (first) this.begin(); this.go({ kind: "point", ...to }, false); }
  drop(to) { this.go({ kind: "point", ...to }, true); }
  ratio(name, value, first, settle) { if (first) this.begin(); this.go({ kind: "ratio", name, value }, settle); }

  // A new table, or another way to look at it. One with other classes is shown when it is answered,
  // so that numbers and names are always of the same table.
  set(fields) {
    clearTimeout(this.idle);
    this.error = "";
    this.asking += 1;
    this.move = null;
    this.typed = null;
    const other = fields.counts && this.answer && fields.counts.length !== this.answer.counts.length;
    if (other) this.next = { focus: 0, ...fields };
    else {
      this.next = null;
      Object.assign(this, fields);
      if (this.focus >= this.counts.length) this.focus = 0;
    }
    this.base = fields.counts || this.counts;
    this.changed();
    this.quick();
    this.ask(false);
  }

  say(error) { this.error = error; this.changed(); }
}

export function useLive(make, keys = []) {
  const live = useMemo(make, keys);
  const [, again] = useState({});
  useEffect(() => {
    live.listeners.add(again);
    if (!live.answer) live.ask(false);
    return () => live.listeners.delete(again);
  }, [live]);
  return live;
}
