"""English: everyday words, dates, the values that questions ask for, and words that ask for privacy."""

from __future__ import annotations

from omoide.language.registry import DateWords
from omoide.language.statement_words import PrivacyWords

_OWN = r"(?:my|our|his|her|their|[a-z]+'s)"
_CHILD = rf"{_OWN} (?:\w+ )?(?:son|daughter|kids?|child|children|baby|toddler|grandson|granddaughter|nephew|niece)"

_OTHERS = (
    r"(?:any(?:one|body)|him|her|them|people|others|the others|(?:my|our|his|her|the) (?:\w+ )?[a-z]+|hr|"
    r"(?!me\b|us\b|you\b|it\b|that\b|this\b|if\b|when\b|what\b|how\b|why\b|a\b|the\b|your\b)[a-z]+)"
)
_LEARN = (
    r"(?:(?:know|find out|hear|learn|be told)(?! (?:if|whether|when|where|what|how|which|why|who|to)\b)"
    r"|see(?= (?:it|this|that|any|my)\b|[.!,;]|$))"
)
_NOT = r"(?<!\bi )(?:don't|do not|never|please not|better not|rather not|not to|can't|mustn't|let's not|you not to)"
PRIVACY = PrivacyWords(
    requests=rf"""
        (?:just|strictly|only|keep|kept|stay|stays|remain|remains|is|it's|that's|this|that|talk) (?:\w+ ){{0,3}}?
          (?:between (?:you and me|us|ourselves|the two of us|us two)|among (?:us|ourselves))
          (?! (?:and|two cities|there|is|are|at)\b)
        |between (?:you and me|us|ourselves)(?=[,:])
        |(?:nobody|no one|none of (?:them|my \w+)|not even \w+|no-one)(?: else)?
          (?: at work| there| here| in my \w+| at (?:the|my) \w+)?
          (?: (?:knows?|should know|must know|may know|has to know|needs to know)
          (?= ?(?:[.!,;)]|$|yet|about (?:this|that|it|\w+ yet)|it|this|that (?:i|we|he|she)|i'm|we're))
          | is (?:supposed|meant|allowed) to {_LEARN})
        |(?:nobody|no one|they|(?:my|our|the) \w+) (?:must|should|may|can)(?: not|not|n't| never)(?: ever)? {_LEARN}
          (?= ?(?:about|of|it|this|that|[.!,;]|$))
        |(?:i'd|i would) (?:rather|prefer) (?:that )?(?:nobody|no one|{_OTHERS})(?: didn't| not)?(?: )
          (?:found out|knew|heard)
        |(?:don't|do not|wouldn't|didn't) want {_OTHERS} to {_LEARN}
        |(?:don't|do not|never) let {_OTHERS} {_LEARN}
        |make sure (?:that )?{_OTHERS} (?:(?:don't|doesn't|never|can't|won't) )?(?:{_LEARN}|finds? out|sees|knows|hears)
        |{_NOT} (?:ever )?(?:go )?(?:tell(?:ing)?|say(?:ing)? anything to|let on to|let it slip to)
          (?!ing) {_OTHERS}(?= ?(?:[.!,;)]|$|yet|but|about|that|how|i|we|of))
        |{_NOT} (?:ever )?(?:mention|repeat|share|pass|say|show)(?: )
          (?:this|that|it|anything|any of (?:this|it)|my \w+(?: \w+)?)
          (?: on)?(?: about \w+)? (?:to|with)
        |{_NOT} (?:ever )?(?:tell|mention (?:this|that)|repeat (?:this|that|it)|share (?:this|that|it))(?=[.!,;]|$)
        |{_NOT} (?:ever )?(?:reveal|disclose|divulge|leak|give away|bring up|talk about)(?: )
          (?:my|our|his|her|this|that|it|where i)
        |(?:keep|kept|keeping|treat|remain|stay|stays) (?:\w+ ){{0,9}}?
          (?:private|as a secret|secret|(?:strictly )?confidential|quiet about
          |to yourself|to ourselves|under wraps|under your hat|off the record)
          (?! (?:key|drawer|school|room|santa))
        |(?:this|that|it)(?: is|'s| stays| has to stay| must stay) (?:strictly |very |still |a )?
          (?:private|confidential|secret|off the record|not public yet|for your ears only|not for sharing)
          (?= ?(?:[.!,;:)]|$|so|and|but|please|for now|until|yet|information|stuff))
        |strictly (?:confidential|private)|off the record|in (?:strict |complete |total )?confidence(?=[.!,:;]|$)
        |for your eyes only|(?:it's|this is) our secret
        |it's a secret(?= ?(?:[.!,;:)]|$|but|so|for))|not a word (?:to|about|of)|lips (?:are )?sealed
        |mum's the word|(?:shh|psst)(?=[,.! ])
        |(?:only|just) you know(?! (?:how|what|where|if|the|whether|who|why)\b)
        |you're the only (?:one|person) (?:i've|i have|who)
          (?: told| knows?)|doesn't know yet(?! (?:if|whether|when|where|what|how|which|why))
        |(?:should|must|may|can|does|will|do)(?: not|n't) leave (?:this|our) (?:chat|room|conversation)
        |hide (?:this|that|it) from|leave (?:this|that|it) out of (?:any|what|every)\w*
        |(?:told|said (?:it|this|that) to|confided in) (?:me|us) in confidence|haven't told (?:anyone|anybody|a soul)
    """,
    pointing=r"this|that|it|what i (?:just )?(?:said|told you)|anything|anyone|anybody|nobody|no one|no-one",
    health=r"""
        diagnosed with|tested positive for|hiv(?:[- ]positive)?|(?:has|have|had|got|beat|fighting|of) (?:\w+ )?cancer
        |chemo(?:therapy)?|tumou?r|miscarri(?:ed|age)|abortion|(?:is|am|i'm|she's|was|got|are|'re) (?:\w+ )?pregnant
        |(?:my|her|their) pregnancy|ivf|(?:clinical |post-?partum |suffer\w* from |my |his |her )depression
        |antidepressants?|bipolar disorder|is bipolar|schizophreni\w+|suicid\w+|self[- ]harm\w*|anorexi[ac]|bulimi[ac]
        |eating disorder|in rehab|alcoholic|(?:is|was|am|i'm|he's|she's) addicted to|overdosed?|chlamydia|herpes
        |gonorrh\w+|syphilis|dementia|alzheimer'?s|epilep\w+|psychiatri\w+|psychosis|erectile
    """,
    money=rf"""
        {_OWN} (?:\w+ )?(?:salary|wages?|net worth|credit score|bank balance|debts?|inheritance|life savings|pay slip)
        |(?:i|he|she|we|they) (?:earns?|gets? paid|(?:is|am|are) paid) (?:about |around )?[$€£]?\d[\d.,]*k?
        |(?:deep |badly )?in debt|(?:went|go|going|filed for|declared|is|am|are) bankrupt(?:cy)?|payday loan
        |foreclos\w+
        |gambl\w+ (?:debts?|problem|away)|behind on (?:the|my|our) (?:rent|mortgage)|can't pay (?:the|my|our) rent
    """,
    intimacy=r"""
        (?:has|having|had|have) an affair|cheat\w* on (?:me|him|her|my \w+|his \w+|[a-z]+)|one[- ]night stand
        |(?:my|our|his|her|their) sex(?:ual)? (?:life|orientation|history)|sex(?:ual)?ly (?:abused|assaulted)
        |slept with
        |(?:i'm|i am|he's|he is|she's|she is|came out as|is) (?:gay|lesbian|bisexual|bi|trans|transgender|queer|asexual)
        |(?:was|been|got) raped|(?:s?he|my (?:husband|wife|partner|ex|boyfriend|girlfriend)) (?:hits?|beats?) me
        |domestic (?:violence|abuse)|libido|watch\w* porn\w*|nudes
    """,
    identity=r"""
        (?:passport|social security|ssn|national insurance|nhs|driv(?:er'?s|ing) licen[cs]e|(?:id|identity) card|bsn
        |iban|tax(?:payer)? id\w*|bank account|sort code|(?:visa|credit) card|residence permit)
        (?:\ number|\ no\.?|\ nr\.?|\ \#)?(?:\ is|:|\ =|,)?[ ]*[a-z]{0,3}[- ]?\d[\d\w -]{4,}
    """,
    minors=rf"""
        {_CHILD}[^.!?\n]{{0,50}} (?:is (?:being )?bullied|gets? bullied|was bullied|was suspended|was expelled|custody
          |social services|child protection|sees? a (?:therapist|psychologist)|is home alone|walks? (?:home )?alone)
        |custody (?:of|battle|hearing|case|agreement)|{_CHILD} (?:goes to|attends|is at) (?:[\w'.]+ ){{1,4}}
          (?:school|elementary|primary|kindergarten|daycare|nursery)
    """,
)


