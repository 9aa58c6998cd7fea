// A page of an agent's own under an address that its card claims.

import { html } from '../vendor/preact.js';
import { useAgentModule } from '../agents/registry.js';
import { useWords } from '../preferences.js';
import { Loading, Nowhere } from './notices.js';

export function OwnPage({ agent, kind, id }) {
  const module = useAgentModule(agent);
  const t = useWords(module?.words);
  const Page = module?.pages?.[kind];
  if (module && !Page) return html`<${Nowhere} />`;
  return html`<div class="page" data-agent=${agent}>${Page ? html`<${Page} id=${id} t=${t} />` : html`<${Loading} lines=${8} />`}</div>`;
}
