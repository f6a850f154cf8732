// Sign in: a token in the fragment of the address, which no server ever logs, or a PIN.

import { attempt, post } from "./post.js";

const said = /** @type {HTMLElement} */ (document.getElementById("said"));
const pin = /** @type {HTMLInputElement | null} */ (document.getElementById("pin"));
const grant = /** @type {HTMLSelectElement | null} */ (document.getElementById("grant"));
const pad = document.getElementById("pad");

/** @param {object} body */
function enter(body) {
  return attempt(said, async () => {
    const told = await post("/enter", body).catch((error) => {
      if (pin) pin.value = "";
      throw error;
    });
    location.replace(told.to);
  });
}

function withToken() {
  const token = location.hash.slice(1);
  if (!token) return;
  history.replaceState(null, "", location.pathname); // the next one at this tablet finds no link in its history
  enter({ token });
}

/** The keys serve a PIN of digits; a director types a password. */
function choose() {
  const role = grant?.selectedOptions[0]?.dataset.role;
  if (pad) pad.hidden = role === "director";
  if (pin) pin.inputMode = role === "director" ? "text" : "numeric";
}

pad?.addEventListener("click", (event) => {
  const key = /** @type {Element} */ (event.target).closest("button")?.value;
  if (!pin || key === undefined) return;
  pin.value = key === "back" ? pin.value.slice(0, -1) : pin.value + key;
});
document.getElementById("pin-form")?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (pin && grant) enter({ grant: grant.value, pin: pin.value });
});
document.getElementById("leave")?.addEventListener("click", () => attempt(said, async () => {
  await post("/leave", {});
  location.reload();
}));
document.getElementById("device-form")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = /** @type {HTMLInputElement} */ (document.getElementById("device")).value.trim();
  attempt(said, async () => {
    await post("/device", { name });
    location.reload();
  });
});

grant?.addEventListener("change", choose);
window.addEventListener("hashchange", withToken); // a link that is opened while this page is
choose();
withToken();
