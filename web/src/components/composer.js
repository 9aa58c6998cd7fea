// Where one writes. Enter sends, Shift+Enter starts a line; while a turn runs it can be stopped.

import { html, useEffect, useRef, useState } from '../vendor/preact.js';
import { busy, cancel, say } from '../actions.js';
import { useAgentModule } from '../agents/registry.js';
import { Icon } from '../icons.js';
import { useWords } from '../preferences.js';
import { keepIn, kept, store, useStore } from '../store.js';

/** Characters the server takes in one message. */
const LIMIT = 8000;

export function Composer({ session }) {
  const t = useWords();
  const draft = `draft.${session.id}`;
  const [text, type] = useState(() => kept('sessionStorage', draft));
  const module = useAgentModule(session.agent);
  const own = useWords(module?.words);
  const About = module?.About;
  const returned = useStore((state) => state.draft);
  const area = useRef();
  useEffect(() => {
    if (!returned) return;
    if (!text) write(returned);
    store.set({ draft: '' });
  }, [returned]);
  // What is typed survives a reload; at once where one types: a page that is left does not wait for effects.
  const write = (given) => {
    keepIn('sessionStorage', draft, given);
    type(given);
  };
  useEffect(() => {
    area.current.style.height = 'auto';
    area.current.style.height = `${area.current.scrollHeight + 2}px`;
  }, [text]);
  const send = (event) => {
    event.preventDefault();
    if (!text.trim() || busy(session)) return;
    say(module?.asked?.(text, session, own) ?? text);
    write('');
  };
  const key = (event) => {
    if (event.key === 'Escape') area.current.blur();
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event);
  };
  return html`
    <form class="composer" onSubmit=${send}>
      ${About && html`<${About} session=${session} t=${own} />`}
      <label class="unseen" for="message">${t('message')}</label>
      <textarea id="message" ref=${area} rows="1" maxlength=${LIMIT} value=${text} placeholder=${t('message.hint')}
        onInput=${(event) => write(event.target.value)} onKeyDown=${key}></textarea>
      ${session.live && !session.public_seat
    ? html`<button type="button" class="stop" onClick=${cancel}><${Icon} name="stop" />${t('stop')}</button>`
    : html`<button type="submit" class="primary" disabled=${!text.trim() || busy(session)}><${Icon} name="send" />${t('send')}</button>`}
    </form>`;
}
