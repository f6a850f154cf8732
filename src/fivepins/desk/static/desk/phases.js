// What stands in the place of the pad while no stroke is expected: lag, between the sets, "good", the end.

import { put } from "../board.js";
import { say } from "../say.js";
import { text } from "../stopwatch.js";
import { SIDES } from "./desk.js";
import { choose, reason } from "./dialogs.js";
import { all, one, write } from "./dom.js";
import { quoted } from "./strokes.js";

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Side} Side */

const DAY = 86_400;

export class Phases {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk;
  }

  draw() {
    const { desk } = this;
    const { board } = desk;
    const shown = this.shown(board);
    for (const panel of all(".panel")) {
      panel.hidden = panel.dataset.phase !== shown;
      if (!panel.hidden) put(panel, this.texts(board));
    }
    one("#pad").hidden = !desk.asking && (desk.mode !== "write" || (desk.purpose === null && shown !== "play"));
    const flags = this.flags(board);
    for (const part of all("[data-when]")) part.hidden = !flags.has(String(part.dataset.when));
    for (const side of SIDES) {
      const opens = board.opener === null || board.opener === side;
      one(`.panel[data-phase="between"] [data-do="open ${side}"]`).hidden = !opens;
    }
    this.beat();
  }

  /** Which panel stands in the place of the pad. Nobody keeps a closed match, so whoever may write finds its end.
   * @param {Board} board */
  shown(board) {
    const { desk } = this;
    if (board.status === "closed" && desk.mayWrite) return "over";
    if (desk.purpose !== null || desk.mode !== "write") return "";
    return desk.waiting ? "waiting" : board.phase;
  }

  /** @param {Board} board */
  flags(board) {
    const flags = new Set([board.chooser === null ? "undecided" : "decided", board.status === "closed" ? "closed" : "open"]);
    if (board.pause !== "none") flags.add("pause");
    if (!board.referee) flags.add("unnamed");
    if (this.desk.boot.role === "director") flags.add("director");
    return flags;
  }

  /** @param {Board} board @returns {Record<string, string>} */
  texts(board) {
    const name = (/** @type {Side} */ side) => board.sides[side].name;
    const next = board.set + 1;
    const winner = leader(board);
    /** @type {Record<string, string>} */
    const texts = {
      chooses: board.chooser ? say("{name} chooses who opens.", { name: name(board.chooser) }) : "",
      between: board.sets > 1 ? say("After set {number}: {a} : {b}", { number: board.set, a: board.sides.A.sets, b: board.sides.B.sets }) : say("Between the sets"),
      good: winner ? say("Good – set for {name}", { name: name(winner) }) : "",
      goodscore: `${board.sides.A.score} – ${board.sides.B.score}`,
      over: board.winner ? say("{name} has won: {result}", { name: name(board.winner), result: score(board) }) : [say("The match is over"), board.ended].filter(Boolean).join(": "),
      signer: board.referee || say("Referee"),
    };
    for (const side of SIDES) {
      const values = { name: name(side), number: next, n: board.lag.caused[side] };
      Object.assign(texts, {
        [`${side}.name`]: name(side),
        [`${side}.nearer`]: say("{name} nearer", values),
        [`${side}.repeat`]: say("Repeat because of {name} ({n})", values),
        [`${side}.forfeit`]: say("{name} loses the choice", values),
        [`${side}.opens`]: board.chooser === null || board.chooser === side ? say("{name} opens", values) : say("Opponent {name} opens", values),
        [`${side}.starts`]: say("Start set {number}: {name} opens", values),
        [`${side}.refuses`]: say("{name} refuses the break", values),
      });
    }
    return texts;
  }

  /** The set is over, as the referee says. */
  good() {
    const { board } = this.desk;
    const winner = leader(board);
    if (winner === null || board.phase !== "distance") return;
    this.desk.write([`good ${winner} ${board.sides.A.score}-${board.sides.B.score} at=${this.desk.time}`]);
  }

  /** A set begins. @param {Side} side */
  open(side) {
    const { board } = this.desk;
    this.desk.write([`set ${board.set + 1} ${side} at=${this.desk.time}`]);
  }

  /** Start the set whose opener is certain; whether there was one. */
  openNext() {
    const { board } = this.desk;
    if (board.phase !== "between" || board.opener === null) return false;
    this.open(board.opener);
    return true;
  }

  /** Who opens without a lag. */
  async withoutLag() {
    const { board } = this.desk;
    const side = await choose(say("Who opens?"), SIDES.map((value) => ({ value, label: board.sides[value].name, kind: "go" })));
    if (side === "A" || side === "B") this.open(side);
  }

  /** The break of article 26; one that the rule set does not give now is asked about. */
  async pause() {
    const { board } = this.desk;
    const isGiven = board.pause !== "none"
      || await choose(say("Break"), [{ value: "all the same", label: say("Break all the same"), kind: "late" }], breakRule(board)) !== null;
    if (isGiven) await this.desk.write([`pause ${board.minutes}:00 at=${this.desk.time}`]);
  }

  /** What is left of the break: counted from its line, so that a page opened anew shows the same. */
  beat() {
    const { board } = this.desk;
    const left = board.break && board.break.seconds - since(board.break.at, this.desk.time);
    for (const timer of all(".break-timer")) {
      timer.hidden = left === null;
      if (left !== null) write(one("b", timer), text(left));
    }
  }

  /** Signed and closed: who has not signed is written down. */
  async close() {
    const { board } = this.desk;
    const names = { A: board.sides.A.name, B: board.sides.B.name, referee: board.referee || say("Referee") };
    const missing = /** @type {HTMLInputElement[]} */ (all(".signatures input")).filter((box) => !box.checked)
      .map((box) => names[/** @type {keyof typeof names} */ (box.name)]);
    const unsigned = missing.length ? say("Not signed: {names}", { names: missing.join(", ") }) : "";
    const said = await choose(say("Close the match?"), [{ value: "close", label: say("Close the match"), hold: missing.length > 0, kind: "go" }], unsigned);
    if (said === "close") this.desk.write([...(unsigned ? [`note ${quoted(unsigned)}`] : []), "Status: closed"]);
  }

  /** Only a director, and only with a reason. */
  async reopen() {
    const why = await reason(say("Open the match again"));
    if (why !== null) await this.desk.direct(["Status: open", `decision ${quoted(why)} by ${quoted(this.desk.boot.me.name || say("Director"))}`]);
  }
}

