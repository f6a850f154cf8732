// The menu: everything that is rare. What cannot be meant by accident is held for a second.

import { say } from "../say.js";
import { SIDES, inWords } from "./desk.js";
import { ask, choose, fill, holdButton, reason, tell } from "./dialogs.js";
import { button, make } from "./dom.js";
import { help } from "./help.js";
import { applyScreen, setScreen } from "./screen.js";
import { quoted } from "./strokes.js";
import { askWarmup } from "./warmup.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("../types.js").Side} Side */
/** @typedef {[string, string, boolean?]} Item what it does, what it says, and whether it is held */

export class Menu {
  /** @param {Desk} desk @param {import("./entry.js").Entry} entry @param {(what: string) => void} act */
  constructor(desk, entry, act) {
    this.desk = desk;
    this.entry = entry;
    this.act = act;
  }

  async open() {
    const chosen = await ask(say("Menu"), (close) => this.groups().map(([title, items]) =>
      make("section", { class: "menu-group" }, make("h3", {}, title), make("div", { class: "choices" },
        ...items.map(([what, text, hold]) => (hold ? holdButton(text, () => close(what)) : button(text, () => close(what))))))), "menu", say("Close"));
    if (typeof chosen === "string") await this.choose(chosen);
  }

  /** @returns {[string, Item[]][]} */
  groups() {
    const { board, mode } = this.desk;
    const playing = board.phase === "play";
    /** @type {Item[]} */
    const interrupt = board.phase === "suspended" ? [] : [["suspend", say("Interrupt …")]];
    /** @type {[string, Item[]][]} */
    const writing = [
      [say("Strokes"), [["facts", say("Facts …")], ["castle", say("Which pins?")], ["past", say("Correct a stroke …")],
        ["insert", say("Insert a forgotten stroke …")], ["untimed", say("Time penalty without the clock …")]]],
      [say("Match"), [["penalty", say("Penalty …")], ["place", say("Balls were placed …")], ["swap", say("Balls exchanged …"), true],
        ["protest", say("Protest …")], ["decision", say("Decision …")], ["note", say("Note")], ["referee", say("Another referee …")],
        ["pause", say("Break")], ["undone", say("Undo with a reason …")], ...interrupt,
        ["table", say("Another table …")], ["names", say("Correct a name …")]]],
      [say("End"), [["short", say("“Good” was said too early …"), true], ["award", say("Give the set to a player …"), true], ["end", say("Walk-over, leaving, other end …"), true]]],
    ];
    const rest = /** @type {[string, Item[]][]} */ ([
      [say("Screen"), [["warmup", say("Warm-up")], ["mirror", say("Mirror for left-handers")], ["theme", say("Dark or light")], ["lang", say("Language …")], ["sound", say("Sound")]]],
      [say("Paper and help"), [["paper", say("Match paper")], ["sheet", say("Blank sheet for emergencies")], ["watch", say("Page for spectators")], ["help", say("Keyboard and help")], ["home", say("What is on")]]],
    ]);
    if (mode !== "write" || board.status === "closed") return rest;
    return [...(playing ? writing : writing.filter(([title]) => title !== say("Strokes"))), ...rest];
  }

  /** @param {string} what */
  async choose(what) {
    const { match } = this.desk.boot;
    const pages = /** @type {Record<string, string>} */ ({ paper: `/matches/${match}/paper`, sheet: "/sheet.pdf", watch: `/matches/${match}`, home: "/" });
    if (what in pages) return location.assign(String(pages[what]));
    if (what === "mirror" || what === "theme") return this.screen(what);
    const own = /** @type {Record<string, () => unknown>} */ ({
      penalty: () => this.penalty(), place: () => this.place(), swap: () => this.text("swap", say("Balls exchanged (25.9)"), [say("both had played the wrong ball")]),
      protest: () => this.protest(), decision: () => this.decision(), suspend: () => this.text("suspend", say("Interrupt the match")),
      table: () => this.table(), names: () => this.names(), referee: () => this.referee(),
      short: () => this.short(), award: () => this.award(), end: () => this.end(), lang: () => this.language(), untimed: () => this.untimed(), undone: () => this.undone(),
      warmup: () => askWarmup(this.desk.board), help: () => help(),
    });
    return what in own ? own[what]?.() : this.act(what);
  }

  /** @param {"mirror" | "theme"} what */
  screen(what) {
    if (what === "mirror") setScreen("mirror", document.body.dataset.mirror === "on" ? "off" : "on");
    else setScreen("theme", isDark() ? "light" : "dark");
    applyScreen();
  }