# Everyday English words of five letters and more, which are not misspelled names.


ENGLISH_COMMON_WORDS = """
    about above accept access account across action active actual adding address advice afraid after again against
    agree ahead alike alive allow almost alone along already although always amount angry animal annual another
    answer anybody anyone anything anyway apart appear apple apply april areas argue around arrive article asked
    asking aside asleep attend august author avoid awake award aware badly balance basic basis beach because become
    before began begin behind being belief believe belong below benefit besides better between beyond birth birthday
    black blame blind block board bonus books borrow bother bottom bought bound brain brave bread break breakfast
    breath bridge brief bright bring broad broke broken brother brought brown build building built burden business
    busy buyer buying called calling calls camera cannot careful carry catch cause center central certain chain
    chair chance change changed changes charge chart cheap check cheese chest chief child children choice choose
    chosen church circle citizen city claim class clean clear clearly client climb clock close closed clothes cloud
    coach coast coffee collect college color colour comes comfort coming common company compare complete computer
    concern contact contain content context control cooking correct could count country county couple course court
    cousin cover covered cream create created crime cross crowd current custom cycle daily damage dance danger
    daughter deals death debate debug decade december decide decided decision deeper degree delay deliver demand
    depend depth desert design desire detail details develop device different difficult dinner direct discuss
    discussed disease doctor doing dollar double doubt dozen draft drama dream dress drink drive driver driving
    during early earlier earth easily eating editor effect effort eight either eleven employ empty enable ending
    energy engine enjoy enough enter entire entry equal error escape event events every everyone everything exact
    exactly example except exchange exercise exist expect expert explain extra faces factor fails fairly faith false
    family famous father fault favor favorite favour favourite february feeling feels fellow fence field fifteen
    fifth fifty fight figure files filled final finally finance finding finds finger finish first fixed flight floor
    flower focus follow food foods force foreign forest forever forget forgot formal former forth forty forum
    forward found fourth frame fresh friday friend friends front fruit fully funds funny future gained games garden
    gather gave gender general gentle gets getting giant gift girls given gives giving glass global going golden
    gotten grade grand grant grass great green ground group groups growing grown growth guard guess guest guide
    habit hands handle happen happened happens happy hardly having health healthy heard heart heavy height hello
    helped helpful hello hence hidden higher highly history hobby holds holiday honest hoping horse hospital hotel
    hours house houses human hundred hungry husband ideal ideas image impact import important improve include income
    indeed indoor inform inside instead insurance intend interest invite island issue issues items itself january
    jacket joined joint judge juice june keeps kept keyboard kinds kitchen knows known label labor labour large
    largest lately later latest laugh launch lawyer layer leader learn learned least leave leaves leaving legal
    length lesson letter letters level light liked likely likes limit lines liquid listen little lived lives living
    loans local locked longer looked looking looks loose losing lovely lower lucky lunch machine magic maker makes
    making manage manager manner march market married matter maybe meals meaning means meant measure media medical
    medicine medium meeting member members memory mental mention mentioned menu metal method middle might miles
    million minor minute minutes mirror missed missing mobile model modern moment monday money month months mood
    morning mostly mother motion mountain mouth moved movie movies moving music myself named names narrow nation
    native nature nearby nearly neck needed needs neither nerve network never newly night ninety nobody noise normal
    north nothing notice november number numbers object obtain obvious occur october offer office officer often
    older opened opening opera option options orange order ordered orders organic other others ought outer output
    outside overall owned owner owners paint paper parent parents parked parks partly partner parts party passed
    passes passing past patient pattern pause payment people perfect perhaps period permit person pets phone photo
    photos phrase picked piece pieces pilot place placed places plain plane planet plans planned planning plant
    plants plate played player playing please pocket point points police policy popular position positive possible
    posts pound power powers prefer preferred present press pretty price prices pride prime print prior private
    prize probably problem problems process product profit program progress project promise proper protect proud
    prove provide public pulled purchase purple purpose puts putting quality quarter queen question questions quick
    quickly quiet quite quote radio raise raised random range rapid rather ratio reach react reading reads ready
    really reason reasons recall receive recent recently record recover reduce refer regard region regular relate
    relax release remain remember remind remote remove rental repair repeat reply report request require research
    reset respond response result results retail return returned review right risky river roads robot rocks rooms
    rough round route routine royal rules running rural safety salad salary sales salt same sample saturday saved
    saving scale scene school science scope score screen script search season seats second secret section secure
    seeing seems seen select selling sense senses sent separate september series serious serve service session
    sessions setting settings seven several shall shape share shared sharp shift shoes shoot shopping short should
    shoulder showed shower shown shows sight signed silent silver similar simple simply since single sister sites
    sitting situation sixth sixty sizes skill skills sleep slept slight slowly small smart smile smoke smooth social
    society solid solve somebody somehow someone something sometimes sorry sorts sound sounds source south space
    speak special speech speed spell spend spent split spoke spoken sport sports spread spring square stable staff
    stage stairs stand standard start started starting starts state status stayed steps stick still stock stomach
    stone stood store stores storm story straight strange stream street stress strike strong struck student study
    studying stuff style subject success sudden suffer sugar suggest suggested suggestion suited summer sunday super
    supply support sure surely surface surprise survey sweet switch symbol system table taken takes taking talked
    talking talks target taste taught teach teacher teams tells tennis tests thank thanks their theme themselves
    there these thick thing things think thinking third thirty those though thought thousand three threw through
    thrown thursday ticket tight times tired title today together toilet tokens tomorrow tonight topic topics total
    touch tough tours toward tower track trade train training travel treat trees trend trial tried tries trips
    trouble truck truly trust truth trying tuesday turned turns twelve twenty twice types typical uncle under
    understand union unique united units unless until upper upset urban usage useful users using usual usually
    vacation valid value values various vegan version video videos visit visited voice volume wait waited waiting
    walked walking walls wanted wants warning watch watched watching water wealth weather website wedding wednesday
    weekend weekly weeks weight weird welcome were west western whatever wheel where whether which while white whole
    whose wider windows winter wishes within without woman women wonder wooden words worked worker workers working
    works world worried worry worse worst worth would writer writing written wrong wrote years yellow yesterday
    young younger yours yourself youth
"""


