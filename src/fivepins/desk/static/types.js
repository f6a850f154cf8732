// The JSON of decision 032 as types: what the server sends, and what a page may rely on. Nothing runs here.

/** @typedef {"A" | "B"} Side */
/** @typedef {"lag" | "between" | "play" | "distance" | "suspended" | "over"} Phase */

/**
 * What a screen shows of one side.
 * @typedef {object} SideBoard
 * @property {string} name
 * @property {"white" | "yellow" | null} colour null before the first set is opened
 * @property {number} score
 * @property {number} sets
 * @property {number} start
 * @property {number} distance
 * @property {number} missing
 * @property {number | null} average null before the first stroke
 * @property {number} best
 * @property {number} fouls
 * @property {number} extra extra times left in this set
 */

/**
 * The stroke clock; `since` is on the server's clock in milliseconds, `held` and `from` are seconds.
 * @typedef {object} Clock
 * @property {boolean} running
 * @property {number | null} since null while it stands
 * @property {number} held seconds before `since`
 * @property {number} from seconds at which the limit in force began
 * @property {boolean} ask the server was started anew: the referee says what is true
 */

/**
 * @typedef {object} LastStroke
 * @property {number | null} turn
 * @property {Side} side
 * @property {Side | null} to
 * @property {number} points
 * @property {string} facts
 * @property {string} words
 * @property {string} announce
 * @property {boolean} hand
 * @property {boolean} foul
 */

/**
 * What every screen shows of a match.
 * @typedef {object} Board
 * @property {string} match
 * @property {number} seq the last saved line
 * @property {string} saved the hall's time of that line
 * @property {string} table
 * @property {string} event
 * @property {string} round
 * @property {string} rules
 * @property {number} sets
 * @property {string} referee
 * @property {string} language of the match
 * @property {"open" | "closed"} status
 * @property {Record<Side, SideBoard>} sides
 * @property {Phase} phase
 * @property {string} ended how the match ended before its last point, in words, or ""
 * @property {number} set
 * @property {number} turn the number the next turn will have
 * @property {Side | null} to_play
 * @property {boolean} hand
 * @property {boolean} spot
 * @property {boolean} opening
 * @property {boolean} late
 * @property {Side | null} opener who must open the next set
 * @property {Side | null} chooser who won the lag
 * @property {Side | null} winner
 * @property {Side | null} set_winner
 * @property {boolean} over
 * @property {string} result
 * @property {"none" | "offered" | "due"} pause
 * @property {number} minutes of the break
 * @property {{at: string, seconds: number} | null} break that is under way, and when it began
 * @property {number} steps how many events an undo can take back, one after the other
 * @property {{majority: number, breaks: number[], limits: Record<"first" | "second" | "extra", number> | null, extra: number, lost_in_hand: boolean}} terms
 * @property {{set: number, A: number, B: number, winner: Side}[]} finished
 * @property {{played: boolean, caused: Record<Side, number>}} lag
 * @property {{seconds: number, period: "first" | "second" | "extra"} | null} limit
 * @property {Clock} clock
 * @property {LastStroke | null} last
 */

/** What one combination of keys comes to: facts, points, to, hand, spot, words, announcement.
 * @typedef {[string, number, "striker" | "opponent" | "", 0 | 1, 0 | 1, string, string]} Ruling */

/** @typedef {{book: string, occasion: "opening" | "ordinary", rulings: Record<string, Ruling>}} RulingTable */

/**
 * What a preview answers: nothing of it is stored.
 * @typedef {object} Preview
 * @property {string[]} lines
 * @property {string} words
 * @property {string} announce
 * @property {number} points
 * @property {Side | "striker" | "opponent" | "" | null} to
 * @property {boolean} hand
 * @property {Board} board
 */

/** @typedef {{seq: number, lines: string[], note?: string, board: Board}} Saved */
/** @typedef {{error: string, message: string, hint?: string, part?: string, column?: number, missing?: unknown[], holder?: unknown}} Refusal */
/** @typedef {{device: string, name: string, by?: string}} Holder */
/** @typedef {{devices: number, holder: Holder | null}} Presence */

/**
 * A row of the sheet.
 * @typedef {object} Row
 * @property {number | null} turn
 * @property {Side} side
 * @property {string} words
 * @property {number} points
 * @property {Side | null} to
 * @property {boolean} hand
 * @property {boolean} foul
 * @property {number} A
 * @property {number} B
 * @property {string} [facts]
 */

/**
 * What the server tells the desk page at its start.
 * @typedef {object} Boot
 * @property {string} match
 * @property {Board} board
 * @property {"director" | "referee" | "timekeeper" | "spectator"} role
 * @property {{device: string, name: string}} me
 * @property {string} lang
 * @property {Record<string, string>} languages
 * @property {string} zone
 * @property {{opening: string, ordinary: string}} keys
 * @property {string[]} tables
 * @property {boolean} secure
 */

export {};
