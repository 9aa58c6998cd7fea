// The battle agent's events and actions in a few words, for the inspector and the conversation.

import { formatTold, nameOf, namesOf, orderIn, percent, playerName } from './frames.js';

const TOLD = {
  BattleBegan: ({ us, opponent, format }, t) => `${playerName(us)} ${t('against')} ${playerName(opponent)} · ${formatTold(format, t)}`,
  TeamAnalysed: ({ analysis }) => analysis.summary,
  StrategyMade: ({ source }, t) => t(`by.${source}`),
  PositionRead: ({ position }, t) => t('board.turn', position.turn ?? 0),
  SetsInferred: ({ inference }) => Object.keys(inference.guesses ?? {}).map(nameOf).join(', '),
  MatchupsComputed: ({ pairs }, t) => t('pairs', pairs.length),
  DecisionTrace: (trace, t) => orderIn(trace.chosen, namesOf(trace), t),
  OrderChosen: ({ wire, value }, t) => [wire, value !== null && value !== undefined && t('value', percent(value))].filter(Boolean).join(' · '),
  OrderChanged: ({ chosen }) => chosen.wire,
  OrderSent: ({ wire }) => wire,
  AnalysisUpdated: ({ text }) => text,
  BattleEnded: ({ result }, t) => t(`result.${result}`),
};

/** Return an event in words, or nothing for one that is not known here. */
export const describe = (event, t) => TOLD[event.type]?.(event, t);

/** What the server's side asked, in words instead of a position of many lines. */
export function action(given, t) {
  switch (given?.kind) {
    case 'decide': {
      const turn = given.position?.turn ?? 0;
      return given.position?.force_switch ? t('asked.switch', turn) : turn > 0 ? t('asked.order', turn) : t('asked.begin');
    }
    case 'wish':
      return t(given.drop ? 'asked.drop' : 'asked.wish');
    case 'free':
      return t('wishes.free');
    case 'send':
      return t('asked.send');
    case 'remember':
      return t('asked.remember');
    case 'finish':
      return t('asked.finish');
    default:
      return '';
  }
}
