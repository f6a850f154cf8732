// A tablet that is reloaded without a network still opens its desk, and a stream that is started before the hall
// its overlay: the worker keeps what this page was made of.

/** Keep this page and all it has loaded. Browsers have workers only over HTTPS. */
export async function keepPage() {
  if (!("serviceWorker" in navigator)) return;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const mine = loaded.filter(({ origin }) => origin === location.origin);
  const parts = mine.filter(({ pathname }) => pathname.startsWith("/static/") || pathname.startsWith("/keys/"));
  const version = parts.find(({ pathname }) => pathname.startsWith("/static/"))?.pathname.split("/")[2] ?? "";
  await navigator.serviceWorker.register(`/worker.js?version=${encodeURIComponent(version)}`, { scope: "/" });
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ keep: [location.href, ...parts.map(String)] });
}
