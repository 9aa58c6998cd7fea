// The raid analyst's events in a few words, for the turn inspector.

import { spaced } from '../../components/value.js';

const TOLD = {
  ToolCalled: ({ result, tool }) => `${result} · ${spaced(tool)}`,
  ToolReturned: ({ result, tool, total, problem, pull }, t) => [result, spaced(tool), pull, problem || t('rows', total)].filter(Boolean).join(' · '),
  Answered: ({ findings, topics }, t) => [topics.map(spaced).join(', '), t('findings', findings.length)].filter(Boolean).join(' · '),
};

/** Return an event in words, or nothing for one that is not known here. */
export const describe = (event, t) => TOLD[event.type]?.(event, t);
