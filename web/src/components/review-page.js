// A kept review of a battle under its own address: the same for everybody who opens it.

import { html, useEffect } from '../vendor/preact.js';
import { useAgentModule } from '../agents/registry.js';
import { own } from '../api.js';
import { Icon } from '../icons.js';
import { useWords } from '../preferences.js';
import { useAnswer } from '../resources.js';
import { Loading, Notice } from './notices.js';
import { told } from './shell.js';

export function ReviewPage({ id }) {
  const t = useWords();
  const module = useAgentModule('battle');
  const words = useWords(module?.words);
  const address = `/api/battle/reviews/${encodeURIComponent(id)}`;
  const { value, problem } = useAnswer(`review ${id}`, () => own.get(address));
  useEffect(() => {
    document.title = `${value ? `${value.player} – ${value.opponent}` : t('to-review')} · Ruleplay`;
  }, [value]);
  if (problem) return html`<${Notice} title=${t('review.missing')}><p>${told(problem, t)}</p><p><a href="/a/battle">${t('agent.battle')}</a></p><//>`;
  if (!value || !module?.Review) return html`<div class="page"><${Loading} lines=${8} /></div>`;
  return html`
    <div class="page" data-agent="battle">
      <p class="crumbs"><a href="/">${t('home')}</a> <span aria-hidden="true">/</span> <a href="/a/battle">${t('short.battle')}</a></p>
      <h1>${t('to-review')}</h1>
      <p><a class="button" download="" href=${`${address}/page`}><${Icon} name="download" />HTML</a></p>
      <${module.Review} report=${value} t=${words} />
    </div>`;
}
