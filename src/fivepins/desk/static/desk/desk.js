// The desk: what is saved, what is queued on top of it, who may write, and the lines that go out.

import { newId } from "../ids.js";
import { say } from "../say.js";
import { tell } from "./dialogs.js";
import { forecast } from "./forecast.js";
import { History } from "./history.js";

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Boot} Boot */
/** @typedef {import("../types.js").Presence} Presence */
/** @typedef {import("../types.js").Preview} Preview */
/** @typedef {import("../types.js").Refusal} Refusal */
/** @typedef {import("../types.js").Ruling} Ruling */
/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("./pad.js").Subject} Subject */

/** A stroke that is entered elsewhere than at the end. @typedef {{kind: "fix" | "insert", turn: number, side: Side, hand: boolean, facts: string}} Purpose */

const TIMEOUT = 4_000;

/** @type {Side[]} */
export const SIDES = ["A", "B"];

export class Desk {
  /** @param {Boot} boot @param {import("../outbox.js").Outbox} outbox @param {() => void} changed */
  constructor(boot, outbox, changed) {
    this.boot = boot;
    this.outbox = outbox;
    this.changed = changed;
    this.history = new History(boot.board);
    /** @type {Presence} */
    this.presence = { devices: 0, holder: null };
    /** @type {"live" | "stale"} */
    this.link = "stale";
    /** @type {Purpose | null} */
    this.purpose = null;
    this.writing = false;
    this.revoked = false; // whether the right to write here was taken back while the page was open
    this.reached = true; // whether the last question got an answer, whatever the feed says
    /** Who hears of a board that has moved. @type {Set<() => void>} */
    this.watchers = new Set();
    outbox.saved(this.saved.seq);
  }

  /** The newest board that the server is known to have. */
  get saved() {
    return this.history.newest;
  }

  /** The board that is shown: what is saved, and what is queued on top of it. */
  get board() {
    return this.foreseen.board;
  }

  /** Whether something is queued whose outcome only the server can tell. */
  get waiting() {
    return this.foreseen.waiting;
  }

  get foreseen() {
    return forecast(this.history.boards, this.queue);
  }

  /** The lines that the saved board does not have yet. @returns {import("./forecast.js").Queued[]} */
  get queue() {
    return this.outbox.pending
      .filter((/** @type {any} */ command) => command.expected_seq >= this.saved.seq)
      .flatMap((/** @type {any} */ command) => command.lines.map((/** @type {string} */ line) => ({ line, ruling: command.shown?.ruling })));
  }

  /** What this page may do: write, move the clock, or read. @returns {"write" | "clock" | "read"} */
  get mode() {
    const { role } = this.boot;
    if (role === "timekeeper" || new URLSearchParams(location.search).get("role") === "timekeeper") return "clock";
    if (this.revoked) return "read";
    return this.mayWrite && this.presence.holder?.device === this.boot.me.device ? "write" : "read";
  }

  get mayWrite() {
    return !this.revoked && (this.boot.role === "referee" || this.boot.role === "director");
  }

  /** Whether it is not known yet who the desk is. Nobody keeps a closed match. */
  get asking() {
    return this.mayWrite && this.mode === "read" && this.presence.holder === null && this.saved.status === "open";
  }

  /** Whether the server is heard and answers: a socket may look alive on a dead line. */
  get connected() {
    return this.link === "live" && this.reached && !this.outbox.silent;
  }

  /** The right to write here was taken back. */
  revoke() {
    this.revoked = true;
    this.purpose = null;
    this.changed();
  }

  /** Whose stroke the pad enters; null while none is expected. @returns {Subject | null} */
  get subject() {
    if (this.mode !== "write" || this.waiting || this.outbox.stopped) return null;
    const { board, purpose } = this;
    if (purpose !== null) return { side: purpose.side, opening: purpose.turn === 1, hand: purpose.hand, spot: purpose.hand };
    if (board.phase !== "play" || board.to_play === null || board.status === "closed") return null;
    return { side: board.to_play, opening: board.opening, hand: board.hand, spot: board.spot };
  }

  /** A board from the server; an older one than is known comes late and is nothing new. @param {Board} board */
  take(board) {
    if (!this.history.take(board)) return;
    this.outbox.saved(board.seq);
    this.changed();
    for (const watcher of this.watchers) watcher();
  }

