// The settings of the hall.

import { say } from "../say.js";
import { attempt, post } from "./post.js";

const said = /** @type {HTMLElement} */ (document.getElementById("said"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("settings"));

/** @param {string} name */
function value(name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value.trim();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const last = Object.fromEntries(["Rules", "Sets", "Distance", "Clock"].map((name) => [name, value(name)]));
  const tables = value("tables").split(/[\s,;]+/).filter(Boolean);
  attempt(said, async () => {
    await post("/settings", { hall: value("hall"), zone: value("zone"), tables, language: value("language"), last });
    said.textContent = say("saved");
  });
});
