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
  const queued = queue.map(({ line, ruling }) => make("li", { class: "queued" }, make("span", {}, `${say("not sent")}: ${ruling?.[5] || line}`)));
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

/** The last word of a name, which is the one a referee calls. @param {string} name */
export function shortName(name) {
  return name.trim().split(/\s+/).at(-1) ?? name;
}
