// The lines of a desk on their way to the server: stored first, sent in order, kept until there is an answer.
// Decision 032, "Who decides what".

import { newId } from "./ids.js";
import { DiskShelf, MemoryShelf, after } from "./shelf.js";

/** @typedef {import("./shelf.js").Command} Command */
/** @typedef {import("./types.js").Saved} Saved */
/** @typedef {import("./types.js").Refusal & {seq?: number}} Stop */
/** What a tab tells the others. @typedef {{saved?: {command_id: string, answer: Saved}, stopped?: Stop | null}} News */

const TIMEOUT = 4_000;
const LEASE = TIMEOUT + 2_000;
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 4_000;

export class Outbox {
  /** Open the queue of a match, and go on sending what was left in it. @param {string} match */
  static async open(match) {
    const shelf = await DiskShelf.open(match).catch(() => new MemoryShelf());
    const outbox = new Outbox(match, shelf);
    await outbox.refresh();
    outbox.pump();
    return outbox;
  }

  /** @param {string} match @param {DiskShelf | MemoryShelf} shelf */
  constructor(match, shelf) {
    this.match = match;
    this.shelf = shelf;
    this.me = newId();
    this.known = 0;
    /** All that is not saved yet, in order. @type {Command[]} */
    this.pending = [];
    /** Why nothing is sent until the referee decides. @type {Stop | null} */
    this.stopped = null;
    /** Why the server could not take the last attempt, in its words; it is tried again. @type {Stop | null} */
    this.reason = null;
    /** Whether the last attempt had no answer at all. */
    this.silent = false;
    /** Commands that are not on the shelf yet. @type {Set<Command>} */
    this.storing = new Set();
    /** @type {Map<string, {resolve: (answer: Saved) => void, reject: (stop: Stop) => void}>} */
    this.waiting = new Map();
    /** @type {(() => void)[]} */
    this.listeners = [];
    this.pumping = false;
    this.hurry = () => {};
    this.others = new BroadcastChannel(`fivepins outbox ${match}`);
    this.others.onmessage = ({ data }) => this.hear(data);
    const pump = () => this.pump();
    for (const event of ["online", "pageshow", "focus"]) addEventListener(event, pump);
    document.addEventListener("visibilitychange", pump);
  }

  /** Whether what is queued outlives this tab. */
  get durable() {
    return this.shelf.durable;
  }

  /** @param {() => void} listener */
  onchange(listener) {
    this.listeners.push(listener);
  }

  /** The newest line that the server is known to have. @param {number} seq */
  saved(seq) {
    this.known = Math.max(this.known, seq);
  }

  /** Queue lines as one command. Resolves with the server's answer, and is rejected with its refusal.
   * @param {{lines: string[], shown?: any}} what @returns {Promise<Saved>} */
  send({ lines, shown }) {
    const expected_seq = after(this.pending.at(-1), this.known);
    const command = { command_id: newId(), match: this.match, order: 0, expected_seq, lines, shown, made: Date.now() };
    /** @type {Promise<Saved>} */
    const answer = new Promise((resolve, reject) => this.waiting.set(command.command_id, { resolve, reject }));
    this.storing.add(command);
    this.pending = [...this.pending, command];
    this.changed();
    this.store(command);
    return answer;
  }

  /** Try what was refused once more, on top of what the server has now. */
  async again() {
    await this.shelf.renumber(this.known);
    await this.go();
  }

  /** Give up all that is queued. */
  async drop() {
    const dropped = this.pending;
    await this.shelf.clear();
    for (const { command_id } of dropped) this.settle(command_id, (one) => one.reject({ error: "dropped", message: "" }));
    await this.go();
  }

  async go() {
    this.stopped = this.reason = null;
    this.silent = false;
    this.tell({ stopped: null });
    await this.refresh();
    this.pump();
  }

  /** @param {Command} command */
  async store(command) {
    try {
      await this.shelf.add(command, this.known);
    } catch {
      this.shelf = new MemoryShelf(this.pending.filter((other) => !this.storing.has(other))); // the disk is full or gone
      await this.shelf.add(command, this.known);
    }
    this.storing.delete(command);
    this.tell({});
    await this.refresh();
    this.pump();
  }

