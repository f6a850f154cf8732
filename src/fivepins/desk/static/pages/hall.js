// All tables of the hall at once, in the grid that gives the scores the largest digits.

import { awake } from "../awake.js";
import { draw, tick } from "../board.js";
import { connect } from "../live.js";
import { boot } from "../say.js";

const grid = /** @type {HTMLElement} */ (document.querySelector(".tables"));
const one = /** @type {HTMLTemplateElement} */ (document.querySelector("#one"));
const none = /** @type {HTMLElement} */ (document.querySelector(".none"));
const sleep = /** @type {HTMLElement} */ (document.querySelector(".sleep"));
const lost = /** @type {HTMLElement} */ (document.querySelector(".link-lost"));

/** How wide two digits of a score are, as a part of their height in the style sheet: fonts differ by a third. */
const WIDE = (() => {
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  pen.font = `bold 100px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText("00").width / 100;
})();
const ACROSS = 0.42; // of the width of a table, for the score of a side
const DOWN = 0.48; // of its height

/** @typedef {import("../board.js").Board} Board */
/** What stands at each table, and where it is drawn. @type {Map<string, {place: HTMLElement, board: Board | null}>} */
const tables = new Map();

/** As many places as the hall has tables, in its order. @param {string[]} names */
function arrange(names) {
  for (const name of [...tables.keys()].filter((known) => !names.includes(known))) tables.delete(name);
  for (const name of names) if (!tables.has(name)) tables.set(name, { place: place(name), board: null });
  grid.replaceChildren(...names.map((name) => /** @type {{place: HTMLElement}} */ (tables.get(name)).place));
  none.hidden = names.length > 0;
  fit();
}

/** @param {string} name */
function place(name) {
  const part = /** @type {HTMLElement} */ (one.content.firstElementChild?.cloneNode(true));
  /** @type {HTMLElement} */ (part.querySelector(".free span")).textContent = name;
  set(part, null);
  return part;
}

/** @param {HTMLElement} part @param {Board | null} board */
function set(part, board) {
  const root = /** @type {HTMLElement} */ (part.querySelector(".board"));
  root.hidden = board === null;
  /** @type {HTMLElement} */ (part.querySelector(".free")).hidden = board !== null;
  if (board !== null) draw(root, board);
}

/** @param {string} name @param {Board | null} board */
function show(name, board) {
  const table = tables.get(name);
  if (table === undefined) return;
  table.board = board;
  set(table.place, board);
}

/** Columns so that the digits come out as large as they can: a board is best about 1.8 times as wide as high. */
function fit() {
  const { clientWidth, clientHeight } = grid;
  let best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= tables.size; columns++) {
    const rows = Math.ceil(tables.size / columns);
    const size = Math.min(ACROSS * clientWidth / columns / WIDE, DOWN * clientHeight / rows);
    if (size > best.size) best = { columns, size };
  }
  grid.style.setProperty("--digits", `${best.size}px`);
  grid.style.setProperty("--columns", String(best.columns));
  grid.style.setProperty("--rows", String(Math.ceil(tables.size / best.columns)));
}

const feed = connect({ hall: 1, kind: "board", lang: boot.lang }, {
  message: (message) => {
    if (message.tables) arrange(message.tables);
    const boards = message.boards ?? {};
    const missing = Object.keys(boards).filter((name) => !tables.has(name));
    if (missing.length) arrange([...tables.keys(), ...missing]);
    // With the list of tables come all boards there are: a table without one is free.
    for (const name of message.tables ?? Object.keys(boards)) show(name, boards[name] ?? null);
    beat();
  },
  status: (status) => { lost.hidden = status === "live"; },
});

function beat() {
  for (const { place: part, board } of tables.values()) if (board !== null) tick(part, board, feed.now());
}

addEventListener("resize", fit);
setInterval(beat, 200);
awake.start((state) => { sleep.hidden = state === "held"; });
