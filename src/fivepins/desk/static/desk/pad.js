// The pad: prefix keys, the preview, and the pin keys that commit. It shows rulings and computes none.

import { say } from "../say.js";
import { choose } from "./dialogs.js";
import { all, fit, one, write } from "./dom.js";
import { other } from "./forecast.js";
import { Guard } from "./guard.js";
import { FOULS, isNothing, nothing, press } from "./strokes.js";

/** @typedef {import("./strokes.js").Prefix} Prefix */
/** @typedef {import("./rulings.js").Rulings} Rulings */
/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Ruling} Ruling */
/** @typedef {import("../types.js").Side} Side */

/** Whose stroke is entered. @typedef {{side: Side, opening: boolean, hand: boolean, spot: boolean}} Subject */

const BANNER = 6000;
const LONG_PRESS = 500;

/** The fouls behind a key of their own group, in the words of the keys. @returns {Record<string, string>} */
export function foulNames() {
  return {
    "off-own": say("Own ball off"), "off-other": say("Object ball off"), "off-red": say("Red ball off"),
    first: say("Pins first"), "wrong-ball": say("Wrong ball"), motion: say("Balls in motion"), tip: say("Leather tip"),
    touched: say("Touched"), contact: say("Ball in contact"), foot: say("Foot"), jump: say("Jump"), push: say("Pushed through"),
    half: say("Cushion of the own half"), line: say("Over the central line"), conduct: say("Unsporting conduct"),
    partner: say("Wrong partner"),
  };
}

const OFF = FOULS.filter((foul) => foul.startsWith("off-"));
const OTHER = FOULS.filter((foul) => !OFF.includes(foul) && !["cue", "missed", "red", "red-only"].includes(foul));

export class Pad {
  /** @param {{commit: (prefix: Prefix, pins: string) => void, castle: (prefix: Prefix, pins: string) => void}} acts */
  constructor(acts) {
    this.acts = acts;
    this.root = one("#pad");
    this.preview = one("#preview");
    this.prefix = nothing();
    this.guard = new Guard();
    /** @type {Rulings | null} */
    this.rulings = null;
    /** @type {Subject | null} */
    this.subject = null;
    /** @type {Board | null} */
    this.board = null;
    this.asking = false; // whether this device is still to become the desk
    this.pointed = ""; // the pin key under the finger, which is not let go yet
    this.banner = { words: "", announce: "", until: 0 };
    this.listen();
  }

