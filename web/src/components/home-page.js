// The first page: say what you want or drop a file, and the right agent begins; or start one with a click.

import { html, useEffect, useRef, useState } from '../vendor/preact.js';
import { inOrder } from '../agents/cards.js';
import { useCards } from '../agents/registry.js';
import { create, report } from '../actions.js';
import { api } from '../api.js';
import { Icon } from '../icons.js';
import { titleOf, useFormats, usePreferences, useWords } from '../preferences.js';
import { useResource } from '../resources.js';
import { begin, guess, languageOf, openFiles } from '../start.js';
import { Loading, Trouble, useDrop } from './notices.js';
import { Thumbnail } from '../pictures/thumbnails.js';

/** Sessions that are listed at first, and at most; of an agent so many stand there until all are asked for. */
const LATELY = 100;
const EVER = 1000;
const FEW = 6;

export function HomePage() {
  const t = useWords();
  const agents = useResource('agents', api.agents);
  useCards(agents);
  const [changes, change] = useState(0);
  const [limit, look] = useState(LATELY);
  const sessions = useResource('sessions', () => api.sessions(limit), { fresh: true, again: `${changes} ${limit}` });
  useEffect(() => {
    document.title = 'Ruleplay';
  }, []);
  const usable = agents?.filter((agent) => !agent.problem) ?? [];
  return html`
    <div class="page home">
      <section class="hero">
        <h1>${t('hero')}</h1>
        <p>${t('hero.more')}</p>
        <${Start} agents=${usable} />
      </section>
      <section aria-labelledby="agents">
        <h2 id="agents">${t('agents')}</h2>
        ${agents === null && html`<div class="agents holding"><${Loading} lines=${8} /></div>`}
        <ul class="agents">${agents && inOrder(agents).map((agent) => html`<${AgentCard} key=${agent.name} agent=${agent} />`)}</ul>
      </section>
      <${Sessions} sessions=${sessions} agents=${agents ?? []} changed=${() => change(changes + 1)} />
      ${sessions?.length === limit && limit < EVER && html`<p><button type="button" onClick=${() => look(EVER)}>${t('sessions.older')}</button></p>`}
    </div>`;
}

/** One field and one place to drop a file; the agent that will answer is named while one writes. */
function Start({ agents }) {
  const t = useWords();
  const { language } = usePreferences();
  const [text, type] = useState('');
  const [chosen, choose] = useState('');
  const [unheard, miss] = useState(false);
  const [state, become] = useState({ step: 'idle' });
  const picker = useRef();
  const names = inOrder(agents).map((agent) => agent.name).filter((name) => t.has(`hears.${name}`));
  const agent = chosen || guess(text, names);
  const busy = state.step !== 'idle' && state.step !== 'failed';
  const submit = async (event) => {
    event.preventDefault();
    if (!text.trim() || busy) return;
    miss(!agent);
    if (!agent) return;
    become({ step: 'starting' });
    await begin(agent, { message: text, lang: languageOf(text, names, language) }).catch(report);
    become({ step: 'idle' });
  };
  const take = async (files) => {
    if (!files.length || busy) return;
    try {
      const known = agents.length ? agents : await api.agents();
      await openFiles(files, { agents: inOrder(known).map((one) => one.name), lang: language, tell: become });
    } catch (problem) {
      become({ step: 'failed', file: files[0].name, problem });
    }
  };
  return html`
    <form onSubmit=${submit} ...${useDrop('start', take)}>
      <label class="unseen" for="wish">${t('start.label')}</label>
      <div class="line">
        <input id="wish" autocomplete="off" maxlength="8000" value=${text} placeholder=${t('start.hint')} onInput=${(event) => { type(event.target.value); choose(''); miss(false); }} />
        <button type="submit" class="primary" disabled=${!text.trim() || busy}><${Icon} name="send" />${t('start.go')}</button>
      </div>
      <div class="choice" role="group" aria-label=${t('start.who')}>
        ${names.map((name) => html`<button key=${name} type="button" class="chip" data-agent=${name} aria-pressed=${String(agent === name)} disabled=${busy} onClick=${() => choose(name)}>${t(`short.${name}`)}</button>`)}
      </div>
      ${unheard && !agent && html`<p class="unheard" role="alert">${t('start.unheard')}</p>`}
      <p class="hint dropping">${t('start.drop')} <button type="button" class="link" disabled=${busy} onClick=${() => picker.current.click()}>${t('start.file')}</button>
        <input ref=${picker} type="file" multiple class="unseen" tabindex="-1" aria-label=${t('start.file')} onChange=${(event) => take([...event.target.files])} /></p>
      <p class="state" role="status">${busy && html`<span class="pulse"></span> ${t(`start.${state.step}`, state.file ?? '', Math.round(100 * (state.part ?? 0)))}`}</p>
      <${Trouble} problem=${state.problem} before=${t('start.failed', state.file)} />
    </form>`;
}

