// Keeps the page itself for when no server answers: its document without content, and the files it is made of.
// Nothing that the server tells is kept: what people wrote stays where its seats are guarded.

const BASE = new URL('.', self.location).href;
const SHELL = `${BASE}shell.html`;
const FIRST = ['shell.html', 'boot.js', 'app.js', 'icon.svg', 'vendor/fonts/inter.woff2', 'vendor/fonts/serif-600.woff2'].map((path) => BASE + path);

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(BASE).then((cache) => cache.addAll(FIRST)));
});

/** Files of an earlier build have other addresses, and nobody asks for them any more. */
self.addEventListener('activate', (event) => {
  const earlier = async () => Promise.all((await caches.keys()).filter((name) => name !== BASE).map((name) => caches.delete(name)));
  event.waitUntil(Promise.all([earlier(), self.clients.claim()]));
});

async function file(request) {
  const cache = await caches.open(BASE);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.status === 200) await cache.put(request, answer.clone());
  return answer;
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const opens = request.mode === 'navigate' && !new URL(request.url).pathname.startsWith('/api/');
  if (opens) event.respondWith(fetch(request).catch(() => caches.match(SHELL)));
  else if (request.method === 'GET' && request.url.startsWith(BASE)) event.respondWith(file(request));
});

/** Whoever presses what told them of their turn is led there. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { address } = event.notification.data;
  const open = async () => {
    const tabs = await self.clients.matchAll({ type: 'window' });
    const there = tabs.find((tab) => tab.url === address);
    return there ? there.focus() : self.clients.openWindow(address);
  };
  event.waitUntil(open());
});
