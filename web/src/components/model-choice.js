// Who holds the pen: the server's default, or a model that its owner offers.

import { html } from '../vendor/preact.js';
import { api } from '../api.js';
import { useWords } from '../preferences.js';
import { useResource } from '../resources.js';

const DEFAULT = 'default';

export function ModelChoice({ value, onChange }) {
  const t = useWords();
  const models = useResource('models', api.models) ?? [];
  const offered = models.filter(({ name }) => name !== DEFAULT);
  return html`
    <label>${t('model')}
      <select value=${value} onChange=${(event) => onChange(event.target.value)}>
        <option value="">${t('model.default')}</option>
        ${offered.map(({ name }) => html`<option key=${name} value=${name}>${t.has(`model.${name}`) ? t(`model.${name}`) : name}</option>`)}
      </select>
    </label>`;
}