# The kinds of values that questions ask for in English, and the words that tell.


ENGLISH_VALUES = (
    ("phone", r"\b(?:phone|cell|mobile|telephone)(?:'s)? (?:number|no\.?)|(?:s|my|our|his|her|their) phone\W*$"),
    ("part_of_name", r"\b(?:first|last|middle|maiden|family|full) name\b|\bsurname\b"),
    (
        "attribute",
        r"\b((?<!\dth )birthday(?! (?:cake|party|present|gift|card|dinner|lunch))"
        r"|(?:licen[cs]e|number) plate|blood (?:type|group)|(?:shoe|shirt|dress|ring|hat) size|star sign"
        r"|size of (?:\w+ )?(?:shoe|shirt|dresse?|ring|hat)s?|born(?=\W*$)"
        r"|e-?mail address|password|postcode|zip code|(?:pin|door|gate|alarm) code|eye colou?r)\b",
    ),
    ("name", r"\bnames?(?: of| for)?\b(?! and)|\bcalled\W*$"),
    ("date", r"^\W*(?:and |so )?(?:when(?:'s| is| are| will)|(?:what|which) (?:date|month|day) (?:is|are|will))\b"),
    ("number", r"\bhow (?:much|many|old|tall|heavy|wide|high|deep)\b|\b(?:number|price|cost)\b"),
    (
        "thing",
        r"\b(?:which|what) (?!of|one|day|time|kind|sort|way|date|month|year|week|were|does|did)"
        r"(\w{4,})(?= (?:is|are|was|were|do|does|did|has|have|had|can|will|would|in|at)\b)",
    ),
)

