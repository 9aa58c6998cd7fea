// One turn in the conversation: what was said, what was answered, and what can be done with it.

import { html, useEffect, useMemo, useRef, useState } from '../vendor/preact.js';
import { cite, edit, fork, goTo, highlight, regenerate, select, undo } from '../actions.js';
import { useAgentModule } from '../agents/registry.js';
import { Icon } from '../icons.js';
import { cited, toHtml } from '../markdown.js';
import { useFormats, useWords } from '../preferences.js';
import { fixed, siblings } from '../session.js';
import { dressed, toggle, withMarks } from '../spans.js';
import { openLine, withLines } from '../lines.js';
import { store, useStore } from '../store.js';
import { seatName, whoOf } from './table-bar.js';

export function Turn({ turn, session, last }) {
  const t = useWords();
  const selected = useStore((state) => state.selected === turn.turn);
  const editing = useStore((state) => state.editing === turn.turn);
  const asides = (first) => turn.asides?.filter((aside) => Boolean(aside.first) === first)
    .map((aside, at) => html`<${AsideText} key=${at} aside=${aside} turn=${turn} session=${session} />`);
  return html`
    <li class=${`turn${selected ? ' selected' : ''}`} id=${`turn-${turn.turn}`}>
      <article aria-labelledby=${`head-${turn.turn}`}>
        <h2 class="number" id=${`head-${turn.turn}`}><span class="unseen">${t('turn')} </span>${turn.number}</h2>
        ${editing
    ? html`<${Editor} turn=${turn} />`
    : html`<${Message} turn=${turn} session=${session} />`}
        ${asides(true)}
        <${Reply} text=${turn.reply} spans=${turn.spans} turn=${turn} agent=${session.agent} />
        ${asides(false)}
        ${!heardNothing(turn) && html`<${Footer} turn=${turn} session=${session} last=${last} />`}
      </article>
    </li>`;
}

/** Whether a turn was for others' ears alone: a line says so. */
const heardNothing = (turn) => turn.hidden && !turn.reply && !turn.asides?.length;

/** A message exactly as it was written, with the words marked that something points at. */
function Message({ turn, session }) {
  const t = useWords();
  const module = useAgentModule(session.agent);
  const own = useWords(module?.words);
  const span = useStore((state) => (state.highlight?.turn === turn.number ? state.highlight : null));
  const mark = useRef();
  useEffect(() => {
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    mark.current?.scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
  }, [span]);
  const { message, action } = turn.input;
  if (turn.hidden && !heardNothing(turn)) return null;
  if (turn.hidden) return html`<p class="acts">${whoOf(session, turn.seat, t)} · ${t('hidden')}</p>`;
  if (!message && !action) return null;
  const who = html`<span class="who">${whoOf(session, turn.seat, t)}</span>`;
  if (!message) {
    const told = module?.action?.(action, own);
    if (told === '') return html`<p class="acts">${whoOf(session, turn.seat, t)}</p>`;
    return html`<div class="said">${who}${told ? html`<p class="action">${told}</p>` : html`<pre class="action">${JSON.stringify(action)}</pre>`}</div>`;
  }
  if (!span) return html`<div class="said">${who}<p>${message}</p></div>`;
  // The server counts characters, JavaScript halves of some.
  const characters = Array.from(message);
  const cut = (from, to) => characters.slice(from, to).join('');
  return html`
    <div class="said">${who}<p>${cut(0, span.start)}<mark ref=${mark} title=${t('evidence')} onClick=${() => highlight(null)}>${cut(span.start, span.end)}</mark>${cut(span.end)}</p></div>`;
}

/** A reply; what the agent says are citations (`cites`) are buttons that open them in its view. */
function Reply({ text, spans = [], turn, agent, writing = false }) {
  const t = useWords();
  const module = useAgentModule(agent);
  const cites = module?.cites;
  const made = useMemo(() => {
    if (spans.length === 0) return withLines(cited(toHtml(text), cites, t('cite.open')), turn.events, t);
    const told = dressed(toHtml(withMarks(spans)), spans, { id: `line-${turn.turn}`, evidence: module?.evidence, name: t('cite.open') });
    return cited(told, cites, t('cite.open'));
  }, [text, spans, module, turn.events, t('cite.open')]);
  if (!text && !writing) return null;
  const open = (event) => {
    const button = event.target.closest?.('[data-cite]');
    if (button) cite(turn.number, button.dataset.cite);
    else if (!openLine(event)) toggle(event);
  };
  const key = (event) => {
    if ((event.key === 'Enter' || event.key === ' ') && event.target.closest?.('[role="button"]') && toggle(event)) event.preventDefault();
  };
  return html`
    <div class=${`reply${writing ? ' writing' : ''}`} aria-busy=${String(writing)} onClick=${open} onKeyDown=${key} dangerouslySetInnerHTML=${{ __html: made }}></div>
    ${spans.length > 0 && html`<p class="legend"><span class="told vouched">${t('told.vouched')}</span> <span class="told view">${t('told.view')}</span></p>`}`;
}

