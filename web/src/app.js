// The page: what is shown where, and what keeps it alive.

import { html, render, useEffect, useState } from './vendor/preact.js';
import { report } from './actions.js';
import { Problem } from './api.js';
import { Dialogs } from './components/dialogs.js';
import { Loading, Lost, Nowhere } from './components/notices.js';
import { Shell } from './components/shell.js';
import { at, bring, PAGES } from './pages.js';
import { startRouting } from './router.js';
import { startShortcuts } from './shortcuts.js';
import { store, useStore } from './store.js';

// A new key is a new page: nothing of the old one's state stays.
const PROPERTIES = {
  agent: (place) => ({ key: place.agent, agent: place.agent }),
  session: (place) => ({ key: `${place.session} ${place.seat}`, id: place.session, seat: place.seat }),
  review: (place) => ({ key: place.review, id: place.review }),
};

function Page() {
  const place = useStore((state) => state.place);
  const [, redraw] = useState(0);
  useEffect(() => {
    bring(place.name).then(() => redraw((count) => count + 1));
  }, [place.name]);
  const { Component, problem } = at(place.name);
  if (!(place.name in PAGES)) return html`<${Nowhere} />`;
  if (problem) return html`<${Lost} />`;
  if (!Component) return html`<div class="page"><${Loading} lines=${6} /></div>`;
  return html`<${Component} ...${PROPERTIES[place.name]?.(place)} />`;
}

function App() {
  return html`<${Shell}><${Page} /><//><${Dialogs} />`;
}

const online = () => store.set({ offline: navigator.onLine === false });
window.addEventListener('online', online);
window.addEventListener('offline', online);
window.addEventListener('unhandledrejection', (event) => {
  if (!(event.reason instanceof Problem)) return;
  event.preventDefault();
  report(event.reason);
});

online();
startRouting();
startShortcuts();
// Drawn when its page is there, so that nothing is seen that gives way at once.
await bring(store.get().place.name);
render(html`<${App} />`, document.getElementById('app'));
