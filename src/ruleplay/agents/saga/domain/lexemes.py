"""The words by which players say what they want: acts of the story and of a fight.

Phrases are folded; a word that ends in `*` stands for all that begin so. Both languages are heard
at any time: people mix them.
"""

# ruff: noqa: E501 -- texts and word lists
from __future__ import annotations

from ruleplay.agents.saga.domain.intents import Act


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in text.replace("\n", " ").split("|") if phrase)


STORY: dict[Act, tuple[tuple[str, ...], ...]] = {
    "look": _phrases(
        "look*|look around|examin*|inspect*|observ*|describ*|where am i|what do i see|survey*|peer*"
        "|what is here|who is here|who is there|study|gaze*"
        "|regard*|observ*|decri*|ou suis je|que vois je|scrut*|jette un oeil|coup d oeil|autour"
        "|qui est la|qu est ce qu il y a|contempl*"
        "|who are they|who are those|who is that|what is that|what is this|check out|take a look|have a look|glance*|stare*|eye|c est qui|qui sont|qui est ce|je regarde|jette un regard|zieut*|mate|lorgne*|balaie du regard|tour d horizon"
    ),
    "travel": _phrases(
        "go|goes|going|walk*|head|heads|heading|travel*|move*|enter*|climb*|cross|crossing|follow*"
        "|return to|leave*|run|ride*|proceed*|continue*|take the road|make my way|set off|step*|march*"
        "|journey*|go back|head back|push on|venture*|get to|hike*|come back to"
        "|vais|aller|allons|va|marche*|avanc*|entre|entrer|entrons|grimp*|monte|monter|montons"
        "|travers*|retourn*|quitt*|pars|part|partir|partons|sors|sortir|sortons|rends|rendre|dirig*|continu*|descend*"
        "|prends la route|prends le chemin|prends le sentier|reprends|file*|chemine*|reviens|revenir"
        "|rejoins|rejoindre|repart*|emprunt*|gagne|passe par"
        "|wander*|stroll*|sneak off to|sprint*|hurry*|rush to|race to|dash*|turn back|back to|out the door|on my way|towards|toward|get going|cours|courir|courons|file|direction|en route|mets en route|prends la direction|pousse jusqu*|me rends|demi tour|refugi*|hate*|trotte*|flane*|balade*|traine*|regagn*|franchi*|pousse la porte|prend la route|par la route|sort|repasse"
    ),
    "talk": _phrases(
        "talk*|speak*|ask*|say*|greet*|tell*|question*|chat with|chat to|chats with|chatting|hail*|converse*|inquire*|mention*|report*|fais mon rapport|know|knows|savez|sait|hello"
        "|hi|good evening|parl*|demand*|dis|dire|salu*|interrog*|questionn*|discut*|cause|bavard*"
        "|bonjour|bonsoir|adress*|abord*|raconte moi|renseign*"
        "|chatter*|have a word|a word with|call out|call to|what do you hear|any news|what s new|what s up|good morning|good day|hear about|learn about|find out about|wanna know|want to know|like to know|quoi de neuf|quelles nouvelles|des nouvelles|salut|coucou|hello|bien le bonjour|en savoir plus|sais tu|savez vous|entendu parler|parle moi|dis moi|dites|dites moi|pose*|taille* la bavette|echange*|enquiers|cause|causer"
    ),
    "search": _phrases(
        "search*|look for|rummage*|seek*|find|explore*|look under|look through|loot*"
        "|fouill*|cherch*|trouver|explor*|recherch*|farfouill*"
        "|poke around|turn over|comb|scour*|pat down|sift*|remue*|inspecte les|passe au peigne|farfouille*|furete*"
    ),
    "sneak": _phrases(
        "sneak*|hide*|slip past|slip by|creep*|stealth*|tiptoe*|unseen|avoid*|go around|get around"
        "|evade*|skirt*|quietly|silently|unnoticed|past them"
        "|faufil*|cache|cacher|discret*|furtiv*|contourn*|evit*|glisse*|pas de loup|inapercu*"
        "|sans bruit|sans etre vu*|silencieu*|en douce|dans l ombre"
        "|duck*|crawl*|keep low|stay low|crouch*|out of sight|slink*|in the shadows|prowl*|on my belly|edge past|edge around|without being seen|without a sound|on tiptoe|steal past|planqu*|ramp*|fais le tour|me voi*|baisse*|accroup*|tout petit|derriere la haie|en catimini|en silence|pointe des pieds|se faire voir|etre vu|etre reper*|passe derriere|en cachette|dissimul*|longe*"
    ),
    "parley": _phrases(
        "persuad*|convince*|negotiat*|bargain*|parley*|reason with|bluff*|talk my way|talk them"
        "|talk him|talk it|bribe*|calm*|plead*|appease*|offer peace|diplomacy|intimidat*|threaten*"
        "|scare*|frighten*|reason|talk to them|talk our way|invoke"
        "|persuad*|convainc*|convaincre|negoci*|parlement*|raisonn*|bluff*|amadou*|calme*|embobin*"
        "|apais*|intimid*|menac*|effray*|marchand*|baratin*|leur parle*|invoqu*"
        "|a deal|no need for|easy lads|easy now|easy friend|stand down|calm down|let me through|let me pass|let us pass|let us through|out of my way|out of the way|step aside|move aside|regret it|or else|pay the toll|pay them|pay the|make peace|in peace|come to terms|work something out|talk this over|talk this out|talk sense|talk them down|make a bargain|an offer|warn*|laisse* moi passer|laisse* nous passer|regrett*|degag*|ecarte*|pousse* vous|tire* vous|sinon|du calme|tout doux|un marche|une offre|paie le|paye le|payer le|propos*|negoc*|arrang*|a l amiable|discuter avec eux|fais la paix|faire la paix|fais peur|faire peur|sermonn*"
    ),
    "trigger_combat": _phrases(
        "attack*|hit|hits|strike*|fight*|kill*|stab*|slash*|shoot*|charge*|swing*|smash*|slay*"
        "|punch*|lunge*|ambush*|assault*|draw my sword and|loose an arrow|stand and fight|battle"
        "|attaqu*|frapp*|combat*|tue|tuer|tuons|poignard*|tire|tirer|charg*|tranch*|cogne*"
        "|assaill*|embroch*|decoch*|pourfend*|transperc*|assomm*|fonce*|bagarr*|bats|battre|embusc*"
        "|affront*|saute dessus|jette sur"
        "|beat up|beat them|beat him|bash*|kick*|headbutt*|cut down|cut them|cut him|run through|run him through|pounce*|leap at|leap on|jump on|jump at|jump them|rush them|rush at|draw and|teach them|teach him|take them on|take him on|take them down|take him down|finish them|tackle*|hack*|chop|chops|chopping|throw myself|shove*|clobber*|smack*|whack*|thump*|plante*|tape|tapons|taper|cass* la figure|cass* la gueule|droite a|coup de poing|poing dans|coup d epee|coup de|rentre* dedans|fais leur la peau|fais la peau|regle leur compte|saute sur|sautons|jette* sur|bondi*|rue sur|ruons|assene*|abats|abattre|abattons|perce*|taillad*|cogn*|passe a l attaque|a l attaque|en garde|tabass*|massacr*|zigouill*|degomm*|bute|buter"
    ),
    "use": _phrases(
        "use*|drink*|eat*|quaff*|apply|swallow*|down a|take a potion|take my potion|heal myself"
        "|utilis*|bois|boire|buvons|aval*|mange*|appliqu*|prends une potion|prends ma potion|soigne*"
        "|soigner"
        "|gulp*|swig*|down the|down my|sip*|take the potion|patch myself up|patch up|heal|tend my wounds|tend to my|bandage*|bind my|vide la|vide ma|vide une|prends la potion|bande mes|panse*|soigner mes|me soigne|remonte"
    ),
    "equip": _phrases(
        "equip*|wield*|draw*|put on|wear*|switch to|ready|don|unsheath*|arm myself|take out|grab my"
        "|equip*|degain*|saisi*|empoign*|enfil*|mets|mettre|sors|brandi*|change d arme|m arme|revet*"
        "|prends mon|prends ma"
        "|strap on|put my|get out my|pull out|pull my|slip on|take up my|take my|get my|grab the|pick up my|string my|passe mon|passe ma|met mon|prend mon|prend ma|dehors mon|attrap*|tire mon|tire ma|tire l epee|ceins|endoss*|boucle*|prepare mon|prepare ma|bande mon arc"
    ),
    "rest": _phrases(
        "rest|rests|resting|sleep*|camp|make camp|nap|lie down|stay the night|recover"
        "|repos*|dors|dormir|camp*|sieste|bivouac*|passe la nuit|passer la nuit|nuit a l auberge"
        "|recuper*"
        "|get a room|take a room|rent a room|a bed|to bed|for the night|turn in|get some sleep|some rest|doze*|snooze*|crash|call it a day|shut my eyes|une chambre|un lit|couche|coucher|au lit|pour la nuit|dodo|fais une pause|un somme|piqu* un somme|souffler un peu|me pose|ferme les yeux|pionce*"
    ),
    "buy": _phrases(
        "buy*|purchas*|can i have|achet*|achat|procur*|je voudrais"
        "|can i get|can i buy|i ll take|i ll have|i need|i d like|id like|i want|give me|got any|please|svp|stp|sell me|shop|order|je prends|il me faut|j aimerais|donne moi|donnez moi|vends moi|vendez moi|prends moi|me faudrait|commande*"
    ),
    "sell": _phrases(
        "sell*|pawn*|vends|vendre|revend*|vente"
        "|trade in|trade my|offload|get rid of|debarrass*|refourgu*|fourgu*|echange contre|cede"
    ),
    "train": _phrases(
        "improve*|train*|raise my|spend my point*|level up my|amelior*|entrain*|augment*|perfectionn*"
        "|put my point*|put a point|spend a point|spend my|get better at|work on my|practice|practise|study my|invest*|learn|mets mon point|mets un point|depense* mon point|depense* un point|progress*|travaille ma|travaille mon|apprend*|exerc*"
    ),
    "inventory": _phrases(
        "inventory|what do i have|what have i got|my things|backpack|my bag|my pack|carrying"
        "|my gear|my equipment|how much money|how many coins|my purse"
        "|inventaire|sac|mes affaires|que porte je|qu ai je|mon equipement|ma bourse|combien d argent"
        "|possede"
        "|what am i carrying|carry|what s in my|in my bag|whats in my|my stuff|my belongings|check my gear|on me|mes possessions|dans mon sac|ai je quoi|j ai quoi|ce que j ai sur|sur moi|mon barda|mon argent|mes sous"
    ),
    "sheet": _phrases(
        "character sheet|sheet|my stats|my skills|how am i|my health|hp|hit points|my level"
        "|fiche|caracteristiques|mes competences|mes stats|points de vie|pv|mon niveau|ma sante"
        "|comment je vais"
        "|how badly|hurt am i|am i hurt|am i wounded|how many hit points|how many hp|who am i|my character|my wounds|my attributes|suis je bless*|combien de vie|comment vais je|qui suis je|mes blessures|mon perso|mon personnage|ma vie"
    ),
    "journal": _phrases(
        "journal|chronicle|what happened|recap*|quest log|notes|what do i know|remember|so far"
        "|chronique|resum*|recapitul*|que s est il passe|que sais je|rappelle moi|mes notes"
        "|learned|learnt|found out so far|catch me up|what do we know|story so far|my quest|what was i doing|appris|decouvert|jusqu ici|ou en etais je|ou j en suis|ma quete|qu est ce que je sais|ce que je sais"
    ),
    "map": _phrases(
        "map|where have i been|which ways|exits|where can i go|carte|ou aller|ou puisje aller"
        "|sorties|quels chemins|ou ai je ete"
        "|where to|way out|ways out|what places|ou puisje|par ou|quelles directions|quelles sorties|les issues|ou aller d ici|le plan"
    ),
    "help": _phrases(
        "help|what can i do|options|commands|hint|hints|what now|how do i play|what should i do"
        "|aide|aide moi|que puisje faire|que faire|quoi faire|options|indice|conseil|comment jouer"
        "|je fais quoi"
        "|what are my|what else can i|how does this work|instructions|lost|stuck|no idea|peux faire quoi|on fait quoi|comment ca marche|instructions|bloque|perdu|les commandes|je comprends pas|que dois je faire"
    ),
    "wait": _phrases(
        "wait*|do nothing|linger*|stay here|attend*|patient*|rien faire|reste ici"
        "|hang around|stick around|bide my time|hold on|stay put|stand there|poireaut*|patiente|je reste|ne fais rien|laisse passer"
    ),
    "flee": _phrases(
        "flee*|run away|run for it|retreat*|escap*|get away|get out of here|out of here|bolt*|turn tail"
        "|fuis|fuir|fuite|enfui*|me sauve|retraite|detal*|echapp*|decamp*|deguerp*|prends la fuite"
        "|jambes a mon cou|me tire d ici|me casse d ici|me barre|fichons le camp|filons"
    ),
    "begin": _phrases(
        "begin*|start|let s go|let s start|commenc*|debut*|c est parti|on y va"
        "|let us begin|ready|here we go|off we go|en avant|je suis pret*|demarre*|lance*"
    ),
}
"""What can be said in the story."""

