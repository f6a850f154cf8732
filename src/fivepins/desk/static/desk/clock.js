// The clock bar: what is left of the stroke's time, and the commands to the clock. They never wait: late, they would be wrong.

import { newId } from "../ids.js";
import { say } from "../say.js";
import { sound } from "../sound.js";
import { elapsed, remaining, text } from "../stopwatch.js";
import { all, one, write } from "./dom.js";

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Clock} Clock */

const LITTLE = 10;
const TIMEOUT = 4_000;
/** @type {Clock} */
const STILL = { running: false, since: 0, held: 0, from: 0, ask: false };

export class ClockBar {
  /** @param {string} match @param {() => number} now the server's clock in milliseconds */
  constructor(match, now) {
    this.match = match;
    this.now = now;
    this.bar = one("#clock");
    /** @type {Clock} */
    this.clock = STILL;
    /** @type {Board["limit"]} */
    this.limit = null;
    this.seen = ""; // the clock of the server as it was last heard
    this.asked = 0; // commands on their way
    this.sent = Promise.resolve();
    this.whole = false;
    this.left = Infinity;
  }

  /** The board that is shown now. @param {Board} board */
  show(board) {
    this.beat(); // a beep that has become due is heard although the clock is reset in the same moment
    const heard = JSON.stringify([board.clock, board.set, board.turn, board.late]);
    if (heard !== this.seen && this.asked === 0) {
      this.seen = heard;
      this.take(board.clock);
    }
    const began = this.limit?.period !== board.limit?.period || this.limit?.seconds !== board.limit?.seconds;
    this.limit = board.limit;
    this.board = board;
    if (began) this.left = Infinity;
    for (const part of all("[data-clocked]")) part.hidden = board.limit === null;
    this.beat();
  }

  /** @param {Clock} clock */
  take(clock) {
    if (!clock.running && clock.held === 0) this.whole = true; // what starts from nothing is measured from the beginning
    if (clock.ask) this.whole = false;
    this.clock = clock;
  }

  /** Seconds of this stroke so far. */
  get used() {
    return elapsed(this.clock, this.now());
  }

  /** Whole seconds to be written down; null where the clock has not run from the beginning of the stroke. */
  get seconds() {
    return this.whole && this.used > 0 ? Math.floor(this.used) : null;
  }

  get isOver() {
    return this.limit !== null && this.left <= 0;
  }

  /** Balls at rest, or stop. */
  toggle() {
    this.command(this.clock.running ? "stop" : "start");
  }

  /** Stop, or go on. The presenter's second key. */
  hold() {
    if (this.clock.running || this.clock.held > 0) this.toggle();
  }

  reset() {
    this.command("reset");
  }

  /** A stroke was entered: nothing of its time is left here, whatever the line to the server does. */
  clear() {
    this.beat();
    this.clock = { ...STILL, since: this.now() };
    this.whole = true;
    this.left = Infinity;
    this.beat();
  }

  /** @param {"start" | "stop" | "reset"} action */
  async command(action) {
    if (this.limit === null || this.board === undefined) return;
    const held = action === "reset" ? 0 : this.used;
    this.clock = { ...this.clock, running: action === "start", since: this.now(), held, ask: false };
    if (action === "reset") this.clock = { ...this.clock, from: 0 };
    this.beat();
    this.asked += 1;
    this.sent = this.sent.then(() => this.post(action, held)); // two quick taps must not overtake each other
    await this.sent;
  }

  /** @param {"start" | "stop" | "reset"} action @param {number} held */
  async post(action, held) {
    try {
      const response = await fetch(`/matches/${encodeURIComponent(this.match)}/clock`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ command_id: newId(), action, elapsed: held }),
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const answer = await response.json();
      if (response.ok && answer.clock && this.asked === 1) this.clock = answer.clock;
    } catch {
      // the clock of this tablet runs on; the page shows that the line is dead
    } finally {
      this.asked -= 1;
    }
  }

  /** Draw, and beep when the time crosses ten seconds and nothing. */
  beat() {
    if (this.limit === null) return;
    const left = remaining(this.clock, this.limit, this.now());
    if (this.clock.running) this.warn(left);
    this.left = left;
    write(one("[data-seconds]", this.bar), text(left));
    write(one("[data-hint]", this.bar), this.hint());
    this.bar.dataset.left = left <= 0 ? "none" : left <= LITTLE ? "little" : "enough";
    this.bar.dataset.running = String(this.clock.running);
    this.bar.setAttribute("aria-pressed", String(this.clock.running));
    this.bar.style.setProperty("--left", String(Math.min(1, Math.max(0, left / this.limit.seconds))));
    /** @type {HTMLButtonElement} */ (one("#time")).disabled = left > 0;
  }

  hint() {
    if (this.clock.ask) return say("The server was started anew: is this right? Tap to go on");
    if (this.clock.running) return say("tap: stop");
    return this.clock.held > 0 ? say("stopped: tap to go on") : say("tap: balls at rest");
  }

  /** @param {number} left */
  warn(left) {
    for (const [at, what] of /** @type {const} */ ([[LITTLE, "ten"], [0, "zero"]])) {
      if (this.left > at && left <= at && this.left !== Infinity) {
        sound.beep(what);
        navigator.vibrate?.(at === 0 ? [300, 100, 300] : 200);
      }
    }
  }
}
