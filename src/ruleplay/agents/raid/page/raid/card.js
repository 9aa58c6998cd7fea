// What the first page shows of it, before its module is loaded.

export const card = {
  place: 2,
  drawn: (html) => html`
    ${[0, 1, 2, 3].map((row) => html`<path key=${row} class="line thin" d=${`M20 ${28 + row * 22}h160`} />`)}
    ${[[30, 0, 50], [60, 1, 70], [24, 2, 40], [96, 2, 48], [110, 0, 30], [44, 3, 90]].map(([x, row, width]) => html`<rect key=${`${x} ${row}`} class="bar" x=${x} y=${23 + row * 22} width=${width} height="10" rx="3" />`)}
    <g class="sweep"><path class="stroke" d="M20 14v92" /></g><path class="death" d="M148 44l10 10M158 44l-10 10M138 88l10 10M148 88l-10 10" />`,
  words: {
    en: {
      titled: 'Raid logs',
      short: 'Raid',
      about: 'Import a combat log and ask why the raid wiped. Every number leads back to lines of the log.',
      hears: 'Why did we wipe? Who died first, and what killed them? Who took avoidable damage? Compare healers and tanks. Boss, pull, raid night, interrupts, Bloodlust, cooldowns, combat log, deaths.',
      examples: ['Why did we wipe?', 'Who died first, and what killed them?', 'Who took avoidable damage?', 'When was Bloodlust used?'],
    },
    fr: {
      titled: 'Journaux de raid',
      short: 'Raid',
      about: 'Importez un journal de combat et demandez pourquoi le raid a échoué. Chaque nombre ramène à des lignes du journal.',
      hears: 'Pourquoi avons-nous échoué ? Pourquoi ce wipe ? Qui est mort en premier, et de quoi ? Qui a pris des dégâts évitables ? Comparer les soigneurs et les tanks. Boss, pull, soirée de raid, interruptions, morts, journal de combat.',
      examples: ['Pourquoi on a wipe ?', 'Qui est mort en premier, et de quoi ?', 'Qui a pris des dégâts évitables ?', 'Quand la Furie sanguinaire a-t-elle été lancée ?'],
    },
  },
};
