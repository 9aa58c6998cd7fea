// What the first page shows of it, before its module is loaded.

export const card = {
  place: 1,
  front: 'catalog',
  /** Beside its page: what the agent calls a catalog's words. */
  brings: { 'labels.en.txt': '../../domain/texts/en.toml', 'labels.fr.txt': '../../domain/texts/fr.toml' },
  drawn: (html) => html`
    <rect class="line" x="58" y="16" width="84" height="78" rx="6" /><path class="line" d="M58 34h84" /><circle class="fill" cx="72" cy="25" r="3" /><circle class="fill" cx="82" cy="25" r="3" />
    <circle class="line" cx="100" cy="64" r="20" /><g class="apart"><circle class="accent" cx="100" cy="64" r="13" /><circle class="hole" cx="100" cy="64" r="7" /></g>
    <path class="drop" d="M100 92c4 6 6 9 6 12a6 6 0 0 1-12 0c0-3 2-6 6-12z" />`,
  words: {
    en: {
      titled: 'Appliance parts',
      short: 'Parts',
      about: 'Say what is wrong with an appliance, and get the part, its fit and its installation. Never a guess.',
      hears: 'My dishwasher leaks. The fridge does not make ice, it is warm. Which part fits this model? How do I install this part? Repair an appliance: washer, dryer, oven, microwave, gasket, pump, filter, motor. It makes a noise, it will not drain, heat or start.',
      examples: ['My dishwasher WDT780SAEM1 is leaking, please fix it', 'Is PS3406971 compatible with WDT780SAEM1?', 'How do I install PS3406971?'],
    },
    fr: {
      titled: 'Pièces d’électroménager',
      short: 'Pièces',
      about: 'Dites ce qui ne va pas avec un appareil : vous obtenez la pièce, sa compatibilité et sa pose. Jamais une supposition.',
      hears: 'Mon lave-vaisselle fuit. Le frigo ne fait plus de glaçons, il est tiède. Quelle pièce va avec ce modèle ? Comment installer cette pièce ? Réparer un appareil : lave-linge, sèche-linge, four, joint, pompe, filtre, moteur, réfrigérateur. Il fait du bruit, ne vidange, ne chauffe ou ne démarre plus.',
      examples: ['Mon lave-vaisselle WDT780SAEM1 fuit, que faire ?', 'La pièce PS3406971 va-t-elle sur un WDT780SAEM1 ?', 'Comment poser la pièce PS3406971 ?'],
    },
  },
};
