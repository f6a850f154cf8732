// The desk page: the parts put together, and what each button and key asks of them.

import { awake } from "../awake.js";
import { draw as drawBoard, put } from "../board.js";
import { connect } from "../live.js";
import { Outbox } from "../outbox.js";
import { boot as given, say } from "../say.js";
import { keepPage } from "../service.js";
import { sound } from "../sound.js";
import { ClockBar } from "./clock.js";
import { Desk, Refused, SIDES, inWords } from "./desk.js";
import { isAsking, tell } from "./dialogs.js";
import { all, fit, one, write } from "./dom.js";
import { Entry } from "./entry.js";
import { help } from "./help.js";
import { listen } from "./keyboard.js";
import { shortName, strokeList } from "./list.js";
import { Menu } from "./menu.js";
import { Pad } from "./pad.js";
import { Phases } from "./phases.js";
import { Rulings } from "./rulings.js";
import { applyScreen } from "./screen.js";
import { quoted } from "./strokes.js";

/** @typedef {import("../types.js").Boot} Boot */
/** @typedef {import("../types.js").Row} Row */

const SETTLED = 10_000; // milliseconds after which nothing is in a hurry any more

const boot = /** @type {Boot} */ (given);
const UNSENT_AFTER = 2500;
const PENALTY = 2;

const outbox = await Outbox.open(boot.match);
const feed = connect({ match: boot.match, kind: "desk", lang: boot.lang, since: 0 }, { message: hear, status: linked, ended: () => desk.revoke() });
const clock = new ClockBar(boot.match, () => feed.now());
const desk = new Desk(boot, outbox, changed);
/** @type {Entry} */
let entry;
const pad = new Pad({ commit: (prefix, pins) => entry.commit(prefix, pins), castle: (prefix, key) => entry.castle(prefix, key) });
entry = new Entry(desk, pad, clock);
const phases = new Phases(desk);
const menu = new Menu(desk, entry, act);
/** @type {Row[]} */
let rows = [];
let rowsOf = 0; // the set they belong to
let listed = -1; // the line up to which the list of strokes is drawn
let unsentSince = 0;
let staleSince = performance.now();
let power = "";

/** @param {any} message */
function hear(message) {
  desk.reach(true);
  if (message.presence) desk.meet(message.presence);
  if (message.board) desk.take(message.board);
  else if (message.presence) changed();
}

/** @param {"live" | "stale"} status */
function linked(status) {
  desk.link = status;
  staleSince = performance.now();
  changed();
}

/** Something is not as it was: draw. Everything is drawn from the desk, so nothing can be left behind. */
function changed() {
  if (!entry) return;
  const { board, mode, purpose } = desk;
  document.body.dataset.mode = desk.asking ? "write" : mode; // what is being asked for stands where it will stand
  document.body.dataset.phase = board.phase;
  document.body.dataset.clock = board.limit || purpose ? "on" : "off";
  drawBoard(one("#board"), board);
  fit(one(".b-last"));
  put(one("#top"), topTexts());
  one(".t-link").dataset.link = desk.connected ? "live" : "stale";
  clock.show(board);
  drawTime();
  pad.show(board, desk.subject, desk.asking);
  const bar = one("#purpose");
  bar.hidden = purpose === null;
  if (purpose) write(one("b", bar), entry.title());
  one("#break").hidden = board.pause === "none" || board.phase !== "play" || desk.subject === null; // its panel has it between sets
  phases.draw();
  drawBars();
  drawList();
}

/** @returns {Record<string, string>} */
function topTexts() {
  const { board, saved, presence, connected } = desk;
  const { A, B } = board.sides;
  const distance = A.distance === B.distance ? A.distance : `${A.distance}/${B.distance}`;
  const { sets } = board;
  return {
    table: board.table,
    where: [board.event, board.round].filter(Boolean).join(" · "),
    terms: sets > 1 ? say("best of {sets} to {distance}", { sets, distance }) : say("one set to {distance}", { distance }),
    rules: board.rules,
    referee: board.referee ? say("Referee: {name}", { name: board.referee }) : say("No referee named"),
    saved: say("saved #{seq} {time}", { seq: saved.seq, time: saved.saved }),
    devices: say("devices: {n}", { n: connected ? presence.devices : "?" }),
    link: connected ? say("connected") : say("no connection"),
    power,
  };
}

function drawTime() {
  const { board, mode } = desk;
  const extra = one("#extra");
  extra.hidden = mode !== "write" || board.sides.A.extra + board.sides.B.extra === 0;
  extra.toggleAttribute("disabled", board.to_play === null || board.late || board.sides[board.to_play].extra === 0);
  for (const side of SIDES) {
    write(one(`.x-${side} .x-name`, extra), shortName(board.sides[side].name));
    write(one(`.x-${side} .x-left`, extra), String(board.sides[side].extra));
  }
  write(one("b", one("#time")), board.late ? say("Time +2, turn passes") : say("Time +2"));
  one("#time").hidden = mode !== "write";
  one("#clock").toggleAttribute("disabled", document.body.dataset.mode === "read"); // it tells the time and takes nothing
}

