// A new session of an agent: its title, who speaks, and what the agent wants to know.

import { html, useEffect, useState } from '../vendor/preact.js';
import { create } from '../actions.js';
import { useAgentModule } from '../agents/registry.js';
import { api } from '../api.js';
import { titleOf, useWords } from '../preferences.js';
import { useResource } from '../resources.js';
import { ConfigFields, fieldsOf } from './config-fields.js';
import { GraphFigure } from './graph.js';
import { ModelChoice } from './model-choice.js';
import { Loading, Notice, Trouble } from './notices.js';

export function AgentPage({ agent: name }) {
  const t = useWords();
  const agents = useResource('agents', api.agents);
  const agent = agents?.find((one) => one.name === name);
  const module = useAgentModule(name);
  const own = useWords(module?.words);
  useEffect(() => {
    document.title = `${agent ? titleOf(agent, t) : name} · Ruleplay`;
  }, [agent]);
  if (agents === null) return html`<${Loading} />`;
  if (!agent || agent.problem) {
    return html`<${Notice} title=${t('agent.missing', name)}><${Trouble} problem=${agent && { detail: agent.problem }} /><p><a href="/">${t('to-home')}</a></p><//>`;
  }
  const about = `about.${name}`;
  const Front = module?.Front;
  return html`
    <div class="page narrow" data-agent=${name}>
      <p class="crumbs"><a href="/">${t('home')}</a></p>
      <h1>${titleOf(agent, t)}</h1>
      ${t.has(about) && html`<p>${t(about)}</p>`}
      ${!module && html`<${Loading} />`}
      ${module && !module.starts && html`<${NewSession} agent=${agent} />`}
      ${Front && html`<${Front} t=${own} />`}
      ${module && html`<${How} agent=${name} />`}
    </div>`;
}

/** The graph of a turn, for those who want to look inside. */
function How({ agent }) {
  const t = useWords();
  const [open, show] = useState(false);
  return html`
    <details class="how" onToggle=${(event) => show(event.currentTarget.open)}>
      <summary>${t('graph.how')}</summary>
      ${open && html`<${GraphFigure} agent=${agent} steps=${[]} />`}
    </details>`;
}

function NewSession({ agent }) {
  const t = useWords();
  const [given, set] = useState({ title: '', model: '', config: {} });
  const [sending, send] = useState(false);
  const change = (patch) => set((before) => ({ ...before, ...patch }));
  const submit = async (event) => {
    event.preventDefault();
    send(true);
    const { title, model, config } = given;
    const chosen = Object.keys(config).length ? { config } : {};
    await create({ agent: agent.name, title, model: model.trim(), ...chosen });
    send(false);
  };
  return html`
    <form class="form" onSubmit=${submit}>
      <label>${t('title')} <span class="optional">${t('optional')}</span>
        <input value=${given.title} maxlength="200" placeholder=${titleOf(agent, t)} onInput=${(event) => change({ title: event.target.value })} />
      </label>
      <${ModelChoice} value=${given.model} onChange=${(model) => change({ model })} />
      ${fieldsOf(agent.config).length > 0 && html`<${ConfigFields} schema=${agent.config} value=${given.config} onChange=${(config) => change({ config })} />`}
      <button type="submit" class="primary" disabled=${sending}>${t('session.start')}</button>
    </form>`;
}
