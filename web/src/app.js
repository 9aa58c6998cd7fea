// The page: what is shown where, and what keeps it alive.

import { html, render } from './vendor/preact.js';
import { opened, report } from './actions.js';
import { agents, ready } from './agents/registry.js';
import { pause, Problem } from './api.js';
import { keepFocus } from './focus.js';
import { AgentPage } from './components/agent-page.js';
import { DesignPage } from './components/design-page.js';
import { Dialogs } from './components/dialogs.js';
import { HomePage } from './components/home-page.js';
import { Nowhere } from './components/notices.js';
import { OwnPage } from './components/own-page.js';
import { SessionPage } from './components/session-page.js';
import { Shell } from './components/shell.js';
import { prepare } from './resources.js';
import { startRouting } from './router.js';
import { startShortcuts } from './shortcuts.js';
import { store, useStore } from './store.js';

const PAGES = { home: HomePage, agent: AgentPage, session: SessionPage, own: OwnPage, design: DesignPage };
// A new key is a new page: nothing of the old one's state stays.
const PROPERTIES = {
  agent: (place) => ({ key: place.agent, agent: place.agent }),
  session: (place) => ({ key: `${place.session} ${place.seat}`, id: place.session, seat: place.seat }),
  own: ({ agent, kind, id }) => ({ key: `${kind} ${id}`, agent, kind, id }),
};

function Page() {
  const place = useStore((state) => state.place);
  const Component = PAGES[place.name] ?? Nowhere;
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
keepFocus();

/** How long the first look may stand for a page that has not got everything yet. */
const HOLD_MS = 3000;

/** What a page is drawn from. */
async function prepared({ name, agent, session, seat }) {
  await prepare('agents', agents);
  if (name === 'session') agent = await opened(session, seat);
  if (agent) await ready(agent);
}

/** Put on the shipped fonts, in one go; slanted ones come with the first text that is set in them. */
async function dress() {
  await Promise.allSettled([...document.fonts].filter(({ style }) => style === 'normal').map((font) => font.load()));
  document.documentElement.classList.add('lettered');
}

/** Take the place of what the document showed at first, at once and whole, and in the same fonts. */
function draw() {
  const place = document.getElementById('app');
  place.replaceChildren();
  render(html`<${App} />`, place);
  requestAnimationFrame(() => setTimeout(dress));
}

const look = document.querySelector('#app > .first');
/** The page opens without a server from the second visit on; its keeper comes after all else. */
function keepForLater() {
  navigator.serviceWorker?.register(new URL('./worker.js', import.meta.url), { scope: '/' }).catch(() => {});
}

if (document.readyState === 'complete') keepForLater();
else window.addEventListener('load', keepForLater);
if (look) Promise.race([prepared(store.get().place), pause(HOLD_MS)]).then(draw, draw);
else draw();
