// A board written into the markup of templates/board.html. Every screen shows the same words; styles choose.

import { boot, say } from "./say.js";
import { remaining } from "./stopwatch.js";

/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Side} Side */

/** @type {Side[]} */
const SIDES = ["A", "B"];

/** Write a board into its markup. @param {HTMLElement} root @param {Board} board */
export function draw(root, board) {
  root.dataset.phase = board.phase;
  root.classList.toggle("long", SIDES.some((side) => board.sides[side].score > 99));
  for (const side of SIDES) {
    const part = /** @type {HTMLElement} */ (root.querySelector(`[data-side="${side}"]`));
    part.dataset.colour = board.sides[side].colour ?? "";
    part.dataset.turn = turn(board, side) && (board.to_play === side ? "play" : "other");
  }
  put(root, texts(board));
}

/** Write texts where the markup names them; what has none disappears. @param {HTMLElement} root @param {Record<string, unknown>} values */
export function put(root, values) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-put]"))) {
    const text = String(values[String(place.dataset.put)] ?? "");
    if (place.textContent !== text) place.textContent = text;
    place.hidden = text === "";
    if (place.classList.contains("b-name")) {
      place.title = text; // a long name is cut on the screen
      place.style.setProperty("--letters", String([...text].length)); // and written smaller before that
    }
  }
}

/** What a board says, by the names in the markup. @param {Board} board */
function texts(board) {
  const { A, B } = board.sides;
  return {
    table: board.table,
    where: [board.event, board.round].filter(Boolean).join(" · "),
    terms: terms(board),
    set: board.sets > 1 && board.set ? say("Set {number}", { number: board.set }) : "",
    sets: board.sets > 1 ? `${A.sets} : ${B.sets}` : "",
    phase: phase(board),
    last: board.ended || last(board),
    spoken: `${A.name} ${A.score}, ${B.name} ${B.score}. ${board.ended || last(board)}`,
    ...sideTexts(board, "A"),
    ...sideTexts(board, "B"),
  };
}

/** @param {Board} board @param {Side} side */
function sideTexts(board, side) {
  const one = board.sides[side];
  return {
    [`${side}.name`]: one.name,
    [`${side}.ball`]: ball(one.colour),
    [`${side}.score`]: one.score,
    [`${side}.turn`]: turn(board, side),
    [`${side}.hand`]: board.to_play === side && board.hand ? say("ball in hand") : "",
    [`${side}.needs`]: one.missing > 0 && board.phase !== "over" ? say("needs {n}", { n: one.missing }) : "",
    [`${side}.figures`]: [
      one.start ? say("start {n}", { n: one.start }) : "",
      one.average === null ? "" : say("average {value}", { value: decimal(one.average) }),
      one.best ? say("best {value}", { value: one.best }) : "",
      one.fouls ? say("fouls {value}", { value: one.fouls }) : "",
    ].filter(Boolean).join(" · "),
  };
}

/** @param {string | null} colour */
function ball(colour) {
  if (colour === null) return "";
  return colour === "white" ? say("white ball") : say("yellow ball");
}

/** What a side is to do, or has done. @param {Board} board @param {Side} side */
function turn(board, side) {
  if (board.winner === side) return say("winner");
  if (board.over) return "";
  if (board.set_winner === side) return say("set won");
  if (board.to_play === side) return say("to play");
  return board.phase === "between" && board.opener === side ? say("opens") : "";
}

/** @param {Board} board */
function terms(board) {
  const { A, B } = board.sides;
  const distance = A.distance === B.distance ? A.distance : `${A.distance}/${B.distance}`;
  return board.sets > 1 ? say("best of {sets} to {distance}", { sets: board.sets, distance }) : say("one set to {distance}", { distance });
}

/** Where the match is, when no stroke is expected. @param {Board} board */
function phase(board) {
  switch (board.phase) {
    case "lag": return say("Lag");
    case "between": return say("Between the sets");
    case "distance": return say("Distance reached");
    case "suspended": return say("Interrupted");
    case "over": return say("Over");
    default: return "";
  }
}

/** The last stroke in words. @param {Board} board */
function last(board) {
  if (!board.last) return "";
  const { side, to, words, points } = board.last;
  const other = points && to && to !== side ? ` → ${board.sides[to].name}` : "";
  return `${board.sides[side].name}: ${words}${other}`;
}

/** A figure with two decimals, as the language of the page writes it. @param {number} value */
export function decimal(value) {
  return value.toLocaleString(boot.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** Write the time that is left, by the clock of the server. @param {HTMLElement} root @param {Board} board @param {number} now */
export function tick(root, board, now) {
  const row = /** @type {HTMLElement} */ (root.querySelector("[data-clock]"));
  const left = board.limit ? remaining(board.clock, board.limit, now) : null;
  row.hidden = left === null;
  if (left === null || board.limit === null) return;
  const shown = say("{n} s", { n: Math.max(0, Math.ceil(left)) });
  const seconds = /** @type {HTMLElement} */ (row.querySelector("[data-seconds]"));
  if (seconds.textContent !== shown) seconds.textContent = shown;
  row.dataset.left = left <= 0 ? "none" : left <= 10 ? "little" : "enough";
  row.style.setProperty("--left", String(Math.max(0, left / board.limit.seconds)));
}
