// What the server told this page at its start, and the words of its language.

/** @type {any} */
export const boot = JSON.parse(document.getElementById("boot")?.textContent || "{}");

/** A text in the language of the page, with `{name}` filled in. @param {string} text @param {Record<string, unknown>} [values] */
export function say(text, values = {}) {
  const said = String(boot.words?.[text] ?? text);
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
