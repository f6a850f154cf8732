// The board as it will be once the server has answered: what has been queued, on top of what is saved. Pure.
// It knows no rules: the points come from the ruling that was shown; only a sum, a cut and a change of turn are done here.

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("../types.js").Ruling} Ruling */

/** What was queued: its line, and the ruling that was shown with it. @typedef {{line: string, ruling?: Ruling | null, penalty?: number}} Queued */

/** @param {Side} side @returns {Side} */
export function other(side) {
  return side === "A" ? "B" : "A";
}

/**
 * The board after what is queued; `waiting` where something is queued whose outcome only the server can tell.
 * An undo of something queued takes it back here too.
 * @param {Board} board @param {Queued[]} queue @returns {{board: Board, waiting: boolean}}
 */
export function forecast(board, queue) {
  const stack = [board];
  for (const queued of queue) {
    const now = /** @type {Board} */ (stack.at(-1));
    if (/^(note|protest|decision|referee|#)/.test(queued.line)) continue;
    if (queued.line.startsWith("undo ")) {
      if (stack.length === 1) return { board: now, waiting: true };
      stack.pop();
      continue;
    }
    const next = after(now, queued);
    if (next === null) return { board: now, waiting: true };
    stack.push(next);
  }
  return { board: /** @type {Board} */ (stack.at(-1)), waiting: false };
}

/** The board after one line, or null where that is not foreseen. @param {Board} board @param {Queued} queued @returns {Board | null} */
export function after(board, { line, ruling, penalty = 2 }) {
  if (board.phase !== "play" || board.to_play === null) return null;
  const striker = board.to_play;
  const [word = "", , action] = line.split(" ");
  if (word === "late") return period(award(board, other(striker), penalty), { late: true });
  if (word === "extra") return extended(board, striker);
  if (!/^\d+\.$/.test(word)) return null;
  if (action === "lost") return passed(award(board, other(striker), penalty), { hand: null, spot: null });
  if (!ruling) return null;
  const [facts, points, to, hand, spot, words, announce] = ruling;
  const receiver = to === "opponent" ? other(striker) : striker;
  /** @type {Board} */
  const scored = {
    ...award(board, receiver, points),
    last: { turn: board.turn, side: striker, to: points ? receiver : null, points, facts, words, announce, hand: hand === 1, foul: to === "opponent" || hand === 1 },
  };
  return passed(scored, { hand: hand === 1, spot: spot === 1 });
}

/** @param {Board} board @param {Side} side @param {number} points @returns {Board} */
function award(board, side, points) {
  const one = board.sides[side];
  const score = Math.min(one.score + points, one.distance);
  const sides = { ...board.sides, [side]: { ...one, score, missing: one.distance - score } };
  return { ...board, sides, ...(score === one.distance ? { phase: /** @type {const} */ ("distance"), set_winner: side } : {}) };
}

/** The turn goes to the other side; a turn lost on time leaves hand and opening to the server's book.
 * @param {Board} board @param {{hand: boolean | null, spot: boolean | null}} situation @returns {Board} */
function passed(board, { hand, spot }) {
  const rest = { turn: board.turn + 1, late: false, clock: stopped(board.clock) };
  if (board.phase === "distance") return { ...board, ...rest, to_play: null, hand: false, spot: false, limit: null };
  const lost = hand === null;
  return {
    ...board,
    ...rest,
    to_play: other(/** @type {Side} */ (board.to_play)),
    hand: lost ? board.hand : hand,
    spot: lost ? board.spot : spot === true,
    opening: lost && board.opening,
    limit: board.limit && { ...board.limit, period: "first" },
  };
}

/** @param {Board} board @param {Side} side @returns {Board} */
function extended(board, side) {
  const one = board.sides[side];
  return { ...board, sides: { ...board.sides, [side]: { ...one, extra: one.extra - 1 } } };
}

/** @param {Board} board @param {{late: boolean}} change @returns {Board} */
function period(board, { late }) {
  if (board.phase === "distance") return { ...board, to_play: null, hand: false, spot: false, limit: null, clock: stopped(board.clock) };
  return { ...board, late };
}

/** @param {import("../types.js").Clock} clock */
function stopped(clock) {
  return { ...clock, running: false, held: 0, from: 0, ask: false };
}
