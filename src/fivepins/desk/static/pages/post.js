// Tell the server something, and say beside a form what it answers.

import { say } from "../say.js";

/** The answer of the server; throws an Error with its words. @param {string} path @param {object} body @returns {Promise<any>} */
export async function post(path, body) {
  const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, sent).catch(() => {
    throw new Error(say("The server does not answer: is this device still in the hall's network?"));
  });
  const told = await response.json();
  if (!response.ok) throw new Error([told.message, told.hint].filter(Boolean).join(": "));
  return told;
}

/** Do it once at a time, and say what went wrong. @param {HTMLElement} place @param {() => Promise<void>} action */
export async function attempt(place, action) {
  const buttons = place.closest("main")?.querySelectorAll("button") ?? [];
  for (const button of buttons) button.disabled = true;
  try {
    place.textContent = "";
    await action();
  } catch (error) {
    place.textContent = error instanceof Error ? error.message : String(error);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}
