// The warm-up: a timer for each player, on this tablet alone.

import { say } from "../say.js";
import { text } from "../stopwatch.js";
import { ask } from "./dialogs.js";
import { button, make, write } from "./dom.js";

const MINUTES = [2, 3, 5, 10];

/** Two big timers. @param {import("../types.js").Board} board */
export async function askWarmup(board) {
  /** @type {(() => void)[]} */
  const beats = [];
  const beating = setInterval(() => beats.forEach((beat) => beat()), 200);
  await ask(say("Warm-up"), () => [make("div", { class: "warmup" }, timer(board.sides.A.name, beats), timer(board.sides.B.name, beats))], "warmup-dialog");
  clearInterval(beating);
}

/** @param {string} name @param {(() => void)[]} beats */
function timer(name, beats) {
  let left = 5 * 60_000;
  let since = 0;
  const shown = make("b", { class: "timer" });
  const start = button("", toggle, "go");

  function rest() {
    return Math.max(0, since ? left - (performance.now() - since) : left);
  }

  function toggle() {
    left = rest();
    since = since ? 0 : performance.now();
    beat();
  }

  /** @param {number} minutes */
  function set(minutes) {
    left = minutes * 60_000;
    since = 0;
    beat();
  }

  function beat() {
    write(shown, text(rest() / 1000));
    write(start, since ? say("Stop") : say("Start"));
  }

  beats.push(beat);
  beat();
  const lengths = MINUTES.map((minutes) => button(say("{n} min", { n: minutes }), () => set(minutes), "chip"));
  return make("section", {}, make("h3", { dir: "auto" }, name), shown, start, make("div", { class: "chips" }, ...lengths));
}