/** What only some seats heard, with who they are. */
function AsideText({ aside, turn, session }) {
  const t = useWords();
  const names = aside.audience.map((seat) => seatName(session, seat));
  return html`
    <div class="aside">
      <p class="who">${t('aside', names)}</p>
      <${Reply} text=${aside.text} turn=${turn} agent=${session.agent} />
    </div>`;
}

function Editor({ turn }) {
  const t = useWords();
  const [text, type] = useState(turn.input.message);
  const area = useRef();
  useEffect(() => {
    area.current.focus();
    return () => document.getElementById('message')?.focus();
  }, []);
  const close = () => store.set({ editing: null });
  const save = (event) => {
    event.preventDefault();
    if (!text.trim()) return;
    close();
    edit(turn.number, text);
  };
  const key = (event) => {
    if (event.key === 'Escape') close();
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) save(event);
  };
  return html`
    <form class="editor" onSubmit=${save}>
      <label class="unseen" for="edited">${t('edit.label', turn.number)}</label>
      <textarea id="edited" ref=${area} rows="3" maxlength="8000" value=${text} onInput=${(event) => type(event.target.value)} onKeyDown=${key}></textarea>
      <p class="hint">${t('edit.hint')}</p>
      <div class="buttons">
        <button type="submit" class="primary" disabled=${!text.trim()}>${t('edit.send')}</button>
        <button type="button" onClick=${close}>${t('cancel')}</button>
      </div>
    </form>`;
}

function Footer({ turn, session, last }) {
  const t = useWords();
  const idle = !fixed(session);
  const button = (icon, name, work, hint) => html`
    <button type="button" class="quiet" title=${hint ?? t(name)} aria-label=${`${t(name)} (${t('turn')} ${turn.number})`} disabled=${!idle} onClick=${work}><${Icon} name=${icon} /></button>`;
  return html`
    <footer>
      <${Author} turn=${turn} />
      <${Versions} turn=${turn} session=${session} />
      <span class="buttons">
        ${last && button('undo', 'undo', undo)}
        ${last && button('redo', 'regenerate', regenerate, turn.calls.some((call) => call.source === 'model') ? undefined : t('regenerate.same'))}
        ${turn.input.message && (!session.public_seat || session.seat === turn.seat) && button('edit', 'edit', () => store.set({ editing: turn.turn }))}
        ${button('fork', 'fork', () => fork(turn.number))}
        <button type="button" class="quiet" title=${t('inspect')} aria-label=${`${t('inspect')} (${t('turn')} ${turn.number})`} onClick=${() => select(turn.turn)}><${Icon} name="inspect" /></button>
      </span>
    </footer>`;
}

/** Who answered, how fast, and whether anything was refused. */
function Author({ turn }) {
  const t = useWords();
  const formats = useFormats();
  const models = [...new Set(turn.calls.filter((call) => call.source === 'model').map((call) => call.model))];
  const refused = turn.calls.reduce((sum, call) => sum + call.refusals.length, 0);
  return html`
    <span class="author">
      <${Icon} name=${models.length ? 'pen' : 'gavel'} />
      <span>${models.join(', ') || t('policy')}</span>
      <span>${formats.ms(turn.ms)}</span>
      ${refused > 0 && html`<span class="refused">${t('refused', refused)}</span>`}
    </span>`;
}

/** The turn's siblings: other versions of the same place in the conversation. */
function Versions({ turn, session }) {
  const t = useWords();
  const versions = siblings(session, turn.turn);
  if (versions.length < 2) return null;
  const place = versions.findIndex((version) => version.id === turn.turn);
  const step = (by, icon, name) => {
    const next = versions[place + by];
    return html`
      <button type="button" class="quiet" aria-label=${t(name)} disabled=${!next || fixed(session)} onClick=${() => goTo(next.id, { newest: true })}><${Icon} name=${icon} /></button>`;
  };
  return html`
    <span class="versions" role="group" aria-label=${t('versions')}>
      ${step(-1, 'left', 'version.before')}<span>${place + 1}/${versions.length}</span>${step(1, 'right', 'version.after')}
    </span>`;
}

export function LiveTurn({ turn, session }) {
  const t = useWords();
  const running = turn.steps.filter((step) => step.state === 'running').map((step) => step.node);
  return html`
    <li class="turn live" id=${`turn-${turn.turn}`}>
      <article aria-labelledby="head-live">
        <h2 class="number" id="head-live"><span class="unseen">${t('turn')} </span>${turn.number}</h2>
        <${Message} turn=${turn} session=${session} />
        <${Reply} text=${turn.reply} turn=${turn} agent=${session.agent} writing=${true} />
        <footer><span class="author"><span class="pulse"></span><span class="node">${running.join(', ') || t('running')}</span></span></footer>
      </article>
    </li>`;
}

/** An input that the server does not have yet, or has and has not begun. */
export function SentInput({ sending }) {
  const t = useWords();
  return html`
    <li class="turn live">
      <article>
        <span class="number" aria-hidden="true">·</span>
        ${sending.message && html`<div class="said"><p>${sending.message}</p></div>`}
        <footer><span class="author"><span class="pulse"></span>${t(sending.turn ? 'waiting' : 'sending')}</span></footer>
      </article>
    </li>`;
}
