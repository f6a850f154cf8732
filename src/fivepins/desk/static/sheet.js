// The parts of a sheet as elements: the strokes of a set, its run of the score, the statistics.

import { decimal } from "./board.js";
import { say } from "./say.js";

const SVG = "http://www.w3.org/2000/svg";
const SIDES = ["A", "B"];
const MARGIN = { left: 48, right: 10, top: 14, bottom: 14 };

/** The names of the figures, as on the match paper. @type {Record<string, string>} */
const LABELS = {
  points: "Points", conceded: "Conceded", strokes: "Strokes", scored: "Scored", average: "Average",
  quotient: "Quotient", best: "Best stroke", cannons: "Cannons", casins: "Casins", pins: "Pins",
  lone_centres: "Lone centre pins", fouls: "Fouls", given: "Given", late: "Late", lost: "Lost turns",
  seconds: "Seconds", timed: "Timed strokes", unrecorded: "Unrecorded strokes", only_score: "Only the score",
};

/** Figures that are shown also where they are nothing for both. */
const ALWAYS = ["points", "strokes", "average", "best", "fouls"];

/** An element with what is in it. @param {string} tag @param {Record<string, string>} attributes @param {(Node | string)[]} inside */
function element(tag, attributes, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

/** The rows of a set, newest first. @param {any} set @param {any} board */
export function strokes(set, board) {
  return set.rows.map((/** @type {any} */ row) => stroke(row, board)).reverse();
}

/** @param {any} row @param {any} board */
function stroke(row, board) {
  const name = (/** @type {string} */ side) => board.sides[side].name;
  const words = element("td", { class: "what" }, element("b", { class: "who", "data-side": row.side, dir: "auto" }, name(row.side)), " ");
  if (row.foul) words.append(element("span", { class: "foul" }, say("foul")), " ");
  words.append(element("span", {}, row.words));
  if (row.points && row.to !== row.side) words.append(element("small", { class: "to" }, `→ ${name(row.to)}`));
  return element("tr", { "data-side": row.side },
    element("td", { class: "n" }, String(row.turn ?? "")), words,
    element("td", { class: "n points" }, row.to !== row.side && row.points ? `−${row.points}` : String(row.points)),
    element("td", { class: "n" }, `${row.A}–${row.B}`));
}

/** The run of the score: a line for each side, told apart by its pattern, its end and its name. @param {any} set @param {any} board */
export function run(set, board) {
  const { width, height, distance } = set.chart;
  const picture = draw("svg", {
    viewBox: `${-MARGIN.left} ${-MARGIN.top} ${width + MARGIN.left + MARGIN.right} ${height + MARGIN.top + MARGIN.bottom}`,
    role: "img",
    "aria-label": say("Run of the score: {a} {points_a}, {b} {points_b}", {
      a: board.sides.A.name, points_a: set.score.A, b: board.sides.B.name, points_b: set.score.B }),
  });
  for (const points of new Set([0, Math.round(distance / 2), distance])) {
    const y = height - points * height / distance;
    picture.append(draw("line", { class: "level", x1: 0, x2: width, y1: y, y2: y }),
      draw("text", { class: "level-label", x: -8, y: y + 5 }, String(points)));
  }
  for (const side of SIDES) {
    const y = end(set, side);
    picture.append(
      draw("polyline", { class: `line line-${side}`, points: set.chart[side] }),
      side === "A" ? draw("circle", { class: "end", cx: width, cy: y, r: 6 })
        : draw("rect", { class: "end", x: width - 6, y: y - 6, width: 12, height: 12 }));
  }
  return [picture, ends(set, board)];
}

/** How far below its frame's upper edge the line of a side ends. @param {any} set @param {string} side */
function end(set, side) {
  return Number(set.chart[side].split(",").pop());
}

/** Scores and names where the lines end: the room between them gives way before they would touch. @param {any} set @param {any} board */
function ends(set, board) {
  const sides = [...SIDES].sort((one, other) => end(set, one) - end(set, other));
  const heights = [0, ...sides.map((side) => end(set, side)), set.chart.height];
  const rooms = heights.slice(1).map((height, place) => {
    const room = element("i", {});
    room.style.flexGrow = String(Math.max(1, height - Number(heights[place])));
    return room;
  });
  const labels = sides.map((side) => element("p", { class: "end-label", "data-side": side },
    element("b", {}, String(set.score[side])), element("span", { dir: "auto" }, board.sides[side].name)));
  return element("div", { class: "ends" }, ...rooms.flatMap((room, place) => [room, ...labels.slice(place, place + 1)]));
}

/** @param {string} tag @param {Record<string, unknown>} attributes @param {string[]} inside */
function draw(tag, attributes, ...inside) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...inside);
  return made;
}

/** Write the statistics of both sides, each figure with what it means. @param {HTMLElement} table @param {any} sheet @param {any} board */
export function figures(table, sheet, board) {
  for (const head of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("[data-name]"))) {
    head.textContent = board.sides[String(head.dataset.name)].name;
    head.title = head.textContent;
  }
  const body = /** @type {HTMLElement} */ (table.querySelector("tbody"));
  const open = new Set([...body.querySelectorAll("details[open]")].map((one) => one.id));
  body.replaceChildren(...sheet.definitions.flatMap((/** @type {[string, string]} */ [key, definition]) => {
    const values = SIDES.map((side) => figure(sheet.statistics[side][key]));
    if (!ALWAYS.includes(key) && values.every((value) => value === "0" || value === "–")) return [];
    const label = element("details", { id: `figure-${key}` }, element("summary", {}, say(LABELS[key] ?? key)), element("p", {}, definition));
    label.toggleAttribute("open", open.has(label.id));
    return [element("tr", {}, element("th", { scope: "row" }, label), ...values.map((value) => element("td", { class: "n" }, value)))];
  }));
}

/** A figure as text: rates with decimals, fouls as their number. @param {any} value */
function figure(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "object") return String(Object.values(value).reduce((sum, count) => sum + count, 0));
  return Number.isInteger(value) ? String(value) : decimal(value);
}
