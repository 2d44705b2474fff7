"""French as data."""

from __future__ import annotations

from omoide.language.registry import CAPITALIZED_NAME, Language, PhraseForm
from omoide.language.statement_words import PrivacyWords, StatementWords

_SAID = "dit|raconté|mentionné|proposé|suggéré|recommandé|conseillé|expliqué|écrit|demandé|promis|donné"

LANGUAGE = Language(
    name="French",
    causal_words="parce que|donc|alors|car|à cause|du coup",
    order=2,
    question_cues=(
        ("why", r"\b(?:pourquoi|pour quelle raison)\b"),
        ("when", r"\b(?:quand|depuis quand|combien de temps|quelle année|quel (?:jour|mois))\b"),
        ("when", r"\bà quelle (?:date|heure)\b"),
        ("who", r"\b(?:qui|à qui|avec qui|quelle personne)\b"),
        ("how", r"\b(?:comment|de quelle (?:façon|manière))\b"),
        ("what", r"\b(?:que|quoi|quel(?:le|s|les)?|où|combien|comment s'appelle)\b|\bqu'"),
    ),
    recall_cues=r"""
        \b(?:te|vous) (?:souviens|souvenez|rappelles|rappelez)\b|\brappelle[sz]?[ -]moi\b|\bsouviens-toi\b
        |\bcomme la dernière fois\b
        |\bqu(?:e |')(?:avons-nous|est-ce qu'on a|a-t-on|as-tu|ai-je) (?:dit|décidé)\b
    """,
    user_said=rf"\bai-je (?:{_SAID})\b|\bj'ai (?:\w+ )?(?:{_SAID})\b",
    agent_said=rf"\b(?:as-tu|tu (?:m')?as|avez-vous|vous (?:m')?avez) (?:{_SAID})\b",
    named_said=rf"\b{CAPITALIZED_NAME} (?:m')?a(?:-t-il|-t-elle)? (?:{_SAID})\b|\ba (?:{_SAID}) {CAPITALIZED_NAME}",
    collection_cues=r"\b(?:tous|toutes|tout|chaque|combien de|historique|résum\w+|liste)\b",
    comparison_cues=r"\b(?:compar\w+|différen\w+|mieux que|plutôt que|changé)\b",
    clause_cues=r" (?:et (?:puis|quand|qui|pourquoi|comment)|mais|parce que|bien que)\b",
    function_words=(
        "le la les un une des du de est sont était a ai as avons avez je j mon ma mes me tu ton ta te vous "
        "nous notre il elle on à en dans sur pour avec et ne pas que qui quand où quel quelle pourquoi "
        "comment ce cette moi"
    ),
    weekdays="lundi mardi mercredi jeudi vendredi samedi dimanche",
    months="janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    numbers="un/une deux trois quatre cinq six sept huit neuf dix",
    units="heure/heures jour/jours semaine/semaines mois an/ans/année/années",
    seasons="printemps été automne hiver",
    time_phrases=(
        (r"avant-hier", "the day before yesterday"),
        (r"hier soir", "last night"),
        (r"hier", "yesterday"),
        (r"aujourd'hui", "today"),
        (r"le week-end dernier", "last weekend"),
        (r"(?:la|l'|le) ?(semaine|mois|année|an) derni(?:er|ère)", "last {0}"),
        (r"cette (semaine|année)", "this {0}"),
        (r"ce mois(?:-ci)?", "this month"),
        (r"(?:le )?DAY dernier", "last {0}"),
        (r"l'? ?(?:été|hiver|automne|printemps) dernier", "last season"),
        (r"il y ?a (?:environ )?COUNT UNIT", "{0} {1} ago"),
        (r"le (\d{1,2}) MONTH(?: (\d{4}))?", "on {1} {0} {2}"),
        (r"en MONTH(?: (\d{4}))?", "in {0} {1}"),
    ),
    conversation_words="parlé dit fait discuté passé quoi avons-nous est-ce qu sujet sujets",
    keep_requests=r"souviens-toi|retiens|note (?:bien|ça|cela|que|le|la)|n'oublie pas|rappelle-toi"
    r"|garde (?:ça|cela|le|la) \w+|garde-(?:le|la|les)|mets (?:ça|le|la|les) (?:en lieu sûr|de côté)|prends note",
    change_words=r"""
        maintenant|désormais|plutôt|finalement|ne .{1,20} plus|changé|déplacé|déménagé|nouve(?:au|lle)s?|annulé|en fait
    """,
    left_behind="de|au lieu de|à la place de",
    present_words="maintenant|actuellement|en ce moment|ces jours-ci|encore|toujours|d'habitude",
    past_questions="avant|autrefois|auparavant|était|étaient|ancien\\w*",
    constraints=r"""
        allergi\w*|intoléran\w*|végan\w*|végétari\w*|diabét\w*|asthm\w*|enceinte|peur de|jamais|rien|interdit\w*|doit
        |toujours|seulement|uniquement|au plus|maximum|règles?|plutôt que|déteste|sans|ne supporte pas
    """,
    polar_questions="est-ce|as-tu|a-t-|est-il|est-elle|avons-nous|peut-on|ai-je",
    fillers="bonjour|salut|merci|oui|non|d'accord",
    yes_no="oui|non",
    first_person="je|mon",
    cause_words="parce que",
    decisions="décidé",
    outcomes="terminé|réussi",
    events="hôpital|marié|décédé",
    feelings="heureux|triste",
    duties="toujours|jamais",
    commitments=r"je vais\s+",
    completions="terminé",
    plan_details="demain",
    topic_announcements="au fait|changement de sujet",
    time_words="hier|demain",
    minor_words="le la les un une des du de et à",
    negations="ne pas jamais sans rien",
    preference_forms=(
        PhraseForm(r"\bje\s+(?:ne\s+|n')?", "préfère,déteste,hais,aime,adore,mange,bois,supporte,évite"),
        PhraseForm(r"\bj'", "aime,adore,évite"),
        PhraseForm(r"\bje\s+suis\s+(?:\w+\s+)?", "allergique,végétarien,végétarienne,végane,intolérant,intolérante"),
    ),
    statements=StatementWords(
        macros={"TOOL": r"[\w@.+#-]+"},
        replacements=(
            r"\b(?:utilise[sz]?|prends|prenez|on utilise) (?:toujours )?"
            r"(?P<right>{TOOL}),? (?:et )?(?:pas|au lieu de|à la place de) (?P<wrong>{TOOL})",
            r"\b(?:au lieu de|à la place de) (?P<wrong>{TOOL}),? (?:utilise[sz]?|prends|prenez) (?P<right>{TOOL})",
            r"\bn'utilise[sz]? (?:plus|pas|jamais) (?P<wrong>{TOOL})[,;] (?:utilise[sz]?|prends) "
            r"(?P<right>{TOOL})",
        ),
        questions=r"""
            (?:(?:et|mais) )*(?:que|quoi|comment|où|quand|pourquoi|quel(?:le)?s?|qui|combien|est-ce que|qu')\b
        """,
        requests=r"""
            (?:peux-tu|pouvez-vous|tu peux|pourrais-tu)\b|(?:s'il te plaît,? )?(?:écris|fais|donne|dis|explique
            |traduis|aide)[ -]
        """,
        standing_starts=r"""
            (?:s'il te plaît,? )?(?:jamais|toujours|ne (?:\w+ )?(?:jamais|plus)|n'utilise|à partir de maintenant
            |désormais|pas d[e'])
        """,
        supposed=r"(?:si j'(?:étais|avais)|si je (?:vivais|pouvais)|imagine|supposons|admettons)\b",
        supposing=r"\b(?:serais|aurais|vivrais)\b",
        wishes=r"\b(?:j'aimerais|si seulement)\b",
        reported=r"\b(?:dit que|a dit|disent|selon|paraît-il|prétend)\b",
        trusted=r"\b(?:médecin|docteur) (?:dit|a dit)\b",
        jokes=r"\b(?:je plaisante|mdr|lol)\b",
        fiction=r"\b(?:histoire|roman|conte|poème|rêve)\b",
        role_play=r"\b(?:fais comme si|jeu de rôle)\b",
        small_talk=r"\W*(?:(?:merci|bonjour|salut|ok|oui|non|bien|parfait|super|au revoir|d'accord)\W*)+",
        openings=r"(?:(?:au fait|alors|et|mais|bon|ah|salut|merci),? )+(?=\S)",
        preferences=r"\b(?:j'aime|j'adore|je déteste|je préfère|préféré\w*)\b",
        changes=(
            ("ends", r"\b(?:ne .{1,20} plus|n'.{1,20} plus|annulé\w*)\b"),
            ("replaces", r"\b(?:maintenant|désormais|à la place|déménagé|nouve\w+)\b"),
        ),
        slots=r"""
            lives_in: USER: (?:maintenant )?(?:j'habite|je vis|j'ai déménagé)(?: maintenant)? (?:à|en
            |au) (?P<value>[\w-]+)
            works_at: USER: je travaille (?:chez|à|pour) (?P<value>[\w& -]{2,25})
            name: USER: (?:je m'appelle|mon nom est) (?P<value>[\w-]+)
            allergy: USER: je suis allergique (?:à la |au |aux |à l'|à )(?P<value>[\w -]+)
            diet: USER: je suis (?P<value>végan\w*|végétarien\w*)
            likes: USER: (?:j'aime|j'adore) (?!pas)(?P<value>[\w' -]+)
            dislikes: USER: je (?:déteste|n'aime pas) (?P<value>[\w' -]+)
        """,
    ),
    privacy=PrivacyWords(
        requests=r"""
            (?:que ça |ça |que cela |cela )?reste(?:ra)? entre nous|entre nous soit dit
            |(?:ne |n')(?:le |la |en |l')?(?:dis|dites|répète|répétez|parle|parlez)(?: en| le)? (?:surtout )?(?:pas
            |rien) ?(?:à (?:personne|mon|ma|mes|ton|ta|nos)|au x? ?\w+)|(?:ne |n')(?:le |la |en |l')?(?:dis|dites
            |répète|répétez|parle|parlez) à personne|ne (?:le|la) répète(?:z)? (?:surtout )?pas
            |personne (?:au \w+ |ici |à la maison )?ne (?:le|la) (?:sait|doit savoir)
            |personne (?:au \w+ |ici )?n'est (?:encore )?au courant|(?:n'est|ne sont) pas (?:encore )?au courant
            |il ne faut pas que (?: ?\w+){1,3} (?:l'|le )?(?:apprenne|sache)\w*|gardez? (?:ça|cela|le) pour (?:toi
            |vous)|c'est (?:strictement |encore |un )?(?:confidentiel|secret|privé)(?! de)|en confidence
            |reste (?:privé|secret|confidentiel)|que (?:ça|cela) se sache|un secret entre|gardez?-le pour (?:toi
            |vous)|ne (?:doit|doivent|peut|peuvent) pas (?:le )?savoir|n'en dis rien|information confidentielle
        """,
        pointing=r"ça|cela|le|la|l'\w+|personne|c'est|entre nous|en parle|gardez-le|garde-le",
        health=r"""
            diagnostiqué\w*|cancer|chimio(?:thérapie)?|vih|séropositi\w+|fausse couche|avortement|enceinte
            |dépression|suicid\w+|anorexi\w+|boulimi\w+|alcoolique|cure de désintoxication|épilepsie|démence
            |psychiatr\w+|antidépresseurs|(?:d'|l')?alzheimer|parkinson|bipolaire|schizophr\w+|se scarifie
        """,
        money=r"""
            mon salaire|je gagne \d[\d., ]*|endett\w+|surendett\w+|(?:fait|en) faillite|faillite personnelle
            |dettes de jeu|mon découvert|euros de dettes|(?:touche|gagne) \d[\d., ]* (?:€ |euros )?(?:net|brut)
        """,
        intimacy=r"""
            (?:une|sa|leur) liaison avec|me trompe(?! de)|(?:m'a|l'a|a) trompée?(?= *[.,!?]| avec|$)|vie sexuelle
            |orientation sexuelle|(?:suis|est) (?:gay|lesbienne|bisexuel\w*|trans)|violée|violences? conjugales?
            |me frappe|me bat(?= *[.,!?]|$)|rapports sexuels
        """,
        identity=r"""
            (?:passeport|carte d'identité|sécurité sociale|numéro fiscal|permis de conduire|iban|compte)(?: porte
            | numéro| n°)?(?: est| le)?(?: le| numéro| :|:)? *[a-z]{0,3}[- ]?\d[\d\w -]{4,}|(?:passeport|permis
            |carte d'identité) a le numéro *\d?\d?[a-z]{0,3}[- ]?\d[\d\w -]{4,}
        """,
        minors=r"""
            garde (?:alternée|des enfants|de (?:mon|ma) (?:fils|fille|enfant))|(?:mon fils|ma fille
            |mon enfant)(?: \w+){0,3} (?:est harcelé\w*|va à l'école|est scolarisé\w*)
            |(?:l')?aide sociale à l'enfance|(?:mon fils|ma fille) se (?:scarifie|mutile)
        """,
    ),
)
