// What a director corrects in a match: lines for its log, as the desk sends them.

import { quoted } from "../desk/strokes.js";
import { newId } from "../ids.js";
import { boot, say } from "../say.js";
import { attempt, post } from "./post.js";

const said = /** @type {HTMLElement} */ (document.getElementById("said"));
const here = `/matches/${encodeURIComponent(boot.match)}`;

/** @param {string} name */
function value(name) {
  return /** @type {HTMLInputElement} */ (document.getElementById(name)).value.trim().replace(/\s+/g, " ");
}

/** Store lines behind the newest one: none of them depends on what was played meanwhile. @param {string[]} lines */
function write(lines) {
  return attempt(said, async () => {
    const response = await fetch(`${here}/board`);
    const { seq } = await response.json();
    await post(`${here}/log`, { command_id: newId(), expected_seq: seq, lines });
    location.reload();
  });
}

/** @param {string} id @param {() => unknown} action */
function onSubmit(id, action) {
  document.getElementById(id)?.addEventListener("submit", (event) => {
    event.preventDefault();
    action();
  });
}

onSubmit("names", () => {
  const changed = ["A", "B"].filter((side) => value(side) !== boot.names[side]);
  if (changed.length) write(changed.map((side) => `${side}: ${value(side)}`));
  else said.textContent = say("Nothing was changed.");
});
onSubmit("reopen", () => {
  write(["Status: open", `decision ${quoted(value("why"))} by "director"`]);
});
onSubmit("close", () => window.confirm(say("Close the match?")) && write(["Status: closed"]));

for (const button of document.querySelectorAll("button[data-side]")) {
  button.addEventListener("click", () => {
    const { dataset, value: name } = /** @type {HTMLButtonElement} */ (button);
    /** @type {HTMLInputElement} */ (document.getElementById(dataset.side ?? "")).value = name;
  });
}
