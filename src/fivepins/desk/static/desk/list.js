// The strokes of the set in words, newest first; those not sent yet are marked. A tap opens one.

import { say } from "../say.js";
import { make } from "./dom.js";
import { rulingWords } from "./pad.js";

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
  const queued = queue.map((one) => make("li", { class: "queued" }, make("b", {}, say("not sent")), " ", inWords(one, board)));
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

/** What was queued, as the buttons call it; a text that was typed follows them.
 * @param {import("./forecast.js").Queued} queued @param {Board} board */
function inWords({ line, ruling }, board) {
  const [word = "", what = "", side = ""] = line.split(" ");
  const whose = (what === "A" || what === "B" ? what : side) === "A" ? "A" : "B";
  const names = { name: board.sides[whose].name, n: board.lag.caused[whose] };
  if (/^\d+\.$/.test(word)) return strokeWords({ line, ruling }, board, what === "A" ? "A" : "B");
  const text = /"(.*)"/.exec(line)?.[1]?.replaceAll('\\"', '"') ?? "";
  const said = text === word ? "" : text; // an undo without a reason says its own name
  return [lineWords(word, what, side, names) ?? (text ? "" : line), said].filter(Boolean).join(": ");
}

/** @param {string} word @param {string} what @param {string} side @param {{name: string, n: number}} names */
function lineWords(word, what, side, names) {
  switch (word) {
    case "undo": return say("Undo");
    case "lag": return lagWords(what, side, names);
    case "Status:": return what === "closed" ? say("Close the match") : say("Open the match again");
    case "good": return say("Good – set for {name}", names);
    case "set": return say("Start set {number}: {name} opens", { number: what, ...names });
    case "pause": return what === "refused" ? say("{name} refuses the break", names) : say("Break");
    case "late": return say("{name} is late: 2 points to the opponent", names);
    case "extra": return `${names.name}: ${say("Extra time")}`;
    case "suspend": return say("Interrupted");
    case "resume": return say("The match goes on");
    case "note": return say("Note");
    case "protest": return say("Protest");
    case "decision": return say("Decision");
    case "penalty": return `${names.name}: ${say("Penalty")}`;
    case "referee": return say("Referee");
    case "fix": return say("Stroke {turn} is corrected", { turn: what });
    default: return null; // a rare line: the text in it, or as it is written
  }
}

/** @param {string} what @param {string} side @param {{name: string, n: number}} names */
function lagWords(what, side, names) {
  if (what === "repeat") return side ? say("Repeat because of {name} ({n})", names) : say("Repeat, nobody's fault");
  return what === "forfeit" ? say("{name} loses the choice", names) : say("{name} nearer", names);
}

/** A stroke as the list has it once it is saved. @param {import("./forecast.js").Queued} queued @param {Board} board @param {import("../types.js").Side} side */
function strokeWords({ line, ruling }, board, side) {
  const { name } = board.sides[side];
  if (ruling) return `${shortName(name)}: ${rulingWords(ruling, board, side)}`;
  return / lost /.test(line) ? say("{name} loses the turn: 2 points to the opponent", { name }) : line;
}

/** The last word of a name, which is the one a referee calls. @param {string} name */
export function shortName(name) {
  return name.trim().split(/\s+/).at(-1) ?? name;
}
