// Elements: finding them, making them.

/** The one element that a selector names; it is in the template, so its absence is a fault of ours.
 * @param {string} selector @param {ParentNode} [within] @returns {HTMLElement} */
export function one(selector, within = document) {
  const found = within.querySelector(selector);
  if (found === null) throw new Error(`no element ${selector}`);
  return /** @type {HTMLElement} */ (found);
}

/** All elements that a selector names. @param {string} selector @param {ParentNode} [within] @returns {HTMLElement[]} */
export function all(selector, within = document) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll(selector))];
}

/** An element with its attributes and what is in it; a function given as `onclick` is listened with.
 * @param {string} tag @param {Record<string, string | boolean | ((event: Event) => void)>} [attributes] @param {(Node | string)[]} inside
 * @returns {HTMLElement} */
export function make(tag, attributes = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...inside);
  return made;
}

/** A button that says what it does. @param {string} text @param {(event: Event) => void} act @param {string} [kind] @returns {HTMLButtonElement} */
export function button(text, act, kind = "") {
  return /** @type {HTMLButtonElement} */ (make("button", { type: "button", class: kind, onclick: act }, text));
}

/** Tell the styles how long a text is: what has much to say is written smaller, and never cut. @param {HTMLElement} place */
export function fit(place) {
  place.style.setProperty("--letters", String([...place.textContent ?? ""].length));
}

/** Write a text where it has changed, so that screen readers hear it once. @param {Element} place @param {string} text */
export function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
