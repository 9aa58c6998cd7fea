"""Two hundred things players write, typos included, with what they mean where they say it.

Each line: where, then `|`, the words, `|`, the act and, where it matters, whom or what it is about.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Utterance:
    """Words said somewhere, and what is meant."""

    lang: str
    where: str
    words: str
    act: str
    about: str = ""


def read(lang: str, text: str) -> list[Utterance]:
    """Return the utterances of a text, one a line."""
    found = []
    for line in text.strip().splitlines():
        where, words, meant = (part.strip() for part in line.split("|"))
        act, _, about = meant.partition(" ")
        found.append(Utterance(lang, where, words, act, about))
    return found


ENGLISH = read(
    "en",
    """
inn | look around | look
inn | I look around the room | look
inn | where am I? | look
inn | who is here? | look
inn | what do I see | look
inn | I talk to Maud | talk maud
inn | speak with the innkeeper | talk maud
inn | hello Maud! | talk maud
inn | I ask Maud about the lamp | talk maud-lamp
inn | what does the landlady know about the ruffians on the road? | talk maud-ruffians
inn | ask her about the keeper of the tower | talk maud-lamp
inn | tell maud I need news | talk maud-hello
inn | I go north | travel greenway
inn | I head out onto the Greenway | travel greenway
inn | lets walk to the greenwya | travel greenway
inn | take the road north | travel greenway
inn | I leave the inn and follow the road | travel greenway
inn | buy a healing draught | buy healing-draught
inn | I'd like to buy some arrows please | buy arrow
inn | can I buy a lantern | buy lantern
inn | purchase rope | buy rope
inn | sell my dagger | sell dagger
inn | I sell the sword | sell sword
inn | I rest for the night | rest
inn | sleep until morning | rest
inn | make camp and recover | rest
inn | what do I have in my pack? | inventory
inn | inventory | inventory
inn | show my character sheet | sheet
inn | how many hit points do I have | sheet
inn | what happened so far? | journal
inn | open my journal | journal
inn | where can I go from here? | map
inn | show me the map | map
inn | help | help
inn | what can I do? | help
inn | wait a while | wait
inn | I draw my bow | equip bow
inn | put on the leather jerkin | equip leather
inn | wield the longsword | equip sword
inn | drink a potion | use healing-draught
inn | use the healing draught | use healing-draught
inn | improve stealth | train stealth
inn | speak french please | language fr
inn | I give up, I go home | deed give-up
greenway | I sneak past the guards | sneak
greenway | try to slip past them quietly | sneak
greenway | hide behind the hawthorn and creep by | sneak
greenway | I try to persuade them to let me through | parley
greenway | negotiate with the ruffians | parley
greenway | I bargain with Tam over the toll | parley
greenway | try to bluff my way past | parley
greenway | I attack the bandits! | trigger_combat
greenway | draw my sword and charge at Rudge | trigger_combat
greenway | shoot Tam with my bow | trigger_combat
greenway | I want to fight | trigger_combat
greenway | talk to the robbers | parley
greenway | go back to the inn | travel inn
ford | mend the rope | deed mend-ferry
ford | I try to repair the ferry | deed mend-ferry
ford | fix teh rope of the fery | deed mend-ferry
ford | ask the ferryman about the orcs | talk halvard-orcs
ford | greet the old man | talk halvard
ford | return to the greenway | travel greenway
barrow | lift the cloth | deed take-oil
barrow | I search the bier carefully | deed take-oil
fight | I attack Grashlug | attack foe1
fight | attack the orc with my sword | attack foe1
fight | shoot the archer with my bow | attack foe2
fight | hit grashlug | attack foe1
fight | I swing my longsword at the big orc | attack foe1
fight | kill skrit! | attack foe2
fight | strke the orc | attack foe1
fight | stab Grashlugg in the belly | attack foe1
fight | fire an arrow at Skrit | attack foe2
fight | I charge the archer | attack foe2
fight | I attack the nearest one | attack foe1
fight | slash at him | attack foe1
fight | I defend myself | defend
fight | block with everything I have | defend
fight | raise my guard | guard
fight | I try to dodge the next blow | guard
fight | parry | guard
fight | take aim | aim
fight | I aim carefully | aim
fight | run away! | flee
fight | I flee | flee
fight | retreat to the ferry | flee
fight | let's get out of here | flee
fight | I roar to frighten the orc | intimidate foe1
fight | intimidate Skrit | intimidate foe2
fight | drink a healing potion | use healing-draught
fight | quaff a draught | use healing-draught
fight | bandage my wounds | first_aid
fight | I move closer to the archer | close_in foe2
fight | pass | pass
fight | end my turn | pass
fight | who is left? | status
fallen | come back to life | return
fallen | I accept my death | accept
""",
)
FRENCH = read(
    "fr",
    """