FIGHT: dict[Act, tuple[tuple[str, ...], ...]] = {
    "attack": _phrases(
        "attack*|hit|hits|hitting|strike*|fight*|kill*|stab*|slash*|shoot*|fire*|swing*|smash*|cut"
        "|cuts|punch*|lunge*|slay*|finish*|loose|thrust*|chop*|hack*|bash*|cleave*|kick*|charge*"
        "|plunge*|behead*|impale*|go for|strike down|throw myself"
        "|attaqu*|frapp*|combat*|tue|tuer|tuons|poignard*|tire|tirer|charg*|tranch*|cogn*|assaill*"
        "|embroch*|decoch*|pourfend*|transperc*|assomm*|fonce*|acheve*|abats|abattre|coupe*|plant*"
        "|flech*|fends|fendre|taille*|donne un coup|coup d epee|coup de|decapit*|jette sur"
        "|bring down|bring my|smack*|whack*|thump*|clobber*|pummel*|beat*|bite|headbutt*|elbow*|slice*|skewer*|jab*|run through|run him through|cut down|take out the|take down|take him|take her|take it down|deal with|finish off|go after|leap at|leap on|jump on|pounce*|rush at|let fly|arrow at|arrow into|put an arrow|aim for|have at|tape|taper|cogne|plante*|droite|coup de poing|coup de pied|casse la|cass* la figure|occupe de|regle son compte|fais la peau|saute sur|bondi*|rue sur|rentre dedans|assene*|perce*|taillad*|larde*|fauch*|fracass*|ecras*|massacr*|bute|degomm*|zigouill*|finis|finir|une fleche|a l attaque|passe a l attaque|mon epee dans|porte un coup|lance sur|vise et tire"
    ),
    "defend": _phrases(
        "defend*|full defence|full defense|brace*|protect*|block*|shield*|cover|defensive"
        "|defends|defendre|proteg*|bouclier|defensi*|me couvre|en defense|bloqu*|recroquevill*"
        "|cover myself|hunker*|turtle*|curl up|raise my shield|both arms|hide behind|take cover|shelter*|brace myself|encaiss*|me protege|me defends|abri|abrite*|me recroqueville|tiens ma position|leve mon bouclier|planqu*|cache derriere"
    ),
    "guard": _phrases(
        "guard|parry*|dodg*|riposte*|raise my guard|on guard|deflect*|sidestep*"
        "|garde|pare|parer|esquiv*|parade|en garde|feint*"
        "|keep my guard|on my guard|ready to parry|wait for their attack|watch for|evade*|duck*|weave|counter*|sur mes gardes|sur ses gardes|pret a parer|prete a parer|contre attaque|baisse la tete|me baisse|surveille*"
    ),
    "aim": _phrases(
        "aim*|take aim|line up|steady my|vise|viser|visons|ajust*|concentr*"
        "|line up a|line my|draw a bead|take my time|carefully|steady|focus*|study my target|prends le temps|prends mon temps|bien viser|ligne de mire|pointe*|en joue|respire"
    ),
    "close_in": _phrases(
        "close in|advance*|approach*|move towards|move toward|move closer|step closer|get closer"
        "|walk up|close the distance|approch*|avanc*|rapproch*|reduis la distance|vais au contact"
        "|close with|charge in|get in close|run up to|rush towards|get next to|step up|cours vers|vais vers|marche vers|me jette vers|rejoins|colle*"
    ),
    "flee": _phrases(
        "flee*|run|run away|runs|running|retreat*|escap*|get out|get away|bolt*|withdraw*|fall back"
        "|turn tail|fuis|fuir|fuite|enfui*|sauve|me sauve|retraite|detal*|echapp*|prends la fuite"
        "|bats en retraite|decamp*|replie*|deguerp*|m en vais|cours"
        "|out of here|outta here|get me out|i m leaving|leave|make a break|make a run|break for|run for|save myself|jump out|back away|turn and run|scram|me casse d ici|casse d ici|me tire|me tire d ici|me barre|barre|file d ici|filons|jambes a mon cou|fichons le camp|fiche le camp|on se replie|battre en retraite|m echappe|abandonne le combat|quitte le combat|recule"
    ),
    "intimidate": _phrases(
        "intimidat*|frighten*|threaten*|scare*|roar*|shout*|yell*|howl*|taunt*|war cry|glare*"
        "|intimid*|effray*|menac*|hurl*|rugi*|crie*|terrif*|cri de guerre|provoqu*|fais peur"
        "|growl*|snarl*|bare my teeth|show my teeth|teeth|scream*|bellow*|menacing*|boo|scare off|show no fear|beat my chest|fais peur|faire peur|montre les dents|grogn*|gronde*|beugl*|gueule|pousse un cri|pousse un hurlement|cri de|impressionn*|air mechant|apeur*"
    ),
    "first_aid": _phrases(
        "bandage*|first aid|bind my|tend*|treat*|dress my|patch*|heal|stop the bleeding|stanch*"
        "|bande|bander|pans*|premiers soins|soign*|garrot|arrete le sang|arreter le sang|recous*"
        "|patch myself|tie off|wrap my|see to my wounds|look after my|staunch|compress|my wounds|bande mon|bande ma|bande mes|mes blessures|ma blessure|mon bras|garot|compress*|stopp* le sang|empeche* le sang"
    ),
    "use": _phrases(
        "use*|drink*|quaff*|swallow*|eat*|down a|gulp*|apply|utilis*|bois|boire|aval*|mange*"
        "|prends une potion|prends ma potion|appliqu*"
        "|swig*|chug*|take a draught|take my draught|take the potion|down the|down my|down one|potion|vide une|vide la|vide ma|gorgee|siffle une|prends la potion|prends une gorgee|remede"
    ),
    "equip": _phrases(
        "equip*|wield*|draw*|switch*|unsheath*|take out|grab*|change weapon|pull out|ready my"
        "|equip*|degain*|saisi*|empoign*|sors|brandi*|change d arme|prends mon|prends ma|m arme"
        "|swap*|pick up my|get my|get out my|reach for|take my|take up|troque*|echange*|attrap*|passe a l|passe au|reprends mon|reprends ma|sort mon|prend mon"
    ),
    "pass": _phrases(
        "pass|skip*|wait*|end turn|end my turn|do nothing|hold|stand still|hesitat*"
        "|passe|passer|attend*|rien|fin de tour|termine mon tour|finis mon tour|hesit*|immobile"
        "|do not act|not act|wait and see|stay put|freeze|fais rien|ne fais rien|saute mon tour|laisse passer|bouge pas|observe et attends|tour suivant"
    ),
    "status": _phrases(
        "status|situation|who is left|how many|look*|how hurt|how are they|initiative|whose turn"
        "|observ*|examin*|regard*|etat|qui reste|combien|ou en est|a qui le tour|tour de qui"
        "|how is everyone|how is everybody|who s left|whos left|still standing|how are we|how am i doing|state of|what s happening|what is happening|what do i see|est on|en est on|on en est|ou on en est|qui est encore|encore debout|comment va|comment vont|que se passe|se passe t il|combien de vie|qui est bless*"
    ),
    "force_end": _phrases(
        "end the fight|stop the fight|abort the fight|end combat|stop combat|end this fight"
        "|arrete le combat|arretons le combat|mets fin au combat|stop le combat|interromp*"
        "|fin du combat"
    ),
    "inventory": STORY["inventory"],
    "sheet": STORY["sheet"],
    "journal": STORY["journal"],
    "map": STORY["map"],
    "help": STORY["help"],
}
"""What can be said in a fight."""

