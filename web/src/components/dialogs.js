// Dialogs: the shortcuts, the server's token, and what can be passed on of a session.

import { html, useEffect, useRef, useState } from '../vendor/preact.js';
import { login } from '../actions.js';
import { Icon } from '../icons.js';
import { choose, usePreferences, useWords } from '../preferences.js';
import { SHORTCUTS } from '../shortcuts.js';
import { mayMove } from '../session.js';
import { store, useStore } from '../store.js';
import { Address, Links } from './links.js';
import { Trouble } from './notices.js';

export function Dialogs() {
  const dialog = useStore((state) => state.dialog);
  if (dialog === 'help') return html`<${Help} />`;
  if (dialog === 'login') return html`<${Login} />`;
  if (dialog === 'share') return html`<${Share} />`;
  return null;
}

/** The browser's own modal dialog: it keeps the focus inside and gives it back afterwards. */
function Dialog({ title, children }) {
  const t = useWords();
  const element = useRef();
  useEffect(() => {
    const before = document.activeElement;
    element.current.showModal();
    return () => before?.focus?.();
  }, []);
  const close = () => store.set({ dialog: null });
  return html`
    <dialog ref=${element} aria-labelledby="dialog-title" onClose=${close} onCancel=${close}>
      <header><h2 id="dialog-title">${title}</h2>
        <button type="button" class="quiet" aria-label=${t('close')} onClick=${close}><${Icon} name="close" /></button>
      </header>
      ${children}
    </dialog>`;
}

function Help() {
  const t = useWords();
  const { shortcuts } = usePreferences();
  return html`
    <${Dialog} title=${t('help')}>
      <p>${t('help.idea')}</p>
      <h3>${t('shortcuts')}</h3>
      <dl class="keys">${SHORTCUTS.map(([key, name]) => html`<dt key=${key}><kbd>${key}</kbd></dt><dd>${t(name)}</dd>`)}
        <dt><kbd>${t('key.enter')}</kbd></dt><dd>${t('shortcut.send')}</dd>
        <dt><kbd>${t('key.shift-enter')}</kbd></dt><dd>${t('shortcut.newline')}</dd>
      </dl>
      <label class="inline"><input type="checkbox" checked=${shortcuts} onChange=${(event) => choose('shortcuts', event.target.checked)} /> ${t('shortcuts.on')}</label>
    <//>`;
}

function Login() {
  const t = useWords();
  const [token, type] = useState('');
  const [wrong, fail] = useState(null);
  const submit = async (event) => {
    event.preventDefault();
    try {
      await login(token);
    } catch (problem) {
      fail(problem);
    }
  };
  return html`
    <${Dialog} title=${t('login')}>
      <form class="form" onSubmit=${submit}>
        <p>${t('login.more')}</p>
        <label>${t('login.token')}
          <input type="password" autocomplete="current-password" required value=${token} onInput=${(event) => type(event.target.value)} />
        </label>
        <${Trouble} problem=${wrong} />
        <button type="submit" class="primary">${t('login')}</button>
      </form>
    <//>`;
}

/** A place at the table, where there is one, and links under which the session can be read and nothing else. */
function Share() {
  const t = useWords();
  const session = useStore((state) => state.session);
  if (session?.status !== 'ready') return null;
  const read = html`<h3>${t('share.read')}</h3><p class="hint">${t(session.public_seat ? 'share.table' : 'share.more')}</p>`;
  return html`
    <${Dialog} title=${t(session.public_seat ? 'invite' : 'share')}>
      ${session.public_seat && html`<p class="hint">${t('invite.more')}</p><${Address} label=${t('invite.address')} address=${`${window.location.origin}/s/${session.id}`} />`}
      ${read}
      ${mayMove(session) ? html`<${Links} kind="session" what=${session.id} />` : html`<p class="hint">${t('share.seated')}</p>`}
    <//>`;
}
