// What the agent knows, shown by the agent's own component; any other view as a readable tree.

import { html, useErrorBoundary, useState } from '../vendor/preact.js';
import { act, busy, cite, highlight, say } from '../actions.js';
import { useAgentModule } from '../agents/registry.js';
import { useWords } from '../preferences.js';
import { useStore } from '../store.js';
import { Loading } from './notices.js';
import { Value } from './value.js';

export function AgentPanel({ session }) {
  const found = useAgentModule(session.agent);
  if (found === null) return html`<${Loading} />`;
  return html`<${Guarded} key=${session.agent} module=${found} session=${session} />`;
}

function Guarded({ module, session }) {
  const t = useWords();
  const own = useWords(module.words);
  const cited = useStore((state) => state.cited);
  const [broken, breakDown] = useState(false);
  // An agent's component that fails on an unexpected view must not take the conversation with it.
  useErrorBoundary((error) => {
    console.warn(error);
    breakDown(true);
  });
  const View = broken ? null : module.View;
  return html`
    <h2 class="unseen">${t('panel')}</h2>
    ${broken && html`<p class="hint">${t('panel.broken')}</p>`}
    ${View
    ? html`<${View} view=${session.view} turns=${session.turns} t=${own} busy=${busy(session)} say=${say} act=${act} highlight=${highlight} cited=${cited} cite=${cite} live=${session.live} session=${session} />`
    : html`<${Value} value=${session.view} />`}`;
}
