// A stroke is entered: at the end of the match, in the place of another, or before one that was forgotten.

import { say } from "../say.js";
import { sound } from "../sound.js";
import { askCastle, keyOf } from "./castle.js";
import { inWords } from "./desk.js";
import { reason, tell } from "./dialogs.js";
import { make } from "./dom.js";
import { askFacts } from "./facts.js";
import { other } from "./forecast.js";
import { rulingWords } from "./pad.js";
import { check, facts, presses, quoted, turnLine } from "./strokes.js";

/** @typedef {import("./strokes.js").Prefix} Prefix */
/** @typedef {import("../types.js").Preview} Preview */
/** @typedef {import("../types.js").Ruling} Ruling */

export class Entry {
  /** @param {import("./desk.js").Desk} desk @param {import("./pad.js").Pad} pad @param {import("./clock.js").ClockBar} clock */
  constructor(desk, pad, clock) {
    this.desk = desk;
    this.pad = pad;
    this.clock = clock;
  }

  /** A pin key ended a stroke. @param {Prefix} prefix @param {string} key @param {string} [pins] */
  async commit(prefix, key, pins = "") {
    const subject = this.desk.subject;
    if (subject === null) return;
    const known = this.pad.rulings?.of(subject.opening, prefix, key);
    const ruling = known ?? await this.asked(prefix, key);
    if (ruling) await this.save([facts(ruling[0], prefix, pins), ...rest(ruling)]);
  }

  /** What keys come to that the table does not hold: the server is asked, the referee confirms. @param {Prefix} prefix @param {string} key
   * @returns {Promise<Ruling | null>} */
  async asked(prefix, key) {
    try {
      const preview = /** @type {Preview} */ (await this.desk.ask("preview", { keys: presses(prefix, key) }));
      const ruling = asRuling(preview);
      const striker = this.desk.subject?.side ?? "A";
      const said = await tell(say("Save this stroke?"), [rulingWords(ruling, this.desk.board, striker), ruling[6]],
        [{ value: "save", label: say("Save"), kind: "go" }]);
      return said === "save" ? ruling : null;
    } catch (error) {
      await tell(say("That cannot be entered"), [inWords(error)], []);
      return null;
    }
  }

  /** Name the pins of a stroke; a key that was held says how many it is about. @param {Prefix} prefix @param {string} key */
  async castle(prefix, key) {
    const subject = this.desk.subject;
    const { rulings } = this.pad;
    if (subject === null || rulings === null) return;
    const chosen = await askCastle(prefix.off, ({ pins, off }) => {
      if (key && key !== "0" && pins === "") return { words: say("Which pins fell?"), can: false };
      const down = { ...prefix, off };
      const ruling = rulings.of(subject.opening, down, keyOf({ pins, off }));
      if (ruling) return { words: rulingWords(ruling, this.desk.board, subject.side), can: true };
      const can = rulings.canEnd(subject.opening, down, keyOf({ pins, off }));
      return { words: can ? say("The server is asked what this comes to") : say("That cannot have happened in one stroke"), can };
    }, (off) => this.pad.cover(off));
    if (chosen) await this.commit({ ...prefix, off: chosen.off }, keyOf(chosen), chosen.pins);
  }

  /** A stroke typed as facts. */
  async typed() {
    const subject = this.desk.subject;
    if (subject === null) return;
    const { purpose } = this.desk;
    const ruling = await askFacts(this.title(), purpose?.facts ?? "", (text) => this.look(text), (again) => this.desk.watch(again));
    if (ruling) await this.save(ruling);
  }

  title() {
    const { board, subject, purpose } = this.desk;
    const name = subject ? board.sides[subject.side].name : "";
    if (purpose === null) return say("Stroke {turn} of {name}", { turn: board.turn, name });
    return purpose.kind === "fix" ? say("Correct stroke {turn} of {name}", { turn: purpose.turn, name })
      : say("A forgotten stroke of {name}, before stroke {turn}", { turn: purpose.turn, name });
  }

