// The feed of a page: boards as they come, and the server's clock. Decision 032, "The feed".

/** @typedef {import("./types.js").Board} Board */
/** @typedef {{match?: string, table?: string, hall?: boolean | 1, kind: "board" | "sheet" | "desk", lang: string, since?: number}} Asked */
/** What the server sends. The rest of a message is for the page. @typedef {any} Message */
/** @typedef {{message: (message: Message) => void, status: (status: "live" | "stale") => void, ended?: () => void}} Told */

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;
const LOOK = 2_000; // how often the line is looked after
const SILENCE = 30_000; // the server says something every 10 s
const GAP = 12_000; // a pause of this page after which its socket is not believed
const OPENING = 5_000;
const RIGHT_ENDED = 4403; // what the server closes with when it no longer lets this device work
const BLOCKED = 3; // openings that fail before boards are fetched one by one

/** Listen to a match, a table or the hall. @param {Asked} asked @param {Told} told */
export function connect(asked, told) {
  const feed = new Feed(asked, told);
  feed.start();
  return { close: () => feed.stop(), now: () => feed.now() };
}

class Feed {
  /** @param {Asked} asked @param {Told} told */
  constructor(asked, told) {
    this.asked = asked;
    this.told = told;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {"live" | "stale" | null} */
    this.status = null;
    /** The newest line of each match. @type {Map<string, number>} */
    this.newest = new Map();
    if (asked.match !== undefined && asked.since !== undefined) this.newest.set(asked.match, asked.since);
    /** @type {string | undefined} */
    this.epoch = undefined;
    this.offset = -Infinity;
    this.failures = 0;
    this.polled = false; // whether boards are fetched one by one, and come
    this.heard = this.looked = Date.now(); // wall time: the page's own clock stands still in a sleeping device
    this.timer = 0;
    this.ended = new AbortController();
  }

  start() {
    const { signal } = this.ended;
    for (const event of ["online", "pageshow", "focus"]) addEventListener(event, () => this.wake(), { signal });
    addEventListener("offline", () => this.again(), { signal }); // a socket says nothing of a cable that is pulled
    document.addEventListener("visibilitychange", () => this.wake(), { signal });
    const look = setInterval(() => this.look(), LOOK);
    signal.addEventListener("abort", () => clearInterval(look));
    this.open();
  }

  stop() {
    this.ended.abort();
    this.leave();
  }

  /** The server's clock in ms. The message that travelled fastest tells it best. */
  now() {
    return performance.now() + (this.offset === -Infinity ? 0 : this.offset);
  }

  open() {
    this.leave();
    this.heard = Date.now();
    const socket = new WebSocket(this.address());
    this.socket = socket;
    socket.onopen = () => {
      this.failures = 0;
      this.polled = false;
      this.heard = Date.now();
      this.tell("live");
    };
    socket.onmessage = ({ data }) => {
      this.heard = Date.now();
      this.take(JSON.parse(data));
    };
    socket.onclose = ({ code }) => (code === RIGHT_ENDED ? this.end() : this.fail());
  }

  /** The right to work here was taken back: whoever may only watch hears the boards all the same. */
  end() {
    this.asked = { ...this.asked, kind: /** @type {const} */ ("board") };
    this.told.ended?.();
    this.open();
  }

  address() {
    const { match, table, hall, kind, lang } = this.asked;
    const since = match === undefined ? undefined : this.newest.get(match);
    const asked = Object.entries({ match, table, hall: hall ? 1 : undefined, kind, lang, since });
    const address = new URL("/live", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    for (const [name, value] of asked) if (value !== undefined) address.searchParams.set(name, String(value));
    return address;
  }

  /** Let go of the socket without hearing of its end. */
  leave() {
    clearTimeout(this.timer);
    if (this.socket === null) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.socket = null;
  }

  /** The line is lost: try again, later each time and not all screens of a hall at once. */
  fail() {
    this.leave();
    if (!this.polled) this.tell("stale");
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.failures);
    this.failures += 1;
    this.timer = setTimeout(() => this.open(), pause * (0.5 + Math.random() / 2));
  }

  /** Look after the line; a tick that comes far too late tells that this page, or the device, was asleep. */
  look() {
    const now = Date.now();
    const slept = now - this.looked > GAP && document.visibilityState === "visible"; // hidden pages tick once a minute
    this.looked = now;
    const silent = now - this.heard;
    if (slept || (this.socket?.readyState === WebSocket.OPEN && silent > SILENCE)) this.again();
    else if (this.socket?.readyState === WebSocket.CONNECTING && silent > OPENING) this.fail();
    if (this.failures >= BLOCKED) this.poll();
  }

  /** The page is in front again, or the network is back. */
  wake() {
    if (document.visibilityState !== "visible") return;
    const waiting = this.socket === null;
    if (waiting || Date.now() - this.heard > GAP) this.again();
  }

  again() {
    this.tell("stale");
    this.open();
  }

  /** Fetch the board where WebSockets are blocked. */
  async poll() {
    const { match, lang } = this.asked;
    if (match === undefined) return;
    try {
      const response = await fetch(`/matches/${encodeURIComponent(match)}/board?lang=${lang}`,
        { cache: "no-store", signal: AbortSignal.timeout(LOOK) });
      if (this.ended.signal.aborted) return;
      this.polled = response.ok;
      if (!response.ok) return this.tell("stale");
      const board = await response.json();
      this.take({ now: board.now, epoch: board.epoch, board });
    } catch {
      this.polled = false;
      this.tell("stale");
    }
  }

  /** @param {Message} message */
  take(message) {
    if (message.epoch !== undefined && message.epoch !== this.epoch) {
      if (this.epoch !== undefined) this.newest.clear();
      this.epoch = message.epoch;
      this.offset = -Infinity;
    }
    if (typeof message.now === "number") this.offset = Math.max(this.offset, message.now - performance.now());
    if (message.board && !this.admits(message.board)) return;
    this.tell("live");
    this.told.message(message.boards ? { ...message, boards: this.sift(message.boards) } : message);
    if (message.board && this.asked.kind === "desk" && this.socket?.readyState === WebSocket.OPEN)
      this.socket.send(JSON.stringify({ seen: message.board.seq }));
  }

  /** Whether a board is one that was asked for, and not older than what is shown. @param {Board} board */
  admits(board) {
    const { match, table } = this.asked;
    if (match !== undefined && board.match !== match) return false;
    if (table !== undefined && board.table !== table) return false;
    if (board.seq < (this.newest.get(board.match) ?? 0)) return false;
    this.newest.set(board.match, board.seq);
    return true;
  }

  /** The boards of a hall without those that come late. @param {Record<string, Board | null>} boards */
  sift(boards) {
    return Object.fromEntries(Object.entries(boards).filter(([, board]) => board === null || this.admits(board)));
  }

  /** @param {"live" | "stale"} status */
  tell(status) {
    if (this.status === status) return;
    this.status = status;
    this.told.status(status);
  }
}
