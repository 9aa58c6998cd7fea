// The damage calculator: two Pokémon, a move, what lies over the field; changed, it is rolled again.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { Figure } from '../../pictures/figure.js';
import { useFormats } from '../../preferences.js';
import { calculate } from './api.js';
import { percent, tenths } from './frames.js';
import { problemTold } from './phrases.js';

const WEATHERS = ['sunnyday', 'raindance', 'sandstorm', 'snowscape'];
const TERRAINS = ['electricterrain', 'grassyterrain', 'mistyterrain', 'psychicterrain'];
const SCREENS = ['reflect', 'lightscreen', 'auroraveil'];
const AGAIN_MS = 500;
const FIRST = {
  attacker: 'Garchomp', attackerMore: '', move: 'Earthquake', defender: 'Toxapex', defenderMore: '',
  weather: '', terrain: '', screen: '',
};

/** What the page's own fields say, as the route takes it. */
export function asked({ attacker, attackerMore, move, defender, defenderMore, weather, terrain, screen }) {
  const one = (name, more) => [name.trim(), more.trim()].filter(Boolean).join(', ');
  return { attacker: one(attacker, attackerMore), move: move.trim(), defender: one(defender, defenderMore), field: [weather, terrain, screen].filter(Boolean) };
}

export function Calculator({ start, t }) {
  const [given, set] = useState({ ...FIRST, ...start });
  const [found, find] = useState(null);
  const [problem, fail] = useState(null);
  const [running, run] = useState(false);
  const latest = useRef(0);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const roll = async (wanted) => {
    clearTimeout(timer.current);
    const turn = (latest.current += 1);
    run(true);
    try {
      const answer = await calculate(asked(wanted));
      if (turn !== latest.current) return;
      find(answer);
      fail(null);
    } catch (error) {
      if (turn !== latest.current) return;
      fail(error);
    }
    run(false);
  };
  /** What is under way is not waited for any more; its answer comes too late. */
  const stop = () => {
    latest.current += 1;
    run(false);
  };
  const change = (patch) => {
    const next = { ...given, ...patch };
    set(next);
    clearTimeout(timer.current);
    const whole = next.attacker.trim() && next.defender.trim() && next.move.trim();
    if ((found || problem) && whole) timer.current = setTimeout(() => roll(next), AGAIN_MS);
  };
  const swap = () => change({ attacker: given.defender, attackerMore: given.defenderMore, defender: given.attacker, defenderMore: given.attackerMore });
  const field = (name, options, label) => html`
    <label>${label}
      <select onChange=${(event) => change({ [name]: event.target.value })}>
        <option value="">${t(`calc.none.${name}`)}</option>
        ${options.map((id) => html`<option key=${id} value=${id} selected=${id === given[name]}>${t(`condition.${id}`)}</option>`)}
      </select></label>`;
  const creature = (whose) => html`
    <fieldset class=${whose}><legend>${t(`calc.${whose}`)}</legend>
      <div class="with-figure"><label>Pokémon <input required maxlength="60" autocomplete="off" spellcheck=${false} value=${given[whose]} onInput=${(event) => change({ [whose]: event.target.value })} /></label><${Figure} name=${given[whose]} /></div>
      <label>${t('calc.detail')} <input maxlength="130" autocomplete="off" spellcheck=${false} placeholder="Choice Band, +1 atk, 75%" value=${given[`${whose}More`]} onInput=${(event) => change({ [`${whose}More`]: event.target.value })} /></label>
      ${whose === 'attacker' && html`<label>${t('calc.move')} <input required maxlength="60" autocomplete="off" spellcheck=${false} value=${given.move} onInput=${(event) => change({ move: event.target.value })} /></label>`}
    </fieldset>`;
  return html`
    <form class="calc stack battle" onSubmit=${(event) => { event.preventDefault(); roll(given); }}>
      <p class="hint">${t('calc.more')} ${t('calc.hint')}</p>
      <div class="sides">${creature('attacker')}${creature('defender')}</div>
      <div class="over">${field('weather', WEATHERS, t('calc.weather'))}${field('terrain', TERRAINS, t('calc.terrain'))}${field('screen', SCREENS, t('calc.screen'))}</div>
      <p class="row"><button type="submit" class="primary">${t('calc.start')}</button> <button type="button" onClick=${swap}>${t('calc.swap')}</button></p>
      <div role="status">
        ${running && html`<p class="hint"><span class="pulse"></span> ${t('calc.running')} <button type="button" onClick=${stop}>${t('calc.stop')}</button></p>`}
        ${found && !problem && !running && html`<${Result} found=${found} t=${t} />`}
      </div>
      ${problem && !running && html`<p class="trouble" role="alert">${problemTold(problem, t)} ${(problem.status === 0 || problem.status >= 500) && html`<button type="button" onClick=${() => roll(given)}>${t('calc.again')}</button>`}</p>`}
    </form>`;
}

function Result({ found, t }) {
  const formats = useFormats();
  const low = Math.min(100, found.low_share * 100);
  const high = Math.min(100, found.high_share * 100);
  const outs = found.knock_out.map((share, at) => [at + 1, share]).filter(([, share]) => share > 0);
  const until = outs.findIndex(([, share]) => share > 0.9999);
  const told = until < 0 ? outs : outs.slice(0, until + 1);
  return html`
    <section class="calc-result" aria-label=${t('calc.result')}>
      <p class="facts">${found.attacker} · ${found.move} → ${found.defender}</p>
      <p class="range">${formats.number(tenths(found.low_share))}–${t('percent', tenths(found.high_share))}</p>
      <span class="damage" aria-hidden="true"><span class="sure" style=${`width: ${low}%`}></span><span class="maybe" style=${`width: ${high - low}%`}></span><span class="left" style=${`left: calc(${percent(found.hp / found.max_hp)}% - 2px)`}></span></span>
      <p>${t('calc.points', found.low, found.high, found.max_hp)} · ${found.always_critical ? t('calc.always-crit') : t('calc.crit', found.critical[0], found.critical[1])}${found.accuracy < 1 ? ` · ${t('accuracy', percent(found.accuracy))}` : ''}</p>
      <ul class="chips">${told.length ? told.map(([uses, share]) => html`<li key=${uses} class=${`chip ${share > 0.5 ? 'win' : ''}`}>${t('calc.ko', uses, formats.number(tenths(share)))}</li>`) : html`<li class="chip">${t(found.outcome === 'immune' ? 'calc.immune' : 'calc.no-ko')}</li>`}</ul>
      <p class="facts">${t(found.first ? 'calc.first' : 'calc.second')}</p>
      <details class="more"><summary>${t('calc.rolls', found.rolls.length)}</summary><p class="rolls">${found.rolls.join(', ')}</p></details>
    </section>`;
}