# How something is by now; the words name no subject.
PRESENT = r"""
    right now|just now|these days|nowadays|at the moment|currently|at present|presently|as of (?:now|today)|by now
    |up to now|now|still|any ?more|any longer|lately|normally|usually
"""

_FORM = r"(?:form|application|paperwork|questionnaire|survey|envelope|sign-?up|insurance|record)s?"
_WHOSE = r"(?:the|an?|my|our|this|his|her|their|some)"
# A clause that tells why something is asked: "what do I drive these days, for the insurance form?"
ASIDES = (
    rf"(?:it'?s )?for {_WHOSE} (?:[\w-]+ ){{0,2}}{_FORM}"
    rf"|(?:(?:i'?m|i am|i(?:'ve)? (?:gotta|got to|have to|need to|must)) )?(?:just )?fill(?:ing)? (?:(?:in|out|up) )?"
    rf"(?:{_WHOSE} )?(?:[\w-]+ ){{0,2}}{_FORM}(?: (?:in|out))?"
    r"|i (?:need|want) (?:it|this|that) for [^.?!]{1,40}"
    r"|(?:they|he|she|someone|somebody)(?:'re|'s| are| is| keeps?)? ask(?:ing|s)?"
    r"(?: me)?(?: (?:again|now|on the phone))?"
)


