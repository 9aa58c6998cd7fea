// Read-only links to one thing: made and copied, listed, revoked. Whoever has one needs no token and can do nothing.

import { html, useState } from '../vendor/preact.js';
import { api } from '../api.js';
import { useFormats, useWords } from '../preferences.js';
import { useAnswer } from '../resources.js';
import { Trouble } from './notices.js';

/** The links to something: `kind` is `session` or an agent's name, `what` the session or what of the agent's. */
export function Links({ kind, what }) {
  const t = useWords();
  const formats = useFormats();
  const [changes, change] = useState(0);
  const [made, tell] = useState(null);
  const [trouble, fail] = useState(null);
  const links = useAnswer(`shares ${kind} ${what} ${changes} ${made?.id ?? ''}`, api.shares);
  const mine = (links.value ?? []).filter((one) => one.kind === kind && one.what === what);
  const doing = (work) => () => work().then(() => { fail(null); change(changes + 1); }, fail);
  const make = doing(async () => tell(await api.share(kind, what)));
  const revoke = (id) => doing(async () => {
    await api.unshare(id);
    if (made?.id === id) tell(null);
  });
  return html`
    <div class="share">
      <${Trouble} problem=${trouble} />
      <button type="button" onClick=${make}>${t('share.make')}</button>
      ${made && html`<${Address} key=${made.id} label=${t('share.address')} address=${new URL(made.path, document.baseURI).href} />`}
      ${mine.length > 0 && html`<ul class="links">${mine.map((one) => html`<li key=${one.id}><span class="facts">${t('share.of', formats.moment(one.made))}</span> <button type="button" onClick=${revoke(one.id)}>${t('share.revoke')}</button></li>`)}</ul>`}
    </div>`;
}

/** An address to pass on, copied at once where the browser allows that: pages without TLS may not. */
export function Address({ label, address }) {
  const t = useWords();
  const [copied, tell] = useState(false);
  const copy = () => navigator.clipboard?.writeText(address).then(() => tell(true), () => {});
  return html`
    <p class="made"><label>${label}<input readonly value=${address} onFocus=${(event) => event.target.select()} /></label>
      <button type="button" onClick=${copy}>${t('share.copy')}</button>
      <span class="facts" role="status">${copied && t('share.copied')}</span></p>`;
}
