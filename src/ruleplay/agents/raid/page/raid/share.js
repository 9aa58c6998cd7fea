// A read-only link to the night that is looked at: made, copied and revoked.

import { html, useState } from '../../vendor/preact.js';
import { own } from '../../api.js';
import { useFormats } from '../../preferences.js';
import { useAnswer } from '../../resources.js';

export function Share({ report, t }) {
  const formats = useFormats();
  const [count, again] = useState(0);
  const [made, tell] = useState(null);
  const [trouble, fail] = useState('');
  const links = useAnswer(`raid shares ${report} ${count} ${made?.id ?? ''}`, () => own.get('/api/shares'));
  const mine = (links.value?.shares ?? []).filter((one) => one.kind === 'raid' && one.what === report);
  const doing = (work) => () => work().then(() => { fail(''); again(count + 1); }, (problem) => fail(problem.message));
  const make = doing(async () => tell(await own.post('/api/shares', { kind: 'raid', what: report })));
  const revoke = (id) => doing(async () => {
    await own.remove(`/api/shares/${encodeURIComponent(id)}`);
    if (made?.id === id) tell(null);
  });
  const address = made ? new URL(made.path, document.baseURI).href : '';
  return html`
    <details class="share">
      <summary>${t('share')}${mine.length > 0 ? ` (${mine.length})` : ''}</summary>
      <p class="hint">${t('share.more')}</p>
      ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
      <button type="button" onClick=${make}>${t('share.make')}</button>
      ${made && html`<p class="made" role="status"><label>${t('share.address')}<input readonly value=${address} onFocus=${(event) => event.target.select()} /></label> <button type="button" onClick=${() => navigator.clipboard?.writeText(address)}>${t('share.copy')}</button></p>`}
      ${mine.length > 0 && html`<ul class="links">${mine.map((one) => html`<li key=${one.id}><span class="facts">${t('share.of', formats.moment(one.made))}</span> <button type="button" onClick=${revoke(one.id)}>${t('share.revoke')}</button></li>`)}</ul>`}
    </details>`;
}
