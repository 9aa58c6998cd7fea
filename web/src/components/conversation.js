// The conversation: committed turns, the running one, and where one writes.

import { html, useEffect, useLayoutEffect, useRef, useState } from '../vendor/preact.js';
import { act, busy, restore, say } from '../actions.js';
import { useAgentModule } from '../agents/registry.js';
import { useWords } from '../preferences.js';
import { fixed, looksOn, shownTurns } from '../session.js';
import { useStore } from '../store.js';
import { Composer } from './composer.js';
import { Trouble } from './notices.js';
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
  const pinned = useQuestionOnTop(list, session);
  const role = asPanel ? { id: 'panel', role: 'tabpanel', 'aria-labelledby': 'tab-chat' } : { 'aria-label': t('conversation') };
  return html`
    <section class="conversation" ...${role}>
      <div class="scroll" ref=${list} tabindex="0" role="region" aria-label=${t('turns.list')}>
        ${!turns.length && !live && !sending && html`<${Empty} session=${session} />`}
        ${hidden > 0 && html`<p class="earlier"><button type="button" onClick=${() => draw(drawn + 4 * DRAWN)}>${t('turns.earlier', hidden)}</button></p>`}
        <ol class=${`turns${pinned ? ' pinned' : ''}`}>
          ${before.slice(hidden).map((turn, place) => html`<${Turn} key=${turn.turn} turn=${turn} session=${session} last=${place + hidden === turns.length - 1 && !live && !sending} />`)}
          ${live && html`<${LiveTurn} key=${live.turn} turn=${live} session=${session} />`}
          ${sending && !live && html`<${SentInput} key="sending" sending=${sending} />`}
        </ol>
        ${session.failed && (session.failed.reason === 'cancelled' ? html`<p class="failed" role="alert">${t('stopped')}</p>` : html`<${Trouble} problem=${{ detail: session.failed.reason }} before=${t('failed')} />`)}
        ${session.undone && !live && !sending && html`<${Undone} undone=${session.undone} session=${session} />`}
      </div>
      <${Actions} session=${session} />
      <${QuickReplies} session=${session} />
      ${looksOn(session) ? html`<p class="composer hint">${t('table.look')}</p>` : html`<${Composer} session=${session} />`}
    </section>`;
}

/** How far from where we left it the reader may scroll before we stop moving the page. */
const NEAR = 80;

/**
 * A question goes to the top and stays there while its answer grows below it; an old conversation
 * opens at its end. Whoever scrolls away is left where they are, until they ask again.
 */
function useQuestionOnTop(list, session) {
  const follow = useRef(true);
  const left = useRef(0);
  const [pinned, pin] = useState(false);
  const asked = session.live?.turn ?? (session.sending ? 'sending' : '');
  useEffect(() => {
    const element = list.current;
    const scrolled = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      follow.current = Math.abs(scrollTop - left.current) < NEAR || scrollHeight - scrollTop - clientHeight < NEAR;
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => element.removeEventListener('scroll', scrolled);
  }, []);
  useLayoutEffect(() => {
    if (asked) pin(true);
  }, [asked]);
  useLayoutEffect(() => {
    if (session.sending) follow.current = true;
    if (!follow.current) return;
    const element = list.current;
    const last = element.querySelector('.turns > li:last-child');
    element.scrollTop = pinned && last ? last.offsetTop : element.scrollHeight;
    left.current = element.scrollTop;
  }, [asked, pinned, pinned ? '' : session.head]);
  return pinned;
}

/** After a turn was taken back: the way to have it again, where the focus is. */
function Undone({ undone, session }) {
  const t = useWords();
  const button = useRef();
  useEffect(() => button.current.focus({ preventScroll: true }), [undone.turn]);
  return html`
    <p class="undone"><span role="status">${t('undone', undone.number)}</span>
      <button ref=${button} type="button" disabled=${fixed(session)} onClick=${restore}>${t('undone.restore')}</button></p>`;
}

function Empty({ session }) {
  const t = useWords();
  const module = useAgentModule(session.agent);
  const own = useWords(module?.words);
  const offered = session.view?.quick_replies?.length > 0; // above the field already
  const examples = t.has(`examples.${session.agent}`) && !looksOn(session) ? t(`examples.${session.agent}`) : [];
  return html`
    <div class="empty">
      <p>${own.has('begin') ? own('begin') : t(looksOn(session) ? 'table.begin' : 'conversation.empty')}</p>
      ${examples.length > 0 && !offered && html`<ul class="examples">${examples.map((example) => html`<li key=${example}><button type="button" onClick=${() => say(example)}>${example}</button></li>`)}</ul>`}
    </div>`;
}

/** What the agent puts above the field: buttons for what one could do now. */
function Actions({ session }) {
  const module = useAgentModule(session.agent);
  const own = useWords(module?.words);
  const Above = module?.Above;
  return Above && session.view ? html`<${Above} view=${session.view} session=${session} t=${own} busy=${busy(session)} act=${act} say=${say} />` : null;
}

function QuickReplies({ session }) {
  const t = useWords();
  const replies = session.view?.quick_replies;
  if (!Array.isArray(replies) || !replies.length || session.live || session.sending || looksOn(session)) return null;
  return html`
    <ul class="quick" aria-label=${t('quick')}>
      ${replies.map((reply) => html`<li key=${reply}><button type="button" onClick=${() => say(reply)}>${reply}</button></li>`)}
    </ul>`;
}
