// The stroke clock as every screen counts it: from one clock of the server, and never by ticks.

/** @typedef {Pick<import("./types.js").Clock, "running" | "since" | "held" | "from">} Clock */

/** Seconds that the stroke has taken. @param {Clock} clock @param {number} now the server's clock in ms */
export function elapsed(clock, now) {
  return clock.held + (clock.running && clock.since !== null ? Math.max(0, now - clock.since) / 1000 : 0);
}

/** Seconds that are left of the limit in force; below nothing it is overrun. @param {Clock} clock @param {{seconds: number}} limit @param {number} now */
export function remaining(clock, limit, now) {
  return limit.seconds - (elapsed(clock, now) - clock.from);
}

/** Seconds as a clock shows them: whole ones, begun ones counted, and minutes from sixty. @param {number} seconds */
export function text(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return String(whole);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