  listen() {
    for (const key of all("[data-pins]", this.root)) {
      let timer = 0;
      const rest = () => {
        window.clearTimeout(timer);
        this.point("");
      };
      key.addEventListener("pointerdown", () => {
        this.point(String(key.dataset.pins));
        timer = window.setTimeout(() => this.openCastle(String(key.dataset.pins)), LONG_PRESS);
      });
      key.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && this.point(String(key.dataset.pins)));
      key.addEventListener("focus", () => key.matches(":focus-visible") && this.point(String(key.dataset.pins)));
      for (const end of ["pointerup", "pointercancel", "pointerleave", "blur"]) key.addEventListener(end, rest);
      key.addEventListener("contextmenu", (event) => event.preventDefault());
    }
  }

  /** @param {string} pins */
  point(pins) {
    if (this.pointed === pins) return;
    this.pointed = pins;
    this.drawPreview();
  }

  /** What is entered, on which board. @param {Board} board @param {Subject | null} subject @param {boolean} asking */
  show(board, subject, asking) {
    const before = this.subject;
    if (this.board?.phase !== board.phase || this.board.set !== board.set) this.banner.until = 0; // it told of what is over
    this.asking = asking;
    this.board = board;
    this.subject = subject;
    if (before?.side !== subject?.side) this.prefix = { ...this.prefix, spot: false, side: false };
    this.draw();
  }

  /** A tap or a key: whether it is let through. */
  lets() {
    const open = this.guard.lets(performance.now());
    if (!open) this.drawPreview();
    return open;
  }

  /** @param {string} key */
  press(key) {
    if (!this.lets() || !this.canPress(key)) return;
    this.prefix = press(this.prefix, key);
    this.draw();
  }

  /** @param {string} key */
  canPress(key) {
    if (this.subject === null || this.rulings === null) return false;
    if (key === "spot") return this.subject.hand && this.subject.spot;
    if (key === "side") return this.rulings.has("half");
    return this.rulings.canPress(this.subject.opening, this.prefix, key);
  }

  /** @param {string} pins */
  end(pins) {
    if (this.subject === null || this.rulings === null || !this.lets()) return;
    if (this.rulings.canEnd(this.subject.opening, this.prefix, pins)) this.acts.commit(this.prefix, pins);
  }

  /** @param {string} pins */
  openCastle(pins) {
    if (this.subject === null || this.guard.isClosed(performance.now())) return;
    this.acts.castle(this.prefix, pins);
  }

  /** Balls cover the seats of these pins, which are not in play (43.8). @param {string} off */
  cover(off) {
    this.prefix = { ...this.prefix, off };
    this.draw();
  }

  clear() {
    if (isNothing(this.prefix)) return false;
    this.prefix = nothing();
    this.draw();
    return true;
  }

  /** A stroke was entered: what it came to stays in sight for a while, and the pad closes for a moment.
   * @param {string} words @param {string} announce */
  done(words, announce) {
    this.prefix = nothing();
    this.guard.close(performance.now());
    this.say(words, announce);
    const open = () => {
      const rest = this.guard.until - performance.now();
      if (rest > 0) window.setTimeout(open, rest);
      this.root.classList.toggle("closed", rest > 0);
    };
    open();
    this.draw();
  }

  /** Something that stays in sight for a while. @param {string} words @param {string} [announce] */
  say(words, announce = "") {
    this.banner = { words, announce, until: performance.now() + BANNER };
    window.setTimeout(() => this.drawPreview(), BANNER + 50);
    this.drawPreview();
  }

  /** The balls that left the table: which. */
  async chooseOff() {
    await this.chooseFoul(say("Which ball left the table?"), OFF);
  }

  async chooseOther() {
    await this.chooseFoul(say("Other foul"), OTHER.filter((foul) => this.rulings?.has(foul)));
  }

  /** @param {string} title @param {string[]} fouls */
  async chooseFoul(title, fouls) {
    if (this.subject === null || !this.lets()) return;
    const names = foulNames();
    const foul = await choose(title, fouls.map((value) => ({
      value, label: names[value] ?? value, pressed: this.prefix.fouls.includes(value), disabled: !this.canPress(value), kind: "foul",
    })));
    if (foul !== null) this.press(foul);
  }

  draw() {
    const { rulings, subject } = this;
    this.root.classList.toggle("asleep", rulings === null || subject === null);
    for (const key of all("[data-key]", this.root)) this.drawPrefix(key);
    for (const key of all("[data-group]", this.root)) {
      const names = foulNames();
      const group = key.dataset.group === "off" ? OFF : OTHER;
      const down = group.filter((foul) => this.prefix.fouls.includes(foul));
      key.setAttribute("aria-pressed", String(down.length > 0));
      write(one("small", key), down.length ? down.map((foul) => names[foul]).join(", ") : this.foulValue(key.dataset.group === "off" ? "off-own" : "touched"));
    }
    for (const key of all("[data-pins]", this.root)) this.drawPins(key);
    one("#clear").toggleAttribute("disabled", isNothing(this.prefix));
    this.drawPreview();
  }

  /** @param {HTMLElement} key */
  drawPrefix(key) {
    const name = String(key.dataset.key);
    const { fouls, contact } = this.prefix;
    const down = name === "red" ? fouls.some((foul) => foul === "red" || foul === "red-only")
      : name === "spot" ? this.prefix.spot : name === "side" ? this.prefix.side : contact === name || fouls.includes(name);
    key.setAttribute("aria-pressed", String(down));
    const can = this.canPress(name);
    if (name === "spot" || name === "side") key.hidden = !can;
    else key.setAttribute("aria-disabled", String(!can && !down));
    const value = key.querySelector("[data-points]");
    if (value === null) return;
    if (name === "red" && fouls.includes("red-only")) write(value, say("and nothing else"));
    else write(value, FOULS.includes(name) ? this.foulValue(name) : this.pointsOf({ ...nothing(), contact: /** @type {Prefix["contact"]} */ (name) }, "0"));
  }

  /** What a foul adds when nothing falls, or with one pin where it needs one. @param {string} foul */
  foulValue(foul) {
    if (foul === "cue") return this.arrow(say("all"));
    const value = this.pointsOf({ ...nothing(), fouls: [foul] }, foul === "first" ? "1" : "0");
    return value && this.arrow(`+${value}`);
  }

  /** @param {Prefix} prefix @param {string} pins */
  pointsOf(prefix, pins) {
    const ruling = this.rulings?.of(false, prefix, pins);
    return ruling === undefined ? "" : String(ruling[1]);
  }

  /** Points for the other side, with an arrow to where its score stands. @param {string} text */
  arrow(text) {
    return this.subject?.side === "B" ? `◀ ${text}` : `${text} ▶`;
  }

  /** @param {HTMLElement} key */
  drawPins(key) {
    const pins = String(key.dataset.pins);
    const { rulings, subject, prefix } = this;
    const can = rulings !== null && subject !== null && rulings.canEnd(subject.opening, prefix, pins);
    key.setAttribute("aria-disabled", String(!can));
    const ruling = rulings !== null && subject !== null ? rulings.of(subject.opening, prefix, pins) : undefined;
    const points = ruling === undefined ? "" : say("{n} p", { n: ruling[1] });
    write(one("[data-points]", key), !can ? "" : ruling === undefined ? "?" : ruling[2] === "opponent" ? this.arrow(points) : points);
    key.classList.toggle("away", ruling?.[2] === "opponent");
  }

  drawPreview() {
    const now = performance.now();
    const { words, announce, kind } = this.previewed(now);
    write(one(".p-words", this.preview), words);
    write(one(".p-announce", this.preview), announce);
    fit(one(".p-words", this.preview));
    this.preview.dataset.kind = kind;
    one(".p-announce", this.preview).lang = this.board?.language || document.documentElement.lang;
  }

  /** @param {number} now */
  previewed(now) {
    const { rulings, subject, prefix, pointed, guard } = this;
    if (this.asking) return { words: say("Asking for the desk …"), announce: "", kind: "hint" };
    if (rulings === null) return { words: say("The keys are being fetched …"), announce: "", kind: "hint" };
    if (now < this.banner.until && isNothing(prefix) && !(pointed && !guard.isClosed(now))) {
      const ignored = guard.ignored ? ` · ${say("taps ignored: {n}", { n: guard.ignored })}` : "";
      return { words: this.banner.words + ignored, announce: this.banner.announce, kind: "banner" };
    }
    if (subject === null || this.board === null) return { words: "", announce: "", kind: "hint" };
    if (pointed) {
      const ruling = rulings.of(subject.opening, prefix, pointed);
      if (ruling !== undefined) return { words: rulingWords(ruling, this.board, subject.side), announce: ruling[6], kind: "ruling" };
      if (rulings.beyond(prefix)) return { words: say("The server is asked what this comes to"), announce: "", kind: "ruling" };
      return { words: say("That cannot have happened in one stroke"), announce: "", kind: "hint" };
    }
    if (!isNothing(prefix)) return { words: this.promised(), announce: say("then the pins that fell"), kind: "ruling" };
    const hand = subject.hand ? say("ball in hand") : "";
    const opening = subject.opening ? say("opening stroke") : "";
    return { words: [this.board.sides[subject.side].name, opening, hand].filter(Boolean).join(" · "), announce: "", kind: "hint" };
  }

  /** The keys that are down, and what they can come to: on the keypad nothing else tells it before the stroke is saved. */
  promised() {
    const { rulings, subject, board, prefix } = this;
    const range = subject && rulings?.range(subject.opening, prefix);
    if (!subject || !board || !range) return `${this.pressed()} …`;
    const { least, most, to, hand } = range;
    const points = say("{n} p", { n: least === most ? most : `${least}–${most}` });
    const whom = to && ` → ${board.sides[to === "opponent" ? other(subject.side) : subject.side].name}`;
    return [`${this.pressed()} … ${points}${whom}`, hand && say("ball in hand")].filter(Boolean).join(" · ");
  }

  /** The keys that are down, in words. */
  pressed() {
    const names = { ...foulNames(), cannon: say("Cannon"), casin: say("Casin"), cue: say("Cue ball in pins"),
      missed: say("Object ball missed"), red: say("Red ball first"), "red-only": say("Red ball only") };
    const { contact, fouls, spot, side, off } = this.prefix;
    const words = [off && say("pins out of play: {pins}", { pins: off }), spot && say("object ball on its spot"), side && say("Sideways"),
      ...[contact, ...fouls].map((key) => /** @type {Record<string, string>} */ (names)[key])];
    return words.filter(Boolean).join(" + ");
  }
}

/** A ruling as the referee reads it: the words, and who receives. @param {Ruling} ruling @param {Board} board @param {Side} striker */
export function rulingWords(ruling, board, striker) {
  const [, points, to, hand, , words] = ruling;
  const name = board.sides[to === "opponent" ? other(striker) : striker].name;
  const what = words || say("no points");
  const whom = points ? ` → ${name}` : "";
  const then = hand ? ` · ${say("ball in hand")}` : "";
  return what + whom + then;
}