FALLEN: dict[Act, tuple[tuple[str, ...], ...]] = {
    "return": _phrases(
        "return|come back|wake*|live|survive*|go on|continue*|fight on|not yet|i want to live|get up"
        "|stand up|rise|cling*|hold on"
        "|reviens|revenir|retour|reveil*|vivre|vis|continu*|survi*|pas encore|releve*|lever|debout"
        "|accroche*|tiens bon"
        "|let me live|not finished|not done|not over|not like this|not today|no way|back to life|revive*|resurrect*|get back|open my eyes|keep going|keep fighting|carry on|refuse to die|rouvre*|veux vivre|pas fini|pas maintenant|pas comme ca|pas aujourd|refuse de mourir|retourn*|ressuscit*|bats encore|encore un|relever|je me leve|resiste*|m accroche"
    ),
    "accept": _phrases(
        "accept*|die|let go|give up|end it|rest in peace|farewell|i am done"
        "|accept*|meurs|mourir|lache*|abandonn*|repose*|adieu|c est fini"
        "|i die|dead|goodbye|good bye|the end|my end|it s over|it is over|so be it|let it end|im done|i m done|done|enough|close my eyes|surrender*|stay dead|c est la fin|la fin|tant pis|au revoir|c est termine|ferme les yeux|m eteins|reste mort*|j arrete|assez|resign*|laisse aller"
    ),
    "inventory": STORY["inventory"],
    "sheet": STORY["sheet"],
    "journal": STORY["journal"],
    "map": STORY["map"],
    "help": STORY["help"],
}
"""What can be said between life and death."""