function AgentCard({ agent }) {
  const t = useWords();
  const { language } = usePreferences();
  const [sending, send] = useState(false);
  const about = `about.${agent.name}`;
  const title = titleOf(agent, t);
  const start = async () => {
    send(true);
    await begin(agent.name, { lang: language }).catch(report);
    send(false);
  };
  return html`
    <li class="agent" data-agent=${agent.name}>
      <${Thumbnail} agent=${agent.name} />
      <h3>${title}</h3>
      <p class="about">${t.has(about) ? t(about) : t('seats', agent.seats)}</p>
      ${agent.problem ? html`<${Trouble} problem=${{ detail: agent.problem }} />` : html`
        <p class="ways"><button type="button" class="primary" disabled=${sending} aria-label=${`${t('start.now')}: ${title}`} onClick=${start}>${t('start.now')}</button>
          <a class="button" aria-label=${`${t('session.new')}: ${title}`} href=${`/a/${encodeURIComponent(agent.name)}`}>${t('session.new')}</a></p>`}
    </li>`;
}

/** Sessions by agent, found by what their titles say. */
function Sessions({ sessions, agents, changed }) {
  const t = useWords();
  const [asked, ask] = useState('');
  const wanted = asked.trim().toLowerCase();
  const found = (sessions ?? []).filter((one) => `${one.title} ${one.agent} ${one.about ?? ''}`.toLowerCase().includes(wanted));
  const titles = Object.fromEntries(agents.map((agent) => [agent.name, titleOf(agent, t)]));
  const groups = Map.groupBy(found, (one) => one.agent);
  return html`
    <section aria-labelledby="sessions">
      <h2 id="sessions">${t('sessions')}</h2>
      ${sessions === null && html`<${Loading} />`}
      ${sessions?.length === 0 && html`<p class="empty">${t('sessions.none')}</p>`}
      ${(sessions?.length > 1 || asked) && html`<label class="search"><span class="unseen">${t('sessions.search')}</span><input type="search" value=${asked} placeholder=${t('sessions.search')} onInput=${(event) => ask(event.target.value)} /></label>`}
      ${[...groups].map(([agent, list]) => html`
        <div key=${agent} class="session-group" data-agent=${agent}>
          <h3>${titles[agent] ?? agent}</h3>
          <${Group} own=${{ title: agents.find((one) => one.name === agent)?.title, told: titles[agent] ?? agent }} list=${list} whole=${Boolean(wanted)} changed=${changed} />
        </div>`)}
      ${wanted && !found.length && html`<p class="empty">${t('sessions.unfound')}</p>`}
    </section>`;
}

/**
 * The newest of an agent's sessions; a search shows all it finds.
 * `own` is the title that a session of the agent has where nobody gave it one, and how that reads here.
 */
function Group({ own, list, whole, changed }) {
  const t = useWords();
  const [all, show] = useState(false);
  const shown = whole || all ? list : list.slice(0, FEW);
  return html`
    <ul class="sessions">${shown.map((session) => html`<${SessionRow} key=${session.id} own=${own} session=${session} changed=${changed} />`)}</ul>
    ${shown.length < list.length && html`<p><button type="button" class="quiet" onClick=${() => show(true)}>${t('sessions.all', list.length)}</button></p>`}`;
}

function SessionRow({ session, own, changed }) {
  const t = useWords();
  const formats = useFormats();
  const [doing, become] = useState('');
  // A title somebody gave says it; else what was said last tells sessions apart.
  const named = session.title === own.title ? session.about || own.told : session.title;
  const button = (icon, name) => html`<button type="button" class="quiet" title=${t(name)} aria-label=${`${t(name)}: ${named}`} onClick=${() => become(name)}><${Icon} name=${icon} /></button>`;
  const done = async (work) => {
    await work().then(changed, report);
    become('');
  };
  return html`
    <li>
      <div class="session-row">
        <a href=${`/s/${session.id}`}>
          <span class="title">${named}</span>
          <span class="facts">${named !== session.about && session.about ? html`<span class="last">${session.about}</span> · ` : ''}${t('turns', session.number)}${session.origin ? ` · ${t('forked')}` : ''} · <time datetime=${session.updated}>${formats.moment(session.updated)}</time></span>
        </a>
        ${button('edit', 'session.rename')}${button('close', 'session.delete')}
      </div>
      ${doing === 'session.rename' && html`<${Rename} title=${session.title} close=${() => become('')} save=${(title) => done(() => api.rename(session.id, title))} />`}
      ${doing === 'session.delete' && html`<${Sure} close=${() => become('')} go=${() => done(() => api.remove(session.id))} />`}
    </li>`;
}

function Rename({ title, save, close }) {
  const t = useWords();
  const [text, type] = useState(title);
  const field = useRef();
  useEffect(() => field.current.select(), []);
  const submit = (event) => {
    event.preventDefault();
    if (text.trim()) save(text.trim());
  };
  return html`
    <form class="session-change" onSubmit=${submit} onKeyDown=${(event) => event.key === 'Escape' && close()}>
      <label><span class="unseen">${t('title')}</span><input ref=${field} value=${text} maxlength="200" onInput=${(event) => type(event.target.value)} /></label>
      <button type="submit" class="primary" disabled=${!text.trim()}>${t('session.rename.go')}</button>
      <button type="button" onClick=${close}>${t('cancel')}</button>
    </form>`;
}

function Sure({ go, close }) {
  const t = useWords();
  const keep = useRef();
  useEffect(() => keep.current.focus(), []);
  return html`
    <p class="session-change" role="group" aria-label=${t('session.delete')} onKeyDown=${(event) => event.key === 'Escape' && close()}>
      <span>${t('session.delete.sure')}</span>
      <button type="button" onClick=${go}>${t('session.delete.go')}</button>
      <button ref=${keep} type="button" class="primary" onClick=${close}>${t('session.delete.keep')}</button>
    </p>`;
}
