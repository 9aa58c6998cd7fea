// What a seat sent, in words, where it was an action and no message.

const TOLD = {
  play: () => '', // whose act it is says it all, and the line beneath what it was
  round: () => '',
  choose: () => '',
  pass: (_, t) => t('did.pass'),
  timeout: (_, t) => t('did.timeout'),
  say: ({ text }) => text,
  whisper: ({ to, text }) => `→ ${to?.join(', ')}: ${text}`,
  reveal: ({ key }, t) => t('did.reveal', key),
  hold: ({ by }, t) => t(by === 'human' ? 'did.sit' : 'did.leave'),
  pause: (_, t) => t('did.pause'),
  resume: (_, t) => t('did.resume'),
  card: (_, t) => t('did.card'),
  safety: (_, t) => t('did.safety'),
  language: ({ lang }) => lang,
  look: ({ topic }) => topic,
};

/** Return an action in words, or nothing for one that is not known here. */
export const action = (given, t) => TOLD[given.do]?.(given, t);
