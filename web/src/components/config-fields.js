// A session's configuration as form fields, from the agent's JSON schema. What is no plain value is left
// to the agent's own default.

import { html } from '../vendor/preact.js';

const PLAIN = ['string', 'number', 'integer', 'boolean'];

/** The fields that a form can show: `{name, kind, label, hint, options, fallback, required}`. */
export function fieldsOf(schema) {
  const required = schema?.required ?? [];
  return Object.entries(schema?.properties ?? {}).flatMap(([name, given]) => {
    const property = plain(given, schema);
    if (!property) return [];
    return [{
      name,
      kind: property.enum ? 'choice' : property.type,
      label: property.title ?? name,
      hint: given.description ?? property.description ?? '',
      options: property.enum ?? [],
      fallback: given.default ?? property.default,
      required: required.includes(name),
    }];
  });
}

function plain(property, schema) {
  const options = [property, ...(property.anyOf ?? []), ...(property.allOf ?? [])];
  for (const option of options) {
    const named = option.$ref && schema.$defs?.[option.$ref.split('/').at(-1)];
    const found = named || option;
    if (found.enum || PLAIN.includes(found.type)) return { ...found, title: property.title ?? found.title };
  }
  return null;
}

export function ConfigFields({ schema, value, onChange }) {
  const set = (name, entered) => {
    const { [name]: _before, ...rest } = value;
    onChange(entered === undefined || entered === '' ? rest : { ...rest, [name]: entered });
  };
  return fieldsOf(schema).map((field) => html`
    <label key=${field.name} class=${field.kind === 'boolean' ? 'inline' : ''}>
      ${field.kind === 'boolean' ? html`<${Field} ...${field} value=${value[field.name]} set=${set} /> ${field.label}` : html`${field.label}<${Field} ...${field} value=${value[field.name]} set=${set} />`}
      ${field.hint && html`<span class="hint">${field.hint}</span>`}
    </label>`);
}

function Field({ name, kind, options, fallback, required, value, set }) {
  if (kind === 'boolean') {
    return html`<input type="checkbox" checked=${value ?? fallback ?? false} onChange=${(event) => set(name, event.target.checked)} />`;
  }
  if (kind === 'choice') {
    return html`
      <select onChange=${(event) => set(name, options[event.target.selectedIndex])}>
        ${options.map((option) => html`<option key=${option} selected=${option === (value ?? fallback)}>${option}</option>`)}
      </select>`;
  }
  const numeric = kind !== 'string';
  return html`
    <input type=${numeric ? 'number' : 'text'} step=${kind === 'integer' ? '1' : 'any'} required=${required}
      value=${value ?? ''} placeholder=${fallback ?? ''}
      onInput=${({ target }) => set(name, target.value === '' || !numeric ? target.value : Number(target.value))} />`;
}
