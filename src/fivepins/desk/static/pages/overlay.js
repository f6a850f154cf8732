// The overlay of a stream: the board of a table, held back as long as the picture is. Its address says how:
// `?skin=` one of SKINS, `&delay=` seconds. What it shows last stays, whatever becomes of the server.

import { draw, tick } from "../board.js";
import { connect } from "../live.js";
import { boot } from "../say.js";
import { keepPage } from "../service.js";

const SKINS = ["dark", "light", "minimal", "broadcast"];
const LONGEST = 300;

const asked = new URLSearchParams(location.search);
const table = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const root = /** @type {HTMLElement} */ (document.querySelector(".board"));
const skin = SKINS.includes(asked.get("skin") ?? "") ? String(asked.get("skin")) : SKINS[0];
const delay = 1000 * seconds(asked.get("delay"));

/** @type {any} */
let board = null;

/** A delay in seconds; anything else than 0 to 300 is none. @param {string | null} text */
function seconds(text) {
  const value = Number(text);
  return value >= 0 && value <= LONGEST ? value : 0;
}

/** @param {any} next */
function show(next) {
  board = next;
  draw(root, board);
  root.dataset.begun = "";
}

document.documentElement.dataset.skin = skin;
document.documentElement.dataset.theme = skin === "light" ? "light" : "dark";
const feed = connect({ table, kind: "board", lang: boot.lang }, {
  message: (message) => {
    if (message.board) setTimeout(show, delay, message.board);
  },
  status: (status) => { root.dataset.link = status; },
});

addEventListener("load", () => keepPage().catch(() => {})); // without a worker it needs the server first, and that is all

setInterval(() => { if (board !== null) tick(root, board, feed.now() - delay); }, 200);