function drawBars() {
  const waiting = outbox.pending.length;
  if (waiting === 0) unsentSince = 0;
  else if (unsentSince === 0) unsentSince = performance.now();
  const cut = desk.link === "stale" && performance.now() - staleSince > UNSENT_AFTER;
  const full = waiting > 0 && outbox.reason?.error === "storage";
  const late = waiting > 0 && (cut || full || performance.now() - unsentSince > UNSENT_AFTER);
  const stopped = outbox.stopped;
  const message = full ? say("NOT SENT: {n} – {message}", { n: waiting, message: say("The disk takes nothing") }) : say("NOT SENT: {n}", { n: waiting });
  show("#unsent", !stopped && (late || cut), waiting ? message : say("NO CONNECTION"));
  const told = outbox.reason ? [outbox.reason.message, outbox.reason.hint].filter(Boolean).join(" – ") : "";
  write(one("#unsent span"), told || say("Strokes are kept on this tablet and sent as soon as the server answers."));
  one("#unsent").classList.toggle("told", told !== "");
  one("#unsent a").hidden = !full;
  show("#stopped", Boolean(stopped), say("NOT SENT: {n} – {message}", { n: waiting, message: stopped?.error === "stale" ? say("something else was written meanwhile") : stopped?.message ?? "" }));
  const holder = desk.revoked ? null : desk.presence.holder;
  const reading = desk.mode === "read" && (holder !== null || !desk.mayWrite); // not before it is known
  show("#reader", reading, holder ? say("Also open on {name}, which keeps this match. Here it can only be read.", { name: holder.name })
    : desk.revoked ? say("Your right was taken back. Here this match can only be read.") : say("Here this match can only be read."));
  one("#reader button").hidden = !desk.mayWrite;
  one("#reader a").hidden = !desk.revoked;
  one("#undo").toggleAttribute("disabled", desk.mode !== "write" || desk.board.status === "closed");
}

/** @param {string} bar @param {boolean} on @param {string} text */
function show(bar, on, text) {
  one(bar).hidden = !on;
  if (on) write(one("b", one(bar)), text);
}

/** The strokes of the set; asked for anew when something else than a new stroke may have happened. */
async function drawList() {
  const { saved } = desk;
  showList();
  if (listed === saved.seq) return;
  listed = saved.seq;
  try {
    const newest = (await desk.sheet()).sets.at(-1);
    rows = newest?.rows ?? [];
    rowsOf = newest?.number ?? 0;
    showList();
  } catch {
    if (listed === saved.seq) listed = -1; // the next change asks again
  }
}

/** Those of the set that is shown, without what is taken back, and all that is queued. */
function showList() {
  const { board, queue, foreseen: { ground } } = desk;
  const isBack = ground !== desk.saved; // what is saved is taken back as far as there
  const inForce = rowsOf !== board.set ? [] : isBack ? rows.filter(({ turn }) => turn === null || turn < ground.turn) : rows;
  one("#strokes").replaceChildren(...strokeList(inForce, queue, board, (row) => menu.row(row)));
}

/** The time is over: two points, and the turn passes the second time (49). */
function timeOver() {
  const { board } = desk;
  if (board.to_play === null) return;
  const name = board.sides[board.to_play].name;
  if (!board.late) {
    desk.send([`late ${board.to_play}`]);
    return pad.say(say("{name} is late: 2 points to the opponent", { name }));
  }
  const seconds = clock.seconds === null ? "" : ` @${clock.seconds}`;
  desk.send([`${board.turn}. ${board.to_play} lost =-${PENALTY}${seconds}`]);
  clock.clear();
  pad.done(say("{name} loses the turn: 2 points to the opponent", { name }), "");
}

/** What the Enter key means now. */
function enter() {
  if (desk.mode === "write" && desk.board.phase === "distance") return phases.good();
  if (desk.mode === "write" && phases.openNext()) return;
  clock.toggle();
}

/** The turn that is waited for. */
function awaited() {
  const { set, turn, to_play: side } = desk.board;
  return `${set} ${turn} ${side}`;
}

/** Take the last line back, with the reason that is typed in the menu or none. @param {string} why */
async function undo(why) {
  if (desk.purpose) return entry.leave();
  if (pad.clear() || desk.board.status === "closed") return;
  const before = awaited();
  const sending = desk.send([`undo ${quoted(why || "undo")}`]);
  pad.say(say("Taken back"));
  if (awaited() !== before) clock.clear(); // an extra time that is taken back leaves its stroke the clock
  await sending;
}

