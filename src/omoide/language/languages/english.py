"""English as data. The time grammar (omoide.language.time) reads English itself; others are translated into it."""

from __future__ import annotations

from omoide.language.english_statements import ENGLISH_STATEMENTS
from omoide.language.english_words import ASIDES, ENGLISH_COMMON_WORDS, ENGLISH_DATES, ENGLISH_VALUES, PRESENT, PRIVACY
from omoide.language.registry import CAPITALIZED_NAME, Language, PhraseForm

# Slots (omoide.domain.slots) and relation types, and the words of a question that ask for them.
SLOT_QUESTIONS: tuple[tuple[str, str], ...] = (
    ("works_at works_as works_on", r"\b(?:works?|working|job|employer|company|profession|do(?:es)? for a living)\b"),
    ("lives_in address located_in", r"\b(?:lives?|living|home|address|based|located)\b"),
    ("team member_of part_of", r"\b(?:team|department|group|club|band)\b"),
    ("studies", r"\b(?:stud(?:y|ies|ying)|school|university|college|degree)\b"),
    ("birthday age born_in", r"\b(?:birthday|born|old is|age)\b"),
    ("spouse partner", r"\b(?:married|husband|wife|spouse|partner|girlfriend|boyfriend|dating)\b"),
    ("allergy diet medication condition", r"\b(?:allerg\w+|diet|medication|condition|eat)\b"),
    ("diet", r"\b(?:vegetarian|vegan|pescatarian|meat|diet)\b"),
    ("email phone", r"\b(?:e-?mail|phone|number|contact)\b"),
    ("pet", r"\b(?:pets?|dog|cat)\b"),
    ("speaks", r"\b(?:languages?|speaks?|learning)\b"),
    ("plays likes favorite", r"\b(?:plays?|likes?|loves?|favou?rite|hobb\w+|instrument)\b"),
    ("manager manages", r"\b(?:manages?|manager|boss|reports? to)\b"),
    ("owns uses", r"\b(?:owns?|uses?|drives?)\b"),
    ("deployed_on", r"\b(?:deployed|hosted|hosting|running|runs?)\b"),
)

_AUX = "did|do|does|is|was|were|are|am|has|have|had|will|would|should|can|could|might|must|exactly|else"
_BE = r"(?:'s| is| was| are| were)"
_UNIT = "time|day|date|year|month|week|weekday|season|hour|decade"
_PERSON = "person|people|friend|colleague|doctor|teacher|coworker|guy|woman|man|boss|dentist|sister|brother|neighbou?r"
_WAY = "steps|way|method|procedure|process|approach|recipe|trick|workflow|instructions"
_VALUE = "name|price|cost|number|address|date|size|birthday|surname|password|(?:post)?code"
_PAST = """said|told|mentioned|suggested|recommended|advised|proposed|explained|asked|wrote|described|promised|shared
    |listed|gave|provided|claimed|stated|answered|replied|called|offered|agreed|talked|spoke"""
_BASE = """say|tell|mention|suggest|recommend|advise|propose|explain|ask|write|describe|promise|share|list|give|provide
    |claim|state|answer|reply|call|offer|agree|talk|speak"""
_EVER = r"(?: (?:ever|already|once|just|also|previously|originally|actually|first|initially|last))?"
_DID = "say|said|tell|told|mention(?:ed)?|discuss(?:ed)?|talk(?:ed)?|decided?|agreed?|plan(?:ned)?|do|did"

