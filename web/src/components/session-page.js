// One session: the conversation, and beside it what the agent knows, what a turn did, and the tree.

import { html, useEffect, useRef, useState } from '../vendor/preact.js';
import { closeSession, openSession, reread } from '../actions.js';
import { api } from '../api.js';
import { Icon } from '../icons.js';
import { titleOf, useFormats, useMedia, useWords } from '../preferences.js';
import { useResource } from '../resources.js';
import { go } from '../router.js';
import { yourTurn } from '../session.js';
import { store, useStore } from '../store.js';
import { agents as everyAgent, useAgentModule } from '../agents/registry.js';
import { AgentPanel } from './agent-panel.js';
import { Branches } from './branches.js';
import { Conversation } from './conversation.js';
import { Inspector } from './inspector.js';
import { Loading, Notice, told } from './notices.js';
import { TableBar } from './table-bar.js';
import { Tabs } from './tabs.js';

const WIDE = window.matchMedia('(min-width: 62rem)');

export function SessionPage({ id, seat }) {
  const session = useStore((state) => state.session);
  const mine = Boolean(session) && yourTurn(session);
  useEffect(() => {
    everyAgent().catch(() => {}); // wanted as soon as the session says whose it is, and asked for again then
    const { session: open } = store.get();
    if (open?.id !== id || open.seat !== seat) openSession(id, seat); // it may have been opened before this was drawn
    return closeSession;
  }, [id, seat]);
  useEffect(() => {
    document.title = session?.title ? `${mine ? '▸ ' : ''}${session.title} · Ruleplay` : 'Ruleplay';
  }, [session?.title, mine]);
  if (!session || session.status === 'loading') return html`<div class="page"><${Loading} lines=${6} /></div>`;
  if (session.status !== 'ready') return html`<${Unreadable} session=${session} />`;
  return html`<${Ready} session=${session} />`;
}

function Unreadable({ session }) {
  const t = useWords();
  const { status } = session;
  return html`
    <${Notice} title=${t(status === 'missing' ? 'session.missing' : 'session.unreadable')}>
      <p>${status === 'missing' ? t('session.missing.more') : told(session.problem, t)}</p>
      ${status === 'error' && html`<p><button type="button" onClick=${reread}>${t('again')}</button></p>`}
      <p><a href="/">${t('to-home')}</a></p>
    <//>`;
}

/** The desk's shape is the agent's: it is drawn once that is known, and does not change then. */
function Ready({ session }) {
  const module = useAgentModule(session.agent);
  if (module === null) return html`<div class="page"><${Loading} lines=${6} /></div>`;
  return html`<${Desk} session=${session} />`;
}

function Desk({ session }) {
  const t = useWords();
  const wide = useMedia(WIDE);
  const [chosen, choose] = useState('chat');
  const marked = useStore((state) => state.highlight);
  const cited = useStore((state) => state.cited);
  const module = useAgentModule(session.agent);
  const looked = useStore((state) => state.looked ?? 0);
  const before = useRef(looked);
  // What is pointed at has to be seen, also where one part is shown at a time.
  useEffect(() => {
    if (marked && !wide) choose('chat');
  }, [marked]);
  useEffect(() => {
    if (cited) choose('case');
  }, [cited]);
  useEffect(() => {
    if (looked !== before.current) choose('turn');
    before.current = looked;
  }, [looked]);
  const tabs = [
    ...(wide ? [] : [{ id: 'chat', icon: 'chat', label: t('conversation') }]),
    { id: 'case', icon: 'case', label: t('panel.short') },
    { id: 'turn', icon: 'inspect', label: t('inspector.short') },
    { id: 'tree', icon: 'tree', label: t('tree') },
  ];
  const open = tabs.some((tab) => tab.id === chosen) ? chosen : tabs[0].id;
  const panels = { case: AgentPanel, turn: Inspector, tree: Branches };
  const Panel = panels[open];
  return html`
    <div class="session" data-agent=${session.agent}>
      <${SessionHead} session=${session} />
      <${TableBar} session=${session} />
      <div class=${`desk${module?.wide ? ' wide' : ''}`} data-open=${open}>
        <${Tabs} tabs=${tabs} open=${open} onOpen=${choose} controls="panel" label=${t('panels')} />
        ${(wide || open === 'chat') && html`<${Conversation} session=${session} asPanel=${!wide} />`}
        ${Panel && html`<div id="panel" class="panel" role="tabpanel" aria-labelledby=${`tab-${open}`} tabindex="0"><${Panel} session=${session} /></div>`}
      </div>
    </div>`;
}

function SessionHead({ session }) {
  const t = useWords();
  const agents = useResource('agents', everyAgent);
  const agent = agents?.find((one) => one.name === session.agent);
  const seats = agent?.seats ?? [];
  const named = titleOf(agent ?? { name: session.agent, title: session.agent }, t);
  const move = (event) => go(`/s/${session.id}?seat=${encodeURIComponent(event.target.value)}`);
  return html`
    <div class="session-head">
      <p class="crumbs"><a href="/">${t('home')}</a> <span aria-hidden="true">/</span> <a href=${`/a/${encodeURIComponent(session.agent)}`}>${named}</a></p>
      <h1>${session.title === agent?.title ? named : session.title}</h1>
      <div class="tools">
        ${session.origin && html`<a href=${`/s/${session.origin}`}>${t('origin')}</a>`}
        <${Spent} session=${session} />
        ${seats.length > 1 && !session.public_seat && html`
          <label>${t('seat')} <select onChange=${move}>${seats.map((seat) => html`<option key=${seat} value=${seat} selected=${seat === (session.seat || seats[0])}>${seat}</option>`)}</select></label>`}
        <button type="button" class="quiet" onClick=${() => store.set({ dialog: 'share' })}><${Icon} name="link" />${t(session.public_seat ? 'invite' : 'share')}</button>
        <a class="quiet" download="" href=${api.exportUrl(session.id, session.seat, 'md')} aria-label=${t('export.md')} title=${t('export.md')}><${Icon} name="download" />Markdown</a>
        <a class="quiet" download="" href=${api.exportUrl(session.id, session.seat, 'json')} aria-label=${t('export.json')} title=${t('export.json')}><${Icon} name="download" />JSON</a>
      </div>
    </div>`;
}

/** What a session has cost so far, and the tokens of the turns that are shown. */
function Spent({ session }) {
  const t = useWords();
  const formats = useFormats();
  const calls = session.turns.flatMap((turn) => turn.calls ?? []);
  const [input, output] = ['input_tokens', 'output_tokens'].map((name) => calls.reduce((sum, call) => sum + (call[name] ?? 0), 0));
  const told = [
    Number(session.spent) > 0 && t('spent', formats.cost(session.spent)),
    input + output > 0 && t('tokens', formats.number(input), formats.number(output)),
  ].filter(Boolean);
  return told.length ? html`<span class="facts">${told.join(' · ')}</span>` : null;
}
