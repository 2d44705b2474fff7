"""German as data."""

from __future__ import annotations

from omoide.language.registry import CAPITALIZED_NAME, Language, PhraseForm
from omoide.language.statement_words import PrivacyWords, StatementWords

_SAID = "gesagt|erzählt|erwähnt|vorgeschlagen|empfohlen|geraten|erklärt|geschrieben|gefragt|versprochen|genannt|gegeben"

LANGUAGE = Language(
    name="German",
    causal_words="weil|deshalb|deswegen|darum|daher|wegen|denn|dadurch",
    order=1,
    question_cues=(
        ("why", r"\b(?:warum|weshalb|wieso|weswegen|wozu|aus welchem grund)\b|\bwas (?:ist|war) der grund\b"),
        ("when", r"\b(?:wann|seit wann|wie lange|um wie viel uhr|an welchem tag)\b"),
        ("when", r"\bwelche[rsnm]? (?:tag|datum|jahr|monat|woche)\b"),
        ("who", r"\b(?:wer|wem|wen|wessen|mit wem|welche person)\b"),
        ("how", r"\b(?:wie|auf welche weise|welche schritte)\b"),
        ("what", r"\b(?:was|welche[rsnm]?|wo|wohin|woher|worüber|worum|wofür|womit)\b"),
        ("what", r"\bwie (?:viele?|oft|alt|heißt|heisst|teuer|groß|hoch)\b"),
    ),
    recall_cues=r"""
        \berinner(?:st|n|e)? (?:du|dich|sie|mich|uns)\b|\bwei(?:ß|ss)t du noch\b
        |\bwie (?:beim )?letzte[sn]? mal\b
        |\bwas (?:haben wir|habe ich|hast du)\b.*\b(?:gesagt|besprochen|erwähnt|beschlossen|ausgemacht)\b
        |\b(?:haben wir|hatten wir) (?:schon|bereits)\b
    """,
    user_said=rf"""
        \b(?:habe|hab|hatte) ich\b.*\b(?:{_SAID})\b|\bich\b.*\b(?:{_SAID}) (?:habe|hatte)\b|\bsagte ich\b
    """,
    agent_said=rf"""
        \b(?:hast|hattest) du\b.*\b(?:{_SAID})\b|\bdu\b.*\b(?:{_SAID}) (?:hast|hattest)\b
        |\bhaben sie\b.*\b(?:{_SAID})\b|\b(?:sagtest|meintest) du\b
    """,
    named_said=rf"""
        \b(?:hat|hatte) {CAPITALIZED_NAME}\b.*\b(?:{_SAID})\b|\b{CAPITALIZED_NAME} (?:sagte|meinte|erwähnte)\b
    """,
    collection_cues=r"""
        \b(?:alle[sn]?|jede[rsnm]?|wie viele|wie oft|insgesamt|verlauf|zusammenfass\w+|überblick|liste)\b
    """,
    comparison_cues=r"\b(?:vergleich\w*|unterschied\w*|besser als|schlechter als|beide[ns]?|geändert)\b",
    clause_cues=r" (?:und (?:dann|auch|was|wann|wer|warum|wie|wo)|aber|weil|obwohl|während)\b",
    function_words=(
        "was der die das den dem des ein eine einen ist sind war waren hat habe haben hast ich mein meine mir "
        "mich du dein wir uns unser es zu von im am für mit über und nicht wer wie wo wann warum wieso bei "
        "auf welche welcher welches noch weißt"
    ),
    weekdays="montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag",
    months="januar februar märz april mai juni juli august september oktober november dezember",
    numbers="ein/eine/einem/einer/einen zwei drei vier fünf sechs sieben acht neun zehn",
    units="stunde/stunden tag/tage/tagen woche/wochen monat/monate/monaten jahr/jahre/jahren",
    seasons="frühling/frühjahr sommer herbst winter",
    time_phrases=(
        (r"vorgestern", "the day before yesterday"),
        (r"gestern abend", "last night"),
        (r"gestern", "yesterday"),
        (r"heute", "today"),
        (r"vorletzte woche", "the week before last"),
        (r"letzte[sn]? wochenende", "last weekend"),
        (r"letzte[rnsm]? (woche|monat|jahr)", "last {0}"),
        (r"diese[rnsm]? (woche|monat|jahr)", "this {0}"),
        (r"letzte[rnsm]? DAY", "last {0}"),
        (r"letzte[rnsm]? SEASON", "last {0}"),
        (r"vor COUNT UNIT", "{0} {1} ago"),
        (r"am (\d{1,2})\. MONTH", "on {1} {0}"),
        (r"am DAY", "on {0}"),
        (r"im MONTH(?: (\d{4}))?", "in {0} {1}"),
        (r"im SEASON(?: (\d{4}))?", "in {0} {1}"),
    ),
    conversation_words="""
        besprochen gesprochen geredet gesagt gemacht getan los passiert gab thema themen worüber über diskutiert
    """,
    abbreviations=r"z\.B|bzw|usw",
    keep_requests=r"merke? dir|notiere?|schreibe? (?:dir )?(?:das|es|dies) auf|vergiss (?:das |es )?(?:bitte )?nicht"
    r"|hebe? (?:das|es|sie) (?:gut |sicher )?auf|denke? (?:bitte )?(?:dran|daran)"
    r"|behalte? (?:das|es) im kopf|leg \w+ irgendwo sicher ab",
    change_words=r"""
        jetzt|nun|statt(?:dessen)?|nicht mehr|doch|eigentlich|geändert|verschoben|verlegt|gewechselt|umgezogen|neu\w*
        |ab sofort|abgesagt|wieder|korrektur|falsch|gekündigt|aufgehört|verkauft
    """,
    left_behind="von|statt|anstatt|anstelle von",
    present_words="jetzt|zur ?zeit|derzeit|heutzutage|momentan|im moment|aktuell|immer noch|noch|inzwischen",
    past_questions="früher|vorher|damals|zuvor|ursprünglich|war(?:en|st)?|hatte[nst]?|ehemalig\\w*",
    constraints=r"""
        allergi\w*|vertr(?:ägt|age) kein\w*|unverträglich\w*|vegan\w*|vegetari\w*|laktose\w*|gluten\w*|diabet\w*
        |asthma\w*|schwanger|angst vor|nie(?:mals)?|kein\w*|nichts|verboten|darf nicht|dürfen nicht|muss|immer|nur
        |höchstens|maximal|regeln?|bitte|statt|hasst?e?|ohne
    """,
    polar_questions="ist|sind|war|waren|hat|haben|hatte|kann|kannst|wird|werden|bin|habe|macht",
    fillers=r"hallo|guten\s+(?:tag|morgen|abend)|danke|bitte|tschüss|genau|klar|super|ja|nein",
    yes_no="ja|nein",
    first_person="ich|mein|wir",
    cause_words="weil",
    decisions="entschieden|beschlossen",
    outcomes="fertig|funktioniert|fehlgeschlagen",
    events="krankenhaus|unfall|geheiratet|gestorben|geboren",
    feelings="glücklich|traurig|angst",
    duties=r"wichtig|immer|nie\b",
    commitments=r"ich (?:werde|muss|will)\s+",
    completions="erledigt|fertig",
    plan_details="morgen|heute",
    denials=r"nicht|kein\w*",
    examples=r"zum beispiel|z\. ?b\.",
    topic_announcements="übrigens|anderes thema",
    time_words="heute|gestern|morgen|vor",
    minor_words="der die das ein eine und von mit für auf zu im am ist",
    negations="nicht kein keine keinen nie niemals ohne nur vielleicht fast beinahe",
    preference_forms=(
        PhraseForm(r"\bich\s+(?:\w+\s+)?", "bevorzuge,hasse,mag,liebe,esse,trinke,vermeide,meide"),
        PhraseForm(r"\bich\s+bin\s+(?:\w+\s+)?", "vegetarier,vegetarierin,veganer,veganerin,vegan,allergisch,kein fan"),
        PhraseForm(r"^\W*(?:bitte\s+)?", "nie,niemals,immer,ab jetzt,künftig"),
        PhraseForm(r"\bbitte\s+", "nie,niemals,immer,kein,keine,nicht"),
    ),
    statements=StatementWords(
        macros={"TOOL": r"[\w@.+#-]+"},
        replacements=(
            r"\b(?:nimm|nutze?|benutze?|verwende|nehmen) (?:wir )?(?:bitte |immer )*"
            r"(?P<right>{TOOL}),? (?:und )?(?:nicht|statt|anstatt|anstelle von) (?P<wrong>{TOOL})",
            r"\b(?:statt|anstatt|anstelle von) "
            r"(?P<wrong>{TOOL}),? (?:bitte )?(?:nimm|nutze?|benutze?|verwende) (?:bitte |immer )*(?P<right>{TOOL})",
            r"\bkein (?P<wrong>{TOOL}) mehr[,;] (?:nur (?:noch )?|nimm )?(?P<right>{TOOL})$",
        ),
        corrections=(
            r"(?:nein,? |sorry,? |moment,? |äh,? )*(?:ich mein(?:te|e)(?: eigentlich)?|korrektur:?) "
            r"(?P<right>\w[\w .+#/@'-]{0,40}?)(?:, nicht (?P<wrong>\w[\w .+#/@'-]{0,40}?))?$",
            r"(?:nein,? |sorry,? )*nicht (?P<wrong>\w[\w .+#/@'-]{0,40}?),? sondern (?P<right>\w[\w .+#/@'-]{0,40}?)$",
        ),
        effects=r"\s*(?P<cue>deshalb|deswegen|darum|daher)\b",
        questions=r"""
            (?:(?:und|aber|also) )*(?:was|wie|wo|wann|warum|wieso|welche[rsnm]?|wer|wohin|kann ich|soll ich|gibt es
            |hast du|ist das)\b
        """,
        requests=r"""
            (?:kannst|könntest|würdest) du\b|(?:bitte )?(?:schreib|mach|gib|zeig|erklär|übersetze?|fass|hilf|such
            |erstell)\w*\b
        """,
        standing_starts=r"""
            (?:bitte )?(?:nie\b|niemals|immer|ab jetzt|in zukunft|keine? \w+|benutze? (?:immer|nie)
            |antworte(?: mir)?(?: immer)? auf)
        """,
        supposed=r"(?:wenn ich|falls|angenommen|stell dir vor|nehmen wir an|was wäre|hätte ich|wäre ich)\b",
        supposing=r"\b(?:würde|wäre|hätte)\b",
        wishes=r"\b(?:ich wünschte|hoffentlich|ich hätte gern)\b",
        reported=r"\b(?:sagt|sagte|meint|behauptet|angeblich|laut)\b",
        trusted=r"\b(?:arzt|ärztin|ich) (?:sagt|sagte|meint)\b",
        jokes=r"\b(?:nur spaß|scherz|ja klar)\b",
        fiction=r"\b(?:geschichte|roman|märchen|gedicht|im traum|im spiel)\b",
        role_play=r"\b(?:tu so|spiel die rolle|rollenspiel)\b",
        small_talk=r"\W*(?:(?:danke|hallo|hi|super|toll|ok|ja|nein|gut|perfekt|tschüss|bis bald|genau|schön)\W*)+",
        openings=r"(?:(?:übrigens|also|und|aber|ja|nein|ach|naja|hallo|danke),? )+(?=\S)",
        preferences=r"\b(?:mag|liebe|hasse|lieblings\w*|bevorzuge|lieber)\b",
        changes=(
            ("ends", r"\b(?:nicht mehr|kein\w* mehr|abgesagt)\b"),
            ("replaces", r"\b(?:jetzt|nun|ab sofort|stattdessen|umgezogen|neu\w*)\b"),
        ),
        slots=r"""
            lives_in: USER: (?:jetzt |nun )?(?:ich )?(?:wohne|lebe)(?: ich)?(?: jetzt| nun)? in (?P<value>[\w-]+)
            works_at: USER: ich arbeite(?: jetzt)? (?:bei|für) (?P<value>[\w&-]+)
            name: USER: (?:ich heiße|mein name ist) (?P<value>[\w-]+)
            allergy: USER: ich bin (?:allergisch gegen|\w+ allergisch auf) (?P<value>[\w -]+)
            diet: USER: ich (?:bin|esse) (?P<value>veganer?(?:in)?|vegetarier(?:in)?|vegan|vegetarisch)\b
            likes: USER: ich (?:mag|liebe) (?!nicht|kein)(?P<value>[\w -]+)
            dislikes: USER: ich (?:hasse|mag kein\w*) (?P<value>[\w -]+)
        """,
        ordinal_dots=True,
    ),
    privacy=PrivacyWords(
        requests=r"""
            unter uns(?: gesagt| bleib\w*)|(?:das |es )?bleibt? (?:bitte |aber )?unter uns|(?:niemand
            |keiner)(?: \w+){0,3} (?:davon|es) (?:wissen|erfahren|weiß)|(?:niemand|keiner) (?:im|in der|auf der
            |bei der) \w+ (?:weiß|darf|soll)|(?:im büro|auf der arbeit|in der firma|zu hause
            |in der familie) weiß (?:das|es|davon)? ?(?:noch )?(?:keiner|niemand)|(?:weiß|wissen|erfährt
            |erfahren) (?:es |das )?(?:noch )?(?:nichts|nicht) davon|(?:davon|das) (?:darf|dürfen|soll
            |sollen)(?: \w+){1,3} (?:nichts |nicht |nie )?(?:erfahren|wissen)|(?:sag|erzähl
            |verrat)e? (?:das |es |davon )?(?:bitte |bloß |ja )?(?:niemandem|keinem|nicht weiter|nicht (?:mein\w+
            |dein\w+|unser\w+|den|dem|der) \w+)|sag (?:es|das) (?:bloß |bitte )?nicht weiter|behalte? (?:das
            |es) (?:bitte )?für dich|(?:das|es) ist (?:streng |noch )?(?:vertraulich|geheim|privat)
            |(?:ganz )?im vertrauen(?: gesagt|:)|bleibt (?:bitte )?(?:unser|ein) geheimnis
            |das bleibt (?:bitte )?privat|(?:darf|dürfen|soll|sollen|sollte) (?:das|es|davon) (?:nicht|nie
            |außer \w+ keiner|niemand) (?:wissen|erfahren)|kein (?:sterbens)?wort (?:davon )?(?:zu|darüber|davon|an)
            |weiß (?:bei \w+ )?noch (?:niemand|keiner)|(?:behandel|behandle|behandeln sie) (?:das
            |es) (?:bitte )?vertraulich|erzähl (?:es|das) (?:bitte )?nicht weiter|(?:das
            |es) sollte außer \w+ keiner wissen|das weiß bei uns noch niemand
        """,
        pointing=r"das|es|davon|unter uns|niemandem|keinem|keiner|kein wort",
        health=r"""
            diagnostiziert|\w*krebs|chemo(?:therapie)?|hiv\w*|fehlgeburt|abtreibung|schwanger|depression(?:en)?
            |suizid\w*|magersucht|bulimie|alkoholiker(?:in)?|entzugsklinik|epilepsie|demenz|psychiatri\w+
            |antidepressiva|multiple sklerose|alzheimer|parkinson|borderline|bipolar\w*|schizophren\w*|ritzt sich
            |verletzt sich selbst
        """,
        money=r"""
            mein (?:\w*gehalt|nettolohn|bruttolohn)|ich verdiene? [€$]?\d[\d.,]*|schulden bei|\d (?:euro|€) schulden
            |verschuldet|privatinsolvenz|insolvenz angemeldet|spielschulden|mein kontostand|(?:bekomme|verdiene?
            |kriege?|verdient) \d[\d.,]* (?:€ |euro )?(?:netto|brutto)
        """,
        intimacy=r"""
            affäre (?:mit|gehabt)|(?:eine|ihre|seine|meine) affäre|fremdgegangen|betrügt (?:mich|ihn|sie)
            |hat (?:mich|ihn|sie) betrogen|sexleben|sexuell\w*|(?:bin|ist) (?:schwul|lesbisch|bisexuell|trans)
            |vergewaltigt|häusliche gewalt|schlägt (?:mich|ihn|sie)|keinen sex|(?:sex|geschlechtsverkehr) (?:mit
            |gehabt)
        """,
        identity=r"""
            (?:reisepass|personalausweis|sozialversicherungs|steuer-?id|steueridentifikations|führerschein|iban
            |konto)\w*(?:-?nummer|nr\.?)?(?: ist|:| lautet)? *[a-z]{0,3}[- ]?\d[\d\w -]{4,}|(?:pass|ausweis
            |führerschein) hat die nummer *[a-z]{0,3}\d?[a-z]{0,3}[- ]?\d[\d\w -]{3,}
        """,
        minors=r"""
            sorgerecht\w*|(?:mein|meine|unser|unsere) (?:sohn|tochter|kind)(?: \w+){0,4} (?:gemobbt|geht (?:in
            |auf) (?:die|den|das) [\w-]*(?:schule|kita|kindergarten|gymnasium))|jugendamt|(?:mein|unser|meine
            |unsere) (?:sohn|tochter|kind) (?:ritzt|verletzt) sich
        """,
    ),
)
