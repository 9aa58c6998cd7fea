"""The grammar words the gate knows, English and French: they show who does what to whom."""

# ruff: noqa: E501 -- word lists
from __future__ import annotations

from ruleplay.foundation.prose.lexicon import Phrases


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(**rows: str) -> Phrases[str]:
    return Phrases((phrase, name) for name, row in rows.items() for phrase in row.split("|"))


BOUNDS = _phrases(
    over="more than|over|above|upwards of|exceeding|greater than|higher than|just over|plus de|plus d"
    "|au delà de|supérieur à",
    least="at least|no less than|not less than|a minimum of|minimum|au moins|au minimum",
    under="less than|under|below|fewer than|lower than|just under|shy of|moins de|moins d|en dessous de",
    most="at most|no more than|not more than|au plus",
    nearly="nearly|almost|close to|presque|près de",
    about="about|around|roughly|approximately|approx|approx.|some|circa|environ|à peu près"
    "|an estimated|~",
    exact="exactly|precisely|only|just|exactement|seulement",
)
LABELS = _set("""step option phase page chapter figure line item level round turn étape tour ligne #
    stage part question attempt try pull fight encounter wave act scene""")
DEFINITE = _set("the these those les ces tous all my your our")
PRONOUNS = _set("""he she it they him her them his hers its their theirs himself herself itself
    il elle ils elles lui leur leurs""")
OBJECT_PRONOUNS = _set("him her them lui leur")
SUBJECT_PRONOUNS = _set("he she it they il elle ils elles")
SOFT = _set(", and et / & + nor or ou : |")
BREAKS = _set(""", ; : ( ) . ! ? | " and et nor or ou but while whereas though although because since so then
    when whenever after before until if as who which that where mais tandis alors puis car
    parce quand lorsque dont qui que whom yet compared versus vs & / +""")
CONDITIONS = _set("if whether si unless")
RELATIVES = _set("who which qui whose")
AND = _set("and et & , or ou nor + both ni")
NEGATORS = _set("""not no never neither nor without nobody none pas jamais aucun aucune ni sans
    personne failed fails refuses unable cannot stops prevents false untrue
    faux denies isnt doesnt wont""")
NEARLY = _set(
    "almost nearly presque barely half hardly scarcely allegedly supposedly guère à-peine"
)
DENIALS = _set("""false untrue faux fausse deny denies denied denying doubt doubts doubted doubtful
    contrary myth pretend pretends pretended claims claimed believes believed
    rumour rumor impossible mistaken mistakenly wrongly nie nient doute""")
NOT_NEGATING = _phrases(
    x="not only|not just|not merely|not to mention|no doubt|no matter|no wonder|no problem|no worries"
    "|no longer than|non seulement|pas seulement|sans doute|no surprise|not surprisingly|no fewer than"
    "|never mind|without a doubt|without doubt|not a moment|without mercy|without warning"
)
EXCLUDERS = _phrases(
    x="not|pas|non|instead of|rather than|unlike|au lieu de|plutôt que|contrairement à"
)
EXCEPT = _set("except besides apart aside excluding sauf excepté hormis")
AGENT = _set("by from par")
PATIENT = _set("to on onto against into at upon à au aux sur contre")
RECEIVES = _set("""take takes took taken taking suffer suffers suffered suffering lose loses lost
    losing receive receives received receiving endure endures endured sustain sustains sustained
    sustaining eat eats ate absorb absorbs absorbed soak soaks soaked bleeds bled falls fell fall
    falling succumbs succumbed dies died dying drops dropped reels reeled staggers staggered
    collapses collapsed subit subi subissent subissant encaisse encaissé perd perdu perdent reçoit
    reçu tombe tombé meurt mort succombe prend""")
DRAINS = _set("drains drain drained steals stole stolen strips stripped knocks tears tore carves")
LEAVES = _set("""leaving leaves left bringing brings brought dropping drops dropped reducing reduces
    reduced putting puts knocking knocks sending sends laissant laisse ramenant ramène faisant""")
DETERMINERS = _set("""the a an his her its their this that these those your my our le la les un une
    son sa ses leur leurs ce cet cette ces votre notre all only""")
INSTRUMENT = _set("with using via avec")
PARTICIPLES = _set("hit struck cut hurt shot bitten beaten slain burnt hewn caught frappé touché")
GIVES = _set(
    "deals dealt deal does did do doing inflicts inflicted dealing inflige infligé infligent lands landed"
)
BE = _set("""is are was were be been being gets got get est sont était étaient a ont fut être été
    se""")
AUXILIARIES = BE | _set("""has have had will would can could may might must should does did do
    takes takes deals needs costs lasts comes goes makes gives holds keeps""")
