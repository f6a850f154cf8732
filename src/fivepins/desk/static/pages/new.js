// The form of a new match: two names are enough, the rest is as last time on this device.

import { newId } from "../ids.js";
import { say } from "../say.js";

const LAST = "fivepins last match";
const NAMES = "fivepins names";
const MOST_NAMES = 60;

const form = /** @type {HTMLFormElement} */ (document.querySelector("#new"));
let id = newId(); // kept until an answer has come or something is changed: sent twice, it is still one match

/** @param {string} name @returns {HTMLInputElement | HTMLSelectElement} */
function field(name) {
  return /** @type {HTMLInputElement} */ (document.getElementById(name));
}

/** @param {string} name */
function value(name) {
  return field(name).value.trim().replace(/\s+/g, " ");
}

/** What this device remembers. @param {string} key @param {any} otherwise */
function remembered(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise; // storage is switched off, or holds something foreign
  }
}

/** @param {string} key @param {unknown} what */
function remember(key, what) {
  try {
    localStorage.setItem(key, JSON.stringify(what));
  } catch {
    // nothing is lost but a convenience
  }
}

const kept = /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (form.querySelectorAll("[data-keep]"));

function fill() {
  const last = remembered(LAST, {});
  for (const one of kept) {
    const before = one.value;
    if (typeof last[one.id] === "string") one.value = last[one.id];
    if (one instanceof HTMLSelectElement && one.selectedIndex < 0) one.value = before; // that choice is gone
  }
  document.querySelector("#names")?.replaceChildren(...remembered(NAMES, []).map((/** @type {string} */ name) => new Option(name)));
}

/** The head of the match, without what is empty. */
function head() {
  const other = value("DistanceB");
  const start = [value("StartA") || "0", value("StartB") || "0"].join("-");
  const named = ["A", "B", "Rules", "Sets", "Clock", "Table", "Referee", "Event", "Round", "Language"];
  const headers = { ...Object.fromEntries(named.map((name) => [name, value(name)])),
    Distance: value("Distance") + (other ? `/${other}` : ""), Start: start === "0-0" ? "" : start };
  return Object.fromEntries(Object.entries(headers).filter(([, text]) => text !== ""));
}

/** Say what is wrong beside the field, or above the form. @param {string} name @param {string} text */
function complain(name, text) {
  const place = document.getElementById(`${name}-wrong`) ?? document.getElementById("form-wrong");
  if (place === null) return;
  place.textContent = text;
  place.hidden = text === "";
  const control = document.getElementById(name);
  control?.setAttribute("aria-invalid", String(text !== ""));
  control?.setAttribute("aria-describedby", place.id);
  if (text === "") return;
  control?.closest("details")?.setAttribute("open", "");
  (control ?? place).scrollIntoView({ block: "center" });
  control?.focus();
}

function clear() {
  for (const place of form.querySelectorAll(".wrong")) complain(place.id.replace(/-wrong$/, ""), "");
}

/** Whether the form can be sent; the first field at fault is left with the focus. */
function sound() {
  const wrong = ["StartB", "StartA", "DistanceB", "Distance", "B", "A"].filter((name) => !field(name).validity.valid || (field(name).required && !value(name)));
  for (const name of wrong) complain(name, value(name) === "" ? say("This is needed") : say("A whole number is needed"));
  return wrong.length === 0;
}

/** Where an answer of the server belongs. @param {any} error */
function refuse(error) {
  const place = { Start: "StartA", Result: "form" }[String(error.part)] ?? String(error.part ?? "form");
  complain(place, [error.message, error.hint].filter(Boolean).join(": "));
}

let told = ""; // the table of which was told that it is in use: whoever sends once more means it

/** Whether somebody is still playing at the table, which is told once: a match that nobody ended stops no other. */
async function inUse() {
  const table = value("Table");
  if (table === "" || table === told) return false;
  const { board } = await (await fetch(`/tables/${encodeURIComponent(table)}/board`)).json();
  if (!board || board.over || board.status !== "open") return false;
  told = table;
  const { A, B } = board.sides;
  complain("Table", say("{a} – {b} is still under way at this table. Send once more to begin all the same.", { a: A.name, b: B.name }));
  return true;
}

async function send() {
  clear();
  if (!sound()) return;
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  button.disabled = true;
  try {
    if (await inUse()) return;
    const response = await fetch("/matches", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ command_id: id, head: head() }),
    });
    const answer = await response.json();
    if (!response.ok) return refuse(answer);
    remember(LAST, Object.fromEntries([...kept].map((one) => [one.id, one.value])));
    const names = [value("A"), value("B"), value("Referee"), ...remembered(NAMES, [])].filter(Boolean);
    remember(NAMES, [...new Set(names)].slice(0, MOST_NAMES));
    location.assign(`/matches/${encodeURIComponent(answer.match)}/desk`);
  } catch {
    complain("form", say("The server does not answer: is this device still in the hall's network?"));
  } finally {
    button.disabled = false;
  }
}

fill();
form.addEventListener("input", () => { id = newId(); });
form.addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
