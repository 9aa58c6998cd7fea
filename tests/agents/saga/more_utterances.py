"""More things players write: a hundred and sixty written without the tables in sight.

Each list begins with fifty lines; of these hundred 55 were understood when they were written.
Thirty follow; of these sixty 49 were, once the vocabulary had grown without them.
"""

from __future__ import annotations

from tests.agents.saga.utterances import read

MORE_ENGLISH = read(
    "en",
    """
inn | what's going on with that lamp, Maud? | talk maud-lamp
inn | Any news, innkeeper? | talk maud-hello
inn | I'd like to hear about those bandits | talk maud-ruffians
inn | i walk over to the bar and chat with maud | talk maud
inn | ok lets get going, out the door and up the greenway | travel greenway
inn | head nroth | travel greenway
inn | id like a healing potion please | buy healing-draught
inn | can I get a rope? | buy rope
inn | I pull my dagger and stab maud | trigger_combat maud
inn | take a long nap | rest
inn | I get a room upstairs for the night | rest
inn | whats in my bag | inventory
inn | how badly hurt am I? | sheet
inn | what have i learned so far | journal
inn | what can I do here? | help
inn | trade in the dagger | sell dagger
inn | put my point into stealth | train stealth
inn | I grab my bow | equip bow
inn | can we play in french | language fr
greenway | easy lads, no need for a fight | parley
greenway | I try to talk them down | parley
greenway | duck behind the hedge and crawl past | sneak
greenway | I punch tam in the face | trigger_combat encounter:ruffians
greenway | kill those thugs!! | trigger_combat
greenway | let me through or you will regret it | parley
greenway | run back to the inn | travel inn
greenway | who are those two? | look
ford | i fix the rope on the ferry | deed mend-ferry
ford | ask the old man whats up at the tower | talk halvard-orcs
ford | splice the torn rope back together | deed mend-ferry
dell | creep around the wolfs | sneak
dell | I shoot greymuzle with an arrow | trigger_combat encounter:wolves
barrow | pull the cloth away | deed take-oil
barrow | see whats under the cloth | deed take-oil
tower-top | put out his torch and scare the captain | parley
fallen | let me live! | return
fallen | I die. | accept
fight | hack at the orc | attack foe1
fight | I bring my sword down on Grashlug's head | attack foe1
fight | loose an arrow at skrit | attack foe2
fight | gulp down a potion | use healing-draught
fight | brace for their attack | defend
fight | im out of here | flee
fight | yell at the orc to scare him off | intimidate foe1
fight | bandage my arm | first_aid
fight | I line up a shot carefully | aim
fight | how is everyone doing? | status
fight | skip my turn | pass
fight | go for the archer | attack foe2
fight | I put away the sword and draw my bow | equip bow
inn | evening Maud, what do you hear these days? | talk maud-hello
inn | who was the keeper of that tower anyway | talk maud-lamp
inn | i wanna know if the road is dangerous | talk maud-ruffians
inn | finish my ale and step outside onto the road | travel greenway
inn | I'd better get some sleep first | rest
inn | two healing draughts please | buy healing-draught
inn | purchase some arrows from maud | buy arrow
inn | what am I carrying? | inventory
inn | strap on my leather | equip leather
inn | I get better at sneaking | train stealth
inn | what are the commands | help
greenway | stay in the shadows and slip by them | sneak
greenway | I offer the ruffians a deal | parley
greenway | tell them to get out of my way | parley
greenway | draw steel! | equip
greenway | slash Rudge | trigger_combat encounter:ruffians
greenway | turn back to the tavern | travel inn
ford | try to repair the ferry | deed mend-ferry
ford | good day ferryman | talk halvard
dell | pounce on the wolves with my sword | trigger_combat encounter:wolves
barrow | remove the cloth from the bier | deed take-oil
fallen | no!! I am not finished yet, get up | return
fallen | this is the end, goodbye | accept
fight | smack Skrit with my sword | attack foe2
fight | shoot the captain... i mean the archer | attack foe2
fight | swig the healing potion | use healing-draught
fight | dodge and stay on guard | guard
fight | cover myself with both arms | defend
fight | make a break for the river | flee
fight | I growl at Grashlug, showing my teeth | intimidate foe1
""",
)
MORE_FRENCH = read(
    "fr",
    """
inn | c'est quoi cette histoire de lampe, Maud ? | talk maud-lamp
inn | quoi de neuf la patronne ? | talk maud-hello
inn | je voudrais en savoir plus sur les bandits | talk maud-ruffians
inn | je m'approche du comptoir et je discute avec maud | talk maud
inn | bon allez on y va, direction le chemin vert | travel greenway
inn | je prend la route du nor | travel greenway
inn | je voudrais une potion de soins svp | buy healing-draught
inn | il me faut une corde | buy rope
inn | je plante ma dague dans maud | trigger_combat maud
inn | je fais une bonne sieste | rest
inn | je prends une chambre pour la nuit | rest
inn | j'ai quoi dans mon sac ? | inventory
inn | combien de pv il me reste | sheet
inn | qu'est-ce que j'ai appris jusqu'ici | journal
inn | je peux faire quoi ici ? | help
inn | je me débarrasse de la dague contre des pièces | sell dagger
inn | je mets mon point en discrétion | train stealth
inn | je prends mon arc en main | equip bow
inn | on peut jouer en anglais ? | language en
greenway | du calme les gars, pas besoin de se battre | parley
greenway | j'essaie de les raisonner | parley
greenway | je me planque derrière la haie et je rampe | sneak
greenway | je mets une droite à Tam | trigger_combat encounter:ruffians
greenway | on leur casse la figure | trigger_combat
greenway | laissez moi passer ou vous allez le regretter | parley
greenway | je cours me réfugier à l'auberge | travel inn
greenway | c'est qui ces deux types ? | look
ford | je rafistole la corde | deed mend-ferry
ford | je demande au vieux ce qui se passe à la tour | talk halvard-orcs
ford | je repare la corde du bac | deed mend-ferry
dell | je fais le tour sans que les loups me voient | sneak
dell | je tire une fleche sur museau gris | trigger_combat encounter:wolves
barrow | je retire le drap | deed take-oil
barrow | je regarde sous le drap | deed take-oil
tower-top | j'éteins sa torche pour faire peur au capitaine | parley
fallen | je veux vivre ! | return
fallen | tant pis, je meurs | accept
fight | je tape l'orque | attack foe1
fight | j'abats mon épée sur la tête de grashlug | attack foe1
fight | je décoche une flèche à skrit | attack foe2
fight | j'avale une potion vite fait | use healing-draught
fight | je me prépare à encaisser | defend
fight | je me casse d'ici | flee
fight | je hurle sur l'orque pour lui faire peur | intimidate foe1
fight | je bande mon bras | first_aid
fight | je prends le temps de viser | aim
fight | on en est où ? | status
fight | je passe mon tour | pass
fight | je m'occupe de l'archer | attack foe2
fight | je range l'épée et je sors mon arc | equip bow
inn | salut Maud, des nouvelles du pays ? | talk maud-hello
inn | qui gardait cette tour au juste ? | talk maud-lamp
inn | la route est elle dangereuse ? je pose la question à maud | talk maud-ruffians
inn | je finis ma chope et je sors par la porte du nord | travel greenway
inn | je vais me coucher | rest
inn | donnez moi deux potions | buy healing-draught
inn | j'achete quelques fleches a maud | buy arrow
inn | je regarde ce que j'ai sur moi | inventory
inn | je passe mon pourpoint de cuir | equip leather
inn | je travaille ma discrétion | train stealth
inn | c'est quoi les commandes | help
greenway | je me fais tout petit et je passe derriere eux | sneak
greenway | je propose un marché aux brigands | parley
greenway | dégagez de là ou ça va mal finir | parley
greenway | je tire l'épée | equip
greenway | un bon coup de poing dans la face de Rudge | trigger_combat encounter:ruffians
greenway | demi-tour, direction la taverne | travel inn
ford | j'essaye de remettre la corde en état | deed mend-ferry
ford | bien le bonjour passeur | talk halvard
dell | je saute sur les loups l'épée à la main | trigger_combat encounter:wolves
barrow | j'enlève le drap de la couche | deed take-oil
fallen | non, pas maintenant, je me relève | return
fallen | c'est la fin, au revoir | accept
fight | je cogne Skrit avec mon épée | attack foe2
fight | une fleche pour l'archer | attack foe2
fight | je vide une fiole de potion | use healing-draught
fight | j'esquive et je reste sur mes gardes | guard
fight | je me protège avec les bras | defend
fight | je prends mes jambes à mon cou | flee
fight | je montre les dents à Grashlug en grognant | intimidate foe1
""",
)
