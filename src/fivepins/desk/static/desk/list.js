// The strokes of the set in words, newest first; those not sent yet are marked. A tap opens one.

import { say } from "../say.js";
import { make } from "./dom.js";

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Row} Row */

/** Whether a row is a stroke that can be corrected: a time limit or a penalty is not. @param {Row} row */
function isStroke(row) {
  return row.turn !== null && !["late", "lost", "penalty"].includes(row.facts ?? "");
}

/**
 * The rows as buttons. @param {Row[]} rows @param {import("./forecast.js").Queued[]} queue @param {Board} board
 * @param {(row: Row) => void} open
 */
export function strokeList(rows, queue, board, open) {
  const queued = queue.map((one) => make("li", { class: "queued" }, make("span", {}, `${say("not sent")}: ${inWords(one, board)}`)));
  const saved = rows.map((row) => make("li", { class: row.foul ? "foul" : "" }, rowButton(row, board, open)));
  return [...saved, ...queued].reverse();
}

/** @param {Row} row @param {Board} board @param {(row: Row) => void} open */
function rowButton(row, board, open) {
  const name = board.sides[row.side].name;
  const points = row.foul && row.points ? `→ ${row.points}` : String(row.points);
  return make("button", { type: "button", disabled: !isStroke(row), title: `${name}: ${row.words}`, onclick: () => open(row) },
    make("span", { class: "l-turn" }, String(row.turn ?? "")), make("b", { class: "l-side", dir: "auto" }, shortName(name)),
    make("span", { class: "l-words" }, row.words), make("b", { class: "l-points" }, points));
}

/** What was queued, as the buttons call it; a rare line as it is written.
 * @param {import("./forecast.js").Queued} queued @param {Board} board */
function inWords({ line, ruling }, board) {
  const [word = "", what = "", side = ""] = line.split(" ");
  const name = (/** @type {string} */ letter) => board.sides[letter === "A" ? "A" : "B"].name;
  switch (word) {
    case "undo": return say("Undo");
    case "good": return say("Good – set for {name}", { name: name(what) });
    case "set": return say("Start set {number}: {name} opens", { number: what, name: name(side) });
    case "pause": return what === "refused" ? say("{name} refuses the break", { name: name(side) }) : say("Break");
    default: return ruling?.[5] || line;
  }
}

/** The last word of a name, which is the one a referee calls. @param {string} name */
export function shortName(name) {
  return name.trim().split(/\s+/).at(-1) ?? name;
}
