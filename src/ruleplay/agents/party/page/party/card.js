// What the first page shows of it, before its module is loaded.

export const card = {
  place: 5,
  drawn: (html) => html`
    ${[0, 1, 2, 3, 4].map((row) => html`<path key=${row} class="line thin" d=${`M30 ${16 + row * 22}h140M${30 + row * 35} 16v88`} />`)}
    <circle class="accent" cx="82" cy="49" r="9" /><circle class="fill" cx="47" cy="71" r="9" /><circle class="foe" cx="152" cy="49" r="9" />
    <g class="roll"><path class="die" d="M117 66l19 11v21l-19 11-19-11V77z" /><text x="117" y="93" text-anchor="middle">20</text></g>`,
  words: {
    en: {
      titled: 'Party',
      short: 'Party',
      about: 'Play at a table with dice and rules: a game master and characters take turns, and you sit down at any seat.',
      hears: 'Sit at a table with friends and dice. Dungeons, dragons, a game master, characters, goblins, a cleric, a rogue, a fighter, a wizard. Roll initiative, cast a spell. Play D&D together.',
    },
    fr: {
      titled: 'Partie',
      short: 'Partie',
      about: 'Jouez à une table avec des dés et des règles : un meneur et des personnages jouent à tour de rôle, et vous prenez la place que vous voulez.',
      hears: 'S’asseoir à une table avec des amis et des dés. Donjons, dragons, un meneur de jeu, des personnages, des gobelins, un clerc, un roublard, un guerrier, un magicien. Lancer l’initiative, un sort. Jouer à D&D ensemble.',
    },
  },
};