  /** Be told of each new board. @param {() => void} watcher @returns {() => void} what ends that */
  watch(watcher) {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Who looks at the match, and who writes it. @param {Presence} presence */
  meet(presence) {
    this.presence = presence;
    this.history.held(presence.holder);
  }

  /** Whether the server answered what it was asked. @param {boolean} reached */
  reach(reached) {
    if (this.reached === reached) return;
    this.reached = reached;
    this.changed();
  }

  /** The server does not answer: the desk is who it was when this device last heard of it. */
  meetAgain() {
    if (this.presence.holder === null) this.presence = { ...this.presence, holder: this.history.holder };
    this.changed();
  }

  /** Put lines into the outbox; they go out when the server can be reached. Resolves when they are saved.
   * @param {string[]} lines @param {{ruling?: Ruling | null, words?: string}} [shown] */
  async send(lines, shown = {}) {
    const sent = this.outbox.send({ lines, shown });
    this.changed();
    try {
      const answer = await sent;
      if (answer?.board) this.take(answer.board);
    } catch {
      // a refusal stops the outbox, and that is shown until the referee has decided
    }
    this.changed();
  }

  /** Put rare lines into the outbox, after the server was asked whether they can stand there: a refusal is told at once
   * and stops nothing. Behind what is queued, or without a network, they are queued too. While the server is asked,
   * a second tap means nothing. @param {string[]} lines @returns {Promise<boolean>} whether they were taken */
  async write(lines) {
    if (this.writing) return false;
    this.writing = true;
    const refusal = await this.look(lines);
    this.writing = false;
    if (refusal === null) await this.send(lines);
    else await tell(say("That cannot be entered"), [refusal], []);
    return refusal === null;
  }

  /** Lines past the outbox, which may be full of what can only be sent after them. @param {string[]} lines */
  async direct(lines) {
    try {
      this.take((await this.post("log", { command_id: newId(), expected_seq: this.saved.seq, lines })).board);
    } catch (error) {
      await tell(say("That cannot be entered"), [error instanceof Refused ? error.message : say("NO CONNECTION")], []);
    }
    this.changed();
  }

  /** Why lines cannot stand there, in words; null where they can, or where nobody knows. @param {string[]} lines */
  async look(lines) {
    if (this.outbox.pending.length > 0 || !this.connected) return null;
    try {
      await this.ask("preview", { lines });
    } catch (error) {
      if (error instanceof Refused && error.refusal.error !== "stale") return error.message;
    }
    return null;
  }

  /** Ask what something would come to; nothing is stored. A refusal is thrown.
   * @param {"preview" | "rewrite"} what @param {object} body @returns {Promise<any>} */
  ask(what, body) {
    return this.post(what, { expected_seq: this.saved.seq, ...body });
  }

  /** @param {string} what @param {object} body @returns {Promise<any>} */
  async post(what, body) {
    return this.fetch(what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  }

  /** The sheet in the language of the page. @returns {Promise<any>} */
  sheet() {
    return this.fetch("sheet");
  }

  /** @param {string} what @param {RequestInit} [how] @returns {Promise<any>} */
  async fetch(what, how = {}) {
    const address = `/matches/${encodeURIComponent(this.boot.match)}/${what}?lang=${this.boot.lang}`;
    const response = await fetch(address, { ...how, signal: AbortSignal.timeout(TIMEOUT) }).catch((error) => {
      this.reach(false);
      throw error;
    });
    this.reach(true);
    const answer = await response.json();
    if (!response.ok) throw new Refused(answer);
    return answer;
  }

  /** Become the desk of this match, or ask who is. @param {boolean} take */
  async hold(take) {
    const answer = await this.post("desk", { take });
    this.meet({ devices: answer.devices, holder: answer.holder });
    this.changed();
  }

  /** The hall's time of day, as events are stamped with it. */
  get time() {
    return new Intl.DateTimeFormat("en-GB", { timeZone: this.boot.zone, hourCycle: "h23", timeStyle: "medium" }).format(new Date());
  }
}

/** What the server would not do. */
export class Refused extends Error {
  /** @param {Refusal} refusal */
  constructor(refusal) {
    super([refusal.message, refusal.hint].filter(Boolean).join(" – "));
    this.refusal = refusal;
  }
}

/** An error in words for the referee. @param {unknown} error */
export function inWords(error) {
  return error instanceof Refused ? error.message : say("The server does not answer: is this device still in the hall's network?");
}
