// Who holds the pen: the server's default, or a model that its owner offers, with its price and what it lacks.

import { html } from '../vendor/preact.js';
import { api } from '../api.js';
import { useFormats, useWords } from '../preferences.js';
import { useResource } from '../resources.js';

const DEFAULT = 'default';

export function ModelChoice({ value, onChange }) {
  const t = useWords();
  const formats = useFormats();
  // Nothing is claimed of a model whose price nobody knows.
  const price = ({ input, output }) => {
    if (input === null || output === null) return t('model.unpriced');
    return Number(input) + Number(output) === 0 ? t('model.free') : t('model.priced', formats.cost(input), formats.cost(output));
  };
  const models = useResource('models', api.models) ?? [];
  const offered = models.filter(({ name }) => name !== DEFAULT);
  const chosen = models.find(({ name }) => name === (value || DEFAULT));
  const called = (name) => (t.has(`model.${name}`) ? t(`model.${name}`) : name);
  return html`
    <label>${t('model')}
      <select value=${value} aria-describedby="model-price" onChange=${(event) => onChange(event.target.value)}>
        <option value="">${t('model.default')}</option>
        ${offered.map((one) => html`<option key=${one.name} value=${one.name} disabled=${!one.ready}>${called(one.name)}${one.ready ? '' : ` (${t('model.lacks')})`}</option>`)}
      </select>
      <span class="hint" id="model-price">${chosen ? price(chosen) : '\u00a0'}</span>
      ${models.filter(({ ready }) => !ready).map((one) => html`<span key=${one.name} class="hint lacking">${one.name === DEFAULT ? t('model.default') : called(one.name)}: ${one.advice}</span>`)}
      ${models.length > 0 && !offered.some(({ name }) => name !== 'rules') && html`<span class="hint">${t('model.none')}</span>`}
    </label>`;
}