  /** Send until nothing is left. A call while it runs ends the pause before the next attempt. */
  async pump() {
    this.hurry();
    if (this.pumping) return;
    this.pumping = true;
    for (let failures = 0; this.stopped === null && this.pending.length > this.storing.size;) {
      const sent = await this.alone(() => this.attempt());
      failures = sent ? 0 : failures + 1;
      if (!sent) await this.pause(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1)));
    }
    this.pumping = false;
  }

  /** @param {number} span ms */
  async pause(span) {
    await new Promise((resolve) => {
      this.hurry = () => resolve(undefined);
      setTimeout(resolve, span);
    });
    this.hurry = () => {};
  }

  /** Do it while no other tab of this device does; false where one has the right to send.
   * @param {() => Promise<boolean>} work */
  async alone(work) {
    if (navigator.locks) return navigator.locks.request(`fivepins outbox ${this.match}`, work);
    if (!await this.shelf.lease(this.me, LEASE)) return false;
    try {
      return await work();
    } finally {
      await this.shelf.release(this.me);
    }
  }

  /** Send the first command; false if it has to be tried again. */
  async attempt() {
    await this.refresh();
    const command = this.pending.find((one) => !this.storing.has(one));
    if (command === undefined || this.stopped !== null) return true;
    const response = await post(command);
    this.reason = response?.later ? response.answer : null;
    this.silent = response === null;
    this.changed();
    if (response === null || response.later) return false;
    if (response.ok) await this.done(command, response.answer);
    else this.stop(command, response.answer);
    return true;
  }

  /** @param {Command} command @param {Saved} answer */
  async done(command, answer) {
    this.saved(answer.seq);
    this.settle(command.command_id, (one) => one.resolve(answer)); // first, so that the board never falls back
    await this.shelf.remove(command);
    this.tell({ saved: { command_id: command.command_id, answer } });
    await this.refresh();
  }

  /** @param {Command} command @param {Stop} refusal */
  stop(command, refusal) {
    this.saved(refusal.seq ?? 0);
    this.stopped = refusal;
    this.settle(command.command_id, (one) => one.reject(refusal));
    this.tell({ stopped: refusal });
    this.changed();
  }

  /** @param {string} id @param {(one: {resolve: (answer: Saved) => void, reject: (stop: Stop) => void}) => void} how */
  settle(id, how) {
    const one = this.waiting.get(id);
    this.waiting.delete(id);
    if (one !== undefined) how(one);
  }

  /** @param {News} news */
  tell(news) {
    this.others.postMessage(news);
  }

  /** @param {News} news */
  async hear({ saved, stopped }) {
    if (saved !== undefined) {
      this.saved(saved.answer.seq);
      this.settle(saved.command_id, (one) => one.resolve(saved.answer));
    }
    if (stopped !== undefined) this.stopped = stopped;
    await this.refresh();
    this.pump();
  }

  /** Read the queue anew: another tab may have added to it, or sent from it. */
  async refresh() {
    const stored = await this.shelf.list();
    const ids = new Set(stored.map(({ command_id }) => command_id));
    this.pending = [...stored, ...[...this.storing].filter(({ command_id }) => !ids.has(command_id))];
    this.changed();
  }

  changed() {
    for (const listener of this.listeners) listener();
  }
}

/** The hall's answer to a command, perhaps to be asked for again later; null where there was none. What is no JSON
 * came from something in between. @param {Command} command
 * @returns {Promise<{ok: boolean, later: boolean, answer: any} | null>} */
async function post({ command_id, match, expected_seq, lines }) {
  try {
    const response = await fetch(`/matches/${encodeURIComponent(match)}/log?lang=${document.documentElement.lang}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ command_id, expected_seq, lines }),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const answer = await response.json();
    return { ok: response.ok, later: response.status >= 500 || response.status === 429, answer };
  } catch {
    return null;
  }
}
