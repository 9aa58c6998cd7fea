// Who is ahead, as the search sees it: one bar over the battle.

import { html } from '../../vendor/preact.js';
import { percent } from './frames.js';

/** A part of the bar, in hundredths, that has no room for a name; both stand above the bar. */
const NARROW = 30;

/** `share` is our chance of winning; undefined or null where no search has told it. */
export function Chance({ share, us, them, t }) {
  const known = share !== undefined && share !== null;
  const ours = known ? percent(share) : 50;
  const label = known ? `${t('chances')}: ${us} ${t('percent', ours)}` : `${t('chances')}: ${t('chances.unknown')}`;
  return html`
    <div class=${`chance${known ? '' : ' unknown'}`} role="img" aria-label=${label}>
      <span class="ours" style=${`width: ${ours}%`}>${ours > NARROW || !known ? us : ''} ${known ? t('percent', ours) : ''}</span>
      <span class="theirs">${known ? t('percent', 100 - ours) : ''} ${ours < 100 - NARROW || !known ? them ?? '' : ''}</span>
    </div>`;
}