# Starts and ends of the forms of preferences.
_I = r"\bi(?:'d|\s+would)?\s+(?:\w+ly\s+|(?:do|just|also|still|much|always|both|kind\s+of)\s+){0,3}"
_I_DO_NOT = r"\bi\s+(?:\w+ly\s+|just\s+)?(?:don't|do\s+not|no\s+longer|never)\s+(?:\w+ly\s+)?"
_I_AM = r"\bi(?:'m|\s+am)\s+(?:(?:\w+ly|not|very|quite|so|an?|big|huge|strict|lifelong|rather|also|more|much)\s+){0,4}"
_I_HAVE = r"\bi(?:'ve|\s+have|\s+suffer\s+from)\s+(?:\w+\s+){0,4}?"
_MY = r"\bmy\s+(?:\w+\s+){0,2}?"
_BEGIN = r"^\W*(?:(?:and|but|so|also|oh|okay|ok|please|just|remember|note)\W+)*"
_NOT_JUST_NOW = r"\b(?!\s+(?:it|that|this|when|how)\b)"
_NOT_IN_PASSING = (
    r"\s+(?!(?:it|that|this|these|those|the|yours?|you|how|what|when|him|her|them|everything"
    r"|to\s+(?:see|hear|know|think|go|get|say|do))\b)\w"
)
_NOT_OVER = (
    r"\s+(?!(?:been|had|got|knew|known|thought|said|heard|saw|seen|met|did|done|was|were|wanted|tried|made|felt|gotten"
    r"|reali[sz]ed|mind|just|ever|a|the|nice|good|fun|here|great|so|happy|have)\b)[a-z]"
)

NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINAL_WORDS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    " fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
LANGUAGE = Language(
    name="English",
    order=0,
    privacy=PRIVACY,
    statements=ENGLISH_STATEMENTS,
    slot_questions=SLOT_QUESTIONS,
    question_cues=(
        ("why", r"\bwhy\b|\bhow come\b|\bfor what (?:reason|purpose)\b|\breasons? (?:for|why|behind|that)\b"),
        ("why", rf"\bwhat(?:{_BE})? the (?:\w+ )?(?:reasons?|cause|motivation|rationale|purpose)\b"),
        ("why", rf"\bwhat (?:caused|made|led|prompted|motivated|triggered|drove|explains)\b|\bwhat{_BE} behind\b"),
        ("why", r"\bwhat (?:\w+ )?reasons?\b"),
        ("when", rf"\bwhen (?:{_AUX})\b|\bwhen's\b|\b(?:since|until|by) when\b|\bwhen\?"),
        ("when", r"\b(?:know|tell me|say|said|sure|find out|look up|forgot|forget) when\b"),
        ("when", rf"\b(?:what|which) (?:\w+ )?(?:{_UNIT})s?\b|\bhow (?:long|recently|soon)\b"),
        ("when", r"\bhow many (?:\w+ )?(?:days|weeks|months|years|hours) (?:ago|before|after|since|passed|until)\b"),
        ("when", r"\bthe (?:\w+ )?(?:date|deadline|year|day) (?:of|when|that)\b"),
        ("who", rf"\b(?:who|whom|whose|who's|who'd)\b|\b(?:what|which) (?:\w+ )?(?:{_PERSON})s?\b"),
        ("who", rf"\bwhat{_BE} the name of (?:the|my|our|that) (?:\w+ )?(?:{_PERSON})\b"),
        ("who", rf"\bwhat{_BE} (?:my|our|the|his|her) (?:{_PERSON})'s name\b"),
        ("how", rf"\bhow (?:to|{_AUX}|we|i|you|it|they|my|the)\b|\bhow (?:\w+ly )?(?:do|did|can|should)\b|\bhow\?"),
        ("how", rf"\bwhat (?:{_WAY})\b|\bwhat{_BE} the (?:\w+ )?(?:{_WAY})\b|\bin what way\b|\bsteps (?:to|for)\b"),
        ("what", r"\b(?:what|what's|whats|which|where|where's)\b"),
        ("what", r"\bhow (?:many|much|old|often|far|big|tall|large|high|expensive)\b"),
        ("what", rf"^\W*(?:the )?(?:{_VALUE})s? (?:of|for) \w"),
        ("what", rf"^\W*(?:my|our|his|her|their|[\w-]+'?s) (?:[\w'-]+ ){{0,3}}(?:{_VALUE})s?\W*$"),
    ),
    value_questions=ENGLISH_VALUES,
    number_words="""
        one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half
        dozen once twice free nothing
    """,
    titles="mr mrs ms miss dr prof sir",
    non_questions=r"""
        \b(?:remember|recall)(?:ed|ing)? (?:when|how|that|what)\b
        |\b(?:that|this)(?:'s| is| was) (?:why|how|when|what)\b
        |\bno matter (?:what|how|who|when)\b|\bwhat about\b|\bhow about\b|\bhow are you\b
    """,
    recall_cues=rf"""
        \b(?:do|did|don't|can|could) (?:you|we|u) (?:still )?(?:remember|recall)\b
        |\b(?:remember|recall) (?:when|how|that|what|the time)\b
        |(?<!n't )(?<!not )\b(?:remember|recall) (?:our|my|me|us)\b
        |\bremind me\b|\brefresh my memory\b
        |\b(?:like|as|the way) (?:(?:we|i|you) (?:did|had) )?(?:it |that )?(?:the )?last time\b
        |\b(?:like|as|the way|just as) (?:we|you|i)(?:'ve| had| have)? (?:{_DID}|used to|always)\b
        |\bas (?:previously )?(?:discussed|mentioned|agreed|before|usual)\b
        |\bwhat (?:did|had|have) (?:we|i|you) (?:\w+ )?(?:{_DID})\b
        |\b(?:we|you|i)(?:'ve| had| have)? (?:already |once )?(?:talked|spoke|discussed|chatted) about\b
        |\b(?:last|the other) time (?:we|you|i)\b|\bhave (?:we|i|you) (?:ever|already)\b
        |\bour (?:last|previous|earlier) (?:chat|talk|conversation|discussion|session)s?\b
    """,
    user_said=rf"""
        \b(?:did|have|had|do) i{_EVER} (?:{_BASE}|{_PAST})\b|\bi(?:'ve|'d| have| had)?{_EVER} (?:{_PAST})\b
        |\bmy own words\b
    """,
    agent_said=rf"""
        \b(?:did|have|had) you{_EVER} (?:{_BASE}|{_PAST})\b|\byou(?:'ve|'d| have| had)?{_EVER} (?:{_PAST})\b
        |\byour (?:\w+ )?
          (?:suggestions?|recommendations?|advice|answers?|repl(?:y|ies)|responses?|explanations?|proposals?)\b
    """,
    named_said=rf"""
        \b(?:did|has|had|does) {CAPITALIZED_NAME}(?: [A-Z]\w+)?{_EVER} (?:{_BASE}|{_PAST})\b
        |\b{CAPITALIZED_NAME}{_EVER} (?:{_PAST})\b|\b[Aa]ccording to {CAPITALIZED_NAME}
    """,
    collection_cues=r"""
        \b(?:all|every|each|everything|everyone|list|overview|summar\w+|histor\w+|timeline|evol\w+|over time|so far
        |how many|how often|total|altogether|in order|throughout|trends?)\b
    """,
    comparison_cues=r"""
        \b(?:compar\w+|versus|vs|differ\w*|better than|worse than|rather than|both|between .{1,60}? and|changed?)\b
    """,
    clause_cues=r"""
        [ ](?:and (?:then|also|what|when|who|why|how|where|which|did|was|is|should|can)|but|because|so that|although
        |while|whereas)\b
    """,
    function_words=(
        "the a an is are was were did do does i my me you your we our it to of in on at for with about and "
        "have has had what when who why how which where that this he she they his her their be been not can "
        "could would should tell please also always never keep per"
    ),
    stop_words="""
        a an the this that these those and or but if then than so as of in on at by for from to with about into over
        i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
        is am are was were be been being do does did done doing have has had having
        will would shall should can could may might must
        what which who whom whose when where why how there here
        not no don didn doesn isn wasn ll ve re any some all just please tell
    """,
    abbreviations=r"Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|vs|etc|e\.g|i\.e|approx|No|Inc|Ltd|Co|a\.m|p\.m",
    weekdays=(
        "monday/mon tuesday/tue/tues wednesday/wed/weds thursday/thu/thur/thurs friday/fri saturday/sat sunday/sun"
    ),
    months=(
        "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct"
        " november/nov december/dec"
    ),
    numbers="one two three four five six seven eight nine ten",
    units="hours days weeks months years",
    seasons="spring summer autumn/fall winter",
    date_words=ENGLISH_DATES,
    conversation_words="""
        a about again all also an and any anything are as ask asked asking at back be been between both bring by
        can chat chats chatted chatting conversation conversations converse conversed could cover covered day
        days did discuss discussed discussing discussion discussions do does doing done during each else entire
        every everything exactly far for from full gave get give go going gone had happen happened happening has
        have hello hey hi how i i'd i've in into is it just key kind kinds know let like list look main many me
        mention mentioned my of ok okay on or other our out over overview please point points quick quickly
        recall recap remember remind review said say saying session sessions share shared show so some something
        sort sorts speak spoke spoken stuff subject subjects sum summaries summarise summarize summary talk
        talked talking talks tell that the them then there thing things this those time to together told topic
        topics up us was we we'd we've went were what what's whats when which who whole will with work
        worked working would you you've your yours
    """,
    keep_requests=r"""
        (?:put|stash|tuck|store|keep|save|file) (?:it|that|this|these|those|them|all of (?:it|that|this))
          (?: away| down| up)?(?: somewhere| someplace| in a)?
          (?: safe(?:ly)?| safe place| for later| on file| on record| in mind)
        |(?:write|jot|note|take) (?:it|that|this|these|those|them|my \w+|the \w+) down|(?:write|jot|note) down
        |(?:make|take) (?:a |some )?notes? (?:of|that|about|to)|make a (?:mental )?note|for the record
        |(?:don't|do not|never) (?:ever )?(?:forget|lose) (?:that|this|it|my|the|to|about)|remind (?:me|us)
        |(?<!i )(?<!you )(?<!we )(?<!he )(?<!she )(?<!they )(?<!n't )(?<!not )(?<!'ll )(?<!can )
          remember(?::|,| (?:that|this|it|to|my|our|i|i'm|we|for|he|she|they|please))
        |(?:can|could|will|would) you (?:please )?remember (?:that|this|it)|keep a record
    """,
    fillers=r"""
        hi|hey|hello|hiya|yo|good\s+(?:morning|evening|afternoon|night)|bye|goodbye|see\s+you|later|there|all|ok|okay|k
        |kk
        |yes|yeah|yep|yup|no|nope|sure|sure\s+thing|of\s+course|absolutely|certainly|definitely|exactly|right|got\s+it
        |i\s+see|thanks|thank\s+you|thx|ty|cheers|please|welcome|you'?re\s+welcome|no\s+problem|no\s+worries|so\s+much
        |a\s+lot|very\s+much|great|good|nice|cool|congratulations|congrats|awesome|perfect|wow|haha+|lol|hmm+|um+|uh+|oh
        |ah|well|alright|sounds\s+(?:good|great)|makes\s+sense|one\s+moment|let\s+me\s+(?:check|see|know|think)
        |happy\s+to\s+help|glad\s+to\s+hear(?:\s+(?:it|that))?|understood|i\s+(?:understand|agree)
        |how\s+are\s+you(?:\s+(?:doing|today))?|what'?s\s+up|good\s+(?:question|point|idea)|great\s+(?:question|point
        |idea)
        |have\s+a\s+(?:good|great|nice)\s+(?:day|one|evening|weekend)|take\s+care|again|then|and|you|too|to|it|that'?s
        |that|is|i'?m|for
    """,
    polar_questions="(?:and |so |but )?(?:do|does|did|is|are|was|were|am|has|have|had|can|could|will|would|isn't)",
    yes_no="yes|yeah|yep|yup|no|nope",
    unmarked_questions=r"""
        (?:(?:ok|okay|so|and|but|well|then|hey|hi|oh|ah|also|hmm+|um+|uh+|yeah|yes|no|sorry|please|wait)\W+)*(?:
        (?:what|why|how|where|when|who|which)(?:\s+\w+){0,2}?
        \s+(?:do|does|did|is|are|was|were|should|can|could|would|will)\s
        |(?:can|could|should|shall|do|does|did|would|will|is|are|have|has)
        \s+(?:i|you|we|he|she|it|they|there|that|this)\s)
    """,
    greetings=r"""
        (?i:good\s+)?(?i:morning|afternoon|evening|night)
        (?:\W|\b(?i:all|everyone|everybody|there|team|folks|again|guys)\b)*
        |(?i:hi|hello|hey|dear|(?:good\s+)?(?:morning|afternoon|evening))[\s,]+
        [A-ZÀ-Þ][\w'’-]*(?:\s[A-ZÀ-Þ][\w'’-]*)?\W*
    """,
    openings=r"""
        well|oh|ah|so|ok|okay|yeah|yes|sure|hmm+|um+|uh+|hey|hi|hello|(?:good )?(?:morning|evening)(?=[,!.])|great
        |perfect
        |alright|anyway|haha|lol|wow|also|and|but|actually|basically|honestly
    """,
    first_person="i|i'm|i've|my|me|we|our",
    cause_words=r"because|since|about (?!it\b|that\b|this\b)|that|when|with",
    decisions=r"""
        decid|decision|agreed?\b|chose|chosen|settled on|go(?:ing)? with|went with|opted
        |let'?s (?!see\b|say\b|talk|chat|hear|look|hope)\w|we(?:'ll| will)|(?:we|i) (?:take|are taking|keep|cancel|drop
        |accept)\b
        |accepted|cancell?ed|instead of|switch(?:ed|ing)? to
    """,
    plans=r"(?:i(?:'ll| will)|plan(?:s|ned|ning)? to|going to|intend to)\b",
    outcomes=r"""
        done|works?\b|worked|working now|fixed|failed|fail(?:s|ure)|broke|broken|deployed|shipped|merged|finished
        |completed?|succe|resolved|solved|pass(?:ed|es)?\b|won\b|lost|got (?:the|a|an|it)\b|started|quit|moved|bought
        |sold
        |booked|signed|arrived|released|error|added|removed|turned out|because|result(?:ed|s)?\b|cost
    """,
    events=r"""
        hospital|surgery|operat(?:ion|ed on)|accident|crash(?:ed)?|diagnos|cancer|diabet|stroke|heart attack
        |pregnan|gave birth|born|died|death|passed away|funeral|wedding|married|engaged|divorc|broke up|split up
        |fired|laid off|promoted|hired|resigned|retired?\b|graduat|exam|interview|burgl|stolen|robbed|evict
        |(?:broke|fractured|sprained|tore|injured) (?:my|his|her|their|a|an)\b|fell (?:off|down|ill)
        |(?:is|am|are|was|got|been) (?:very |really |so )?(?:ill|sick)\b|fever|infection|allergic reaction|test results?
        |flight (?:was|is|got)|missed (?:the|my|our)|moved (?:to|in|out)|moving to|outage|is down\b|went down
    """,
    feelings=r"""
        love|hate|afraid|scared|happy|sad|angry|upset|excited|worried|anxious|proud|miss(?:ed)?\b
        |feel(?:s|ing)?\b|felt|grateful|tired|fed up|relieved|terrified|nervous|heartbroken|devastated|thrilled
        |stressed|frustrat|lonely|enjoy|can'?t stand|can'?t wait
    """,
    duties=r"""
        remember|remind|important|never|always|must|need(?:s|ed)? to|have to|deadline|due|promise|prefer
        |my name|allergic|don'?t|do not
    """,
    dates=r"""
        (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:tomorrow|tonight|next (?:week|month|year))\b
        |\d{1,2}(?::\d\d)?\s?[ap]m\b|\d{1,2}:\d\d\b
        |(?:january|february|march|april|june|july|august|september|october|november|december)\b
    """,
    takes_place="is|are|was|will be|starts?|ends?|leaves?|lands?|signs?|arrives?|closes?|stays?",
    hedges=r"""
        let me know|feel free|happy to help|here(?:'s| is) (?:a|an|the|some|how)|you (?:can|could|might|would|get|may)
        |would you like|i hope|if you(?:'d| would)? (?:like|want|need)|for example|in general|it'?s worth|as an ai
        |keep in mind
    """,
    work_reports=r"""
        ^(?:done|fixed|finished|deployed|merged|added|removed|updated|created|all \d+|tests? pass|it works|sent
        |booked)\b
        |\bI(?:'ve| have)? (?:just |now |also )?(?:moved|added|fixed|removed|updated|created|changed|booked|sent|ran
        |found|deployed|merged|told|wrote|cancell?ed|renamed|restarted|rolled)\b|\b\d+ tests? pass
    """,
    acknowledgements=r"""
        noted|got it|understood|will do|on it|okay|ok|sure|good|great|perfect|nice|alright|thanks|sorry
        |i(?:'ll| will) (?:remember|remind|keep|note)|i(?:'ve| have)? (?:noted|wrote (?:it |that )?down|made a note)
    """,
    repetitions="(?:i(?:'ve| have) )?noted",
    courtesies=r"""
        noted|will do|on it|anything else|lovely|wonderful|excellent|let me (?:check|look|see|think)[^.]*
        |i(?:'?m| am) (?:so |very |really )?sorry(?: to hear (?:that|it|this))?|sorry to hear (?:that|it)
        |(?:what )?(?:a )?(?:great|good|nice|excellent|wonderful|lovely|solid) (?:choice|news|plan|call|idea|thinking)
        |that(?:'s| is| sounds| must be)(?: so| very| really)? (?:great|good|nice|wonderful|terrible|awful|tough|hard
        |lovely|understandable|stressful|exciting)
        |that(?:'s| is) (?:quite )?a lot|good to (?:hear|know)(?: (?:it|that|this))?
        |thank(?:s| you) for (?:telling|letting|sharing|asking|reminding
        |the (?:update|info|news|reminder|heads[- ]?up))[^.]*
        |sounds like (?:a|an) (?:\w+ )?(?:day|week|plan|time)
        |i (?:wish you|hope) [^.]*|(?:enjoy|good luck|take care|safe travels)[^.]*
    """,
    commitments=r"""
        (?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to| need to| have to| must| should
        | want to
        | plan to| promise to| promised to)\s+(?!be\b|see\b|know\b|think\b|say\b|admit\b|let you know\b)
        |(?:to-?do|remind me|don'?t forget|remember to|next step)\b:?\s*
    """,
    completions="""
        done|finished|completed?|fixed|solved|resolved|sent|booked|bought|paid|called|wrote|shipped|deployed|merged
        |passed
        |submitted|delivered|cancelled|canceled|works now|it works|did (?:it|that)|i did|we did|taken care of
    """,
    plan_details="""
        tomorrow|today|tonight|later|soon|now|next (?:week|month|year)|this (?:week|weekend|evening)
        |on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in the morning|to|the|a|an|my|our
    """,
    uncertainty="i don'?t know|not sure|let me (?:check|find out|look)|i'?ll (?:check|find out|get back)|no idea",
    denials="not|never|no longer|don't|doesn't|isn't|aren't|can't|cannot|won't|avoid|instead of",
    change_words=r"""
        now|instead|moved?|moves|moving|switch(?:ed|es|ing)?|no longer|any ?more|actually|chang(?:e|ed|es|ing)|new
        |from now on|back to|is back|cancel+ed|scrap(?:ped)?|update|wait|correction|rather|stopp?(?:ed)?|quit|left
        |leav(?:es|ing)|off|dropp?(?:ed)?|cut|raised|bumped|pushed|postponed|swapp?(?:ed)?|rebooked|extended|replaced?|sorry
        |mistake|wrong|meant|not the|turn(?:s|ed) out|sold|broke up|takes? over|taking over|ended|done with|finally|only
        |isn't|aren't|used to|slips?|gone|went up|went down|takes? \d+
    """,
    left_behind="from|instead of|rather than|replac(?:ed|es|ing)|swapp?(?:ed)?|ditched|dropped|sold|left|gave up",
    correction_openings="scratch that|no,? wait|wait,? no|correction|make that|my mistake|i meant",
    present_words=PRESENT,
    asides=ASIDES,
    past_questions=r"""
        before|used to|what was|what were|who was|where was|when was|which was|previous(?:ly)?|former(?:ly)?|earlier
        |original(?:ly)?|at first|in the beginning|back then|the old|last time|did|was|were|had|history
    """,
    constraints=r"""
        all?erg\w*|intoleran\w*|c(?:o)?eliac|vegan|vegetarian|veggie|halal|kosher|diabet\w*|asthma\w*|lactose|gluten
        |epilep\w*
        |seizures?|migraines?|dyslexi\w*|pregnan\w*|wheelchair|phobi\w*|terrified|scared|afraid|panic\w*|epipen|eczema
        |rash
        |hives|sensitive to|inhaler|on medication|blood thinners?
        |never|nothing|forb(?:id|ad|idden)\w*|bann?(?:s|ed)?|not allowed|isn't allowed|must(?:n't)?|may not|mandatory
        |strict\w*|polic(?:y|ies)|rules?|exceptions?|no (?!idea|problem|worries|wonder|thanks|need|doubt|longer sure)\w+
        |can(?:'|no|\s+no)?t|won'?t|do(?:es)?n'?t (?!know|think|remember|worry|get|mind)\w+|hates?|anymore|any more
        |no longer|always|every time|from now on|whenever|without asking|ha(?:s|ve) to|needs? to|only|instead of
        |rather than
        |at most|max(?:imum)?|no more than|limit|ceiling|until|till|prefers?|please|pls|keep (?:it|them|everything|all)
        |makes? (?:me|him|her|them|us)|gives? (?:me|him|her|them|us)|gets? (?:sick|panicky|diarrh\w*)|mild
        |(?:doctor|doc|physio|midwife|nurse|dentist|cardiologist|vet) (?:said|says|told|wants|insists|lets)
    """,
    examples=r"for example|for instance|e\.g\.|such as|example of",
    anaphora="it|its|that|this|these|those|they|them|their|there|he|him|his|she|her|one|ones",
    topic_announcements="""
        by the way|btw|before i forget|one more (?:question|thing)
        |on (?:another|a different|an unrelated) (?:note|topic|subject)|unrelated(?:ly)?
        |(?:completely |totally )?different (?:question|topic|subject)
        |chang(?:e|ing) (?:of )?(?:the )?(?:topic|subject)|switching (?:gears|topics|subjects)
        |let'?s (?:talk about something else|move on to)
    """,
    causal_words="because|so|therefore|hence|thus|caused?|causes|due to|that'?s why|since|led to|made|thanks to"
    "|result(?:ed)?|broke",
    time_words="""
        today|tonight|yesterday|tomorrow|now|ago|last|next|this|since|until|till|week|month|year|day|morning|evening
        |(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|fall|winter|christmas|easter
        |jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec
        |january|february|march|april|june|july|august|september|october|november|december
    """,
    minor_words="""
        a an the of in on at to for with by from and or as is are was were be been has have had do does did it its their
        his her my your our this that these those than then into about over under per via i me we you he she they them
        him us will would can could should may s t not no don doesn isn
    """,
    negations="""
        not no never none nothing nobody without cannot neither nor hardly rarely seldom unless if except but only stop
        stopped longer avoid false instead before after maybe perhaps possibly probably almost nearly barely former
        formerly ex half doubt doubts doubted refuse refuses refused deny denies denied fail fails failed used might may
        could would should
    """,
    general_words="""
        about after again also always another because been before being could does doing done each even every from give
        going good great have hello here into just keep know later like little long make many maybe more most much need
        never next only other over please really right same should some something still sure take than thank thanks that
        their them then there these they thing things think this those time today tomorrow until very want well were
        what when where which while will with work would yeah yesterday your yours
    """,
    preference_forms=(
        # I prefer, I love hiking, I can't stand
        PhraseForm(
            _I,
            "prefer,hate,dislike,despise,detest,loathe,abhor,favor,favour,avoid,refuse to,insist on,steer clear of,"
            "stay away from,stick to,swear by,opt for,rather,gravitate toward,gravitate towards,tend to,follow a,"
            "gave up,make it a point,make a point,try to avoid,try not to,believe in,value,prioritize,prioritise,"
            "care about,keep kosher,keep halal",
            _NOT_JUST_NOW,
        ),
        PhraseForm(_I, "like,love,enjoy,adore", _NOT_IN_PASSING),
        PhraseForm(
            r"\bi\s+(?:can't|cannot|can\s+not)\s+(?:\w+ly\s+)?",
            "stand,bear,tolerate,abide,eat,drink,digest,handle,deal with,live without,do without",
            _NOT_JUST_NOW,
        ),
        # I don't eat, I never fly, I only buy
        PhraseForm(
            _I_DO_NOT,
            "like,enjoy,eat,drink,use,wear,watch,smoke,drive,fly,believe in,care for,appreciate,trust,tolerate,"
            "celebrate,do well with",
            _NOT_JUST_NOW,
        ),
        PhraseForm(
            r"\bi(?:'ll|\s+will|'d|\s+would)?\s+", "never,always,only,exclusively,strictly,rarely,seldom", _NOT_OVER
        ),
        # I'm vegetarian, I'm not a fan of, I have an aversion to, my favourite
        PhraseForm(
            _I_AM,
            "vegan,vegetarian,pescatarian,allergic,intolerant,lactose,gluten,coeliac,celiac,diabetic,averse,opposed to,"
            "against,afraid of,scared of,terrified of,claustrophobic,uncomfortable,comfortable with,sensitive to,"
            "fond of,keen on,partial to,into,passionate about,fan of,person who,someone who,morning person,night owl,"
            "picky,particular about,skeptical of,sceptical of,wary of,teetotal,introvert,minimalist",
        ),
        PhraseForm(
            _I_HAVE,
            "allergy,allergies,aversion,preference,phobia,fear of,intolerance,dislike,dietary,sensitivity,rule,policy,"
            "soft spot,passion for,distaste",
        ),
        PhraseForm(_MY, "favorite,favourite,preference,preferred,go-to,pet peeve,dealbreaker,deal breaker"),
        # not my thing, bothers me, makes me anxious
        PhraseForm(
            r"(?:\bis|\bare|'s|n't|'re)\s+(?:\w+\s+){0,2}?",
            "my thing,my cup of tea,my style,my favorite,my favourite,important to me,essential to me",
        ),
        PhraseForm(r"\b(?:bother|annoy|irritate|stresse|overwhelm|drain|disgust|bore|scare)s?\s+", "me"),
        PhraseForm(
            r"\b(?:makes?|gives?|drives?)\s+me\s+(?:\w+\s+)?",
            "uncomfortable,anxious,crazy,sick,nauseous,headaches,migraines,the creeps",
        ),
        # from now on: never suggest, always answer, please don't, call me
        PhraseForm(_BEGIN, "never,always", _NOT_OVER),
        PhraseForm(_BEGIN, "from now on,in future,in the future,going forward,whenever you,every time you"),
        PhraseForm(_BEGIN, "call me", r"\s+(?!(?:back|when|if|later|at|on|tomorrow|crazy)\b)\w"),
        PhraseForm(
            _BEGIN + r"(?:don't|do\s+not|stop|avoid)\s+(?:ever\s+)?",
            "suggest,suggesting,recommend,recommending,use,using,call,calling,mention,mentioning,ask,asking,give,giving,"
            "send,sending,add,adding,include,including,offer,offering,show,showing,write,writing",
        ),
        PhraseForm(
            _BEGIN + r"keep\s+(?:your|the|all|my)\s+",
            "answer,answers,replies,reply,response,responses,messages,message,code",
        ),
        PhraseForm(
            r"\b(?:please|make\s+sure\s+(?:to|you)|be\s+sure\s+to|remember\s+to|you\s+(?:should|must)|you\s+to)\s+",
            "never,always",
        ),
        PhraseForm(
            r"\bplease\s+", "don't,do not,only,refer to me,address me,call me,answer in,reply in,respond in,speak"
        ),
        PhraseForm(r"\bnever\s+", "suggest,recommend,use,send,call,give,show"),
    ),
    doubts=r"""
        if i (?:were|was|had|could)|what if|imagine|suppose|pretend|hypothetically|let's say|would you|do you|should i
        |used to|back then|as a (?:kid|child)|when i was
    """,
    common_words=ENGLISH_COMMON_WORDS,
)
