// The boards that this device has seen of its match, kept on it: where an undo leads, and where a page begins that is
// opened again without a network. Only those are kept that follow each other step by step; a gap forgets what is behind it.

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Presence} Presence */

const KEY = "fivepins seen";
const MOST = 12;

export class History {
  /** What is known of the match of this board, which is where the page begins. @param {Board} board */
  constructor(board) {
    const kept = read();
    /** @type {Board[]} */
    this.boards = kept?.match === board.match ? kept.boards : [];
    /** @type {Presence["holder"]} */
    this.holder = kept?.match === board.match ? kept.holder : null;
    this.heard = false; // a page out of the cache may be older than what was kept
    this.keep(board);
  }

  /** The newest board. */
  get newest() {
    return /** @type {Board} */ (this.boards.at(-1));
  }

  /** A board from the server; false where it comes late. The first one is believed whatever was kept: a hall may have
   * been set up anew. @param {Board} board */
  take(board) {
    if (!this.heard && board.seq < this.newest.seq) this.boards = [];
    this.heard = true;
    return this.keep(board);
  }

  /** @param {Board} board */
  keep(board) {
    const last = this.boards.at(-1);
    if (last !== undefined && board.seq < last.seq) return false;
    const kept = this.boards.slice(0, last === undefined ? 0 : this.kept(last, board));
    this.boards = [...kept, board].slice(-MOST);
    this.write();
    return true;
  }

  /** How many boards stay below a new one. @param {Board} last @param {Board} board */
  kept(last, board) {
    const steps = board.steps - last.steps;
    const follows = board.seq === last.seq ? steps === 0 : board.seq === last.seq + 1 && Math.abs(steps) <= 1;
    return follows ? Math.max(0, this.boards.length - 1 + steps) : 0;
  }

  /** Who writes this match, as far as is known. @param {Presence["holder"]} holder */
  held(holder) {
    this.holder = holder;
    this.write();
  }

  write() {
    try {
      localStorage.setItem(KEY, JSON.stringify({ match: this.newest.match, boards: this.boards, holder: this.holder }));
    } catch {
      // a browser that keeps nothing: all of this is known until the page is closed
    }
  }
}

/** @returns {{match: string, boards: Board[], holder: Presence["holder"]} | null} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}
