// From keys to a stroke: which keys are down, the word the table of rulings knows them by, and the facts that are sent.

/** @typedef {import("../types.js").Ruling} Ruling */
/** @typedef {import("../types.js").Board} Board */

/** The pin keys, in the order of the pad. */
export const PIN_KEYS = ["0", "1", "2", "3", "4", "R", "R+1", "R+2", "R+3", "R+4"];

/** The fouls, in the order in which the table names them. */
export const FOULS = [
  "cue", "missed", "red", "red-only", "first", "off-own", "off-other", "off-red",
  "wrong-ball", "motion", "tip", "touched", "contact", "foot", "jump", "push", "half", "line", "conduct", "partner",
];

/** The table holds no combination with more fouls than this; the server is asked for the others. */
export const MOST_FOULS_IN_TABLE = 2;

/**
 * The keys that are down before a pin key ends the stroke.
 * @typedef {object} Prefix
 * @property {"" | "cannon" | "casin"} contact
 * @property {string[]} fouls
 * @property {boolean} spot the object ball was asked for on its spot (44.5)
 * @property {boolean} side played sideways from a frozen object ball (2022)
 * @property {string} off pins not in play because a ball covers their seat (43.8)
 */

/** @returns {Prefix} */
export function nothing() {
  return { contact: "", fouls: [], spot: false, side: false, off: "" };
}

/** Whether no key is down. @param {Prefix} prefix */
export function isNothing(prefix) {
  return prefix.contact === "" && prefix.fouls.length === 0 && !prefix.spot && !prefix.side && prefix.off === "";
}

/** The prefix with one more key pressed; pressed again, a key comes up. @param {Prefix} prefix @param {string} key @returns {Prefix} */
export function press(prefix, key) {
  if (key === "cannon" || key === "casin") return { ...prefix, contact: prefix.contact === key ? "" : key };
  if (key === "spot") return { ...prefix, spot: !prefix.spot };
  if (key === "side") return { ...prefix, side: !prefix.side };
  if (key === "red") return { ...prefix, fouls: turnRed(prefix.fouls) };
  const fouls = prefix.fouls.includes(key) ? prefix.fouls.filter((foul) => foul !== key) : [...prefix.fouls, key];
  return { ...prefix, fouls };
}

/** The red ball first, then the red ball only, then neither. @param {string[]} fouls */
function turnRed(fouls) {
  if (fouls.includes("red")) return fouls.map((foul) => (foul === "red" ? "red-only" : foul));
  if (fouls.includes("red-only")) return fouls.filter((foul) => foul !== "red-only");
  return [...fouls, "red"];
}

/** The word by which the table knows these keys. @param {Prefix} prefix @param {string} pins */
export function presses(prefix, pins) {
  const fouls = FOULS.filter((foul) => prefix.fouls.includes(foul));
  return [prefix.contact, ...fouls, pins].filter(Boolean).join(" ");
}

/** Which pin key stands for these pins. @param {string} pins such as "135" */
export function pinKey(pins) {
  const outer = pins.replace("5", "").length;
  if (!pins.includes("5")) return String(outer);
  return outer ? `R+${outer}` : "R";
}

/** How many outer pins a key stands for. @param {string} key */
export function outerOf(key) {
  return key === "R" ? 0 : Number(key.at(-1));
}

/** Whether a pin key stands for pins that are in play. @param {string} key @param {string} off */
export function inPlay(key, off) {
  const outer = 4 - [...off].filter((pin) => pin !== "5").length;
  return outerOf(key) <= outer && !(key.startsWith("R") && off.includes("5"));
}

/** The facts as they are sent: what comes first, then what the table says, its dots replaced by the pins that were named.
 * @param {string} facts @param {Prefix} prefix @param {string} [pins] */
export function facts(facts, prefix, pins = "") {
  const before = [prefix.off && `off/${prefix.off}`, prefix.spot && "spot", prefix.side && "side"].filter(Boolean);
  return [...before, pins ? named(facts, pins) : facts].join(" ");
}

/** @param {string} facts @param {string} pins */
function named(facts, pins) {
  return facts.replace(/\/[.5]+/, `/${[...pins].sort().join("")}`);
}

/** Points to the striker, negative to the opponent. @param {Ruling} ruling */
export function check(ruling) {
  return ruling[2] === "opponent" ? -ruling[1] : ruling[1];
}

/** The line of a turn. @param {Board} board @param {string} facts @param {number} check @param {{seconds?: number | null, at?: string}} [marks] */
export function turnLine(board, facts, check, { seconds = null, at = "" } = {}) {
  const mark = seconds === null ? "" : ` @${Math.floor(seconds)}`;
  const stamp = at && ` at=${at}`;
  return `${board.turn}. ${board.to_play} ${facts} =${check}${mark}${stamp}`;
}

/** A text in quotes, as the notation writes it. @param {string} text */
export function quoted(text) {
  return `"${text.trim().replace(/\s+/g, " ").replace(/[\s\\]+$/, "").replaceAll('"', '\\"')}"`;
}
