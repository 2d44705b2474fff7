"""How people state things in English: the tables by which statements are read."""

from __future__ import annotations

from omoide.language import english_discourse
from omoide.language.english_slots import (
    CHANGES,
    ENDINGS,
    KIN,
    MACROS,
    MATTER_IGNORED,
    NOT_LOWER_NAMES,
    NOT_NAMES,
    SLOTS,
    UNCHANGED_VERBS,
)
from omoide.language.statement_words import StatementWords

ENGLISH_STATEMENTS = StatementWords(
    macros=MACROS,
    gaps=r"""
        \s*;\s*|\s+[-–—]{1,2}\s+|\s*—\s*|\s*(?:\.{2,}|…)\s+|,?\s+(?:and|plus|and also|oh and|and yes|or)\s+(?!a (?:half
        |quarter)\b)(?={PERSONAL}\b|{NOUN_PHRASE}{FINITE}\b|{NAME} {FINITE}\b|{NAME}(?:'s|’s) \w|(?:what|how|where|who
        |why|should|{PLEASE})\b)|,\s*(?:but |so |and |then |also |plus |btw,? |oh and )?(?=(?!which\b){ASKS}\b|{PLEASE}
        |{TASK} (?:me|it|that|this|the|an?|him|her|them|us|my|up|out)\b)
        |,\s*(?:also |plus |btw,? |by the way,? |oh and )?(?={PERSONAL}\b|{NOUN_PHRASE}{FINITE}\b|{NAME} {FINITE}\b
        |(?:never|always|please|don't|no need)\b|(?!who|which|that|what|there|as|this|where|if|not|all|it|how|when
        |one)[\w-]+(?: the [\w-]+| [\w-]+)?(?: is| are| was| were| does| has| can't| gives me| goes)\b)|\s+(?:so
        |but)\s+(?={ASKS}\b|{PLEASE})
    """,
    joint_subjects=english_discourse.JOINT_SUBJECTS,
    openings=r"""
        (?:(?:first off|first of all|for starters|one thing(?: though)?|listen|hang on|hold on|look here|guess what
        |so you know|for your information|here(?:'s| is) what you should know(?: about me)?|about me|some facts
        |ok(?:ay)?|oh|so|well|and|also|btw|by the way|fyi|but|anyways?|hey|hi|hello|yeah|yes|yep|yup|thanks|thank you
        |thx|ty|ah|haha\w*|lol|actually|honestly|tbh|plus|then|hm+|um+|uh|omg|ugh|wow|just so you know|for context
        |for the record|for what it's worth|fun fact|fwiw|as you know|like i said|btw also|in case it matters|to be fair
        |to be honest|(?:it )?turns out(?: that)?|the thing is|you should know(?: that)?|i should (?:mention|say
        |add)(?: that)?|i forgot to (?:mention|say)(?: that)?|did i mention(?: that)?|don't forget(?: that)
        |keep in mind(?: that)?|please (?:remember|note)(?: that)?(?!,? (?:for|when|if|please|ok)\b)
        |remember that(?!,? (?:for|when|if|please|ok)\b)|remember,? (?=i\b|i'm|my\b|we\b)|note that|heads up|side note
        |one more thing|another thing|quick one|(?:a )?(?:(?:quick|short|brief) )?intro(?:duction)?(?: (?:since
        |because|as|before|so)\b[^:.!?]{1,60}(?=:))?|funnily enough|luckily|sadly|unfortunately|obviously|basically
        |speaking of which|telling you (?:be)?cause|alright)(?:\s*[,:!.…–—-]+\s*|\s+)|(?:no|nope|nah|right|cool|great
        |nice|perfect|lovely|good|fine|grand|sure|exactly|true|now|correction|sorry|wait|(?:(?:some|more|very|big|huge
        |great|good|bad|sad|happy|exciting|latest|quick|small|life) )*(?:news|update)|morning|evening|good morning
        |good evening|bro|dude|man|mate|dear|love|remember|note|ps|p\.s\.|random|adding|yay|phew|tysm|scratch that
        |no wait|wait no|next)\s*[,:!.…–—-]+\s*)+(?=\S)
    """,
    keep_asked=r"\b(?:remember|note|don't forget|keep in mind|for the record|just so you know)\b",
    closings=r"""
        [,\s]+(?:btw|by the way|fyi|thanks|thank you|thx|ty|tysm|pls|please|lol|haha+|ha ha|hehe|xd|as you know|you know
        |:\)|;\)|:D|🙂|😊|😅|😂)\W*$|, ?(?:ok|okay|right|though|too|anyway|man|bro)\W*$
    """,
    repairs=r"""
        (?:no,? wait,?|wait,?|sorry,?|er,?)? ?(?:i mean|i meant|make that|rather
        |correction:?) (?P<value>[\w' -]{2,30})\W*
    """,
    refers=r"""
        i (?:think|believe|guess|reckon|suppose) (?:it|that|they|he|she|this)(?!\w)
        |(?:[\w'-]+ ){1,3}(?<!make )(?<!made )(?:it|them|that|those|these|this|one|him|her)(?:\W*$|,| (?:to|in|on|for
        |again|ever|when|if|with|at)\b)
    """,
    someone=r"\b(?:he|she|him|her|hers|his)(?:'\w+)?\b",
    something=r"""
        (?<=\S )(?<!make )(?<!made )(?<!worth )(?:it|them|those|these|that one)(?=\W*$|,|\ (?:to|in|on|for|since|after
        |over|again|either|too|with|at|by|from|when|if)\b)|\b(?:of|about|with|for|on|to) (?:that|this|it|them)\W*$
    """,
    headings=r"(?!USER)(?:[^\W\d][\w'/-]+ ){0,3}[\w'/-]+: (?=\S+ \S)",
    therefore=r"(?:so|then|that's why|hence)\b",
    linked=r"""
        \b(?:too|as well|either)\W*$|\bsame (?:\w+ ){0,2}\w|\b(?:that|those|them) (?:job|one|day|week|month|year|morning
        |evening|weekend|place|price|rate|rule|time|days|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b
        |\bthe (?:day|night|week|weekend) (?:before|after)\b(?! \w+ \w)|\bthe (?:former|latter|rest|others?|first one
        |second one)\b
    """,
    has_noun=r"""
        \b(?:an?|the|my|our|your|this|that|every|each|some|one|who|{KIN}|somebody|someone|everybody|everyone|nobody) \S
    """,
    backward=r"\b(?:them|that one|those|him|her)\b|(?<!\w)'em\b|^(?:you|never|always)\b",
    dependent=r"""
        (?:it|it's|its|that|that's|thats|this|these|those|they|they're|theyre|they've|which|there|both|same|mine|ours
        |one of them|not|or|because|cos|cause|and|but|so)\b
    """,
    questions=r"""
        (?:(?:and|so|but|or|also|ok|oh) )*(?:(?!(?:[\w'’-]+ ){0,5}?(?:i|i'm|we|you|he|she|they|it|it's|is|are|was|were
        |has|have|had)\b)(?:[\w'’-]+ ){0,5}[\w'’-]+, )?{ASKS}\b
    """,
    tags=r"""
        ,\ (?:right|correct|yeah|no|eh|is it|yes)\W*$|,? (?:innit|isn't it|don't you|doesn't (?:he|she|it)
        |aren't (?:they|you|we)|or not|or no|or what)\W*$
    """,
    requests=r"""
        (?:(?:and|so|but|or|also|then|maybe|ok|just|now) )*(?:{PLEASE}|(?:an? |the |my |quick |short |formal
        |another )*(?:mail|e-?mail|sms|text|message|list|checklist|table|speech|snippet|script|letter|ad|summary|draft
        |reply|answer|query|regex|translation|reminder|card|invoice|caption|leave request|subject line
        |(?:\w+ )?ideas)(?: (?:to|for
        |of|that|which|with|about|in)\b(?!.*\b(?:is|are|was|were|has|came|goes|said|says)\b)|,? (?:please|pls)\b))
    """,
    tasks=r"""
        (?!(?:with|for|about|from|like|near|after|than|and|but|both|all|only|just|not|at|to|of|on|in|by|over|without
        |between|behind|under|before|since|until|through|around|love|hate|prefer|need|want|miss|does|did|gave|got|told
        |made|took|had|saw|met|sent|lost|found|brought|bought|paid|let|cost|costs|gets|makes|gives|drives|lets|tells
        |keeps|has|was|is|says|means|taught|sold|kept|ran|wrote|read|knew|caught|threw|broke|drove|felt|held|heard|built
        |spent|left|hit|won|beat|cut|asks|wants|likes|loves|hates|\w+ed|\w+[^s\W]s)\b)[a-z]{3,9}(?: up| out| on to| off
        | down| back| in)? (?:it|'em|em|them|him|her|me|us|that|this|my|your)\b(?!'s)|(?:(?:and|so|but|or|also|then
        |maybe|ok|just|now|please|pls) )*(?:{TASK})\b(?!'s|,| (?:is|are|was|were|has|goes|of|in the|costs?)\b)
    """,
    alternatives=r"(?:[\w./-]+ ){0,6}?[\w./-]+ or [\w./-]+(?: [\w./-]+)?",
    standing=r"""
        \b(?:never|always|from now on|in future|in the future|going forward|whenever|every time|each time|any ?time
        |at all times|by default|don't ever|do not ever|for (?:all|any|every|future)|unless i|when (?:you (?!would|could
        |should|might)|i ask|i say|writing|you're|it comes)|if i (?:ask|say|forget)|if you (?:write|send|book|make
        |have to|must|ever)|as a rule|at least|no more than|at most|only ever|stop (?:using|saying|asking|calling|adding
        |writing|suggesting|giving)|not american|not british|without asking|ever again|anymore|any more)\b
    """,
    standing_starts=r"""
        (?:please |pls |also |and |but |oh and |btw |ok |so |just )*(?:never (?!want|again|mind|met|seen|heard|been|had
        |liked|thought|knew|know|did|got|went|could|would|will|really|felt|saw)|always (?!want|been|had|was|liked|loved
        |thought|knew|did|got|the same|wanted|hated)|from now on|in future|going forward|whenever you|every time you
        |no (?!.*\b(?:on (?:mon|tues?|wednes|weds?|thurs?|fri|satur|sat|sun)\w*|yet|today|tomorrow|tonight|this (?:week
        |month|year|time)|left|so far|for (?:\d+|an?|two|three|four|six|the next) \w+|until|at least|since
        |last)\b)(?!wait|sorry|one's|change|news|sign|word|trace|one\b|idea|worries|problem|need|rush|thanks|way\b
        |wonder|clue|luck|longer\b|more\b|it\b|i\b|he\b|she\b|we\b|that\b|not\b|matter\b|doubt|pressure|kidding
        |joke)\w+(?: \w+)?|don't (?!worry|know|think|have|need|want|get me wrong|you|we|they|i\b|mind|like|really|even
        |care|judge|laugh|tell)|dont (?!worry|know|think|have|need|want|get me wrong|you|we|they|i\b|mind|like|really
        |even|care)|do not (?!worry|know|have|need|want)|stop \w+ing|keep (?:it|your|the|all|answers?|replies|responses?
        |messages?|everything|things|code|commits?)|call me (?!back|later|crazy|when|if|at|on|tomorrow)|address me
        |refer to me|speak to me|talk to me|(?:metric|celsius|grams|imperial|euros|british|american|bullet points?
        |plain text|lower ?case|short answers?)\b.{0,25}\b(?:only|please|pls|always)|you (?:don'?t|do not|never) (?:have
        |need) to (?!worry|know\b|be\b|do\b|say\b)\w+ \w|you needn't \w|only (?:use|metric|send|write|ever|give|suggest
        |in)|you can \w+ .{2,40} again\b|[\w' -]{3,30} (?:is|are) (?:fine|ok|okay|allowed|welcome)(?: again| now
        | from now on)\b|(?:answer|reply|respond|speak|talk|write)(?: to me)? in (?!the\b|this\b|a\b)\w+\W*$|use (?!this
        |that|it\b|the\b|these|those|my\b|your|an?\b|one\b|them)[\w.-]+(?: [\w.-]+)?\W*$
        |use (?:only |always )?\S+(?: \S+){0,3},? (?:not|never|instead of|rather than) )
    """,
    weak_orders=r"""
        ^(?:(?:and|but|so|also|just|ok) )*(?:no|never (?:again|met|mind|seen|heard|worth|been|had))\b|\b(?:this (?:one
        |time|bit|part|paragraph)|for now|right now|for today|today|tonight|just now|at the moment|yet|next time|here)\b
    """,
    avoids=r"(?:(?:please|pls|also|and|but|so|just|ok|i'd rather you) )*(?:never|don'?t|do not|no|stop|avoid|not)\b",
    wants=r"""
        (?:i|i'd|we|we'd)(?: would| do| really| just| always)* (?:want|like|need|prefer|rather|love
        |expect)(?: it(?: if)?)? (?:you to|you not|you never|you always|you (?!to\b)\w+|if you|that you|everything|all
        |answers|replies|your|my (?:answers|code|emails|replies|recipes|summaries))\b
    """,
    supposed=r"""
        (?:(?:and|so|but|or|well|then|yeah|even|only|also|maybe|oh|ok) )*(?:unless\b|if (?:i|i'm|we|he|she|they|my \w+
        |anyone|one more)\b(?!.*\b(?:you|please|pls|don't|dont|never|always|press|push|call|tell|ask|forget)\b)|if (?:i
        |we|he|she|they|it|you|my \w+|the \w+|only)(?:'d| were| was| had| ever| could| won| didn't have| lived| was to
        | should)\b|imagine|picture (?:this|it)\b|suppose|supposing|pretend
        |if any(?:one|body) asks,? (?:i|i'm|my|we're)\b|hypothetically|what if|let'?s (?:say|assume|imagine|suppose
        |pretend)|say (?:i|i'm|we|you|he|my)\b|assuming|in an ideal world|in another life|in theory|as if|as though
        |were i\b|had i\b|one day (?:i'll|ill|i|we|we'll)|someday|some day|when i(?:'m| am) (?:rich|old|famous|retired
        |dead|president|king|queen|a millionaire)|if (?:i|we) (?:win|retire|get rich))
    """,
    supposing=r"""
        \bthat was (?:wrong|a mistake)\b|\bif (?:a|an|some|one) \w+ (?:was|were|had|is|has)\b|\bif i ever\b|\b(?:it|that
        |this)(?:'d| would) (?:be|take|cost|look|make)\b|\bif\b.*\b(?:would|wouldn't|i'd|we'd|they'd|he'd|she'd|it'd
        |theyd|id)\b|\b(?:would|i'd|we'd|he'd|she'd|they'd)\b.*\bif (?:i|we|he|she|they|it|you)\b|\b(?:would have
        |would've|could have|could've|should have|should've|might have|nearly|almost) \w+|\b(?:i
        |we) could (?:also )?(?:just )?(?:live|move|quit|become|marry|eat)\b
    """,
    imagined=r"""
        (?:(?:and|so|but|or|well|now|then|ok) )*(?:imagine|picture (?:this|it)\b|if any(?:one|body) asks\b|suppose
        |supposing|pretend|what if|let'?s (?:say|pretend
        |imagine|suppose|assume)|say (?:i|we)\b|in another life)
    """,
    unreal=r"\b(?:would|wouldn't|could|might|i'd|we'd|he'd|she'd|they'd|it'd)\b",
    wishes=r"""
        \b(?:i wish|wish i|^wish\b|if only|(?:i(?:'d| would)|^would)(?: just| really| so)? (?:love|kill|die
        |give anything|trade|sell)\b|i(?:'d| would) like to (?:be|own|live|have)\b|my dream (?:is|would|job|house)
        |i dream of|i hope|hopefully|fingers crossed|would be (?:nice|great|cool|lovely|fun)|i'd be (?:nice|great)
        |i keep dreaming|i fantasi[sz]e|i think i(?:'ll| might| may| should| could| will)|i (?:might|may) (?!be allergic
        |have (?:an?|the) )|i (?:was|am|'m|have been|'ve been|been) (?:just )?thinking (?:of|about|i|maybe)
        |i'm thinking (?:of|about|i|maybe)|maybe i(?:'ll| should| could)|i might as well|thinking of becoming
        |tempted to)\b
    """,
    reported=r"""
        \b(?:says|said|(?:they're|they are|he's|she's|everyone's|people are|who's|was|were) saying|(?:my|his|her
        |our) \w+ say|(?:they|people|some|you|knee|kids|would) say|claims?(?= (?:that|to|he|she|they|i|it|its|the|there
        |we|his|her|my|a|an)\b)|claimed|reckons?|thinks|thought (?:i|it|we|that)|believes|insists?|swears|argues|assumes
        |maintain(?:s|ed)(?= (?:that|he|she|they|it|the)\b)|alleges?|alleged|has it that
        |heard|is convinced|'s convinced|bets?|jokes|joked|told (?:me|us|him|her|everyone)|keeps? (?:saying|telling
        |asking)|asked (?:me|if)|wrote|writes(?! like)|replied|shouted|texted that|would call|telling|tells (?:me|us
        |everyone|people)|according to|apparently|supposedly|allegedly|rumou?r|i(?:'ve)? (?:read|heard) (?:that
        |somewhere|it|on (?:the|reddit|facebook|twitter|tiktok|instagram))|they say|people say|everyone says
        |used to say|the (?:ad|article|label|post|tweet|headline
        |brochure|website|internet|forum|guy on|internet|movie|book|show|podcast|horoscope|fortune cookie) (?:says|said
        |claims|claimed|promises)|calls (?:me|us|it|him|her)|called me|supposed to be the|rumou?rs?|rumou?red|word is
        |gossip|as (?:he|she|they) put it|in (?:his|her|their) words|quote)\b
    """,
    trusted=r"""
        \b(?:doctor|doc|dr\.? \w+|gp|vet|dentist|therapist|physio|nurse|midwife|pharmacist|surgeon|specialist
        |cardiologist|landlord|school|hospital|clinic|tax office|airline|bank|hr|lease) (?:just |also )?(?:says?|said
        |told|insists|wants|confirmed|wrote)\b|\bas i (?:said|mentioned)|\bi (?:just |already )?(?:told|said|wrote
        |claim\w*|say|swear)\b|\bforget to say\b
    """,
    jokes=english_discourse.JOKES,
    laughs=r"\b(?:lol|lmao|rofl|haha+|ha ha+|hehe+|hah|xd)\b|😂|🤣|😜|😝|😅|;\)|;-\)",
    absurd=r"""
        \b(?:would|if|i'd|she'd|he'd|they'd|when i'm|one day|king|queen|president|million\w*|billion\w*|rich|retire
        |aliens?|spy|spies|ghosts?|magic\w*|wizards?|nasa|mafia|dragons?|unicorns?|forever|never sleep|moon|mars|jail
        |prison|fired|disown\w*|basically|literally|drunk|toddler|conspiracy|poison|immortal|sell (?:the|my) (?:kids?
        |house|kidney)|kidney|quit(?:ting)? (?:my|everything|life)|run away|move to (?:a|an) (?:cave|island|forest)
        |join(?:ing)? (?:the|a) circus|monkeys?|haunted|cursed)\b
    """,
    retractions=r"""
        (?:(?:ok(?:ay)?,? |no,? )?(?:it(?:'s| is| was) |just )?(?:a )?joke\b|just kidding|only kidding|kidding|jk|j/k
        |just joking|joking|i'm joking|i'm kidding|not really|nah,? (?:just )?kidding|i wish)\b
    """,
    fiction=english_discourse.FICTION,
    belongs=english_discourse.BELONGS,
    role_play=english_discourse.ROLE_PLAY,
    role_over=english_discourse.ROLE_OVER,
    dictated=english_discourse.DICTATED,
    unkept=r"""
        \bpin(?: (?:number|code))?\b.{0,40}\b\d{4}\b|\bpay no heed\b|\b(?:don'?t(?: you)?|do not|no need to|never
        |please don'?t)(?: go)? (?:remember|save|store|keep|note|memori[sz]e|write|record|log|learn) (?:this|that
        |any of this|it|what i|these|down)\b|\boff the record\b|\bbetween (?:us|you and me)\b|\bforget (?:i|that i
        |what i just) (?:said|told)\b|\bkeep (?:this|that|it) (?:to yourself|private|secret|quiet)\b|\b(?:should ?n'?t
        |ought ?n'?t to|ought not to)(?: really| probably)? (?:have (?:said|told|given|mentioned)|be (?:saying|telling
        |giving|handing))\b|(?:^|[.!?;,] )lose that(?: one)?\b|\bunder your hat\b|\bpretend i never\b
        |\bnot for the record\b|\b(?:this|that) stays (?:here|between)\b|\bforget it,? please\b
        |\bno,? you don'?t need (?:it|that)\b|\bdon'?t tell (?:anyone|anybody)\b
    """,
    hedges=r"""
        \b(?:maybe|perhaps|possibly|probably|might|not sure|unsure|i think|i guess|i suppose|kinda|sort of|could be
        |thinking (?:of|about)|considering|toying with|no idea|who knows|dunno|or something)\b
    """,
    small_talk=r"""
        \W*(?:(?:thanks?|thank you|thx|ty|tysm|cheers|great|perfect|cool|nice|lovely|ok(?:ay)?|yes|no|yep|nope|good|fine
        |awesome|brilliant|hi|hello|hey|bye|night|good (?:night|morning|evening|day|idea|point|one)|see you|later|haha+
        |lol|wow|sure|got it|makes sense|sounds good|exactly|love it|done|so much|very much|a lot|that's (?:it|all|great
        |perfect|good|fine|helpful)|will do|no worries|np|ah|oh|again|then|for now|works|it works|it worked|that worked
        |(?:i|she|he|it|they|we|you) (?:will|do|does|did|is|am|are|was|can|has|have)|my \w+ (?:does|did|is|has|can|will
        |was)|green|noted|right|please|go ahead|go on|all good|you too|amazing|wonderful|super|sweet|fair enough|same
        |me too|i see|mate|dear|bro|yay|fire|grand|talk soon|ttyl|that works|works for me|happy to|anyway|next)\W*)+
    """,
    answers=english_discourse.ANSWERS,
    agreed=english_discourse.AGREED,
    refused=english_discourse.REFUSED,
    yes=english_discourse.YES,
    no=english_discourse.NO,
    unanswered=english_discourse.UNANSWERED,
    answer_leads=english_discourse.ANSWER_LEADS,
    turned=english_discourse.TURNED,
    pronouns=english_discourse.PRONOUNS,
    agreeing=english_discourse.AGREEING,
    unchanged_verbs=UNCHANGED_VERBS,
    verb_forms=english_discourse.VERB_FORMS,
    participles=english_discourse.PARTICIPLES,
    no_verbs=english_discourse.NO_VERBS,
    again=english_discourse.AGAIN,
    quoted_subjects=r"\b(?:we|we're|we've|we'll|we'd|were all|us|ourselves|let's|lets)\b",
    has_subject=r"""
        {NAME_HERE}\W*$|(?:(?:because|since|when|while|if|after|before|as|although|though|for|in|on|at|from|until|till
        |by) (?:.{3,60}?,? )?)?(?:{PERSONAL}\b|USER|me and \S|(?:my|our|his|her|their|the|this|these|those|both|all
        |every
        |each|one|an?|two|three|there|some|most|everyone|nobody|dr|mr|mrs|ms)\b\.? ?\S|(?!(?:two|three|four|five
        |six|seven|eight|nine|ten|no|same|both|got|had|did|went|took|put|met|saw|gave|came|left|lost|made|sold|paid|sent
        |told|asked)\b){NAME},? (?:[\w'-]+,? ){0,3}?(?:{FINITE}|{PAST}|[a-z]{3,}(?<!s)s)\b
        |{NAME}(?:'s|’s|'ll|'d|'ve) \w|(?!(?:got|had|did|went|need|want|can|will|should|gonna|going|doing|trying|looking
        |thinking|not|just|still|also|never|always|only|to|booked|moved|started|bought|sold
        |\w{3,}ed)\b)[\w-]+(?: [\w-]+){0,3} {FINITE}\b|\w+(?: \w+){0,2}'s \w)
    """,
    dropped=english_discourse.DROPPED,
    asks_for=english_discourse.ASKS_FOR,
    has_verb=r"""
        ^{NAME_HERE}\W*$|(?<!\w){FINITE}(?!\w)|\b{PAST}\b|\b{PERSONAL}\b|\b(?:let|see|look|thanks?|please|wait|sorry|am
        |name's|[a-z]{3,}(?<!s)s)\b
    """,
    addressed=r"\b(?:you|your|yours|you're|you've|you'll|u|ur|yourself)\b",
    second_person=("you ", "you're", "your ", "u "),
    names="{NAME}",
    kin_named=(
        r"\b(?P<whose>my|our) {ADJ}(?P<kin>{KIN}),? (?-i:(?P<name>[^\W\d_A-Z]{3,12}))(?!\w|'s|-)",
        r"""
            \b(?P<whose>my|our|his|her|their) {ADJ}(?P<kin>{KIN})(?: is|'s|’s)? ?(?:,|\(|called|named|is called|is named
            |’s name is|'s name is|-)? ?(?P<name>{NAME})(?!\w|(?<=[^’'])'s (?:little )?(?:{KIN})\b)
        """,
        r"""
            (?<!\w)(?P<name>{NAME})(?:,| \(|,? who(?:'s| is)| is|'s|’s)(?: now| also| actually)? (?P<whose>my
            |our) {ADJ}(?P<kin>{KIN})\b(?!['’]s)
        """,
        r"""
            (?<!\w)(?P<name>{NAME}), (?:that's |that is |she's |he's |who's )?(?P<whose>my
            |our) {ADJ}(?P<kin>{KIN})\b(?!['’]s)
        """,
        r"""
            (?<!\w)(?P<name>{NAME})\b[^.!?]{0,40}, that's (?P<whose>my|our) {ADJ}(?P<kin>{KIN})\b(?!['’]s)
        """,
        r"""
            (?<!'s )\b(?P<kin>aunt|auntie|uncle|cousin|grandma|grandpa|nana|nan|oma|opa|abuela|abuelo) (?P<name>{NAME})
        """,
    ),
    not_lower_names=NOT_LOWER_NAMES,
    inflected=r"(?:s|ed|ing|ly|n't|in|er)$|^.{1,2}$",
    kin_alone=r"""
        \b(?P<whose>my|our) {ADJ}(?P<kin>{KIN})\b(?! and (?:i|my)\b)(?!-)(?! (?:appointment|visit|bill|stuff|food|bed
        |school|party|birthday|house|account|trip|meeting|call|checkup|insurance)\b)
    """,
    persons=r"""
        (?<!\w)(?P<name>(?:(?-i:Dr|Mr|Mrs|Ms|Prof)\.? )?{NAME})(?:,? who| (?:says|said|told|thinks|texted|called|wants
        |likes|loves|hates|prefers|is coming|is visiting|lives|works|moved to|moved back|got married|had a baby
        |turns \d+|is \d+|can't eat|is allergic|is vegan|is vegetarian|wrote|asked|plays|reckons|can't (?:make|come)
        |won't (?:make|come|be)|just (?:told|texted|called|had|quit|got)|is pregnant|broke up|is my|and i\b)
        |'s (?:birthday|bday|wedding|mom|mum|dad|husband|wife|kids?|partner|phone|place|coming|vegan|vegetarian|allergic
        |moving|leaving|pregnant|my|our|new job|back|getting|turning)\b)
    """,
    he_she={
        "he": "m",
        "he's": "m",
        "hes": "m",
        "he'll": "m",
        "he'd": "m",
        "his": "m",
        "him": "m",
        "she": "f",
        "she's": "f",
        "shes": "f",
        "she'll": "f",
        "she'd": "f",
        "her": "f",
    },
    before_things="in at to from near into of on the a an this that via through around by until outside inside over",
    not_names=NOT_NAMES,
    plans=r"""
        \b(?:(?:is|are|'s|'re|'m|am|was|were)(?: \w+)? going to|will|'ll|gonna|planning|plan to|plans to|booked
        |book(?:ing)?|flying|flies|fly|leaving|leaves|arriv\w+|coming|visiting|moving|starts?|starting|appointment
        |interview|exam|wedding|deadline|due|meeting|flight|trip|concert|conference|party|surgery|checkup|check-up
        |viewing|trial|race|marathon|recital|holiday|vacation|scheduled|moved to|rescheduled|cancell?ed|postponed
        |delivery|delivered|reservation|tickets?)\b
    """,
    events=r"""
        \b(?:happened|died|passed away|was born|got (?:married|engaged|divorced|fired|laid off|promoted|hired|the job
        |a job|into|back|hit|sick|stolen)|broke|crashed|lost|won|moved|bought|sold|finished|started|quit|left|met
        |visited|went|came|had|saw|gave|took|passed|failed|graduated|retired|adopted|signed|paid|threw|fell|ran|made
        |ordered|arrived)\b
    """,
    preferences=r"""
        \b(?:love|loves|like|likes|hate|hates|prefer|prefers|enjoy|enjoys|adore|adores|dislike|dislikes|can't stand
        |cant stand|favou?rite|fave|not a fan|big fan|huge fan|fan of|into|obsessed with|crazy about|mad about
        |allergic to fun|rather have|i'd rather|would rather|swear by|go-to|keen on|fond of|sick of|avoid|avoids
        |never eat|only (?:eat|drink|wear|buy|use|read|watch|listen))\b
    """,
    opinions=r"""
        \b(?:i think|i believe|in my opinion|imo|imho|i find|i feel like|i'd say|overrated|underrated|the best|the worst
        |is (?:way )?too (?:\w+)|is (?:boring|great|terrible|awful|brilliant|ugly|beautiful|stupid|pointless|gorgeous
        |rubbish|amazing|overpriced))\b
    """,
    procedures=r"""
        (?<!\S)1[.)] .*(?<!\S)2[.)] |\b(?:first|step \d|to (?:deploy|restart|reset|release|make|bake|start|open|build
        |publish|fix|clean|feed|run)\b.{0,80}\b(?:then|and|you)|and then you|then (?:you|i|we|run|wait|push|press|add
        |let|bake|put|turn|take|open|do)|you (?:push|press|run|hold|turn|first|have to|need to)|after that
        |before (?:doing|you|deploying|merging|baking))\b|->|→
    """,
    sequence=r"""
        \s*(?<!\S)\d{1,2}[.)]\s+|\s*(?:->|→|;|,?\s*\b(?:and )?then\b,?|,?\s*\bafter that\b,?|\n\s*(?:\d+[.)]|[-*•])
        |\b(?:first|second|third|finally|lastly)\b,?)\s*
    """,
    how_tos=english_discourse.HOW_TOS,
    step_order=english_discourse.STEP_ORDER,
    step_gaps=english_discourse.STEP_GAPS,
    no_step=english_discourse.NO_STEP,
    topics=english_discourse.TOPICS,
    topic_again=english_discourse.TOPIC_AGAIN,
    exceptions=r"""
        \b(?:except(?: for| in| when| if)?|unless|but not (?:for|in|when)|not for|apart from|other than
        |outside of)\s+(?P<exception>[^,.;]+)
    """,
    scopes=r"""
        \b(?:when(?:ever)? (?:you |i |we )?|for|in|with|on)\s*(?P<scope>(?:writ\w+|reply\w*|answer\w*|book\w*|cod\w+
        |commit\w*|deploy\w*|review\w*|cook\w*|translat\w+|emails?|recipes?|code|scripts?|messages?|letters?|texts?
        |answers?|replies|summar\w+|repos?|docs?|tests?|meetings?|prs?|pull requests?|travel\w*|hotels?|restaurants?
        |flights?|gifts?|calls?|python|sql|french|german|english)[\w' ]{0,30})
    """,
    changes=CHANGES,
    replacements=english_discourse.REPLACEMENTS,
    day_repairs=english_discourse.DAY_REPAIRS,
    answering=english_discourse.ANSWERING,
    used_here=english_discourse.USED_HERE,
    ran=english_discourse.RAN,
    did_otherwise=english_discourse.DID_OTHERWISE,
    corrections=english_discourse.CORRECTIONS,
    slight_corrections=english_discourse.SLIGHT_CORRECTIONS,
    no_value=english_discourse.NO_VALUE,
    denials=english_discourse.DENIALS,
    taken_back=english_discourse.TAKEN_BACK,
    forgotten=english_discourse.FORGOTTEN,
    effects=english_discourse.EFFECTS,
    reasons=english_discourse.REASONS,
    lasting=r"""
        \b(?:always|never|every|each|usually|normally|generally|most days|weekly|daily|on (?:mon|tues|wednes|thurs|fri
        |satur|sun)days|since|for (?:\d+|two|three|five|ten|many|about) years|at home|by default|rule)\b
    """,
    future=r"""
        \b(?:will|'ll|going to|gonna|tomorrow|next|tonight|upcoming|soon|in \w+ (?:days|weeks|months)|due|deadline
        |starts|starting|flying|flies|fly|leaving|leaves|coming|arriving|planned|booked|appointment|turns|on the \d
        |is on|are on|'s on|by (?:monday|friday|the|end)|until|till|expires?|from \w+ to)\b
    """,
    past=r"""
        \b(?:was|were|did|had|went|got|came|bought|moved|started|yesterday|last|ago|since|back in|used to|\w+ed|born
        |died|left|met|lost|won|saw|took|made|gave|broke|threw|found|sold|quit)\b
    """,
    recurring=r"""
        \b(?:every|each|most|all|on an?) (?:other |second |single )?$|\btimes? $|\bon an? (?:mon|tues|wednes|thurs|fri
        |satur
        |sun)day\b|(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|(?:first|second|third|fourth|last) (?:mon|tues|wednes
        |thurs|fri|satur|sun)day\W*$|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:morning|evening|afternoon|night)s\b
        |^\W*(?:from )?(?:mon|tue|wed|thu|fri|sat|sun)\w* ?(?:to|till?|until|-|and|&) ?(?:mon|tue|wed|thu|fri|sat
        |sun)\w*$|(?:daily|weekly|monthly|yearly|annually)$|\bin \w+ (?:min|mins|minutes|hours?)$
        |\bon the \w+day (?:right |just |straight )?(?:after|before)\b
    """,
    now=r"\b(?:right )?now\b|\binstead\b",
    undated=r"""
        \W*(?:now|right now|just now|last day|recently|lately|these days|nowadays|currently|at the moment|for now
        |soon|later|before|after|ago|once|then|early|late|so far|always|past|the past|last time|next time|this time
        |at night
        |in the morning|in the evening|in the afternoon|mornings?|evenings?|nights?|the day|day|noon|midnight|lunch
        |dinner|at lunch|at home|(?:the )?(?:next|same|other|following) (?:day|morning|time))\W*
    """,
    matter_ignored=MATTER_IGNORED,
    matter_generic="""
        appointment meeting trip visit date event flight call session class lesson party booking reservation thing
        plan
    """,
    kin=KIN,
    slots=SLOTS,
    slot_leads=r"^(?:now that|now|these days|currently|nowadays|right now|actually|recently|since|as|because),? ",
    reason_leads=r"^(?:since|because|as|now that|plus),? (?=USER\b)",
    contrasts=english_discourse.CONTRASTS,
    starts=r"\b(?:starts?|starting|joins?|joining|moves?|moving)\b",
    once=r"""
        (?<!has )(?<!have )\b(?:used to|lived|worked|was living|was working|was based|studied|played|owned|had an?
        |until last|back in)\b
    """,
    elsewhen=r"""
        \bwhen (?:i|we|my|he|she|USER|USER's)\b.*\b(?:was|were|got|had)\b|\bas an? (?:\w+ )?(?:kid|child|baby|teen\w*
        |student|boy|girl)\b|\bin USER's (?:\w+ )?(?:childhood|youth|teens|twenties|thirties)\b|\bat (?:the )?age\b
        |\bsomeday\b|\bone day\b|\bin (?:an?|\d+|two|three|four|five|six|ten|a few) (?:years?|months?)\b(?! (?:of
        |now)\b)
    """,
    value_ends=r"""
        ,? (?:and|but) (?:{FINITE}|USER|it|they|we)\b|, (?:so|which|but|and|it|that|i)\b| (?:because|since|so|cause|cos
        |if)\b|[.!;]\s| (?:now|nowadays|these days)\W*\Z
    """,
    endings=ENDINGS,
)
