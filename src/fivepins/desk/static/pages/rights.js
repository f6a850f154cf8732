// Rights: give them, print their codes, take them back.

import { say } from "../say.js";
import { attempt, post } from "./post.js";

const said = /** @type {HTMLElement} */ (document.getElementById("said"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("give"));
const cards = /** @type {HTMLElement} */ (document.getElementById("cards"));
const pattern = /** @type {HTMLTemplateElement} */ (document.getElementById("card"));

/** @param {string} name */
function value(name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value.trim();
}

/** Show a new right as a card to be cut out. @param {any} told */
function show({ grant, link, code }) {
  const card = /** @type {DocumentFragment} */ (pattern.content.cloneNode(true));
  const image = /** @type {HTMLImageElement} */ (card.querySelector("img"));
  image.src = code;
  image.alt = link;
  for (const [name, text] of [["label", grant.label], ["where", grant.scope.split(":")[1] ?? ""], ["link", link]]) {
    const place = card.querySelector(`[data-text="${name}"]`);
    if (place) place.textContent = text;
  }
  const back = /** @type {HTMLButtonElement} */ (card.querySelector("button"));
  Object.assign(back.dataset, { revoke: grant.id, label: grant.label });
  cards.append(card);
  const made = /** @type {HTMLElement} */ (document.getElementById("made"));
  made.hidden = false;
  made.scrollIntoView({ block: "start" });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const days = value("days");
  const wanted = { role: value("role"), scope: value("scope"), label: value("label"), pin: value("pin"), days: days ? Number(days) : null };
  attempt(said, async () => {
    show(await post("/grants", wanted));
    for (const name of ["label", "pin"]) /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = "";
  });
});

document.getElementById("print")?.addEventListener("click", () => window.print());

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("button[data-pin]"))) {
  button.addEventListener("click", () => {
    const { pin: id, label } = button.dataset;
    const pin = window.prompt(say("New PIN for {label}; empty for none. Whoever has signed in stays signed in.", { label }));
    if (pin === null) return;
    attempt(said, async () => {
      const { grant } = await post(`/grants/${encodeURIComponent(id ?? "")}/pin`, { pin: pin.trim() });
      if (button.previousElementSibling) button.previousElementSibling.textContent = grant.pin ? say("yes") : say("no");
    });
  });
}

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button[data-revoke]"));
  if (!button) return;
  const { revoke, label } = button.dataset;
  if (!window.confirm(say("Take back the right of {label}?", { label }))) return;
  attempt(said, async () => {
    await post(`/grants/${encodeURIComponent(revoke ?? "")}/revoke`, {});
    button.closest("li")?.querySelector("img")?.remove(); // nobody shall print what opens nothing
    button.replaceWith(say("taken back"));
  });
});
