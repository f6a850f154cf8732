// How this screen is used: hand, colours, language. The server reads the cookie before it draws, so nothing flashes.

const YEAR = 365 * 24 * 3600;

/** Remember a setting of this device. @param {"mirror" | "theme" | "lang"} name @param {string} value */
export function setScreen(name, value) {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR}; SameSite=Lax`;
}

/** Apply what is remembered. */
export function applyScreen() {
  const kept = Object.fromEntries(document.cookie.split("; ").map((pair) => pair.split("=")));
  document.body.dataset.mirror = kept.mirror === "on" ? "on" : "off";
  if (kept.theme) document.documentElement.dataset.theme = kept.theme;
}
