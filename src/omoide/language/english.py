"""English."""

from __future__ import annotations

from omoide.language.definition import CAPITALIZED_NAME, Language

_AUX = "did|do|does|is|was|were|are|am|has|have|had|will|would|should|can|could|might|must|exactly|else"
_BE = r"(?:'s|\ is|\ was|\ are|\ were)"
_UNIT = "time|day|date|year|month|week|weekday|season|hour|decade"
_PERSON = "person|people|friend|colleague|doctor|teacher|coworker|guy|woman|man|boss|dentist|sister|brother|neighbou?r"
_WAY = "steps|way|method|procedure|process|approach|recipe|trick|workflow|instructions"
_PAST = """said|told|mentioned|suggested|recommended|advised|proposed|explained|asked|wrote|described|promised|shared
    |listed|gave|provided|claimed|stated|answered|replied|called|offered|agreed|talked|spoke"""
_BASE = """say|tell|mention|suggest|recommend|advise|propose|explain|ask|write|describe|promise|share|list|give|provide
    |claim|state|answer|reply|call|offer|agree|talk|speak"""
_EVER = r"(?:\ (?:ever|already|once|just|also|previously|originally|actually|first|initially|last))?"
_DID = "say|said|tell|told|mention(?:ed)?|discuss(?:ed)?|talk(?:ed)?|decided?|agreed?|plan(?:ned)?|do|did"

ENGLISH = Language(
    asks=(
        ("why", r"\bwhy\b|\bhow\ come\b|\bfor\ what\ (?:reason|purpose)\b|\breasons?\ (?:for|why|behind|that)\b"),
        ("why", rf"\bwhat(?:{_BE})?\ the\ (?:\w+\ )?(?:reasons?|cause|motivation|rationale|purpose)\b"),
        ("why", rf"\bwhat\ (?:caused|made|led|prompted|motivated|triggered|drove|explains)\b|\bwhat{_BE}\ behind\b"),
        ("why", r"\bwhat\ (?:\w+\ )?reasons?\b"),
        ("when", rf"\bwhen\ (?:{_AUX})\b|\bwhen's\b|\b(?:since|until|by)\ when\b|\bwhen\?"),
        ("when", r"\b(?:know|tell\ me|say|said|sure|find\ out|look\ up|forgot|forget)\ when\b"),
        ("when", rf"\b(?:what|which)\ (?:\w+\ )?(?:{_UNIT})s?\b|\bhow\ (?:long|recently|soon)\b"),
        (
            "when",
            r"\bhow\ many\ (?:\w+\ )?(?:days|weeks|months|years|hours)\ (?:ago|before|after|since|passed|until)\b",
        ),
        ("when", r"\bthe\ (?:\w+\ )?(?:date|deadline|year|day)\ (?:of|when|that)\b"),
        ("who", rf"\b(?:who|whom|whose|who's|who'd)\b|\b(?:what|which)\ (?:\w+\ )?(?:{_PERSON})s?\b"),
        ("who", rf"\bwhat{_BE}\ the\ name\ of\ (?:the|my|our|that)\ (?:\w+\ )?(?:{_PERSON})\b"),
        ("who", rf"\bwhat{_BE}\ (?:my|our|the|his|her)\ (?:{_PERSON})'s\ name\b"),
        ("how", rf"\bhow\ (?:to|{_AUX}|we|i|you|it|they|my|the)\b|\bhow\ (?:\w+ly\ )?(?:do|did|can|should)\b|\bhow\?"),
        (
            "how",
            rf"\bwhat\ (?:{_WAY})\b|\bwhat{_BE}\ the\ (?:\w+\ )?(?:{_WAY})\b|\bin\ what\ way\b|\bsteps\ (?:to|for)\b",
        ),
        ("what", r"\b(?:what|what's|whats|which|where|where's)\b"),
        ("what", r"\bhow\ (?:many|much|old|often|far|big|tall|large|high|expensive)\b"),
    ),
    idle=r"""
        \b(?:remember|recall)(?:ed|ing)?\ (?:when|how|that|what)\b
        | \b(?:that|this)(?:'s|\ is|\ was)\ (?:why|how|when|what)\b
        | \bno\ matter\ (?:what|how|who|when)\b | \bwhat\ about\b | \bhow\ about\b | \bhow\ are\ you\b
    """,
    remembers=rf"""
        \b(?:do|did|don't|can|could)\ (?:you|we|u)\ (?:still\ )?(?:remember|recall)\b
        | \b(?:remember|recall)\ (?:when|how|that|what|the\ time)\b
        | (?<!n't\ )(?<!not\ )\b(?:remember|recall)\ (?:our|my|me|us)\b
        | \bremind\ me\b | \brefresh\ my\ memory\b
        | \b(?:like|as|the\ way)\ (?:(?:we|i|you)\ (?:did|had)\ )?(?:it\ |that\ )?(?:the\ )?last\ time\b
        | \b(?:like|as|the\ way|just\ as)\ (?:we|you|i)(?:'ve|\ had|\ have)?\ (?:{_DID}|used\ to|always)\b
        | \bas\ (?:previously\ )?(?:discussed|mentioned|agreed|before|usual)\b
        | \bwhat\ (?:did|had|have)\ (?:we|i|you)\ (?:\w+\ )?(?:{_DID})\b
        | \b(?:we|you|i)(?:'ve|\ had|\ have)?\ (?:already\ |once\ )?(?:talked|spoke|discussed|chatted)\ about\b
        | \b(?:last|the\ other)\ time\ (?:we|you|i)\b | \bhave\ (?:we|i|you)\ (?:ever|already)\b
        | \bour\ (?:last|previous|earlier)\ (?:chat|talk|conversation|discussion|session)s?\b
    """,
    user_said=rf"""
        \b(?:did|have|had|do)\ i{_EVER}\ (?:{_BASE}|{_PAST})\b | \bi(?:'ve|'d|\ have|\ had)?{_EVER}\ (?:{_PAST})\b
        | \bmy\ own\ words\b
    """,
    agent_said=rf"""
        \b(?:did|have|had)\ you{_EVER}\ (?:{_BASE}|{_PAST})\b | \byou(?:'ve|'d|\ have|\ had)?{_EVER}\ (?:{_PAST})\b
        | \byour\ (?:\w+\ )?
          (?:suggestions?|recommendations?|advice|answers?|repl(?:y|ies)|responses?|explanations?|proposals?)\b
    """,
    named_said=rf"""
        \b(?:did|has|had|does)\ {CAPITALIZED_NAME}(?:\ [A-Z]\w+)?{_EVER}\ (?:{_BASE}|{_PAST})\b
        | \b{CAPITALIZED_NAME}{_EVER}\ (?:{_PAST})\b | \b[Aa]ccording\ to\ {CAPITALIZED_NAME}
    """,
    gathers=r"""
        \b(?:all|every|each|everything|everyone|list|overview|summar\w+|histor\w+|timeline|evol\w+|over\ time|so\ far
        |how\ many|how\ often|total|altogether|in\ order|throughout|trends?)\b
    """,
    compares=r"""
        \b(?:compar\w+|versus|vs|differ\w*|better\ than|worse\ than|rather\ than|both|between\ .{1,60}?\ and|changed?)\b
    """,
    joins=r"""
        \ (?:and\ (?:then|also|what|when|who|why|how|where|which|did|was|is|should|can)|but|because|so\ that|although
        |while|whereas)\b
    """,
    function_words=(
        "the a an is are was were did do does i my me you your we our it to of in on at for with about and "
        "have has had what when who why how which where that this he she they his her their be been not can "
        "could would should tell"
    ),
)