# English words of dates, and verbs that tell whether a date lies ahead or behind.


# Words that may be other words or names as well.
AMBIGUOUS_DATE_WORDS = frozenset("may march mar jan dec sun sat mon wed weds fri".split())

ENGLISH_DATES = DateWords(
    words="""
        day week weekend weekends month year fortnight quarter today tomorrow tmrw tonight yesterday eve christmas xmas
        easter thanksgiving halloween hanukkah passover ramadan eid diwali
    """,
    ahead_questions=r"""
        \b(?:what's|whats|what is|what are|when's|when is|when are|when do|when does|where's|where is|where are|where do
        |who's|who is|is|are|am|do|does|will|won't|shall|should|going to|can|happening|coming|upcoming|next|due|free
        |busy|tomorrow|have (?:i|we) got|do (?:i|we) have)\b
    """,
    upcoming_cues=r"""
        \b(?:coming up|upcoming|(?:on|in) my (?:calendar|agenda|schedule|diary)|what's next for
        |planned (?:for|next|soon)
        |(?:what|anything) (?:do i have |have i got |is |'s )?(?:planned|scheduled|booked)
        |my (?:next )?appointments)\b
    """,
    saying_words=r"""
        \b(?:discuss|talk|spoke|speak|said|say|told|tell|mention|chat|convers|sessions?\b|asked?\b|cover|recap
        |summar)\w*
    """,
    past_verbs=r"""
        \b(?:was|were|wasn't|weren't|did|didn't|had|hadn't|been|went|got|came|bought|met|lost|won|saw|took|made|gave
        |broke
        |threw|found|sold|quit|left|began|ran|ate|drank|wrote|read|told|said|heard|felt|kept|held|brought|taught
        |thought
        |caught|fell|flew|drove|rode|swam|sang|spoke|sent|spent|slept|paid|built|grew|knew|became|chose|woke|wore
        |stood
        |born|since|ago|back in|\w{2,}(?<!ne)(?<!fe)(?<!se)(?<!spe)(?<!excee)(?<!procee)(?<!\bde)(?<!hundr)ed)\b
    """,
    arranging_verbs=r"""
        (?:told|gave|got|(?:re|pre|un)?(?:booked|scheduled|arranged)|reserved|applied|registered|enrolled|signed up
        |swapped|made|took|promised|said|agreed|picked|chose|asked|offered|invited|had|put|found
        |planned|wanted|came|was(?! born)|were(?! born)|set|slipped|moved|called|announced)\b
        |\w+\b.*\b(?:for(?: \w+)?|(?:tickets?|seats) (?:to|for) .*)\Z
    """,
    ahead_verbs=r"""
        \b(?:will|won't|shall|should|must|let's|going to|gonna|plan(?:s|ning)? (?:to|on|for)|planned (?:to|on|for)
        |(?:have|has|need|needs|want|wants|hope|hopes|supposed|expected|meant) to|as (?:planned|agreed|scheduled)
        |starts?|starting|begins?|deadline|reaches|lands|(?:is|are|am|be
        |gets?) (?:\w+ )?\w+ed|is|are|isn't|aren't|am|(?<!was )(?<!were )due|booked|scheduled|rescheduled|pushed
        |postponed|delayed|slipped|bumped|brought forward|deferred|signed up|invited|(?:confirmed|fixed|set) for
        |agreed (?:on|to)|remind
        |reserved|cancell?ed|upcoming|(?:got|gets?|have|has|had|put|booked) (?:\w+ )?down for
        |g[ai]ve (?:\w+ )?(?:until|till|til)|got (?:an?|my|the) (?:slot|date|place|table)|got (?:an?|my
        |our) (?:\w+ ){0,2}(?:appointment|interview|meeting|exam|call|flight|trip|date|session|lesson|viewing|wedding
        |party|check-?up|scan|gig|concert|match|test|visit|deadline)|got (?:\w+ )?(?:moved|cancell?ed|pushed|postponed
        |rescheduled|delayed))(?!\w)|(?:'ll|'re|'m|\b(?:it|that|there|he|she)'s(?! been| had| got))\b|\b(?:moved
        |changed|shifted|switched)(?:\s+\w+){0,4}?\s+to\s+(?=the \d|\d|next|this|tomorrow|(?:mon|tue|wed|thu|fri|sat
        |sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b)
        |\b(?:moved|shifted|put)(?:\s+\w+){0,4}?\s+(?:by (?:an? |one |two |three |\d+ )?(?:day|week|month|fortnight)s?
        |back|forward|off)\b
    """,
    rescheduling="""
        moved moving pushed shifted rescheduled postponed delayed deferred bumped slipped brought put changed switched
        cancelled canceled cancels cancel called off not isn't aren't won't can't doesn't instead rather fell
    """,
    moved=r"""
        \b(?:rescheduled|postponed|deferred|pushed back|brought forward|(?:put|pushed) (?:\w+ ){0,4}?(?:off|back|out)
        |(?:moved|pushed|shifted|bumped|slipped|changed|switched|put|moving|delayed|brought)(?: \w+){0,5}?
        (?: (?:by|up|back|forward|earlier|later)\b|(?: (?:on )?(?:to|till|until|for)| from [^.;?!]{1,40}? to) (?:be
        |the |next |this |on |early |late ){0,2}(?:\d|tomorrow|week|month|weekend|(?:mon|tue|wed|thu|fri|sat|sun)\w*\b
        |(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b)))
        |(?:\bnot|n't|\binstead of|\brather than) (?:be )?(?:on |in |at |for )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)
        |\d{1,2} (?=jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:mon|tues|wednes|thurs|fri|satur|sun)day
        |(?:january|february|march|april|may|june|july|august|september|october|november|december) \d)
    """,
    cancelled=r"""
        (?<!not )(?<!n't )(?<!never )\b(?:cancell?ed|cancels|cancel|called (?:\w+ ){0,4}?off|fell through
        |(?:is|are|was) off(?! (?:to|for|on|at|in|from|limits)\b)
        |(?:is|are|'s|'re) not (?:happening|taking place|coming|going ahead)
        |(?:isn't|aren't|won't be|wont be) (?:happening|taking place|coming|going ahead)
        |(?:can't|cannot|won't) (?:come
        |make it|make (?:\w+ ){1,5}on))\b
    """,
    unsettled=r"""
        \b(?:if|unless|whether|might|may be|may have|could|would|should|wonder|wondering|in case|hopefully|hope|want to
        |need to|have to|how to|don't|please|remind|almost|nearly|let's)\b
    """,
    yearly=r"""
        \b(?:birthday|b-?day|anniversary|name day)(?:'s)?(?=\s*(?:$|[.,!;]|(?:is|was|isn't|falls|on|in|comes|every)\b))
        |\bborn\b|\bturns? \d|\bevery year\b
    """,
    unspecific="""
        thing things date dates time times new old plan plans work works now actually today still soon get gets got
        getting take takes takes place happen happens happening end ends last lasts start starts begin begins hold held
        will be been was were there again already finally gonna going go goes us our them user user's said says told
        tells ok okay fyi update sorry oh hey by back forward up earlier later due set booked scheduled fixed like
        sounds look looks next this that one ones way make makes it's i'm we're they're there's needs need full
    """,
    same_events="""
        visit visits visiting visited come comes coming stay stays staying arrive arrives arriving
        flight flights fly flies flying flown
        trip trips travel travels travelling traveling
        meeting meetings meet meets meeting
        wedding weddings marry marries married marrying
        move moves
        dinner dinners dine
        interview interviews interviewing
        delivery deliveries deliver delivers delivered delivering
        exam exams test tests
    """,
)
