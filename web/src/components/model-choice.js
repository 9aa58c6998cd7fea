// Who holds the pen: the server's default, a model that is ready, or one named in full.

import { html, useState } from '../vendor/preact.js';
import { api } from '../api.js';
import { useWords } from '../preferences.js';
import { useResource } from '../resources.js';

/** Names that are whole; those of providers (`openai`) need a model behind a colon. */
const WHOLE = /^(rules|embedded)$|[:/]/;
const OTHER = 'other';

export function ModelChoice({ value, onChange }) {
  const t = useWords();
  const models = useResource('models', api.models) ?? [];
  const [choice, choose] = useState('');
  const ready = models.filter((model) => model.ready && WHOLE.test(model.name));
  const providers = models.filter((model) => model.ready && !WHOLE.test(model.name));
  const missing = models.filter((model) => !model.ready);
  const pick = (event) => {
    const picked = event.target.value;
    choose(picked);
    onChange(picked === OTHER ? (providers[0] ? `${providers[0].name}:` : '') : picked);
  };
  return html`
    <label>${t('model')}
      <select value=${choice} onChange=${pick}>
        <option value="">${t('model.default')}</option>
        ${ready.map(({ name }) => html`<option key=${name} value=${name}>${t.has(`model.${name}`) ? t(`model.${name}`) : name}</option>`)}
        <option value=${OTHER}>${t('model.other')}</option>
      </select>
    </label>
    ${choice === OTHER && html`
      <label>${t('model.name')}
        <input value=${value} required spellcheck=${false} autocapitalize="off" placeholder="provider:model" onInput=${(event) => onChange(event.target.value)} />
        <span class="hint">${t('model.forms')}</span>
      </label>`}
    ${missing.length > 0 && html`
      <details class="advice"><summary>${t('model.missing')}</summary>
        <dl>${missing.map(({ name, advice }) => html`<dt key=${name}>${name}</dt><dd>${advice}</dd>`)}</dl>
      </details>`}`;
}
