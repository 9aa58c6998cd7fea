// Everything the pages are made of, with its states: what a change is looked at on, in both lights.

import { html, useEffect } from '../vendor/preact.js';
import { api } from '../api.js';
import { Icon } from '../icons.js';
import { withLines } from '../lines.js';
import { useWords } from '../preferences.js';
import { useResource } from '../resources.js';
import { Figure } from '../pictures/figure.js';
import { Portrait } from '../pictures/portrait.js';
import { Thing } from '../pictures/things.js';
import { Thumbnail } from '../pictures/thumbnails.js';
import { TokenGrid } from '../pictures/tokens.js';
import { Loading } from './notices.js';

const COLOURS = ['paper', 'sheet', 'raised', 'ink', 'soft', 'rule', 'edge', 'margin', 'pen', 'wash', 'good', 'warn', 'bad', 'mark'];
const FIGHT = [
  { id: 'a', name: 'Thorin', side: 'party', color: '#3f5d7d', position: 0, actor: true, reach: 5, pace: 25, hp: 18, max_hp: 24, health: 'hurt' },
  { id: 'b', name: 'Mira', side: 'party', color: '#7d3f4f', position: 10, actor: false, hp: 9, max_hp: 9, health: 'unhurt' },
  { id: 'c', name: 'giant rat', side: 'foes', color: null, position: 35, actor: false, hp: null, max_hp: null, health: 'bloodied' },
];
const LINE = [{ kind: 'who', text: 'Thorin' }, { kind: 'arrow', text: '→' }, { kind: 'who', text: 'giant rat' }, { kind: 'roll', text: '17', dice: '1d20+5: 12' }, { kind: 'harm', text: '−7' }, { kind: 'state', text: 'slain' }];

export function DesignPage() {
  const t = useWords();
  useEffect(() => {
    document.title = `${t('design')} · Ruleplay`;
  }, []);
  const agents = (useResource('agents', api.agents) ?? []).map((agent) => agent.name).filter((name) => t.has(`short.${name}`));
  const line = withLines('<p class="printed">› Thorin → giant rat 17 −7, slain</p>', [{ lines: [{ items: LINE }] }], t);
  return html`
    <div class="page design">
      <section><h1>${t('design')}</h1><p>${t('design.more')}</p></section>
      <${Part} name=${t('design.colour')}><ul class="swatches">${COLOURS.map((name) => html`<li key=${name}><span style=${`background: var(--${name})`}></span><code>${name}</code></li>`)}${agents.map((name) => html`<li key=${name} data-agent=${name}><span style="background: var(--accent)"></span><code>${name}</code></li>`)}</ul><//>
      <${Part} name=${t('design.type')}><p style="font: 600 var(--huge)/1.1 var(--serif)">Code holds the rules</p><p style="font: 17px/1.55 var(--serif)">The model holds the pen: what it tells is set in serif.</p><p>What the rules say, and what you press, is set in sans.</p><p><code>WDT780SAEM1</code></p><//>
      <${Part} name=${t('design.buttons')}><p class="row"><button type="button">Plain</button><button type="button" class="primary">Primary</button><button type="button" disabled>Disabled</button><button type="button" class="primary" disabled>Primary, disabled</button><button type="button" class="quiet" aria-label="Quiet"><${Icon} name="edit" /></button><button type="button" class="link">Link</button></p>
        <p class="row">${agents.map((name, at) => html`<button key=${name} type="button" class="chip" data-agent=${name} aria-pressed=${String(at === 0)}>${t(`short.${name}`)}</button>`)}</p><//>
      <${Part} name=${t('design.fields')}><div class="form"><label>Text <input value="Halla" /></label><label>Choice <select><option>Greenway</option></select></label><label class="inline"><input type="checkbox" checked /> Yes</label></div><//>
      <${Part} name=${t('design.picks')}><form class="form"><fieldset class="stories cast"><legend>Characters</legend>${['Thorin', 'Pell'].map((name, at) => html`<label key=${name} class=${`story${at ? '' : ' chosen'}`}><input type="checkbox" checked=${!at} /><span class="face"><${Portrait} name=${name} /></span><span><b>${name}</b> <span class="hint">${at ? 'Not chosen' : 'Chosen'}</span></span></label>`)}</fieldset></form><//>
      <${Part} name=${t('design.states')}><${Loading} lines=${3} /><p class="empty">${t('conversation.empty')}</p><p class="undone"><span>${t('undone', 3)}</span> <button type="button">${t('undone.restore')}</button></p><p class="banner"><span class="pulse"></span>${t('offline')}</p><p class="banner">${t('reconnecting')}</p><p class="banner bad"><${Icon} name="warn" /><span>${t('problem.500')}</span></p><p class="failed">${t('stopped')}</p><//>
      <${Part} name=${t('design.talk')}><ol class="turns"><li class="turn"><article><span class="number">1</span><div class="said"><span class="who">Thorin</span><p>I hit the <mark>rat</mark>.</p></div><div class="reply" dangerouslySetInnerHTML=${{ __html: `<p>The axe comes down.</p>${line}<p>${vouched(t)}</p>` }}></div></article></li><li class="turn live"><article><span class="number">2</span><div class="said"><span class="who">Mira</span><p>And then?</p></div><div class="reply writing"><p>The last of them</p></div><footer><span class="author"><span class="pulse"></span>${t('running')}</span></footer></article></li></ol><//>
      <${Part} name=${t('design.portraits')}><p class="row">${['Thorin', 'Mira', 'Halla', 'Poppy', 'Lindis'].map((name) => html`<span key=${name} class="face"><${Portrait} name=${name} /></span>`)}<span class="face"><${Portrait} name="giant rat" side="foe" /></span><span class="face"><${Portrait} name="wolf" side="foe" /></span></p><//>
      <${Part} name=${t('design.things')}><p class="row">${['weapon', 'armour', 'remedy', 'ammunition', 'tool', 'treasure', 'coin', ''].map((kind) => html`<${Thing} key=${kind} kind=${kind} />`)}</p><//>
      <${Part} name=${t('design.figures')}><p class="row figures-row">${[['Garchomp', 'Dragon'], ['Rotom', 'Electric'], ['Toxapex', 'Poison']].map(([name, type]) => html`<${Figure} key=${name} name=${name} types=${[type]} />`)}</p><//>
      <${Part} name=${t('design.grid')}><div data-agent=${agents.at(-1)}><${TokenGrid} order=${FIGHT} label="Field" t=${(_, feet) => `${feet} ft`} /></div><//>
      <${Part} name=${t('design.thumbnails')}><div class="row">${agents.map((name) => html`<div key=${name} data-agent=${name} style="width: 12rem"><${Thumbnail} agent=${name} /></div>`)}</div><//>
    </div>`;
}

const vouched = (t) => `<span class="told vouched">${t('told.vouched')}</span> <span class="told doubted">?</span> <span class="told view">${t('told.view')}</span>`;

function Part({ name, children }) {
  // What it shows is from an English game.
  return html`<section aria-label=${name}><h2>${name}</h2><div lang="en">${children}</div></section>`;
}
