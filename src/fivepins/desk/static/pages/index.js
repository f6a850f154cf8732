// What is on: the scores follow the matches; when one begins or ends, the page is fetched anew.

import { connect } from "../live.js";
import { boot } from "../say.js";

let first = true; // the first message tells what this page shows already

connect({ hall: 1, kind: "board", lang: boot.lang }, {
  message: (message) => {
    if (!message.boards) return;
    const boards = Object.values(message.boards).filter((board) => board !== null);
    if (!first && boards.some(isNews)) location.reload();
    first = false;
    boards.forEach(show);
  },
  status: () => {},
});

/** @param {import("../board.js").Board} board */
function row(board) {
  return document.querySelector(`#matches [data-match="${CSS.escape(board.match)}"]`);
}

/** Whether a match has begun or ended since the page was drawn. @param {import("../board.js").Board} board */
function isNews(board) {
  return board.over === (row(board) !== null);
}

/** @param {import("../board.js").Board} board */
function show(board) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (row(board)?.querySelectorAll("[data-put]") ?? [])) {
    const [side, what] = String(place.dataset.put).split(".");
    const { score, sets } = board.sides[/** @type {import("../types.js").Side} */ (side)];
    place.textContent = String(what === "sets" ? sets : score);
  }
}
