// A kept review under its own address: the same for everybody who opens it.

import { html, useEffect } from '../../vendor/preact.js';
import { own } from '../../api.js';
import { Loading, Notice, told } from '../../components/notices.js';
import { Icon } from '../../icons.js';
import { useAnswer } from '../../resources.js';
import { Review } from './reviewed.js';

export function KeptReview({ id, t }) {
  const address = `/api/battle/reviews/${encodeURIComponent(id)}`;
  const { value, problem } = useAnswer(`review ${id}`, () => own.get(address));
  useEffect(() => {
    document.title = `${value ? `${value.player} – ${value.opponent}` : t('to-review')} · Ruleplay`;
  }, [value]);
  if (problem) return html`<${Notice} title=${t('review.missing')}><p>${told(problem, t)}</p><p><a href="/a/battle">${t('about.battle')}</a></p><//>`;
  if (!value) return html`<${Loading} lines=${8} />`;
  return html`
    <p class="crumbs"><a href="/">${t('home')}</a> <span aria-hidden="true">/</span> <a href="/a/battle">${t('titled.battle')}</a></p>
    <h1>${t('to-review')}</h1>
    <p><a class="button" download="" href=${`${address}/page`}><${Icon} name="download" />HTML</a></p>
    <${Review} report=${value} t=${t} />`;
}
