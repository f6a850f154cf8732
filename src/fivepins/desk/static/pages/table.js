// The display of a table: the match that is on there, and the next one when it comes.

import { awake } from "../awake.js";
import { draw, tick } from "../board.js";
import { connect } from "../live.js";
import { boot } from "../say.js";

const table = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const root = /** @type {HTMLElement} */ (document.querySelector(".board"));
const free = /** @type {HTMLElement} */ (document.querySelector(".free"));
const says = /** @type {HTMLElement} */ (free.querySelector("small"));
const sleep = /** @type {HTMLElement} */ (document.querySelector(".sleep"));
const lost = /** @type {HTMLElement} */ (document.querySelector(".link-lost"));

/** @type {import("../board.js").Board | null} */
let board = null;

/** @param {import("../board.js").Board | null} next */
function show(next) {
  board = next;
  root.hidden = board === null;
  free.hidden = board !== null;
  says.hidden = false;
  if (board !== null) draw(root, board);
}

root.hidden = true;
if ("board" in boot) show(boot.board);
const feed = connect({ table, kind: "board", lang: boot.lang }, {
  message: (message) => {
    if ("board" in message) show(message.board);
    beat();
  },
  status: (status) => { lost.hidden = status === "live"; },
});

/** The seconds are counted here: only what happens to the clock travels. */
function beat() {
  if (board !== null) tick(root, board, feed.now());
}

setInterval(beat, 200);
awake.start((state) => { sleep.hidden = state === "held"; });