inn | je regarde autour de moi | look
inn | où suis-je ? | look
inn | j'observe la salle | look
inn | qui est là ? | look
inn | j'examine la pièce | look
inn | je parle à Maud | talk maud
inn | je salue l'aubergiste | talk maud
inn | bonjour Maud | talk maud
inn | je demande à Maud ce qu'elle sait de la lampe | talk maud-lamp
inn | j'interroge la patronne sur les brigands | talk maud-ruffians
inn | Maud, que savez-vous du gardien ? | talk maud-lamp
inn | je questionne l'hotesse | talk maud
inn | je vais au nord | travel greenway
inn | je prends le chemin vert | travel greenway
inn | je sors de l'auberge vers le Chemin Vert | travel greenway
inn | on part sur la route du nord | travel greenway
inn | je me dirige vers le chmin vert | travel greenway
inn | j'achète une potion de soin | buy healing-draught
inn | je voudrais acheter des flèches | buy arrow
inn | achter une lanterne | buy lantern
inn | acheter de la corde | buy rope
inn | je vends ma dague | sell dagger
inn | vendre l'épée | sell sword
inn | je me repose | rest
inn | je dors jusqu'au matin | rest
inn | je passe la nuit à l'auberge | rest
inn | inventaire | inventory
inn | qu'est-ce que j'ai dans mon sac ? | inventory
inn | montre ma fiche | sheet
inn | combien me reste-t-il de points de vie ? | sheet
inn | journal | journal
inn | que s'est-il passé ? | journal
inn | où puis-je aller ? | map
inn | la carte | map
inn | aide | help
inn | que puis-je faire ? | help
inn | j'attends un peu | wait
inn | je prends mon arc | equip bow
inn | j'enfile le pourpoint de cuir | equip leather
inn | je dégaine mon épée | equip sword
inn | je bois une potion | use healing-draught
inn | utiliser la potion de soins | use healing-draught
inn | améliorer la discrétion | train stealth
inn | en anglais | language en
inn | je veux renoncer | deed give-up
greenway | je me faufile sans bruit | sneak
greenway | j'essaie de passer discrètement | sneak
greenway | je contourne les brigands | sneak
greenway | je me cache et j'évite les voleurs | sneak
greenway | j'essaie de les convaincre de me laisser passer | parley
greenway | je négocie avec Tam | parley
greenway | je parlemente | parley
greenway | je parle aux brigands | parley
greenway | j'attaque les brigands ! | trigger_combat
greenway | je dégaine et je frappe Rudge | trigger_combat
greenway | je tire une flèche sur Tam | trigger_combat
greenway | je veux me battre | trigger_combat
greenway | je retourne à l'auberge | travel inn
ford | je répare la corde | deed mend-ferry
ford | réparer le bac | deed mend-ferry
ford | je rpare la corde du bac | deed mend-ferry
ford | je demande au passeur ce qu'il sait des orques | talk halvard-orcs
ford | je parle au vieux | talk halvard
ford | je reviens sur le chemin vert | travel greenway
barrow | je soulève le drap | deed take-oil
barrow | je fouille la couche funèbre | deed take-oil
fight | j'attaque Grashlug | attack foe1
fight | j'attaque l'orque avec mon épée | attack foe1
fight | je tire sur l'archer avec mon arc | attack foe2
fight | je frappe grashlug | attack foe1
fight | je donne un coup d'épée à l'orque | attack foe1
fight | tuer Skrit | attack foe2
fight | j'ataque l'orque | attack foe1
fight | j'attque Grashlug de toutes mes forces | attack foe1
fight | je décoche une flèche à Skrit | attack foe2
fight | je charge l'archer | attack foe2
fight | j'attaque le plus proche | attack foe1
fight | je le frappe | attack foe1
fight | je me défends | defend
fight | je me protège avec mon bouclier | defend
fight | je me mets en garde | guard
fight | j'esquive | guard
fight | je pare le prochain coup | guard
fight | je vise | aim
fight | je prends le temps de viser | aim
fight | je fuis ! | flee
fight | je m'enfuis vers le bac | flee
fight | je bats en retraite | flee
fight | on se sauve | flee
fight | je hurle pour effrayer l'orque | intimidate foe1
fight | j'intimide Skrit | intimidate foe2
fight | je bois une potion de soin | use healing-draught
fight | j'avale une potion | use healing-draught
fight | je bande mes blessures | first_aid
fight | je m'approche de l'archer | close_in foe2
fight | je passe | pass
fight | je termine mon tour | pass
fight | combien sont-ils encore ? | status
fallen | je reviens à la vie | return
fallen | j'accepte la mort | accept
""",
)
