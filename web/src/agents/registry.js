// The modules that agents bring. An agent that brings none is shown as a readable tree.

import { api } from '../api.js';
import { useEffect, useState } from '../vendor/preact.js';
import { cardOf, register } from './cards.js';

const NONE = {};
const RETRY_MS = 2000;
const loaded = new Map();
const loading = new Map();

let asked;

/** The agents there are, asked for once; called early, so that nobody waits for it later. */
export function agents() {
  asked ??= api.agents().catch((problem) => {
    asked = undefined;
    throw problem;
  });
  return asked;
}

/** What an agent brings, without its looks: also for pages that are not its own. */
export async function brought(name) {
  const known = await agents();
  if (!known.some((agent) => agent.name === name && agent.page)) return NONE;
  return import(new URL(`./agents/${name}.js`, import.meta.url).href);
}

async function load(name) {
  const module = await brought(name);
  if (module.stylesheet) await styled(module.stylesheet);
  loaded.set(name, module);
  return module;
}

/** Load what an agent brings, looks and all, once for all who ask: then it is drawn at once. */
export function ready(name) {
  if (!loading.has(name)) {
    loading.set(name, load(name).catch((problem) => {
      loading.delete(name);
      throw problem;
    }));
  }
  return loading.get(name);
}

/** Whether a stylesheet has come: one that got lost on its way has no rules, or none that may be looked at. */
function holds(sheet) {
  try {
    return sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}

/**
 * Wait for a stylesheet, so that the component is not seen without it; a lost one is asked for again.
 * The document may have brought it already, for no medium yet.
 */
function styled(href) {
  const there = [...document.styleSheets].find((one) => one.href === href && holds(one));
  if (there) {
    there.media.mediaText = '';
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      setTimeout(() => styled(href), RETRY_MS);
      resolve();
    };
    document.head.append(link);
  });
}

/** The module of an agent, with everything in it optional (see web/README.md); null while it loads. */
export function useAgentModule(name) {
  const [failed, fail] = useState(false);
  const [, redraw] = useState(0);
  useEffect(() => {
    // Asked for also where it is there: another component's request may have brought it since the drawing.
    ready(name).then(
      () => redraw((count) => count + 1),
      () => fail(true), // the tree will do until the next visit
    );
  }, [name]);
  return loaded.get(name) ?? (failed ? NONE : null);
}

/** Take in the cards of agents that were not built with the page; draws again when there are more. */
export function useCards(list) {
  const [, redraw] = useState(0);
  useEffect(() => {
    for (const { name, page } of list ?? []) {
      if (!page || cardOf(name)) continue;
      brought(name).then(
        ({ card }) => {
          if (!card) return;
          register(name, card);
          redraw((count) => count + 1);
        },
        () => {}, // its name and seats will do until the next visit
      );
    }
  }, [list]);
}