VERBS = (
    _set("""donne porte drew made won led brought held kept got went came stood fought swung
    threw shot sent frappe touche a""")
    | AUXILIARIES
    | RECEIVES
    | GIVES
    | DRAINS
    | LEAVES
    | PARTICIPLES
)
EVERY = _set(
    "everyone everybody all both each nobody neither none personne tous toutes chacun aucun"
)
ALSO = _set("did does do too likewise aussi également same similarly idem alike")
NOT_THE_WHOLE = _set("""off discount shipping tax taxes fee deposit refund rebate early late extra more
    less fewer faster slower longer shorter cheaper higher lower ago saved savings boxes apart
    each apiece""")
"""What after a number with its unit makes it a part, a difference or a rate."""
FOLLOWERS = _set("""for and or to in on at by from with of a an the is are was were as but not it he she
    they than then so if when while after before into onto against over under pour et ou à au aux
    dans sur par de du des le la les un une est sont avec que qui ne pas se ce il elle left
    remaining total altogether overall combined again now today in respectively respectivement
    only still out straight flat short alone too also apiece later earlier since because though
    although restants restant encore""")
"""Words after a number that do not say what is counted."""
FUNCTION = _set("""for and or to in on at by from with of a an the is are was were be as but not it he
    she they her him his its their them this that these those who which than then so if when while
    after before into onto against over under up down out off about pour et ou à au aux dans sur par
    de du des le la les un une est sont avec que qui plus moins en ne pas se ce il elle has have had
    leaving left remaining both each per""") - _set("left remaining")
COMMON_ENDINGS = ("ly", "ing", "tion", "tions", "ment", "ments", "ness", "ously", "ement")
COMMON = (
    FUNCTION
    | PRONOUNS
    | BREAKS
    | NEGATORS
    | LABELS
    | AUXILIARIES
    | RECEIVES
    | _set("""i we you me my our your us i'm ok hp usd eur npc dm dps faq tv pm am mr mrs ms dr id
    yes yeah sure great good hello hi hey thanks thank please sorry welcome well now here there
    today tomorrow tonight what how why where when who whom whose which let lets just also too only
    even still yet again once more most less least much many few several some any every each all
    both either neither another other others such same one two three four five six seven eight nine
    ten first second third last next finally meanwhile overall however instead otherwise therefore
    thus hence maybe perhaps because since although though unless until despite beyond above below
    under over between among through during without within near across around along behind beside
    inside outside toward towards according given note tip warning summary result results answer
    price cost total time difficulty fit compatibility status part model parts models name number
    item items order damage healing health death deaths hits hit blow attack strike swing axe sword
    arrow spell fire ice dark steel blood shadow light night day morning evening expect budget plan
    set allow count figure reckon figures pay buy get take need want look see check try make keep
    use put go come give find install replace repair fixing swap remember know good bad best worst
    better worse new old young big small long short high low hard easy quick fast slow right left
    true false nothing something everything anything nobody somebody everybody anybody no none not
    never always often sometimes usually already soon later earlier then than that this these those
    with for from by at on in into as if so but and or nor to of the a an unlike contrary instead besides except apart rather verdict labor repair swapping fixing
    monday tuesday wednesday
    thursday friday saturday sunday january february march april may june july august september
    october november december english french wow ah oh alas ouch crack thud suddenly
    le la les un une des du de au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos
    votre vos leur leurs je tu nous vous on oui non bien merci bonjour salut voici voilà et ou mais
    donc or ni car que qui quoi dont où quand comme si alors puis ensuite enfin après avant pendant
    depuis pour par avec sans sous sur dans chez vers entre contre malgré selon en à y comptez
    prévoyez notez attention prix durée résultat chaque tout tous toute toutes aucun aucune rien
    personne plus moins très trop aussi encore déjà jamais toujours hélas soudain lundi mardi
    mercredi jeudi vendredi samedi dimanche côté quant grâce face
    dust mud rain wind smoke ash stone iron fists blades arrows shields claws teeth poison pain
    wounds wounded struck hurt bloodied battered bruised exhausted stunned poisoned prone dead
    alive customers owners people users players raiders heroes combat battle fights fighting
    prices deaths interrupts hits kicks casts parts models costs times steps others somehow
    unfortunately fortunately luckily sadly reserve plan choose pick order buy ask reviews
    reviewers ratings rated stars score scores listed compatible incompatible unlisted
    regarding concerning facing seeing based thanks due owing compared relative close far back
    forward up down out off away together apart both neither either nor only first last final
    next previous top bottom best worst most least fewest several various multiple half twice
    double triple zero eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
    twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen once
    thrice quarter deux trois quatre cinq sept huit neuf dix onze douze quinze vingt trente
    quarante cinquante soixante cent mille reste restent réparer remplacer installer poser
    changer frappé touché blessé mort morte vivant bref résumé autrement cependant pourtant
    quoique puisque parce lorsque voyons notez sachez selon il elle ils elles c'est ce
    ahead strike strikes blow blows damage dealt done hit seconds minutes hours days weeks""")
)
ORDERS = {
    "before": -1, "avant": -1, "after": 1, "après": 1, "ahead": 1, "behind": -1, "trailing": -1,
    "trails": -1, "trailed": -1, "leads": 1, "devant": 1, "derrière": -1, "following": 1,
}  # fmt: skip
"""Which side of somebody a clause puts its subject: 1 more or later, -1 less or earlier."""
CHANGES = _set("""take takes took taken taking suffer suffers suffered suffering lose loses lost losing
    receive receives received receiving endure endures endured sustain sustains sustained absorb
    absorbs absorbed subit subi encaisse perd perdu reçoit reçu gain gains gained spend spends
    spent spending""")
