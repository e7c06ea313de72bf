// A table that is alive: what is typed, dragged or slid goes to the server, and what it says is shown.
import { ask, latest, useEffect, useState, useMemo } from "/static/lib.js";

export class Live {
  constructor(start, settled = () => {}) {
    Object.assign(this, { focus: 0, keep: "nothing", miss: 1, alarm: 1, error: "", answer: null, moving: false }, start);
    this.settled = settled;
    this.base = this.counts; // where a movement began: it is always asked of this
    this.move = null;
    this.listeners = new Set();
    this.ask = latest((quick) => this.asked(quick));
    this.idle = 0;
  }

  changed() { for (const listener of this.listeners) listener({}); }

  async asked(quick) {
    const { base: counts, labels, focus, keep, miss, alarm, move } = this;
    try {
      const answer = await ask("/api/table", { counts, labels, focus, keep, miss, alarm, move, quick });
      if (!quick && (this.move !== move || this.base !== counts)) return; // something moved since
      // What takes time (tests, planning) stays until it is computed anew.
      this.answer = { ...(this.answer && this.answer.counts.length === answer.counts.length ? this.answer : {}), ...answer, quick };
      this.counts = answer.counts;
      this.error = "";
      if (!quick) { this.base = answer.counts; this.move = null; this.settled(this); }
    } catch (error) {
      this.error = error.message;
      if (!quick) { this.move = null; this.counts = this.base; }
    }
    this.changed();
  }

  begin() { this.base = this.counts; this.move = null; }

  go(move, settle) {
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

  set(fields) { // a new table, or another way to look at it
    clearTimeout(this.idle);
    Object.assign(this, fields, { error: "" });
    if (fields.counts) { this.base = fields.counts; if (this.focus >= fields.counts.length) this.focus = 0; }
    else this.base = this.counts;
    this.move = null;
    this.changed();
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
