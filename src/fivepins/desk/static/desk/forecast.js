// The board as it will be once the server has answered: what has been queued, on top of what is saved. Pure.
// It knows no rules: points come from the ruling that was shown, and what was agreed from the terms of the board.

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("../types.js").Ruling} Ruling */

/** What was queued: its line, and the ruling that was shown with it. @typedef {{line: string, ruling?: Ruling | null, penalty?: number}} Queued */
/** The board that is shown; the saved one on which what is queued stands; whether only the server can tell what comes.
 * @typedef {{board: Board, ground: Board, waiting: boolean}} Foreseen */
/** The board after a line; null where that is not foreseen. @typedef {(board: Board, line: Queued, words: string[]) => Board | null} After */

const HEADER = /^[A-Z][\w-]*: /;
const NEVER_UNDONE = /^(note|protest|decision|referee|score|#)/;

/** @param {Side} side @returns {Side} */
export function other(side) {
  return side === "A" ? "B" : "A";
}

/**
 * The board after what is queued. An undo takes the last line back, queued or saved, as far as boards are known.
 * @param {Board[]} boards those that are saved, each after a step more than the one before; the last one is the newest
 * @param {Queued[]} queue @returns {Foreseen}
 */
export function forecast(boards, queue) {
  const saved = /** @type {Board} */ (boards.at(-1));
  /** @type {(Board | null)[]} */
  const stack = [...boards];
  let ground = boards.length;
  let { status } = saved;
  for (const queued of queue) {
    const { line } = queued;
    if (line.startsWith("Status: ")) status = line === "Status: closed" ? "closed" : "open";
    if (HEADER.test(line) || NEVER_UNDONE.test(line)) continue;
    if (line.startsWith("undo ")) stack.pop();
    else stack.push(line.startsWith("resume") ? resumed(stack) : next(stack.at(-1) ?? null, queued));
    if (stack.length === 0) stack.push(null); // further back than this device has seen
    ground = Math.min(ground, stack.length);
  }
  const shown = stack.at(-1) ?? null;
  const known = shown ?? stack.filter((board) => board !== null).at(-1) ?? saved;
  return { board: { ...now(known, saved), status }, ground: stack[ground - 1] ?? saved, waiting: shown === null };
}

/** An earlier board with the head of the newest one, which no undo changes. @param {Board} board @param {Board} saved @returns {Board} */
function now(board, saved) {
  if (board === saved) return board;
  const { seq, saved: at, table, event, round, referee, language } = saved;
  const named = (/** @type {Side} */ side) => ({ ...board.sides[side], name: saved.sides[side].name });
  const clock = stopped(saved.clock);
  return { ...board, seq, saved: at, table, event, round, referee, language, clock, sides: { A: named("A"), B: named("B") } };
}

/** The board from before an interruption. @param {(Board | null)[]} stack */
function resumed(stack) {
  return stack.filter((board) => board?.phase !== "suspended").at(-1) ?? null;
}

/** @param {Board | null} board @param {Queued} queued @returns {Board | null} */
function next(board, queued) {
  return board && after({ ...board, break: null }, queued);
}

/** The board after one line, or null where that is not foreseen. @param {Board} board @param {Queued} queued @returns {Board | null} */
export function after(board, queued) {
  const words = queued.line.split(" ");
  const word = words[0] ?? "";
  return (/^\d+\.$/.test(word) ? turn : AFTER[word])?.(board, queued, words) ?? null;
}

/** What each word of the notation does, where that is certain. @type {Record<string, After>} */
const AFTER = {
  lag: (board, _, [, what, side]) => lag(board, what, side),
  set: (board, _, [, number, side]) => opened(board, Number(number), side === "A" ? "A" : "B"),
  late: (board, { penalty = 2 }) => striking(board, (striker) => late(award(board, other(striker), penalty))),
  extra: (board) => striking(board, (striker) => extended(board, striker)),
  good: (board, _, [, side]) => (board.phase === "distance" ? closed(board, side === "A" ? "A" : "B") : null),
  pause: (board, _, [, length = "", side]) => (length === "refused" ? board : paused(board, length, side)),
  suspend: (board) => ({ ...board, ...RESTING, phase: "suspended" }),
};

/** Nobody plays. */
const RESTING = { to_play: null, hand: false, spot: false, opening: false, late: false, limit: null };

/** @param {Board} board @param {(striker: Side) => Board} what */
function striking(board, what) {
  return board.phase === "play" && board.to_play !== null ? what(board.to_play) : null;
}

/** @type {After} */
function turn(board, { ruling, penalty = 2 }, [, , action]) {
  return striking(board, (striker) => {
    if (action === "lost") return lost(award(board, other(striker), penalty));
    return ruling ? played(board, striker, ruling) : /** @type {any} */ (null);
  });
}

/** @param {Board} board @param {Side} striker @param {Ruling} ruling */
function played(board, striker, [facts, points, to, hand, spot, words, announce]) {
  const receiver = to === "opponent" ? other(striker) : striker;
  /** @type {Board} */
  const scored = {
    ...award(board, receiver, points),
    last: { turn: board.turn, side: striker, to: points ? receiver : null, points, facts, words, announce, hand: hand === 1, foul: to === "opponent" || hand === 1 },
  };
  return passed(scored, { hand: hand === 1, spot: spot === 1, opening: false });
}

/** The turn passes on time: the next one finds what this one found, or has ball in hand by the book. @param {Board} board */
function lost(board) {
  const given = board.terms.lost_in_hand && !board.opening;
  return passed(board, { hand: given || board.hand, spot: given || board.spot, opening: board.opening });
}

/** @param {Board} board @param {Side} side @param {number} points @returns {Board} */
function award(board, side, points) {
  const one = board.sides[side];
  const score = Math.min(one.score + points, one.distance);
  const sides = { ...board.sides, [side]: { ...one, score, missing: one.distance - score } };
  return { ...board, sides, ...(score === one.distance ? { phase: /** @type {const} */ ("distance"), set_winner: side } : {}) };
}

/** The turn goes to the other side. @param {Board} board @param {{hand: boolean, spot: boolean, opening: boolean}} situation @returns {Board} */
function passed(board, situation) {
  const rest = { turn: board.turn + 1, late: false, clock: stopped(board.clock) };
  if (board.phase === "distance") return { ...board, ...RESTING, ...rest };
  return { ...board, ...situation, ...rest, to_play: other(/** @type {Side} */ (board.to_play)), limit: period(board, "first") };
}

/** @param {Board} board @param {Side} side @returns {Board} */
function extended(board, side) {
  const one = board.sides[side];
  return { ...board, sides: { ...board.sides, [side]: { ...one, extra: one.extra - 1 } }, limit: period(board, "extra") };
}

/** @param {Board} board @returns {Board} */
function late(board) {
  if (board.phase === "distance") return { ...board, ...RESTING, late: true, clock: stopped(board.clock) };
  return { ...board, late: true, limit: period(board, "second") };
}

/** @param {Board} board @param {"first" | "second" | "extra"} name */
function period({ terms }, name) {
  return terms.limits && { seconds: terms.limits[name], period: name };
}

/** Who chooses is certain after a first repetition, not after a second one: that depends on the book.
 * @param {Board} board @param {string} [what] @param {string} [side] @returns {Board | null} */
function lag(board, what, side) {
  if (board.phase !== "lag" || board.chooser !== null) return null;
  if (what === "A" || what === "B") return { ...board, chooser: what, lag: { ...board.lag, played: true } };
  if (what === "forfeit") return { ...board, chooser: other(side === "A" ? "A" : "B"), lag: { ...board.lag, played: true } };
  const caused = { ...board.lag.caused };
  if (side === "A" || side === "B") caused[side] += 1;
  return caused.A + caused.B < 2 || side === undefined ? { ...board, lag: { played: true, caused } } : null;
}

/** The board with a set begun. @param {Board} board @param {number} number @param {Side} opener @returns {Board | null} */
function opened(board, number, opener) {
  if (board.phase !== "lag" && board.phase !== "between") return null;
  const begun = (/** @type {Side} */ side) => {
    const one = board.sides[side];
    const colour = one.colour ?? (side === opener ? /** @type {const} */ ("white") : /** @type {const} */ ("yellow"));
    return { ...one, colour, score: one.start, missing: one.distance - one.start, extra: board.terms.extra };
  };
  return {
    ...board, ...RESTING, phase: "play", set: number, turn: 1, to_play: opener, opener: other(opener), opening: true,
    sides: { A: begun("A"), B: begun("B") }, limit: period(board, "first"), clock: stopped(board.clock), pause: "none", last: null,
  };
}

/** The board with the set won. @param {Board} board @param {Side} winner @returns {Board} */
function closed(board, winner) {
  const { A, B } = board.sides;
  const sides = { A: { ...A, extra: 0 }, B: { ...B, extra: 0 } };
  sides[winner].sets += 1;
  const finished = [...board.finished, { set: board.set, A: A.score, B: B.score, winner }];
  const rest = { ...board, ...RESTING, sides, finished, set_winner: null, turn: 0 };
  if (sides[winner].sets >= board.terms.majority) return { ...rest, phase: "over", over: true, winner, pause: "none" };
  return { ...rest, phase: "between", pause: board.terms.breaks.includes(finished.length) ? "offered" : "none" };
}

/** @param {Board} board @param {string} length @param {string} [at] @returns {Board} */
function paused(board, length, at = "") {
  const [minutes = 0, seconds = 0] = length.split(":").map(Number);
  return { ...board, pause: "none", break: { at: at.replace("at=", ""), seconds: 60 * minutes + seconds } };
}

/** @param {import("../types.js").Clock} clock */
function stopped(clock) {
  return { ...clock, running: false, held: 0, from: 0, ask: false };
}
