// What the first page shows of it, before its module is loaded.

export const card = {
  place: 4,
  /** Beside its page, for persons that join it. */
  brings: { 'story.txt': '../../world/scenarios/greenway-lamp.md' },
  drawn: (html) => html`
    <path class="sheet" d="M22 18q40-8 78 0t78 0v84q-40 8-78 0t-78 0z" />
    <path class="walk" d="M40 84C64 60 60 40 92 46s30 40 70 14" pathLength="100" />
    <path class="line thin" d="M120 40l8-12 8 12M132 40l8-14 10 14" /><path class="line thin" d="M52 40q6-10 12 0M60 40q6-10 12 0" />
    <circle class="fill" cx="40" cy="84" r="4" /><circle class="fill" cx="92" cy="46" r="4" /><circle class="accent" cx="162" cy="60" r="6" />`,
  words: {
    en: {
      titled: 'Saga',
      short: 'Saga',
      about: 'Live a story alone, told as you go, that turns into d100 combat and back. What you try is weighed by rules and dice, and every throw can be read.',
      hears: 'Play a story alone. A tale, a hero on a journey, an adventure by the river, go to the village and talk with the miller. Begin a saga.',
    },
    fr: {
      titled: 'Saga',
      short: 'Saga',
      about: 'Vivez seul une histoire, racontée au fil de vos choix, qui tourne au combat en d100 et en revient. Règles et dés décident de ce que vous tentez, et chaque jet se lit.',
      hears: 'Jouer une histoire seul. Un conte, un héros en voyage, une aventure au bord de la rivière, aller au village et parler au meunier. Commencer une saga.',
    },
  },
};
