// Sign in: a token in the fragment of the address, which no server ever logs, or a PIN.

/** @param {string} path @param {object} body */
async function post(path, body) {
  const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  return { ok: response.ok, told: await response.json() };
}

/** @param {object} body */
async function enter(body) {
  const { ok, told } = await post("/enter", body);
  if (ok) location.replace(told.to);
  else say([told.message, told.hint].filter(Boolean).join(": "));
}

/** @param {string} text */
function say(text) {
  /** @type {HTMLElement} */ (document.getElementById("said")).textContent = text;
}

const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname);
  enter({ token });
}
document.getElementById("pin-form")?.addEventListener("submit", (event) => {
  event.preventDefault();
  enter(Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (event.target))));
});
document.getElementById("leave")?.addEventListener("click", async () => {
  await post("/leave", {});
  location.reload();
});
