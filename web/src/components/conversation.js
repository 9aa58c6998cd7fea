// The conversation: committed turns, the running one, and where one writes.

import { html, useEffect, useLayoutEffect, useRef, useState } from '../vendor/preact.js';
import { say } from '../actions.js';
import { useAgentModule } from '../agents/registry.js';
import { useWords } from '../preferences.js';
import { looksOn, shownTurns } from '../session.js';
import { useStore } from '../store.js';
import { Composer } from './composer.js';
import { LiveTurn, SentInput, Turn } from './turn.js';

/** Turns that are drawn at first; a long conversation would make the page slow. */
const DRAWN = 50;

export function Conversation({ session, asPanel }) {
  const t = useWords();
  const turns = shownTurns(session);
  const { live, sending } = session;
  const before = sending?.at ? turns.slice(0, sending.at - 1) : turns;
  const list = useRef();
  const [drawn, draw] = useState(DRAWN);
  const marked = useStore((state) => state.highlight?.turn ?? Infinity);
  const hidden = Math.max(0, Math.min(before.length - drawn, marked - 1));
  useFollowing(list, session);
  const role = asPanel ? { id: 'panel', role: 'tabpanel', 'aria-labelledby': 'tab-chat' } : { 'aria-label': t('conversation') };
  return html`
    <section class="conversation" ...${role}>
      <div class="scroll" ref=${list} tabindex="0" role="region" aria-label=${t('turns.list')}>
        ${!turns.length && !live && !sending && html`<${Empty} session=${session} />`}
        ${hidden > 0 && html`<p class="earlier"><button type="button" onClick=${() => draw(drawn + 4 * DRAWN)}>${t('turns.earlier', hidden)}</button></p>`}
        <ol class="turns">
          ${before.slice(hidden).map((turn, place) => html`<${Turn} key=${turn.turn} turn=${turn} session=${session} last=${place + hidden === turns.length - 1 && !live && !sending} />`)}
          ${live && html`<${LiveTurn} key=${live.turn} turn=${live} session=${session} />`}
          ${sending && !live && html`<${SentInput} key="sending" sending=${sending} />`}
        </ol>
        ${session.failed && html`<p class="failed" role="alert">${session.failed.reason === 'cancelled' ? t('stopped') : t('failed', session.failed.reason)}</p>`}
      </div>
      <${QuickReplies} session=${session} />
      ${looksOn(session) ? html`<p class="composer hint">${t('table.look')}</p>` : html`<${Composer} session=${session} />`}
    </section>`;
}

/** Keep the end in sight while it grows, unless the reader has scrolled up. */
function useFollowing(list, session) {
  const follow = useRef(true);
  useEffect(() => {
    const element = list.current;
    const scrolled = () => {
      follow.current = element.scrollHeight - element.scrollTop - element.clientHeight < 80;
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => element.removeEventListener('scroll', scrolled);
  }, []);
  useLayoutEffect(() => {
    if (session.sending) follow.current = true;
    if (follow.current) list.current.scrollTop = list.current.scrollHeight;
  }, [session.live, session.sending, session.head]);
}

function Empty({ session }) {
  const t = useWords();
  const module = useAgentModule(session.agent);
  const own = useWords(module?.words);
  const examples = t.has(`examples.${session.agent}`) ? t(`examples.${session.agent}`) : [];
  return html`
    <div class="empty">
      <p>${own.has('begin') ? own('begin') : t('conversation.empty')}</p>
      ${examples.length > 0 && html`<ul class="examples">${examples.map((example) => html`<li key=${example}><button type="button" lang="en" onClick=${() => say(example)}>${example}</button></li>`)}</ul>`}
    </div>`;
}

function QuickReplies({ session }) {
  const t = useWords();
  const replies = session.view?.quick_replies;
  if (!Array.isArray(replies) || !replies.length || session.live || session.sending) return null;
  return html`
    <ul class="quick" aria-label=${t('quick')}>
      ${replies.map((reply) => html`<li key=${reply}><button type="button" onClick=${() => say(reply)}>${reply}</button></li>`)}
    </ul>`;
}
