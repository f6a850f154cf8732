// The screen of a desk or a display stays on while its page is in front.

/** @typedef {"held" | "refused" | "none"} Wake `none`: this browser cannot, or not over plain HTTP */

export const awake = {
  /** Keep the screen on, now and after every return: a page that was hidden has lost its lock. @param {(state: Wake) => void} told */
  start(told) {
    const ask = async () => {
      if (document.visibilityState !== "visible") return;
      if (!("wakeLock" in navigator)) return told("none");
      try {
        const lock = await navigator.wakeLock.request("screen");
        lock.addEventListener("release", () => { if (document.visibilityState === "visible") told("refused"); });
        told("held");
      } catch {
        told("refused"); // the battery is low, or the device forbids it
      }
    };
    document.addEventListener("visibilitychange", ask);
    ask();
  },
};
