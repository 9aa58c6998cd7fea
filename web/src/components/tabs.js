// Tabs as the ARIA practices describe them: one in the focus order, arrows move between them.

import { html } from '../vendor/preact.js';
import { Icon } from '../icons.js';

export function Tabs({ tabs, open, onOpen, controls, label }) {
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const place = tabs.findIndex((tab) => tab.id === open);
    const next = tabs[(place + step + tabs.length) % tabs.length];
    onOpen(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return html`
    <div class="tabs" role="tablist" aria-label=${label} onKeyDown=${move}>
      ${tabs.map(({ id, icon, label: name }) => html`
        <button key=${id} id=${`tab-${id}`} type="button" role="tab" aria-selected=${String(id === open)}
          aria-controls=${id === open ? controls : undefined} tabindex=${id === open ? 0 : -1} onClick=${() => onOpen(id)}>
          <${Icon} name=${icon} /><span>${name}</span>
        </button>`)}
    </div>`;
}
