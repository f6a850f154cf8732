// The castle: which pins fell, by touching them. It never changes the points; it names what the dots leave open.

import { say } from "../say.js";
import { ask } from "./dialogs.js";
import { button, make, write } from "./dom.js";
import { pinKey } from "./strokes.js";

/** Where the pins stand, seen from the start end: 1 top, 2 right, 3 bottom, 4 left, 5 centre. */
const PINS = ["1", "4", "5", "2", "3"];

/** @typedef {{pins: string, off: string}} Castle */

/**
 * Ask which pins fell, and which were not in play; these are told at once, for they are true whatever is saved.
 * @param {string} off @param {(castle: Castle) => {words: string, can: boolean}} preview @param {(off: string) => void} cover
 * @returns {Promise<Castle | null>}
 */
export function askCastle(off, preview, cover) {
  const castle = { pins: "", off };
  return ask(say("Which pins fell?"), (close) => {
    let covering = false; // whether a touch says that a ball covers the seat
    const words = make("p", { class: "castle-words", "aria-live": "polite" });
    const save = button(say("Save this stroke"), () => close(castle), "go");
    const targets = PINS.map((pin) => button("", () => touch(pin), `target pin-${pin}`));
    const seat = button(say("A ball covers a seat"), () => {
      covering = !covering;
      draw();
    }, "quiet");

    /** @param {string} pin */
    function touch(pin) {
      const key = covering ? "off" : "pins";
      const others = covering ? "pins" : "off";
      castle[key] = castle[key].includes(pin) ? castle[key].replace(pin, "") : [...castle[key], pin].sort().join("");
      castle[others] = castle[others].replace(pin, "");
      cover(castle.off);
      draw();
    }

    function draw() {
      targets.forEach((target, place) => {
        const pin = String(PINS[place]);
        const state = castle.off.includes(pin) ? say("not in play") : castle.pins.includes(pin) ? say("fallen") : say("standing");
        target.dataset.state = castle.off.includes(pin) ? "off" : castle.pins.includes(pin) ? "fallen" : "standing";
        target.setAttribute("aria-pressed", String(castle.pins.includes(pin)));
        target.replaceChildren(make("b", {}, pin), make("small", {}, state));
      });
      seat.setAttribute("aria-pressed", String(covering));
      const { words: text, can } = preview(castle);
      write(words, text);
      save.disabled = !can;
    }

    draw();
    return [make("div", { class: "castle", role: "group", "aria-label": say("The castle, seen from the start end") }, ...targets),
      words, make("div", { class: "choices" }, seat, save)];
  }, "castle-dialog");
}

/** The pin key that stands for a castle. @param {Castle} castle */
export function keyOf({ pins }) {
  return pinKey(pins);
}