/** What can be asked for by a button or a key. @type {Record<string, (rest: string) => unknown>} */
const ACTS = {
  clock: () => clock.toggle(), hold: () => clock.hold(), reset: () => clock.reset(), enter,
  time: () => clock.isOver && timeOver(), "time!": timeOver, undo, clear: () => pad.clear(),
  extra: () => desk.board.to_play && desk.board.limit && !one("#extra").hidden && !one("#extra").hasAttribute("disabled") && desk.send([`extra ${desk.board.to_play}`]),
  key: (key) => pad.press(key), pins: (pins) => pad.end(pins),
  off: () => pad.chooseOff(), other: () => pad.chooseOther(), castle: () => pad.openCastle(""), facts: () => entry.typed(),
  menu: () => menu.open(), note: () => menu.note(), help, sound: () => sound.unlock(),
  past: () => menu.past(rows, "fix"), insert: () => menu.past(rows, "insert"), fixlast: () => fixLast(), purpose: () => entry.leave(),
  lag: (rest) => desk.write([`lag ${rest}`]), nolag: () => phases.withoutLag(), open: (side) => phases.open(side === "A" ? "A" : "B"),
  good: () => phases.good(), pause: (rest) => (rest ? desk.write([`pause ${rest}`]) : phases.pause()), resume: () => desk.write([`resume at=${desk.time}`]),
  close: () => phases.close(), reopen: () => phases.reopen(), referee: () => menu.referee(), warmup: () => menu.choose("warmup"),
  take: () => take(), stopped: () => menu.stopped(),
};
const READERS = ["menu", "help", "sound", "take", "warmup", "reopen", "stopped"]; // what is not sent is still his to settle
const CLOCK = ["reset", "clock", "hold", "enter"];
/** What may be done while the server has not told yet where the match is. */
const BACK = ["undo", "note"];

function fixLast() {
  const row = rows.at(-1);
  return row && menu.row(row, "fix");
}

async function take() {
  try {
    await desk.hold(true);
  } catch (error) {
    await tell(say("That cannot be done now"), [inWords(error)], []);
  }
}

/** Do what was asked, if this page may; whether it meant anything here. @param {string} asked */
function act(asked) {
  const [what = "", ...rest] = asked.split(" ");
  const doing = ACTS[what];
  if (doing === undefined || isAsking()) return false;
  if (desk.mode === "clock" && !READERS.includes(what) && !CLOCK.includes(what)) return false;
  if (desk.mode === "read" && !READERS.includes(what)) return false;
  if (desk.mode === "write" && desk.waiting && ![...READERS, ...BACK].includes(what)) return false;
  doing(rest.join(" "));
  return true;
}

document.addEventListener("click", (event) => {
  const pressed = /** @type {HTMLElement} */ (event.target).closest("button");
  if (pressed === null || pressed.closest("dialog")) return;
  const { do: what, key, pins } = pressed.dataset;
  if (key) act(`key ${key}`);
  else if (pins) act(`pins ${pins}`);
  else if (what) act(what);
  if (event.detail > 0) pressed.blur(); // a finger leaves no focus behind, so Enter stays the clock's
});
for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, () => sound.unlock(), { capture: true });
listen(act);

outbox.onchange(changed);
setInterval(() => {
  clock.beat();
  phases.beat();
  one("#sound").hidden = sound.ready;
}, 100);
setInterval(drawBars, 1000);
awake.start((/** @type {string} */ state) => { one("#sleep").hidden = state === "held"; });
applyScreen();
for (const link of all("[data-href]")) link.setAttribute("href", `/matches/${boot.match}/${link.dataset.href}`);
watchPower();
changed();
if (desk.mayWrite) hold();
pad.rulings = await Rulings.load(boot.keys);
changed();
keep();
setTimeout(async () => {
  await pad.rulings?.more(boot.keys); // rare, and so not among what a first visit waits for
  changed(); // the keys that asked the server know their values now
  keep();
}, SETTLED);

/** Let the worker keep what this page has loaded; without one it works as long as it stays open. */
function keep() {
  keepPage().catch(() => {});
}

/** Become the desk where nobody is; else stay a reader until the referee takes over. Nobody keeps a closed match. */
async function hold() {
  if (desk.saved.status === "closed") return void setTimeout(hold, UNSENT_AFTER);
  try {
    await desk.hold(false);
    if (desk.presence.holder === null) await desk.hold(true);
  } catch (error) {
    if (error instanceof Refused && error.refusal.error === "forbidden") return desk.revoke();
    desk.meetAgain();
    setTimeout(hold, UNSENT_AFTER);
  }
}

/** How full the battery is, where the browser tells. */
async function watchPower() {
  const battery = await /** @type {any} */ (navigator).getBattery?.();
  if (!battery) return;
  const tellPower = () => {
    power = `${Math.round(battery.level * 100)} %`;
    changed();
  };
  battery.addEventListener("levelchange", tellPower);
  tellPower();
}
