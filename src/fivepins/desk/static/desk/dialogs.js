// Questions to the referee: one at a time, above everything else. Escape and the first button always give up.

import { say } from "../say.js";
import { button, make } from "./dom.js";

const HOLD = 1000;

/** A question with its own content; `null` where it was given up. The content may close it with a value.
 * @template T @param {string} title @param {(close: (value: T | null) => void) => (Node | string)[]} content @param {string} [kind]
 * @param {string} [leave] what the first button says @returns {Promise<T | null>} */
export function ask(title, content, kind = "", leave = say("Cancel")) {
  const dialog = /** @type {HTMLDialogElement} */ (make("dialog", { class: kind, "aria-label": title }));
  /** @type {T | null} */
  let answer = null;
  const close = (/** @type {T | null} */ value) => {
    answer = value;
    dialog.close();
  };
  dialog.append(
    make("header", {}, make("h2", {}, title), button(leave, () => close(null), "quiet")),
    ...content(close),
  );
  dialog.addEventListener("keydown", (event) => byDigit(event, dialog));
  document.body.append(dialog);
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(answer);
    });
    dialog.showModal();
  });
}

/** Whether a question stands before the page. */
export function isAsking() {
  return document.querySelector("dialog[open]") !== null;
}

/**
 * @typedef {object} Choice
 * @property {string} value
 * @property {string} label
 * @property {string} [detail]
 * @property {boolean} [pressed]
 * @property {boolean} [disabled]
 * @property {boolean} [hold] taken only when held for a second: what cannot be meant by accident
 * @property {string} [kind]
 */

/** One of several; the digits choose too. @param {string} title @param {Choice[]} choices @param {string} [text] @returns {Promise<string | null>} */
export function choose(title, choices, text = "") {
  return ask(title, (close) => {
    const buttons = choices.map((choice, place) => choiceButton(choice, place, close));
    return [...(text ? [make("p", {}, text)] : []), make("div", { class: "choices" }, ...buttons)];
  });
}

/** @param {Choice} choice @param {number} place @param {(value: string) => void} close */
function choiceButton(choice, place, close) {
  const made = choice.hold
    ? holdButton(choice.label, () => close(choice.value))
    : button(choice.label, () => close(choice.value), choice.kind ?? "");
  if (choice.detail) made.append(make("small", {}, choice.detail));
  if (choice.pressed !== undefined) made.setAttribute("aria-pressed", String(choice.pressed));
  if (!choice.hold) made.dataset.digit = "0".repeat(Math.floor(place / 9)) + String(place % 9 + 1);
  made.disabled = choice.disabled ?? false;
  return made;
}

/** The digits choose, but in a text field they are digits; a 0 goes before the digit of the tenth choice and those behind it.
 * @param {KeyboardEvent} event @param {HTMLElement} dialog */
function byDigit(event, dialog) {
  const digit = /^(Digit|Numpad)([0-9])$/.exec(event.code)?.[2];
  if (digit === undefined || event.repeat || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  const typed = `${dialog.dataset.typed ?? ""}${digit}`;
  const begins = dialog.querySelector(`[data-digit^="${typed}"]`) !== null;
  dialog.dataset.typed = digit === "0" && begins ? typed : "";
  /** @type {HTMLButtonElement | null} */ (dialog.querySelector(`[data-digit="${typed}"]`))?.click();
}

/** A button that acts when it has been held for a second. @param {string} text @param {() => void} act */
export function holdButton(text, act) {
  let timer = 0;
  const made = button(text, () => {}, "hold");
  made.append(make("small", {}, say("hold for a second")));
  const start = () => {
    if (timer) return;
    made.classList.add("held");
    timer = window.setTimeout(() => {
      stop();
      act();
    }, HOLD);
  };
  const stop = () => {
    window.clearTimeout(timer);
    timer = 0;
    made.classList.remove("held");
  };
  made.addEventListener("pointerdown", start);
  made.addEventListener("contextmenu", (event) => event.preventDefault());
  for (const end of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) made.addEventListener(end, stop);
  made.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") start();
  });
  return made;
}

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {string} [value]
 * @property {string[]} [proposals] offered as buttons that fill the field
 * @property {boolean} [optional]
 * @property {"text" | "number"} [type]
 * @property {string} [pattern]
 * @property {string} [hint]
 */

/** Texts that are typed; `null` where it was given up. @param {string} title @param {Field[]} fields @param {{save?: string, text?: string}} [words]
 * @returns {Promise<Record<string, string> | null>} */
export function fill(title, fields, { save = say("Save"), text = "" } = {}) {
  return ask(title, (close) => {
    const controls = fields.map(control);
    const submit = button(save, () => {}, "go");
    submit.type = "submit";
    const form = make("form", { method: "dialog" }, ...(text ? [make("p", {}, text)] : []), ...controls.map(({ row }) => row), submit);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      close(Object.fromEntries(controls.map(({ name, input }) => [name, input.value.trim()])));
    });
    return [form];
  });
}

/** @param {Field} field */
function control({ name, label, value = "", proposals = [], optional = false, type = "text", pattern, hint }) {
  const input = /** @type {HTMLInputElement} */ (make("input", {
    type: "text", inputmode: type === "number" ? "numeric" : "text", name, autocomplete: "off", required: !optional, autofocus: true,
    ...(type === "number" ? { pattern: "[0-9]+" } : pattern ? { pattern } : {}), ...(hint ? { title: hint } : {}),
  }));
  input.value = value;
  const offers = proposals.map((proposal) => button(proposal, () => { input.value = proposal; }, "chip"));
  const row = make("div", { class: "field" }, make("label", {}, label, input), make("div", { class: "chips" }, ...offers));
  return { name, input, row };
}

/** A reason, with the ones that occur. @param {string} title @param {string[]} [proposals] @param {string} [save] @returns {Promise<string | null>} */
export async function reason(title, proposals = [], save = say("Save")) {
  const given = await fill(title, [{ name: "reason", label: say("Reason"), proposals, value: proposals[0] ?? "" }], { save });
  return given && given.reason !== undefined ? given.reason : null;
}

/** Something to read, with the buttons that may follow. @param {string} title @param {(string | Node)[]} paragraphs @param {Choice[]} choices
 * @returns {Promise<string | null>} */
export function tell(title, paragraphs, choices) {
  return ask(title, (close) => [
    ...paragraphs.map((one) => (typeof one === "string" ? make("p", {}, one) : one)),
    make("div", { class: "choices" }, ...choices.map((choice, place) => choiceButton(choice, place, close))),
  ], "", choices.length ? say("Cancel") : say("Close"));
}
