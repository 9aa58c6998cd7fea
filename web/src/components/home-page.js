// The first page: which agents there are, and the sessions to go on with.

import { html, useEffect } from '../vendor/preact.js';
import { api } from '../api.js';
import { useFormats, useWords } from '../preferences.js';
import { useResource } from '../resources.js';
import { Icon } from '../icons.js';
import { Loading } from './notices.js';

export function HomePage() {
  const t = useWords();
  const agents = useResource('agents', api.agents);
  const sessions = useResource('sessions', api.sessions, { fresh: true });
  useEffect(() => {
    document.title = 'Ruleplay';
  }, []);
  return html`
    <div class="page">
      <section class="hero">
        <h1>${t('hero')}</h1>
        <p>${t('hero.more')}</p>
      </section>
      <section aria-labelledby="agents">
        <h2 id="agents">${t('agents')}</h2>
        ${agents === null && html`<${Loading} />`}
        <ul class="agents">${agents?.map((agent) => html`<${AgentRow} key=${agent.name} agent=${agent} />`)}</ul>
      </section>
      <section aria-labelledby="sessions">
        <h2 id="sessions">${t('sessions')}</h2>
        ${sessions === null && html`<${Loading} />`}
        ${sessions?.length === 0 && html`<p class="empty">${t('sessions.none')}</p>`}
        ${sessions?.length > 0 && html`<ul class="sessions">${sessions.map((session) => html`<${SessionRow} key=${session.id} session=${session} />`)}</ul>`}
      </section>
    </div>`;
}

function AgentRow({ agent }) {
  const t = useWords();
  const about = `agent.${agent.name}`;
  return html`
    <li class="agent">
      <h3>${agent.title}</h3>
      <p class="name">${agent.name}</p>
      <p class="about">${agent.problem || (t.has(about) ? t(about) : t('seats', agent.seats))}</p>
      ${!agent.problem && html`<a class="button" aria-label=${`${t('session.new')}: ${agent.title}`} href=${`/a/${encodeURIComponent(agent.name)}`}><${Icon} name="plus" />${t('session.new')}</a>`}
    </li>`;
}

function SessionRow({ session }) {
  const t = useWords();
  const formats = useFormats();
  return html`
    <li>
      <a href=${`/s/${session.id}`}>
        <span class="title">${session.title}</span>
        <span class="facts">${session.agent} · ${t('turns', session.number)}${session.origin ? ` · ${t('forked')}` : ''} · <time datetime=${session.updated}>${formats.moment(session.updated)}</time></span>
      </a>
    </li>`;
}