"""Verbs by which a number is a change, not what somebody has or did."""
TRAILING = _set("not pas too also aussi either non neither likewise well")
LIKEWISE = _set("likewise same ditto idem similarly également similarly applies goes")
ELLIPSIS = (
    ALSO
    | NEGATORS
    | AUXILIARIES
    | DETERMINERS
    | TRAILING
    | LIKEWISE
    | _set("""but while so
    as and both ne le , mais n't however though now goes applies holds true for of ; : part""")
)
"""Words of a clause that only repeats the last one for somebody else ("but B does not")."""
PLAIN = (
    FUNCTION
    | DETERMINERS
    | BREAKS
    | _set(
        "respectively respectivement . cost costs take takes did do have has coûtent prennent both"
    )
)
OPENING = _set("""in short so as it stands here is what happened to be precise be sure summary result
    answer the good news note update sure yes okay ok well now thus therefore then and also
    overall first second third next finally of course as you asked we have found i can say tell
    you this that a quick for record en bref voici donc ainsi bien sûr oui note
    should know remember mind let me there they he she say says said quietly loudly list listing
    catalog catalogue log report story""")
LISTING = (
    FUNCTION
    | DETERMINERS
    | BREAKS
    | BE
    | _set("""here there are is catalog catalogue list listed
    below above options option candidates candidate compare choose between both either what who
    find found see part parts model models numbers number voici entre choix . ! ? : -""")
)
TITLES = _set("part parts model models player number mr mrs ms dr")
RIVALS = _set("everything anything rest topped tops others else rivals autres")
"""Who else "beats the rest" speaks of: nothing in a record names them."""
OBSCURING = _set("""of behind under beneath below past off after before for like than despite beside near
    without about around away above over through via between among de derrière sous""")
"""Prepositions after which one can't tell who acts on whom."""
UNSURE = _phrases(x="not know|not sure|not certain|no idea|unsure|uncertain|unclear|ne sais pas")
"""Words by which all of a sentence is left open."""
DOUBTING = NEARLY - _set("half")
AFTER_NE = _set("pas plus jamais guère point aucun aucune rien personne")
UNREAL = _phrases(
    denied="could not|might not",
    unreal="dodged|dodges|resisted|ignored|saw|next week|next month|next year|tomorrow|"
    "would have|should have|could have|might have|used to|tried to|tries to|wanted to"
    "|wants to|about to|last year|last month|yesterday|previously|formerly|missed|wasted"
    "|lacked|lacks|short of|failed to|fails to|per|aurait|auraient|autrefois|could|might"
    "|pourrait|threatens to|prevented|prevents|avoided|avoids|mitigated|mitigates|needed"
    "|needs more|caused|causes|cost us|through|idle|shields|shielded|protects|protected"
    "|spares|spared|instead of|some say|they say|people say|rumour has it|itself|himself"
    "|herself|themselves",
)
"""Words by which what is said did not happen, is no longer so, or is only a rate of it."""
DIVERTS = _set("""shipping labour labor delivery tax save saves saved saving savings discount refund
    deposit rebate livraison away arrives arrive ships lasts lasted""")
SUPERLATIVES = {
    "most": 1,
    "highest": 1,
    "biggest": 1,
    "largest": 1,
    "least": -1,
    "lowest": -1,
    "fewest": -1,
    "best": 2,
    "worst": 2,
}
"""What a price can be of that is not the thing named beside it."""
LAST_WORDS = _set("first last second third")
SOLE = _set("only alone sole solely seul seule uniquement")
UNLIKE = _set("unlike contrairement")
EXCLUDING = _set("neither nor none nothing nobody ni rien")
