// The slots of the open case: each with how sure it is, and why.

import { html } from '../../vendor/preact.js';
import { Icon } from '../../icons.js';
import { Evidence } from './evidence.js';
import { Label } from './label.js';

const STATE_ICONS = { verified: 'check', to_confirm: 'question', unknown: 'cross', missing: 'dash' };

export function Slots({ view, label, t, say, highlight, busy }) {
  const { model, part, symptoms, description } = view.slots;
  const shared = { label, t, highlight, say, busy };
  return html`
    <dl class="slots">
      <${Slot} name="model" slot=${model} view=${view} ...${shared} />
      <${Slot} name="part" slot=${part} view=${view} ...${shared} />
      <${Row} name="symptoms" state=${symptoms.length ? 'verified' : needed(view, 'symptoms')} t=${t}>
        ${symptoms.length > 0 && html`<ul>${symptoms.map((symptom) => html`<li key=${symptom.value}><${Evidence} evidence=${symptom.evidence} t=${t} highlight=${highlight}>${label(symptom.value)}<//></li>`)}</ul>`}
      <//>
      ${(description || view.missing.includes('description')) && html`<${Slot} name="description" slot=${description} view=${view} ...${shared} />`}
    </dl>`;
}

/** States of a model number that send one to the appliance's label. */
const WANTED = ['missing', 'unknown', 'to_confirm'];
const needed = (view, name) => (view.missing.includes(name) ? 'missing' : 'empty');

function Slot({ name, slot, view, label, t, say, highlight, busy }) {
  const about = slot && (slot.name || [slot.brand, label(slot.appliance)].filter(Boolean).join(' '));
  return html`
    <${Row} name=${name} state=${slot?.state ?? needed(view, name)} t=${t}>
      ${slot && html`<${Evidence} evidence=${slot.evidence} row=${slot.row} t=${t} highlight=${highlight}>${slot.value}<//>`}
      ${about && html`<span class="facts">${about}</span>`}
      ${slot?.asked && slot.asked !== slot.value && html`<span class="facts">${t('asked-as', slot.asked)}</span>`}
      ${slot?.options?.length > 0 && html`
        <ul class="options" aria-label=${t('options')}>${slot.options.map((option) => html`<li key=${option.number}><button type="button" disabled=${busy} onClick=${() => say(option.number)}>${option.number}<span class="facts">${option.name || [option.brand, label(option.appliance)].filter(Boolean).join(' ')}</span></button></li>`)}</ul>`}
      ${name === 'model' && WANTED.includes(slot?.state ?? needed(view, name)) && html`<${Label} appliance=${view.appliance} t=${t} />`}
    <//>`;
}

function Row({ name, state, t, children }) {
  return html`
    <div class=${`slot ${state}`}>
      <dt>${t(`slot.${name}`)}</dt>
      <dd>
        ${state !== 'empty' && html`<span class="state">${state in STATE_ICONS && html`<${Icon} name=${STATE_ICONS[state]} />`}${t(`state.${state}`)}</span>`}
        ${state === 'empty' && html`<span class="none">${t('state.empty')}</span>`}
        ${children}
      </dd>
    </div>`;
}
