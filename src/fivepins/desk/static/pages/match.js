// A match for those who watch: the board, the strokes of a set in words, its run of the score, the statistics.

import { draw, tick } from "../board.js";
import { connect } from "../live.js";
import { boot, say } from "../say.js";
import { figures, run, strokes } from "../sheet.js";

const match = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const root = one(".board");
const tabs = one(".set-tabs");
const lost = one(".link-lost");

/** What is known of each set, by its number. @type {Map<number, any>} */
const sets = new Map();

/** @type {any} */
let board = boot.board ?? null;
/** @type {any} */
let sheet = boot.sheet ?? null;
let chosen = 0; // the set that was asked for; 0 follows the play
let stale = false;

/** @param {string} selector @returns {HTMLElement} */
function one(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

/** Keep what a sheet brings; false where a set is missing, or changed while nobody looked. @param {any} news */
function keep(news) {
  for (const set of news.sets) sets.set(set.number, set);
  for (const number of [...sets.keys()]) if (number > news.count) sets.delete(number);
  const closed = [...sets.values()].filter((set) => set.number < news.count);
  const definitions = news.definitions.length ? news.definitions : sheet?.definitions; // they travel once
  sheet = { ...news, definitions };
  return definitions !== undefined && sets.size === news.count && closed.every((set) => set.winner !== null && isAsFinished(set));
}

/** Whether a closed set ends as the board says it ended. @param {any} set */
function isAsFinished(set) {
  const finished = board?.finished?.find((/** @type {any} */ other) => other.set === set.number);
  return finished === undefined || (finished.A === set.score.A && finished.B === set.score.B);
}

async function fetchAll() {
  const response = await fetch(`/matches/${encodeURIComponent(match)}/sheet?lang=${boot.lang}`);
  if (!response.ok) return;
  keep(await response.json());
  show();
}

function show() {
  if (board !== null) {
    draw(root, board);
    const { A, B } = board.sides;
    document.title = `${A.name} ${A.score} – ${B.score} ${B.name}`;
  }
  if (!sheet?.definitions || board === null) return; // the whole sheet is on its way
  const number = sets.has(chosen) ? chosen : Math.max(0, ...sets.keys());
  showTabs(number);
  showSet(sets.get(number));
  figures(one(".figures"), sheet, board);
  one(".remarks").hidden = sheet.remarks.length === 0;
  one(".remarks ul").replaceChildren(...sheet.remarks.map((/** @type {string} */ text) => element("li", text)));
}

/** @param {number} current */
function showTabs(current) {
  tabs.hidden = sets.size < 2;
  const buttons = [...sets.values()].sort((a, b) => a.number - b.number).map((set) => {
    const button = element("button", `${say("Set {number}", { number: set.number })} · ${set.score.A}–${set.score.B}`);
    button.id = `set-${set.number}`;
    button.setAttribute("role", "tab");
    button.setAttribute("aria-controls", "set");
    button.setAttribute("aria-selected", String(set.number === current));
    button.tabIndex = set.number === current ? 0 : -1;
    return button;
  });
  const focused = tabs.contains(document.activeElement);
  tabs.replaceChildren(...buttons);
  one("#set").setAttribute("aria-labelledby", `set-${current}`);
  if (focused) document.getElementById(`set-${current}`)?.focus();
}

/** @param {any} set */
function showSet(set) {
  one(".no-strokes").hidden = set !== undefined && set.rows.length > 0;
  one(".no-strokes").textContent = set?.winner ? say("only the score is known") : say("No strokes yet");
  one(".strokes").hidden = !one(".no-strokes").hidden;
  one(".set-title").textContent = set === undefined ? "" : title(set);
  one(".run").replaceChildren(...(set === undefined ? [] : run(set, board)));
  one(".strokes tbody").replaceChildren(...(set === undefined ? [] : strokes(set, board)));
}

/** @param {any} set */
function title(set) {
  const name = (/** @type {string} */ side) => board.sides[side]?.name ?? "";
  return [
    board.sets > 1 ? say("Set {number}", { number: set.number }) : "",
    set.opener ? say("opened by {name}", { name: name(set.opener) }) : "",
    won(set, name(set.winner)),
  ].filter(Boolean).join(" · ");
}

/** How a set was closed. @param {any} set @param {string} name */
function won(set, name) {
  if (!set.winner) return say("not finished");
  return set.awarded ? say("awarded to {name}", { name }) : say("won by {name}", { name });
}

/** @param {string} tag @param {string} text */
function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** @param {number} number */
function choose(number) {
  chosen = number === Math.max(...sets.keys()) ? 0 : number;
  show();
}

tabs.addEventListener("click", (event) => {
  const tab = /** @type {HTMLElement} */ (event.target).closest("[role=tab]");
  if (tab !== null) choose(Number(tab.id.slice(4)));
});

tabs.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const tab = /** @type {HTMLElement} */ (event.target).closest("[role=tab]");
  const next = Number(tab?.id.slice(4)) + (step ?? 0);
  if (step !== undefined && sets.has(next)) {
    choose(next);
    document.getElementById(`set-${next}`)?.focus();
  }
});

if (sheet !== null) keep(sheet);
show();
const feed = connect({ match, kind: "sheet", lang: boot.lang }, {
  message: (message) => {
    if (message.board) board = message.board;
    if (message.sheet && !keep(message.sheet)) fetchAll();
    if (message.board || message.sheet) show();
  },
  status: (status) => {
    lost.hidden = status === "live";
    if (status === "live" && stale) fetchAll(); // a set may have changed and closed meanwhile
    stale = status !== "live";
  },
});

setInterval(() => { if (board !== null) tick(root, board, feed.now()); }, 200);
