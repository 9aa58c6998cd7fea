// The parts assistant's events in a few words, for the turn inspector.

const TOLD = {
  ModelFilled: (event, t) => filled('model', event, t),
  PartFilled: (event, t) => filled('part', event, t),
  SymptomHeard: ({ slot }) => slot.value,
  SymptomRenamed: ({ slot, was }) => `${was} → ${slot.value}`,
  SymptomsSuspected: ({ slots }) => slots.map((slot) => slot.value).join(', '),
  PartDescribed: ({ slot }) => slot.value,
  SlotRetracted: ({ name, value }, t) => `${t(`slot.${name}`)}: ${value}`,
  CaseOpened: (event) => String(event.case),
  ApplianceNamed: ({ appliance }) => appliance,
  GoalSet: ({ goal }, t) => t(`goal.${goal}`),
  GoalQueued: ({ goal }, t) => t(`goal.${goal}`),
  QuestionAsked: ({ asked }) => asked.options.join(' / ') || asked.kind,
  QuestionSkipped: ({ name }, t) => t(`slot.${name}`),
  ToolReturned: ({ tool, verdict, cards }, t) =>
    [tool.replaceAll('_', ' '), t(`fit.${verdict}`, ''), cards.length > 0 && t('parts', cards.length)]
      .filter(Boolean).join(' · '),
  SafetyCleared: ({ hazard }) => hazard,
  SafetyStopped: ({ hazard, quote }) => `${hazard}: “${quote}”`,
  Declined: ({ reason }) => reason,
  Answered: ({ topic }) => topic.replaceAll('_', ' '),
};

function filled(name, { slot }, t) {
  return `${slot.value} · ${t(`state.${slot.state}`)}`;
}

/** Return an event in words, or nothing for one that is not known here. */
export const describe = (event, t) => TOLD[event.type]?.(event, t);
