// The turn inspector: through which nodes a turn went, who was asked, what was refused, what happened.

import { html } from '../vendor/preact.js';
import { select } from '../actions.js';
import { api } from '../api.js';
import { useAgentModule } from '../agents/registry.js';
import { Icon } from '../icons.js';
import { useFormats, useWords } from '../preferences.js';
import { useAnswer } from '../resources.js';
import { useStore } from '../store.js';
import { stepsOf } from '../traces.js';
import { GraphFigure } from './graph.js';
import { spaced, Value } from './value.js';

export function Inspector({ session }) {
  const t = useWords();
  const selected = useStore((state) => state.selected);
  const chosen = session.turns.find((turn) => turn.turn === selected);
  if (!chosen && session.live) return html`<${Live} turn=${session.live} agent=${session.agent} view=${session.view} />`;
  const turn = chosen ?? session.turns.at(-1);
  if (!turn) return html`<h2>${t('inspector')}</h2><p class="hint">${t('inspector.empty')}</p><${GraphFigure} agent=${session.agent} steps=${[]} />`;
  return html`<${Committed} key=${turn.turn} turn=${turn} session=${session} />`;
}

function Live({ turn, agent, view }) {
  const t = useWords();
  return html`
    <h2>${t('turn')} ${turn.number} <span class="facts">${t('running')}</span></h2>
    <${GraphFigure} agent=${agent} steps=${turn.steps} />
    ${turn.refused.length > 0 && html`<${Section} title=${t('refusals')}><ul class="refusals">${turn.refused.map(({ role, reason }, at) => html`<li key=${at}><code>${role}</code> ${reason}</li>`)}</ul><//>`}
    ${turn.tools.length > 0 && html`<${Section} title=${t('tools')}><ul class="events">${turn.tools.map(({ tool, args }, at) => html`<li key=${at}><b><${Icon} name="tool" />${spaced(tool)}</b><${Value} value=${args} /></li>`)}</ul><//>`}
    <${Events} events=${turn.events} agent=${agent} view=${view} />`;
}

function Committed({ turn, session }) {
  const t = useWords();
  const formats = useFormats();
  const seen = session.traces[turn.turn] ?? stepsOf(turn.turn);
  // What this tab did not see running, the server finds by running the turn again from its record.
  const asked = useAnswer(seen ? '' : `path ${session.id} ${turn.turn} ${session.seat}`, () => api.path(session.id, session.seat, turn.turn));
  const steps = seen ?? asked.value?.nodes.map(({ node }) => ({ node, state: 'done' }));
  const place = session.turns.indexOf(turn);
  const walk = (by, icon, name) => html`
    <button type="button" class="quiet" aria-label=${t(name)} disabled=${!session.turns[place + by]} onClick=${() => select(session.turns[place + by].turn)}><${Icon} name=${icon} /></button>`;
  return html`
    <div class="inspected">
      ${walk(-1, 'left', 'turn.before')}
      <h2>${t('turn')} ${turn.number} <span class="facts">${turn.seat} · ${formats.ms(turn.ms)}</span></h2>
      ${walk(1, 'right', 'turn.after')}
    </div>
    <${GraphFigure} agent=${session.agent} steps=${steps ?? []} />
    ${steps?.length > 0 && html`<${Path} steps=${steps} />`}
    ${!asked.asking && !steps?.length && html`<p class="hint">${t('graph.unseen')}</p>`}
    <${Calls} calls=${turn.calls} spent=${session.spent} />
    <${Events} events=${turn.events} agent=${session.agent} view=${session.view} />
    ${turn.cites.length > 0 && html`<${Section} title=${t('cites')}><ul class="chips">${turn.cites.map((cite) => html`<li key=${cite}><code>${cite}</code></li>`)}</ul><//>`}`;
}

/** The way through the graph in words, for those who do not see the drawing. */
function Path({ steps }) {
  const t = useWords();
  const formats = useFormats();
  return html`<ol class="path" aria-label=${t('graph.path')}>${steps.map(({ node, ms }, at) => html`<li key=${at}><code>${node}</code> ${ms !== undefined && html`<span class="facts">${formats.ms(ms)}</span>`}</li>`)}</ol>`;
}

function Section({ title, children }) {
  return html`<section class="part"><h3>${title}</h3>${children}</section>`;
}

function Calls({ calls, spent }) {
  const t = useWords();
  const formats = useFormats();
  if (!calls.length) return null;
  return html`
    <${Section} title=${t('calls')}>
      <ul class="calls">${calls.map((call, at) => html`
        <li key=${at} class=${call.source}>
          <p><${Icon} name=${call.source === 'model' ? 'pen' : 'gavel'} /><code>${call.role}</code>
            <span class="who">${call.source === 'model' ? call.model : t('policy')}</span></p>
          <p class="facts">${formats.ms(call.ms)}${call.input_tokens + call.output_tokens > 0 ? ` · ${t('tokens', formats.number(call.input_tokens), formats.number(call.output_tokens))}` : ''}${call.source === 'policy' && call.model !== 'rules' ? ` · ${t('instead', call.model)}` : ''}${Number(call.cost) > 0 ? ` · ${formats.cost(call.cost)}` : ''}</p>
          ${call.refusals.length > 0 && html`<ul class="refusals">${call.refusals.map((reason, place) => html`<li key=${place}><span class="unseen">${t('refused', 1)}: </span>${reason}</li>`)}</ul>`}
        </li>`)}
      </ul>
      ${Number(spent) > 0 && html`<p class="facts">${t('spent', formats.cost(spent))}</p>`}
    <//>`;
}

function Events({ events, agent, view }) {
  const t = useWords();
  const module = useAgentModule(agent);
  const own = useWords(module?.words);
  if (!events.length) return null;
  return html`
    <${Section} title=${t('events')}>
      <ol class="events">${events.map((event, at) => html`<${Happened} key=${at} event=${event} told=${module?.describe?.(event, own, view)} />`)}</ol>
    <//>`;
}

/** One event: in the agent's own words when it has some, with all its values behind them. */
function Happened({ event, told }) {
  const { type, version: _version, ...values } = event;
  return html`
    <li>
      <details>
        <summary><b>${spaced(type)}</b>${told && html` <span>${told}</span>`}</summary>
        <${Value} value=${values} />
      </details>
    </li>`;
}