  /** Ask for texts, and write the line that they make; where it is refused they come back as they were typed.
   * @param {string} title @param {import("./dialogs.js").Field[]} fields @param {(given: Record<string, string>) => string} line */
  async write(title, fields, line) {
    const given = await fill(title, fields);
    if (given === null || (await this.desk.write([line(given)]))) return;
    await this.write(title, fields.map((field) => ({ ...field, value: given[field.name] ?? "" })), line);
  }

  /** A line of one word and a text. @param {string} word @param {string} title @param {string[]} [proposals] */
  async text(word, title, proposals = []) {
    const label = word === "suspend" || word === "swap" ? say("Reason") : say("Text");
    const at = word === "suspend" ? ` at=${this.desk.time}` : "";
    await this.write(title, [{ name: "text", label, proposals }], ({ text = "" }) => `${word} ${quoted(text)}${at}`);
  }

  async note() {
    await this.text("note", say("Note"));
  }

  async undone() {
    const why = await reason(say("Undo with a reason …"));
    if (why !== null) this.act(`undo ${why}`);
  }

  async referee() {
    const title = this.desk.board.referee ? say("Another referee") : say("Who referees?");
    await this.write(title, [{ name: "name", label: say("Name") }], ({ name = "" }) => `referee ${quoted(name)}`);
  }

  /** Which player. @param {string} title @returns {Promise<Side | null>} */
  async side(title) {
    const { sides } = this.desk.board;
    const side = await choose(title, SIDES.map((value) => ({ value, label: sides[value].name })));
    return side === "A" || side === "B" ? side : null;
  }

  async penalty() {
    const side = await this.side(say("Who is penalised?"));
    if (side === null) return;
    const hand = await choose(say("What follows?"), [{ value: "", label: say("The turn stays as it is") },
      { value: " hand", label: say("The opponent plays, with ball in hand") }]);
    if (hand === null) return;
    await this.write(say("Penalty"), [{ name: "points", label: say("Points to the opponent"), value: "2", type: "number" }, { name: "reason", label: say("Reason") }],
      ({ points, reason: why = "" }) => `penalty ${side} ${points}${hand} ${quoted(why)}`);
  }

  async place() {
    const where = await choose(say("Where are the balls now?"), [{ value: "restored", label: say("As they were before") }, { value: "start", label: say("In the starting position") }]);
    if (where === null) return;
    await this.text(`place ${where}`, say("Balls were placed (62)"), [say("moved by a third person")]);
  }

  async protest() {
    const side = await this.side(say("Who protests?"));
    if (side !== null) await this.text(`protest ${side}`, say("Protest"));
  }

  async decision() {
    await this.write(say("Decision"), [{ name: "text", label: say("Decision") }, { name: "by", label: say("Taken by"), optional: true, value: this.desk.board.referee }],
      ({ text = "", by = "" }) => [`decision ${quoted(text)}`, ...(by ? [`by ${quoted(by)}`] : [])].join(" "));
  }

  /** A header is a row like others: a new one replaces it. */
  async table() {
    const { board, boot } = this.desk;
    const proposals = boot.tables.filter((table) => table !== board.table);
    await this.write(say("Another table"), [{ name: "table", label: say("Table"), value: board.table, proposals }], ({ table }) => `Table: ${table}`);
  }

  async names() {
    const side = await this.side(say("Whose name?"));
    if (side === null) return;
    await this.write(say("Whose name?"), [{ name: "name", label: say("Name"), value: this.desk.board.sides[side].name }], ({ name }) => `${side}: ${name}`);
  }

  async short() {
    const side = await this.side(say("For whom was “good” said?"));
    if (side === null) return;
    const { A, B } = this.desk.board.sides;
    await this.write(say("“Good” was said too early (28.2)"), [{ name: "reason", label: say("Reason") }],
      ({ reason: why = "" }) => `good ${side} ${A.score}-${B.score} short ${quoted(why)} at=${this.desk.time}`);
  }

  async award() {
    const side = await this.side(say("Who gets the set?"));
    if (side !== null) await this.text(`award ${side}`, say("Give the set to a player"));
  }

  async end() {
    const how = await choose(say("How does the match end?"), [
      { value: "walkover", label: say("Walk-over"), detail: say("a player has not come") }, { value: "left", label: say("Left"), detail: say("a player went away") },
      { value: "refused", label: say("Refused"), detail: say("a player does not go on") }, { value: "forfeit", label: say("Forfeit"), detail: say("by decision") },
      { value: "injury", label: say("Injury") }, { value: "abandoned", label: say("Abandoned"), detail: say("nobody wins") }]);
    if (how === null) return;
    const winner = how === "abandoned" ? "-" : await this.side(say("Who wins?"));
    if (winner === null) return;
    const given = await fill(say("End of the match"), [{ name: "reason", label: say("Reason") }]);
    if (!given) return;
    const said = await choose(say("End the match?"), [{ value: "end", label: say("End the match"), hold: true }], given.reason ?? "");
    if (said === "end") await this.desk.write([`end ${winner} ${how} ${quoted(given.reason ?? "")} at=${this.desk.time}`]);
  }

