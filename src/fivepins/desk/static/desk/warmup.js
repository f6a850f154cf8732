// The warm-up: a timer for each player, on this tablet alone. It runs on when its question is closed.

import { say } from "../say.js";
import { sound } from "../sound.js";
import { text } from "../stopwatch.js";
import { SIDES } from "./desk.js";
import { ask } from "./dialogs.js";
import { button, make, write } from "./dom.js";

const MINUTES = [2, 3, 5, 10];
const BEAT = 200;

/** Milliseconds that were left when it was started last, and when that was; 0 while it stands. */
class Timer {
  left = 5 * 60_000;
  since = 0;

  get rest() {
    return Math.max(0, this.since ? this.left - (performance.now() - this.since) : this.left);
  }

  toggle() {
    this.left = this.rest;
    this.since = this.since ? 0 : performance.now();
  }

  /** @param {number} minutes */
  set(minutes) {
    this.left = minutes * 60_000;
    this.since = 0;
  }

  /** The time is up: it is heard, unless a stroke could take the tone for its own. */
  end() {
    if (!this.since || this.rest > 0) return;
    this.toggle();
    if (document.body.dataset.phase !== "play") sound.beep("zero");
  }
}

const timers = { A: new Timer(), B: new Timer() };
setInterval(() => SIDES.forEach((side) => timers[side].end()), BEAT);

/** Two big timers. @param {import("../types.js").Board} board */
export async function askWarmup(board) {
  /** @type {(() => void)[]} */
  const beats = [];
  const beating = setInterval(() => beats.forEach((beat) => beat()), BEAT);
  await ask(say("Warm-up"), () => [make("div", { class: "warmup" }, ...SIDES.map((side) => face(board.sides[side].name, timers[side], beats)))],
    "warmup-dialog", say("Close"));
  clearInterval(beating);
}

/** @param {string} name @param {Timer} timer @param {(() => void)[]} beats */
function face(name, timer, beats) {
  const shown = make("b", { class: "timer" });
  const start = button("", () => { timer.toggle(); beat(); }, "go");
  const lengths = MINUTES.map((minutes) => button(say("{n} min", { n: minutes }), () => { timer.set(minutes); beat(); }, "chip"));

  function beat() {
    write(shown, text(timer.rest / 1000));
    write(start, timer.since ? say("Stop") : say("Start"));
  }

  beats.push(beat);
  beat();
  return make("section", {}, make("h3", { dir: "auto" }, name), shown, start, make("div", { class: "chips" }, ...lengths));
}