  /** What typed facts come to. @param {string} text @returns {Promise<Ruling>} */
  async look(text) {
    const { desk } = this;
    const { purpose } = desk;
    if (purpose?.kind === "insert") {
      await desk.ask("rewrite", { before: purpose.turn, action: text, reason: "?" });
      return [text, 0, "", 0, 0, say("can be inserted here"), ""];
    }
    const line = purpose ? `fix ${purpose.turn} ${text} "?"` : `${desk.board.turn}. ${desk.board.to_play} ${text}`;
    return asRuling(await desk.ask("preview", { lines: [line] }));
  }

  /** @param {Ruling} ruling */
  async save(ruling) {
    const { purpose } = this.desk;
    if (purpose === null) return this.play(ruling);
    return purpose.kind === "fix" ? this.fix(purpose, ruling) : this.insert(purpose, ruling);
  }

  /** The stroke that was just played. @param {Ruling} ruling */
  async play(ruling) {
    const { desk, clock, pad } = this;
    const before = desk.board;
    if (before.to_play === null) return;
    const at = before.sets === 1 ? desk.time : ""; // a single distance has its break by the time played (26)
    const line = turnLine(before, ruling[0], check(ruling), { seconds: clock.seconds, at });
    const saving = desk.send([line], { ruling: shown(ruling) });
    clock.clear();
    sound.beep("tap");
    const to = ruling[2] === "opponent" ? other(before.to_play) : before.to_play;
    const after = desk.board.sides[to];
    const words = ruling[1] ? `${after.name} +${ruling[1]} → ${after.score}` : `${before.sides[before.to_play].name} 0`;
    pad.done([words, ruling[5]].filter(Boolean).join(" · "), ruling[6]);
    await saving;
  }

  /** @param {import("./desk.js").Purpose} purpose @param {Ruling} ruling */
  async fix(purpose, ruling) {
    const why = await reason(`${this.title()}: ${rulingWords(ruling, this.desk.board, purpose.side)}`,
      [say("entered wrongly"), say("both players agree"), say("seen later")]);
    if (why === null) return;
    const saved = await this.desk.write([`fix ${purpose.turn} ${ruling[0]} =${check(ruling)} ${quoted(why)}`]);
    if (!saved) return;
    this.leave();
    this.pad.say(say("Stroke {turn} is corrected", { turn: purpose.turn }), ruling[6]);
  }

  /** @param {import("./desk.js").Purpose} purpose @param {Ruling} ruling */
  async insert(purpose, ruling) {
    const why = await reason(this.title(), [say("forgotten")], say("Show the new lines"));
    if (why === null) return;
    try {
      const { lines } = await this.desk.ask("rewrite", { before: purpose.turn, action: ruling[0], reason: why });
      const shown = make("ol", { class: "lines" }, ...lines.map((/** @type {string} */ line) => make("li", {}, line)));
      const said = await tell(say("These lines will be written"), [shown], [{ value: "save", label: say("Save"), kind: "go" }]);
      if (said !== "save") return;
      this.leave();
      await this.desk.send(lines);
    } catch (error) {
      await tell(say("That cannot be entered"), [inWords(error)], []);
    }
  }

  /** Back to the end of the match. */
  leave() {
    this.desk.purpose = null;
    this.pad.clear();
    this.desk.changed();
  }
}

/** A ruling that can stand on the board until the server has said the same: none is without words.
 * @param {Ruling} ruling @returns {Ruling} */
function shown([facts, points, to, hand, spot, words, announce]) {
  return [facts, points, to, hand, spot, words || say("no points"), announce];
}

/** All of a ruling but its facts. @param {Ruling} ruling @returns {[number, Ruling[2], 0 | 1, 0 | 1, string, string]} */
function rest([, points, to, hand, spot, words, announce]) {
  return [points, to, hand, spot, words, announce];
}

/** What a preview says, as the table of the keys says it. @param {Preview} preview @returns {Ruling} */
function asRuling(preview) {
  const facts = String(preview.lines[0]).replace(/^(\d+\. [AB]|fix \d+) /, "").replace(/ =-?\d+.*$/, "").replace(/ "\?".*$/, "");
  const to = preview.to === "opponent" || preview.to === "striker" ? preview.to : "";
  return [facts, preview.points, to, preview.hand ? 1 : 0, preview.board?.spot ? 1 : 0, preview.words, preview.announce];
}
