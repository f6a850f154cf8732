// The service worker: a desk that was open on this device opens again without a network, and an overlay before
// the server is there. Everything else is left to the browser. What to keep is told by the page, so no list of
// files can be forgotten here.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const NAME = `fivepins ${new URL(worker.location.href).searchParams.get("version")}`;
const PATIENCE = 4_000; // a network that is there but answers nothing counts as none

worker.addEventListener("install", () => { worker.skipWaiting(); });

worker.addEventListener("activate", (event) => {
  event.waitUntil(forgetOlder().then(() => worker.clients.claim()));
});

worker.addEventListener("message", (event) => {
  event.waitUntil(keep(event.data.keep));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (pathname.startsWith("/static/")) event.respondWith(fromCache(request));
  else if (pathname.startsWith("/keys/") || isKept(pathname)) event.respondWith(fromNetwork(request));
});

/** @param {string} pathname */
function isKept(pathname) {
  return /^\/matches\/[^/]+\/desk$|^\/overlay\/[^/]+$/.test(pathname);
}

async function forgetOlder() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
}

/** @param {string[]} addresses */
async function keep(addresses) {
  const cache = await caches.open(NAME);
  await Promise.all(addresses.map(async (address) => {
    const isStatic = new URL(address).pathname.startsWith("/static/");
    if (!isStatic || await cache.match(address) === undefined) await cache.add(address);
  }));
}

/** What never changes under its address. @param {Request} request */
async function fromCache(request) {
  return await caches.match(request) ?? fetch(request);
}

/** The newest there is. A page that this device may no longer open is forgotten. @param {Request} request */
async function fromNetwork(request) {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.status < 500 && (!response.ok || response.redirected)) await (await caches.open(NAME)).delete(request);
    return response;
  } catch (error) {
    const kept = await caches.match(request, { ignoreVary: true }); // a page in another language is better than none
    if (kept === undefined) throw error;
    return kept;
  }
}
