// The service worker: shows one page where a page cannot be loaded, and keeps nothing but this page, its styles and its scripts.
// The server writes `kept` before it.

const prefix = 'offline ';
const cacheName = prefix + kept.version;

addEventListener('install', (event) => event.waitUntil(keep()));
addEventListener('activate', (event) => event.waitUntil(begin()));
addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (method !== 'GET') return;
  if (mode === 'navigate') event.respondWith(load(event));
  else if (kept.files.includes(url.slice(location.origin.length)))
    event.respondWith(fetch(event.request).catch(() => find(event.request.url)));
});

async function keep() {
  const cache = await caches.open(cacheName);
  // Without cookies, the page is nobody's.
  await cache.addAll([kept.page, ...kept.files].map((path) => new Request(path, { credentials: 'omit' })));
  await skipWaiting();
}

async function begin() {
  for (const name of await caches.keys())
    if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
  // The request of a page does not wait until this worker has started.
  await registration.navigationPreload?.enable();
  await clients.claim();
}

const find = async (path) => (await (await caches.open(cacheName)).match(path)) ?? Response.error();

async function load({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return find(kept.page);
  }
}