  /** A time limit that another watch has measured. */
  async untimed() {
    const { board } = this.desk;
    if (board.to_play === null) return;
    const name = board.sides[board.to_play].name;
    const said = await choose(say("{name} is over the time", { name }), [{ value: "time", label: board.late ? say("Time +2, turn passes") : say("Time +2"), kind: "late" }]);
    if (said === "time") this.act("time!");
  }

  async language() {
    const code = await choose(say("Language"), Object.entries(this.desk.boot.languages).map(([value, label]) => ({ value, label, pressed: value === this.desk.boot.lang })));
    if (code === null) return;
    setScreen("lang", code);
    location.reload();
  }

  /** A stroke of the list was touched. @param {import("../types.js").Row} row @param {string} [what] */
  async row(row, what) {
    const { desk } = this;
    if (desk.mode !== "write" || row.turn === null || !["play", "distance"].includes(desk.board.phase)) return;
    const name = desk.board.sides[row.side].name;
    const kind = what ?? await choose(say("Stroke {turn} of {name}", { turn: row.turn, name }), [
      { value: "fix", label: say("Correct it …"), detail: row.words },
      { value: "insert", label: say("A stroke before it was forgotten …"), disabled: desk.board.phase !== "play" }], row.facts ?? "");
    if (kind !== "fix" && kind !== "insert") return;
    const facts = kind === "fix" ? row.facts ?? "" : "";
    desk.purpose = { kind, turn: row.turn, side: row.side, hand: /(^| )spot /.test(`${row.facts} `), facts };
    this.entry.pad.clear();
    this.entry.pad.cover(/(?:^| )off\/(\d+)/.exec(facts)?.[1] ?? ""); // what was true before the stroke stays
    desk.changed();
    if (desk.purpose.hand && kind === "fix") this.entry.pad.press("spot");
  }

  /** Pick a stroke of this set. @param {import("../types.js").Row[]} rows @param {"fix" | "insert"} kind */
  async past(rows, kind) {
    const strokes = rows.filter(({ turn, facts }) => turn !== null && !["late", "lost", "penalty"].includes(facts ?? ""));
    if (strokes.length === 0) return void tell(say("No strokes yet"), [], []);
    const title = kind === "fix" ? say("Which stroke is wrong?") : say("Before which stroke was one forgotten?");
    const place = await choose(title, strokes.map((row, index) => ({
      value: String(index), label: `${row.turn} ${this.desk.board.sides[row.side].name}`, detail: `${row.words} · ${row.A}–${row.B}` })).reverse());
    const row = place === null ? undefined : strokes[Number(place)];
    if (row) await this.row(row, kind);
  }

  /** Why nothing goes out any more, and what can be done. */
  async stopped() {
    const { outbox, boot } = this.desk;
    const stopped = /** @type {any} */ (outbox.stopped);
    if (!stopped) return;
    const held = stopped.error === "held";
    const paragraphs = [inRefusal(stopped), ...(stopped.missing?.length ? [say("Written meanwhile:"), make("ol", { class: "lines" },
      ...stopped.missing.map((/** @type {any} */ line) => make("li", {}, typeof line === "string" ? line : line.line)))] : []),
      say("Not sent:"), make("ol", { class: "lines" }, ...outbox.pending.flatMap((/** @type {any} */ command) => command.lines.map((/** @type {string} */ line) => make("li", {}, line))))];
    const said = await tell(say("The server did not take this"), paragraphs, [
      ...(held ? [{ value: "take", label: say("Take over"), detail: boot.me.name }] : []),
      { value: "again", label: say("Send again"), kind: "go" }, { value: "drop", label: say("Drop what was not sent"), hold: true }]);
    try {
      if (said === "take") await this.desk.hold(true);
      if (said === "take" || said === "again") await outbox.again();
      if (said === "drop") await outbox.drop();
    } catch (error) {
      await tell(say("The server did not take this"), [inWords(error)], []);
    }
    this.desk.changed();
  }
}

/** @param {any} stopped */
function inRefusal(stopped) {
  const holder = stopped.holder?.name ?? stopped.holder?.by ?? "";
  const who = holder ? say("{name} keeps this match now.", { name: holder }) : "";
  return [stopped.message, stopped.hint, who].filter(Boolean).join(" – ");
}

function isDark() {
  return getComputedStyle(document.documentElement).colorScheme.includes("dark");
}
