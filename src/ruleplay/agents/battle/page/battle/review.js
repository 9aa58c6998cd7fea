// A finished battle looked at again: what was played in each turn, and what would have been better.

import { html, useState } from '../../vendor/preact.js';
import { review } from './api.js';
import { Trouble } from '../../components/notices.js';
import { go } from '../../router.js';

export function ReviewForm({ t }) {
  const [state, become] = useState({ step: 'idle' });
  const [player, name] = useState('');
  const submit = async (event) => {
    event.preventDefault();
    const file = event.target.elements.replay.files[0];
    if (!file) return;
    become({ step: 'running' });
    try {
      go(`/review/${(await review(file, player.trim())).id}`);
    } catch (problem) {
      become({ step: 'failed', problem });
    }
  };
  return html`
    <div class="stack">
      <form class="form drop" onSubmit=${submit}>
        <p class="hint">${t('review.more')}</p>
        <label>${t('review.file')} <input type="file" name="replay" required accept=".html,.htm,.log,.txt,.json" /></label>
        <label>${t('review.player')} <span class="optional">${t('optional')}</span> <input maxlength="80" value=${player} onInput=${(event) => name(event.target.value)} /></label>
        <button type="submit" class="primary" disabled=${state.step === 'running'}>${t('review.start')}</button>
        ${state.step === 'running' && html`<p class="hint" role="status"><span class="pulse"></span> ${t('review.running')}</p>`}
        <${Trouble} problem=${state.problem} />
      </form>
    </div>`;
}