LANGUAGES = {
    "en": _phrases(
        "in english|to english|speak english|english now|english please|en anglais|parle anglais|lang en"
    ),
    "fr": _phrases(
        "in french|to french|speak french|french now|french please|en francais|parle francais|lang fr"
    ),
}
NEGATORS = frozenset(("not", "never", "don", "dont", "pas", "jamais", "without", "won", "refuse"))
UNNEGATED = _phrases(
    "not yet|not finished|not done|not over|not like this|not today|not act|do not act|not now"
    "|without being seen|without a sound|without being|without making|without them"
    "|refuse to die|refuse de mourir|pas besoin|pas de loup|pas encore|pas fini|pas maintenant"
    "|pas comme ca|pas aujourd|bouge pas|je comprends pas|don t know"
)
"""What holds a negator and yet says something."""
CONDITIONS = frozenset(("if", "si"))
"""What makes a sentence depend on something."""
BUYING = _phrases(
    "buy*|purchas*|order|shop|sell me|achet*|achat|procur*|commande*|vends moi|vendez moi"
)
"""Words that are about buying whatever they are said of; others only ask for something."""
STOWING = _phrases(
    "put away|put my|sheath*|stow*|lower my|range|ranger|rengain*|remets au fourreau"
)
"""Words of putting a weapon away, which costs nothing and needs nothing."""
FILLERS = frozenset(
    "the a an at on now again then him le la l les un une sur au encore maintenant".split()  # noqa: SIM905
)
"""Words beside a name that say nothing about what is to be done."""
QUESTIONS = _phrases(
    "what|why|who|whom|where|how|when|which|about|hear|know|rumours|rumors|news|tell"
    "|quoi|que|qui|pourquoi|comment|ou|quand|quel|quelle|quels|quelles|histoire|savoir|sur|parle"
    "|est ce|c est quoi|qu est ce"
)
"""Words that ask: with a topic of somebody present they make a question to them."""
HANDLING = _phrases(
    "fix*|mend*|repair*|splic*|tie|knot*|patch*|join|restor*|pull*|lift*|rais*|remov*|take*|tug*|tear*"
    "|draw back|open*|look under|see|under|uncover*|cut*|light*|kindl*|relight*|ignit*|fill*|search*"
    "|free*|release*|use*|work on|deal with|help|put back|set right|move*|push*|touch*|lower*|grab*"
    "|repar*|rafistol*|nou*|rattach*|raccommod*|remett*|remets|arrang*|refai*|retap*|tir*|retir*"
    "|enlev*|leve*|lever|soulev*|ecart*|ot*|prend*|prenons|ouvr*|coup*|decoup*|allum*|rallum*|ranim*"
    "|rempli*|fouill*|cherch*|regarde sous|sous|libere*|delivr*|degag*|decroch*|pouss*|touch*|bricol*"
)
"""What hands do to things: enough, with the thing's name, for what a scenario prepared."""
SPLITTERS = frozenset(
    ("and", "then", "et", "puis", "ensuite", "before", "after", "while", "avant", "apres")
)
NEAREST = frozenset(
    [
        "nearest",
        "closest",
        "next",
        "first",
        "him",
        "her",
        "it",
        "them",
        "they",
        "enemy",
        "enemies",
        "foe",
        "foes",
        "monster",
        "opponent",
        "proche",
        "premier",
        "premiere",
        "le",
        "la",
        "lui",
        "les",
        "eux",
        "ennemi",
        "ennemie",
        "ennemis",
        "adversaire",
        "adversaires",
        "monstre",
        "celui",
        "celle",
        "dernier",
        "last",
        "other",
        "autre",
        "that",
    ]
)
"""Words that leave the choice among adversaries to the rules."""
PRONOUNS = frozenset(("le", "la", "les", "it", "that"))
"""Of those, words so common in French that they choose nobody beside other words."""
