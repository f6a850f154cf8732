// The rulings behind the keys: computed by the server once, so a preview needs no network and the rules exist once.

import { FOULS, MOST_FOULS_IN_TABLE, PIN_KEYS, inPlay, press, presses } from "./strokes.js";

/** @typedef {import("./strokes.js").Prefix} Prefix */
/** @typedef {import("../types.js").Ruling} Ruling */
/** @typedef {import("../types.js").RulingTable} RulingTable */

export class Rulings {
  /** @param {RulingTable} opening @param {RulingTable} ordinary */
  constructor(opening, ordinary) {
    this.tables = { opening, ordinary };
    this.most = 1; // fouls in one stroke that the table knows
    this.known = new Set(Object.keys(ordinary.rulings).flatMap((keys) => keys.split(" ")));
  }

  /** The tables of a rule book, with one foul a stroke; tried again until the server answers.
   * @param {{opening: string, ordinary: string}} urls */
  static async load(urls) {
    const [opening, ordinary] = await Promise.all([table(urls.opening), table(urls.ordinary)]);
    return new Rulings(opening, ordinary);
  }

  /** The strokes with two fouls, which are many and rare, and so come later.
   * @param {{opening: string, ordinary: string}} urls */
  async more(urls) {
    for (const occasion of /** @type {const} */ (["ordinary", "opening"])) {
      const { rulings } = await table(`${urls[occasion]}&fouls=${MOST_FOULS_IN_TABLE}`);
      this.tables[occasion] = { ...this.tables[occasion], rulings: { ...this.tables[occasion].rulings, ...rulings } };
    }
    this.most = MOST_FOULS_IN_TABLE;
  }

  /** Whether the rule book has this key at all. @param {string} key */
  has(key) {
    return this.known.has(key);
  }

  /** The ruling on these keys; undefined where they cannot be, or where the server must be asked.
   * @param {boolean} opening @param {Prefix} prefix @param {string} pins @returns {Ruling | undefined} */
  of(opening, prefix, pins) {
    const found = this.tables[opening ? "opening" : "ordinary"].rulings[presses(prefix, pins)];
    return found && inPlay(pins, prefix.off) ? found : undefined;
  }

  /** What keys that are down can still come to, whatever pins fall: the least and the most points, where all of them go
   * to one side its word, and whether ball in hand follows in any case; null where none of it is known.
   * @param {boolean} opening @param {Prefix} prefix @returns {{least: number, most: number, to: Ruling[2], hand: boolean} | null} */
  range(opening, prefix) {
    const can = PIN_KEYS.map((pins) => this.of(opening, prefix, pins)).filter((ruling) => ruling !== undefined);
    if (can.length === 0) return null;
    const points = can.map((ruling) => ruling[1]);
    const receivers = new Set(can.filter((ruling) => ruling[1] > 0).map((ruling) => ruling[2]));
    const [to = ""] = receivers.size === 1 ? receivers : [];
    return { least: Math.min(...points), most: Math.max(...points), to, hand: can.every((ruling) => ruling[3] === 1) };
  }

  /** Whether only the server can tell what these keys come to. @param {Prefix} prefix */
  beyond(prefix) {
    return prefix.fouls.length > this.most;
  }

  /** Whether a pin key can end this stroke. @param {boolean} opening @param {Prefix} prefix @param {string} pins */
  canEnd(opening, prefix, pins) {
    return this.beyond(prefix) ? inPlay(pins, prefix.off) : this.of(opening, prefix, pins) !== undefined;
  }

  /** Whether one more key leaves a stroke that can be. @param {boolean} opening @param {Prefix} prefix @param {string} key */
  canPress(opening, prefix, key) {
    if (FOULS.includes(key) && !this.has(key)) return false;
    const next = press(prefix, key);
    return PIN_KEYS.some((pins) => this.canEnd(opening, next, pins));
  }
}

const AGAIN_AFTER = 2000;

/** @param {string} url @returns {Promise<RulingTable>} */
async function table(url) {
  for (;;) {
    try {
      const response = await fetch(url);
      if (response.ok) return await response.json();
    } catch {
      // no network yet: the page shows that the line is dead, and this waits for it
    }
    await new Promise((done) => setTimeout(done, AGAIN_AFTER));
  }
}
