// Addresses: `/`, `/a/AGENT` (a new session), `/s/SESSION` with the seat as `?seat=`, `/design`, and those that an
// agent's card claims, as `/KIND/ID`.

import { claimed } from './agents/cards.js';
import { store } from './store.js';

export function read(location = window.location) {
  const [, kind, id] = /^\/([a-z]+)\/([^/]+)\/?$/.exec(location.pathname) ?? [];
  if (kind === 'a') return { name: 'agent', agent: decodeURIComponent(id) };
  if (kind === 's') {
    const seat = new URLSearchParams(location.search).get('seat') ?? '';
    return { name: 'session', session: decodeURIComponent(id), seat };
  }
  const agent = kind && claimed(kind);
  if (agent) return { name: 'own', agent, kind, id: decodeURIComponent(id) };
  const named = { '/': 'home', '/design': 'design' };
  return { name: named[location.pathname] ?? 'nowhere' };
}

export function go(to, { instead = false } = {}) {
  window.history[instead ? 'replaceState' : 'pushState'](null, '', to);
  arrive();
}

let arrived = '';

const address = () => window.location.pathname + window.location.search;

function arrive() {
  arrived = address();
  store.set({ place: read(), dialog: null });
  window.scrollTo(0, 0);
  // A screen reader starts with the new page's content.
  requestAnimationFrame(() => document.getElementById('content')?.focus({ preventScroll: true }));
}

/** Follow the browser's own buttons, and links of this page without loading it anew. */
export function startRouting() {
  arrived = address();
  store.set({ place: read() });
  // A jump within the page is the browser's own affair: it moves the focus, and we would move it back.
  window.addEventListener('popstate', () => address() !== arrived && arrive());
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !plain || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href);
    if (url.origin !== window.location.origin || read(url).name === 'nowhere' || url.hash) return;
    event.preventDefault();
    go(url.pathname + url.search);
  });
}
