// What the first page shows of it, before its module is loaded.

export const card = {
  place: 3,
  addresses: ['review'],
  drawn: (html) => html`
    <ellipse class="ground" cx="146" cy="62" rx="38" ry="9" /><ellipse class="ground" cx="56" cy="102" rx="42" ry="10" />
    <path class="accent" d="M128 60c-4-18 2-32 18-32s22 14 18 32z" /><circle class="hole" cx="140" cy="42" r="3" /><circle class="hole" cx="152" cy="42" r="3" />
    <path class="fill" d="M36 100c-4-24 4-40 20-40s24 16 20 40z" />
    <rect class="line" x="16" y="20" width="80" height="10" rx="5" /><rect class="hp" x="18" y="22" width="76" height="6" rx="3" />
    <rect class="line" x="106" y="86" width="80" height="10" rx="5" /><rect class="bar" x="108" y="88" width="58" height="6" rx="3" />`,
  words: {
    en: {
      titled: 'Pokémon battles',
      short: 'Battle',
      about: 'Play a Pokémon battle against it, watch it play and see why it chose each move, or have a finished battle reviewed.',
      hears: 'Watch a Pokémon battle. Review my replay on Showdown. Which move, switch or team is best against this opponent? Calculate damage.',
    },
    fr: {
      titled: 'Combats Pokémon',
      short: 'Combat',
      about: 'Jouez un combat Pokémon contre lui, regardez-le jouer et voyez pourquoi il a choisi chaque attaque, ou faites analyser un combat terminé.',
      hears: 'Regarder un combat Pokémon. Analyser mon replay Showdown. Quelle attaque, quel changement ou quelle équipe contre cet adversaire ? Calculer des dégâts.',
    },
  },
};