/** When a break may come, which is not now. @param {Board} board */
function breakRule({ sets, terms: { breaks } }) {
  if (sets === 1) return say("The rule set gives one break, in the middle of the distance. Now it gives none.");
  if (breaks.length === 0) return say("The rule set gives no break in a match of this length.");
  return say("The rule set gives a break only after set {sets}, and once. Now it gives none.", { sets: breaks.join(", ") });
}

/** Seconds from one time of day to another, over midnight too. @param {string} at @param {string} time */
function since(at, time) {
  const [from = 0, to = 0] = [at, time].map((text) => text.split(":").map(Number).reduce((sum, part, place) => sum + part * 60 ** (2 - place), 0));
  const passed = to - from;
  return passed < -DAY / 2 ? passed + DAY : Math.max(0, passed); // a clock that is a little slow
}

/** Who has reached the distance. @param {Board} board @returns {Side | null} */
export function leader(board) {
  return SIDES.find((side) => board.sides[side].missing <= 0) ?? null;
}

/** The result as it is said: how it came before the last point; else sets, or points where there was one set. @param {Board} board */
function score(board) {
  const { A, B } = board.sides;
  if (board.ended) return board.ended;
  return board.sets > 1 ? `${A.sets} : ${B.sets}` : `${A.score} : ${B.score}`;
}
