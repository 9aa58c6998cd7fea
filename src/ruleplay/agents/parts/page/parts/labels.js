// What a catalog's own words are in the reader's language: stock, difficulty, kinds of appliance, problems.

import { usePreferences } from '../../preferences.js';
import { useAnswer } from '../../resources.js';

const PAIR = /^"(.+?)" = "(.+)"$/gm;

async function read(language) {
  const answer = await fetch(new URL(`./parts/labels.${language}.txt`, import.meta.url));
  const [, labels = ''] = (answer.ok ? await answer.text() : '').split(/^\[labels\]$/m);
  return new Map([...labels.split(/^\[/m)[0].matchAll(PAIR)].map(([, said, label]) => [said, label]));
}

/** Return how a word of the catalog is read; as it stands where the agent has no label for it. */
export function useLabels() {
  const { language } = usePreferences();
  const { value } = useAnswer(`parts labels ${language}`, () => read(language));
  return (said) => value?.get(said) ?? said;
}
