// Single-key shortcuts. They are off while one types, and can be turned off for good (WCAG 2.1.4).

import { cancel, fork, regenerate, say, select, undo } from './actions.js';
import { shortcutsOn } from './preferences.js';
import { shownTurns } from './session.js';
import { store } from './store.js';

/** Key, what it does; the help dialog lists them in this order. */
export const SHORTCUTS = [
  ['?', 'shortcut.help'],
  ['/', 'shortcut.write'],
  ['1–9', 'shortcut.quick'],
  ['j / k', 'shortcut.walk'],
  ['u', 'shortcut.undo'],
  ['r', 'shortcut.regenerate'],
  ['e', 'shortcut.edit'],
  ['f', 'shortcut.fork'],
  ['.', 'shortcut.stop'],
];

const ACTIONS = {
  '?': () => store.set({ dialog: 'help' }),
  '/': () => document.getElementById('message')?.focus(),
  '.': cancel,
  u: undo,
  r: regenerate,
  e: () => editShown(),
  f: () => fork(shown()?.number),
  j: () => walk(1),
  k: () => walk(-1),
};

/** The selected turn, or the last one. */
function shown() {
  const { session, selected } = store.get();
  return session.turns.find((turn) => turn.turn === selected) ?? session.turns.at(-1);
}

function editShown() {
  const turn = shown();
  if (turn) store.set({ editing: turn.turn });
}

function walk(step) {
  const { session } = store.get();
  const turns = shownTurns(session);
  const next = turns[turns.indexOf(shown()) + step];
  if (!next) return;
  select(next.turn);
  document.getElementById(`turn-${next.turn}`)?.scrollIntoView({ block: 'nearest' });
}

function quickReply(key) {
  const replies = store.get().session?.view?.quick_replies;
  const reply = Array.isArray(replies) ? replies[Number(key) - 1] : undefined;
  if (reply) say(reply);
  return Boolean(reply);
}

const typing = (element) => element?.closest?.('input, textarea, select, [contenteditable]');

export function startShortcuts() {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing(event.target) || store.get().dialog || !shortcutsOn()) return;
    const { session } = store.get();
    if (event.key !== '?' && session?.status !== 'ready') return;
    if (/^[1-9]$/.test(event.key)) {
      if (quickReply(event.key)) event.preventDefault();
      return;
    }
    const action = ACTIONS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
