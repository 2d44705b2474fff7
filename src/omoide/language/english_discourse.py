"""English: corrections, answers, how-tos, jokes, stories and roles, and who does what a clause says."""

from __future__ import annotations

REPLACEMENTS = (
    r"(?:\b(?:use|run|take|pick|choose|go with|stick to|it's|want) )(?P<right>{TOOL})(?: \w+)?,? (?:and )?"
    r"(?:not|never|instead of|rather than|over) (?P<wrong>{TOOL})",
    r"\b(?:stop|quit|avoid|no more|don't|do not|dont|never)(?: ever)? (?:using|use|running|run|with) (?P<w"
    r"rong>{TOOL})(?: \w+)?[,;.:–—-]*(?: (?:and|but|please|instead|just|always))* (?:use|using|run|go with"
    r"|switch to|take|it's) (?P<right>{TOOL})",
    r"\b(?:we're|we are|i'm|i am|\w+ is) (?:all )?(?:on|using|with) (?P<right>{TOOL})(?: now| these days)?"
    r",? (?:and )?(?:not|no longer|instead of|rather than) (?P<wrong>{TOOL})",
    r"\b(?:switch|switched|switching|move|moved|moving|change|changed|migrate|migrated)(?: \w+)? (?:over )"
    r"?to (?P<right>{TOOL})(?: now)?,? (?:instead of|from|rather than|away from) (?P<wrong>{TOOL})",
    r"\b(?:switch|switched|switching|move|moved|moving|change|changed|migrate|migrated)(?: \w+)? (?:over )"
    r"?from (?P<wrong>{TOOL}) to (?P<right>{TOOL})",
    r"\b(?:replace|swap|swap out|exchange) (?P<wrong>{TOOL}) (?:with|for|by) (?P<right>{TOOL})",
    r"\binstead of (?P<wrong>{TOOL}),? (?:please )?(?:use|run|take|go with) (?P<right>{TOOL})",
    r"(?:^|\buse |\brun )(?P<right>{TOOL}) (?:instead of|rather than|not) (?P<wrong>{TOOL})",
    r"^(?P<right>{TOOL}), (?:please,? )?not (?P<wrong>{TOOL})(?:,? please)?$",
    r"\b(?P<wrong>{TOOL}) is (?:out|gone|deprecated|banned|dead|history)[,;:–—-]+ (?:(?:we|i|please|just) "
    r")*(?:use|it's|run) (?P<right>{TOOL})",
    r"\b(?:we|i) (?:don't|no longer|do not|dont) use (?P<wrong>{TOOL})(?: any ?more| here)*[,;:–—-]+ (?:bu"
    r"t )?(?:(?:we|i) )?(?:use|it's|only) (?P<right>{TOOL})",
    r"\bwrong about (?P<wrong>{TOOL}),? (?:let's |please )*(?:go|switch|move) back to (?P<right>{TOOL})",
    r"\b(?P<wrong>{TOOL}) is (?:banned|forbidden|not allowed)(?: here)?,? (?:just |only |use )?(?P<right>{TOOL})"
    r"(?: only)?$",
    r"^(?:never|no|not) (?P<wrong>{TOOL})[,;.] ?(?:always|only|just|use|but) (?P<right>{TOOL})$",
    r"\bi(?:'d| would) rather (?:you )?(?:use|run) (?P<right>{TOOL}) than (?P<wrong>{TOOL})$",
    r"\b(?:from now on|in future|going forward)[, ]+(?:please )?(?:use )?(?P<right>{TOOL}) "
    r"(?:instead of|not|rather than) (?P<wrong>{TOOL})",
    r"\byou (?:ran|used|typed) (?P<wrong>{TOOL}(?: {TOOL})*),? (?:but )?(?:it|that) (?:should|must) (?:be|have been) "
    r"(?P<right>{TOOL}(?: {TOOL})*)",
    r"\b(?:don't|do not|dont|never) (?P<wrong>{TOOL}(?: {TOOL})+),? (?:but )?(?P<right>{TOOL}(?: {TOOL})+)",
)

USED_HERE = r"""
    (?:(?:no|please|hey|next time|from now on|in future|wrong [\w ]{2,20}|actually|sorry|btw)[,:! ]+)*(?:(?:always|just
    |please) )*(?:use|run|take|go with|it's|we use|we're using|we are using|that should be|it should be
    |should be) (?P<right>{TOOL})(?: test| install)?(?: instead| here| now| next time| please| for that)*$
"""
RAN = r"""
    \b(?:ran|run|running|used|using|executed|with|via|did)[ ][`"']?(?P<program>[a-z][\w.-]*)[ ][\w-]+
    |`(?P<ticked>[a-z][\w.-]*)[ ][^`]+`
"""

DAY_REPAIRS = r"""
    \bnot (?:on )?(?:the )?(?P<wrong>\d{1,2})(?:st|nd|rd|th)?,?[ ](?:but |it's )?(?:on )?(?:the )?(?P<right>\d{1,2}(?:st
    |nd|rd|th))
"""

DID_OTHERWISE = r"""
\b(?:i|we) (?:just |actually |ended up |went and )*(?:ran|did|used|running|went with|typed
|executed) [`"']?(?P<command>[\w.-]+(?: [\w./-]+){0,3})[`"']?(?: instead| myself| now)*
"""

_LEAD = (
    r"(?:(?:no|nope|nah|wait|sorry|actually|oops|oh|ah|hm+|hold on|my bad|my mistake|typo|correction|make that"
    r"|scratch that)[,.:!;\s–—-]+)*"
)
_IT_IS = (
    r"(?:(?:it's|it is|it was|it should be|that's|(?:his|her|my) name is|it's spelled|it's spelt|in|on|at|to|the) )*"
)
_THING = r"\w[\w .+#/@'-]{0,40}?"
_SURE = (
    r"(?:(?:no|sorry|oh|ah|actually)[, ]+)*(?:no,? wait|wait,? no|correction|typo|scratch that|make that|my mistake"
    r"|my bad|oops|i (?:actually |really |obviously )?(?:meant|mean)(?: to say| to write)?|i said"
    r"|what i (?:meant|said) was)[,.:!;\s–—-]+"
)

CORRECTIONS = (
    rf"{_LEAD}{_IT_IS}not (?P<wrong>{_THING}),? but {_IT_IS}(?P<right>{_THING})$",
    rf"{_LEAD}(?:i meant? )?{_IT_IS}not (?P<wrong>{_THING}), {_IT_IS}(?P<right>{_THING})$",
    rf"{_LEAD}(?:i meant? )?{_IT_IS}(?P<right>{_THING}),? (?:and )?(?:not|instead of|rather than) (?P<wrong>{_THING})$",
    rf"(?:\*|{_SURE}){_IT_IS}(?P<right>{_THING})$",
    rf"(?:(?:no|nope|sorry|actually|wait|oh|ah|btw)[,.:!\s]+)*(?:it's |it is |that's |his name is |her name is "
    rf"|my name is |spelled |spelt |written )+(?P<right>{_THING}),? (?:(?:spelled|spelt|written) )?with "
    r"(?:an?|one|two|the)\b.*$",
)
# "Max is not allergic to peanuts but to tree nuts" says two things.
CONTRASTS = (
    (
        r"^(?P<who>.+? (?:is|are|was))(?:n't| not) (?P<how>[\w ]+? (?P<to>to|at|in|on|for|with)) (?P<wrong>.+?),?"
        r" but(?: only)? (?P=to) (?P<right>.+)$",
        r"\g<who> not \g<how> \g<wrong>",
        r"\g<who> \g<how> \g<right>",
    ),
    (
        r"^(?P<who>.+? (?:is|are|was))(?:n't| not) (?P<wrong>(?:an? )?[\w-]+),? but (?P<right>(?:an? )?[\w-]+)$",
        r"\g<who> not \g<wrong>",
        r"\g<who> \g<right>",
    ),
)
SLIGHT_CORRECTIONS = rf"(?:(?:no|sorry|actually|wait|oh|ah)[,.:!\s]+)+{_IT_IS}(?P<right>{_THING})$"

NO_VALUE = r"""
    (?:no|not|nothing|none|well|that|this|it|you|me|what|how|if|when|to|thanks|thank|please|yes|ok|okay|later|never
    |maybe|sure|so|just|only|every|all|business|fine|good|i|we|they|he|she|hello|hi)\b|.*\b(?:is|are|was|were|has|have
    |had|do|does|can|will|would|because|about|very|really)\b
"""

DENIALS = r"""
    (?:no[, ]+|sorry[, ]+|actually[, ]+)*(?:that's|that is|thats|this is|you're|you are|it's) (?:wrong|not right
    |incorrect|not correct|not true|a mistake|mistaken|outdated)\b|(?:no|nope)[,.!]* i (?:don't|do not|am not|'m not
    |didn't|haven't|wasn't)\W*$
"""

_SOFTLY = (
    r"(?:(?:sorry|ok(?:ay)?|oh|ah|haha+|lol|please|pls|wait|actually|hmm+|no|nah|well|um+|and|remember(?: that)?"
    r"|never ?mind)[,.!:…\s]+)*"
)
_FORGET = (
    r"(?:forget|ignore|disregard|scratch|strike|scrap|drop|delete|erase|undo|never ?mind|(?:you )?(?:don't|do not|dont"
    r"|shouldn't|should not) (?:remember|save|store|keep|note|learn|record|memori[sz]e))"
)
TAKEN_BACK = (
    rf"\s*{_SOFTLY}(?:{_FORGET} (?:that|this|it|what i (?:just )?(?:said|told you|wrote)|my last (?:message|sentence)"
    r"|the last (?:bit|part|message))(?: (?:please|again|then|though|ok))*(?=\s*(?:[.,!;:…–—-]|$))"
    rf"|{_FORGET} (?:that )?i (?:ever |just )*(?:said|told you|mentioned|wrote) (?:that|this|it|anything)"
    r"(?=\s*(?:[.,!;]|$))"
    r"|(?:i'm |i am |i was |it was |that was |that's |was )*(?:just |only |all |a |totally )*(?:kidding|joking|jk|j/k"
    r"|a joke|joke|sarcasm|being sarcastic|messing with you|pulling your leg)"
    r"(?=\s*(?:[.,!;…–—-]|$|lol\b|haha|obviously\b))"
    r"|(?:lol|haha+)[,.!\s]+(?:no|nope|nah)[,.!\s]*(?:i (?:don't|do not|am not|didn't|haven't|wasn't)|i'm not)?"
    r"(?=\s*(?:[.,!]|$))"
    r"|(?:april fools?|gotcha)\b)"
)
FORGOTTEN = (
    rf"{_SOFTLY}{_FORGET} (?:(?:that )?i (?:ever )?(?:said|told you|mentioned) )?(?:that |the fact that )?"
    r"(?P<what>(?:i|i'm|i've|my|we|we're|our)\b.{3,200})"
)

EFFECTS = r"""
    \s*(?:(?:and|ok|okay|yeah|yes|right|well|oh)[, ]+)*(?P<cue>that's why|thats why|that is why|this is why|which is why
    |because of (?:that|this)|due to (?:that|this)|as a (?:result|consequence)|therefore|consequently|hence
    |for that reason|so (?:we|i) (?:had to|needed to|decided to|rolled|switched|restarted|reverted|ended up)
    |that (?:led to|caused|broke|made)|this (?:led to|caused|broke))\b
"""
REASONS = r"""
    \s*(?:(?:yes|yeah|right|ok)[, ]+)*(?P<cue>that's because|thats because|it's because|this (?:happened|failed
    |broke) because|(?:it|that|this) was caused by|caused by|it failed because)\b(?!\s+of (?:that|this))
"""


# English words that teach how something is done: what is done, and the steps.


HOW_TOS = r"""
    (?:^|(?<=[.!?]\s)|(?<=\n))(?P<head>(?:(?:fyi|btw|ok|okay|so|note|remember)[,:]?\ )?
    (?:(?:(?:here's|here\ is|this\ is|that's)\ )?how\ (?:to|i|we|you)
    |(?:(?:the\ )?(?:steps|procedure|instructions|recipe|way)\ )?to))\ (?P<goal>
    (?!(?:be|my|our|your|the|an?|this|that|me|us|it|him|her|them|sum|recap|clarify|summari[sz]e|do\ list|say
    |made|got|did|went|met|lost|won|broke|spent|quit|blew|ruined|ended|\w+(?<!\bfe)(?<!\bne)(?<!spe)(?<!bre)ed)\b)
    [a-z][^\n.:,;!?]{2,80}?)\s*(?:(?P<colon>:|[-–—]\ |\n|(?=\s1[.)]\s))|,)\s*
    (?P<steps>(?:\d{1,2}[.)]\ +(?:(?!\s\d{1,2}[.)]\s)(?:[^\n.!?]|[.](?=\w))){1,200}[.;]?(?:\s+(?=\d{1,2}[.)]\s)|)){2,20}
    |(?:[-*•]\ +[^\n]{1,200}(?:\n\s*(?=[-*•]\ )|)){2,20}
    |(?!\d{1,2}[.)]\s)(?:[^\n.!?]|[.](?=\w)){8,500}(?=[.!]|\n|\Z))
"""
STEP_ORDER = r"""
    \s*(?:->|→|;|\n\s*[-*•]\s|(?:^|,)\s*(?:and\ )?(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|next)\b,?
    |,?\s*(?:\band\ )?\b(?:then|after\ that)\b,?)\s*
"""
STEP_GAPS = r",\s*(?:and\s+)?|\s+and\s+(?!\w+\s*$)(?=\w+\ (?:it|the|your|my)\b)"
NO_STEP = r"""
    (?:i|we|he|she|they|it|there|this|that|these|those|my|our|his|her|their|the|an?|what|who|where|why|which|how|can
    |could
    |should|would|do|does|did|is|are|was|were)(?:'\w+)?\b
"""
TOPICS = r"""
    \W*(?:(?:our|my|the|this)\ (?P<thing>(?:[\w-]+\ ){0,3}?[\w-]+)\ (?:just\ |always\ |keeps?\ |has\ )?
    (?:is|was|needs?|has|broke|breaks|fail(?:s|ed)?|crash(?:es|ed)|stop(?:s|ped)|hangs?|hung|died|won't|doesn't|isn't
    |got|went|stuck|\w+ing|\w+ed)\b)
"""
TOPIC_AGAIN = r"\b(?:it|that|this)\b"


# English: questions of an assistant, and what a brief answer to each of them states.


_ASK = r"""
    (?:(?:so|and|ok|okay|great|thanks|cool|also|just curious|first|may i ask|can i ask|if i may ask|by the way|lovely
    |nice|noted|got it|good)[,:!]? )*
"""

ANSWERS = (
    (_ASK + r"where (?:do|are) you (?:live|living|based|located)(?: now| these days)?", "I live in {answer}"),
    (_ASK + r"(?:where|who) do you work(?: for| at)?(?: now)?", "I work at {answer}"),
    (_ASK + r"what do you do(?: for (?:a living|work))?", "I work as {answer}"),
    (_ASK + r"how old are you", "I am {answer}"),
    (_ASK + r"how old is (?P<what>[\w' ]+)", "{what} is {answer}"),
    (
        _ASK + r"what(?:'s| is| was) (?P<what>your [\w' ]+?)(?: called| named)?(?: again)?",
        "{what} is {answer}",
    ),
    (_ASK + r"what(?:'s| is) (?P<what>(?:his|her|their|the) [\w' ]+?)(?: called| named)", "{what} is called {answer}"),
    (_ASK + r"(?:who|which one)(?:'s| is) (?P<what>your [\w' ]+)", "{what} is {answer}"),
    (_ASK + r"who(?:'s| is) (?P<what>[A-Z][\w' ]*)", "{what} is {answer}"),
    (_ASK + r"(?:when|what time|what day|where)(?:'s| is| are) (?P<what>(?:the|your) [\w' ]+)", "{what} is {answer}"),
    (
        _ASK + r"how many (?P<what>[\w' ]+?) (?:do|have) you (?P<verb>have|own|need|eat|drink|speak|run|got)",
        "I {verb} {answer} {what}",
    ),
    (
        _ASK + r"(?:what|which) [\w' ]+? do you (?:usually |normally )?(?P<verb>(?!want|think|mean|need|prefer i)\w+)",
        "I {verb} {answer}",
    ),
    (_ASK + r"what do you (?P<verb>eat|drink|play|study|teach|drive|use|cook|build|grow|sell)", "I {verb} {answer}"),
    (_ASK + r"(?:when|what time|how often) do you (?P<verb>(?!want|need)[\w' ]+)", "I {verb} {answer}"),
    (_ASK + r"what are you (?:allergic to)", "I am allergic to {answer}"),
)

# Questions to be answered by yes or no. What only concerns the task at hand is left out.
_TASK = r"""
    (?!(?:want|need|think|know|mean|see|mind|remember|like me|prefer|happy|sure|ready|ok|okay|looking|planning to send
    |have (?:a|any|the) (?:\w+ )?(?:preference|question|date|idea|example|time))\b)
"""

AGREED = (
    (_ASK + r"do you (?P<rest>" + _TASK + r"[\w' -]+)", "I {rest}"),
    (_ASK + r"are you (?P<rest>" + _TASK + r"[\w' -]+)", "I am {rest}"),
    (_ASK + r"have you (?P<rest>" + _TASK + r"[\w' -]+)", "I have {rest}"),
    (_ASK + r"is (?P<what>your [\w']+|[A-Z]\w+) (?P<rest>[\w' -]+)", "{what} is {rest}"),
)
REFUSED = (
    (_ASK + r"do you (?P<rest>" + _TASK + r"[\w' -]+)", "I don't {rest}"),
    (_ASK + r"are you (?P<rest>" + _TASK + r"[\w' -]+)", "I am not {rest}"),
    (_ASK + r"have you (?P<rest>" + _TASK + r"[\w' -]+)", "I haven't {rest}"),
    (_ASK + r"is (?P<what>your [\w']+|[A-Z]\w+) (?P<rest>[\w' -]+)", "{what} is not {rest}"),
)
YES = r"""
    \W*(?:yes|yep|yeah|yup|i do|i am|i have|(?:yes|yeah),? (?:i (?:do|am|have)|of course|sure)|of course|sadly yes)\W*
"""
NO = r"""
    \W*(?:no|nope|nah|i don't|i'm not|i haven't|never|sadly no|(?:no|nope),? (?:i (?:don't|haven't|am not)|i'm not
    |not really|sorry|never))\W*
"""
UNANSWERED = r"""
    ^(?:i|i'm|i've|im|my|we|we're|our|he|she|they|it|that|this)\b|\b(?:not|never|none|no|idea|was|were|if|guess|would
    |could|should|might|why|haha\w*|lol|kidding|depends|wish|dunno|ha|right|oh|well|whatever|skip|pass|later|secret
    |anything|surprise|either|both|you)\b|\.\.|…|[😂🤣😉😜🙃]
"""
ANSWER_LEADS = (
    r"^(?:(?:in|at|for|as|an?|on|it's|its|he's|she's|just|only|mostly|currently|probably|about|around) )(?=\S)"
)
TURNED = (
    (r"\byour\b", "my"),
    (r"\byours\b", "mine"),
    (r"\byou are\b", "I am"),
    (r"\byou\b", "I"),
)


# English: jokes, stories, roles and dictated texts, by the words that begin and end them.


JOKES = r"""
    , not\W*$|,? (?:only |just )?kidding\W*$|^\W*(?:yes,? yes|oh,? yes|oh,? sure|yeah,? sure|sure,? sure|oh,? absolutely
    |oh,? joy)\b|\b(?:so |really |just |absolutely |simply |totally )?(?:love|loves|enjoy|enjoys|adore|adores|loving
    |enjoying) (?:being (?:ignored|told|valued|woken|yelled|shouted|late|broke|sick|on call)|paying|waiting|queu\w+
    |getting (?:told|woken|yelled|up at)|having to|sitting in traffic)\b|\b(?:absolute|pure|sheer) (?:paradise|heaven
    |bliss|joy|magic|luxury)\b|\bof course (?:very|so|totally|perfectly|absolutely)\b
    |^\W*(?:oh,? |wow,? |well,? )?(?:great|fantastic|wonderful|lovely|perfect|brilliant|yay|joy
    |awesome)[,!. ]+(?:another|yet another|more|just what)\b|\bmade of money\b|\bmy life is complete\b
    |\bjust what (?:i|we) needed\b
    |\bso thrilled\b|\bshocking\W*$|\blove that for (?:me|us)\b|\bhow lovely\b|(?:^|\s)/s\b|\b(?:just kidding
    |only kidding|kidding aside|j/?k\b|yeah,? right|aye right|as if\b|oh sure|sure,? because|just joking|only joking
    |i'm joking|im joking|i joke|said no one ever|april fools|very romantic|what could go wrong|living the dream)\b
    |🙄|🤡|😏|🙃|\bNOT!\s*$
    |\b(?:i'm|im|i am) (?:basically |literally |practically |now |officially |clearly |obviously )+(?:an?
    |the) (?:god|goddess|king|queen|genius|legend|monster|robot|ninja|superhero|zombie|ghost|saint|vampire|potato
    |wizard)|\b(?:marry|divorce|sue|murder|kill|strangle|burn|haunt|adopt) (?:me|him|her|them|you|it|myself
    |everything)\b|\b(?:a|one) (?:million|billion|thousand) (?:times|years)\b|\bin a past life\b|\bworld domination\b
    |\bover my dead body\b|\bnothing (?:gets|says|beats|makes) .{0,40}\blike\b|\bcan't get enough of (?:it|them|those
    |these)\b|\b(?:simply|positively) (?:love|adore|live for)\b|\bso \w+(?: that)? (?:i|he|she|they|we|you|it) (?:could
    |can|would|might|may as well)\b
"""

FICTION = r"""
    \b(?:write|tell|continue|start|finish|make up|compose|brainstorm|help me with|working on|outline|invent
    |give me)\b.{0,60}\b(?:stor(?:y|ies)|poem|novel|haiku|limerick|song|lyrics|scene|screenplay|fanfic|fairy ?tale
    |sonnet|fable|chapter|dialogue|monologue|villain|plot|skit|sketch|rap|ballad|short story|bedtime story|sci-fi
    |horror)\b|\b(?:in|for|inside) (?:my|the|this|our|his|her) (?:[\w-]+ ){0,2}(?:novel|stor(?:y|ies)|book|screenplay
    |game|campaign|dream|nightmare|movie|film|play|fanfic|chapter|d&d|dnd|rpg|skit|sketch|comic|series
    |musical)\b(?=\s*(?:[,:;]|$|i\b|i'm|my\b|he\b|she\b|the\b|there\b|it\b|we\b|is\b|everyone|people|nobody|an?\b|has\b
    |lives\b|where\b|about\b|called\b))|\bnarrator\b|\blogline\b|\b(?:my|the|our|main) (?:character|protagonist|narrator
    |hero|heroine|villain|paladin|rogue|wizard|sorcerer|bard|cleric|druid|half-orc|tiefling|dungeon master|npc)(?:'s)?\b
    |^(?!(?:update|note|correction|reminder|edit|news|fyi|ps)\b)(?-i:[A-Z])\w+: (?:i|me|my|we|our)\b(?!.*\bit\b)
    |\bonce upon a time\b|\bi (?:dreamt|dreamed)\b|\bhad (?:a|this|the) (?:\w+ )?(?:dream|nightmare)\b|\bfictional\b
    |\b(?:dm-?ing|gm-?ing)\b|\b(?:story|fairy ?tale|poem|comic|sketch|skit)\s*:|\b(?:our|the|that|this|my) (?:story|tale
    |novel|campaign|fairy ?tale)\b.{0,12}$|\bfor (?:the sake of|an) (?:argument|example)\b|\bhypothetical(?:ly)?\b
    |\bthought experiment\b|\bin (?:minecraft|skyrim|the sims|stardew valley|animal crossing|zelda|elden ring
    |baldur's gate|cyberpunk|crusader kings|civ|rimworld|dwarf fortress)\b|\b(?:write|draft|compose)\b.{0,30}\b(?:as
    |from the (?:point of view|perspective) of|in the voice of|like) (?:a|an|my|the|if)\b
"""

BELONGS = r"""
    \b(?:that's|that was|that is|it's|this is|those are|thats)(?: all| just)? (?:for|from|in|part of) (?:an?|my|the|our
    |his|her|this) (?:[\w-]+ ){0,2}(?:sketch|story|stories|novel|book|film|movie|play|song|game|campaign|dream|comic
    |skit|show|series|joke|poem|script)\b
"""

ROLE_PLAY = r"""
    (?:^\W*(?:\w+ ){0,2}|\b(?:i'm|im|i am|this is|me|here|typing|writing|texting) (?:\w+ ){0,2})(?:on|using|from
    |borrow\w*) (?:his|her|dad's|mum's|mom's|{NAME}'s|my (?:wife|husband|mum|mom|dad|son|daughter|brother
    |sister)'s) (?:phone|account|laptop|ipad|tablet|computer)\b|\b{NAME}'s (?:husband|wife|son|daughter|mum|mom|dad
    |brother|sister|partner) here\b|\btyping (?:this )?for\b|\b(?:role.?play|pretend (?:to be|you|you're|ur|we|that|it's
    |this|i'?m (?!new|five|stupid|dumb|an idiot|\d)|i am (?!new|five|stupid|dumb|an idiot|\d))|act as|act like|(?:you
    |you'll|you can|i'll|^|please|can you|could you|now|,) (?:be|play) (?:an?|the|my|our) (?:[\w-]+ ){0,2}\w+(?:er|or
    |ist|man|ant|ian|ess|cop|judge|guard|nurse|coach|king|queen|boss)\b(?! (?:than|at|with|for|by|on)\b)
    |\bi (?:cast (?!a (?:doubt|vote|glance))\w+|roll for|draw my (?:sword|axe|bow|dagger|blade|wand))\b|\b(?:you
    |u)(?:'ll)? (?:be|play) {NAME}\b|^\W*you are (?:a|the|my) (?:customer|guest|patient|client|recruiter|tourist)\b
    |you have been an? |you are (?:now )?(?:an?|the|my) (?!assistant\b|lifesaver|star\b|legend|gem|genius|angel|hero|god
    |best|godsend)[\w ]{2,30}(?:[.,:]| and\b| who\b)|you're now (?:my|the|an?)\b|you're (?:now )?(?:an?
    |the) (?:\w+ ){0,2}(?:interviewer|detective
    |pirate|recruiter|customer|patient|teacher|king|queen|knight|wizard|dragon|waiter|shopkeeper|examiner|judge|villain
    |captain|bartender|guard|alien|robot|vampire)|i'?ll (?:be|play) (?:an?|the)|i'?m playing (?:an?|the)|let's play
    |play the (?:role|part)|in character|stay in character|mock interview)\b
"""

ROLE_OVER = r"""
    ^\W*(?:haha\w*|ha\b|lol|lmao|ok|okay|thanks|thank you|thx|nice|great|perfect|good one|brilliant|cute|phew)\b|\bbtw\b
    |\bthat helped\b|\bcan you\b|\b(?:end of (?:the )?(?:game|role.?play|story|scene)|back to (?:reality|real life
    |normal|business|me|work|the real)|game over|out of character|ooc|stop (?:pretending|role.?playing|playing
    |the (?:game|role.?play|act))|(?:done|finished|enough) (?:pretending|role.?playing|playing|with the)|in real life
    |irl|for real|real talk|seriously|joking aside|ok(?:ay)? (?:stop|done|enough|real)|anyway|on a real note
    |real question|scene over|end scene|back to)\b
"""

DICTATED = r"""
    \b(?:translate|proofread|paraphrase|rephrase|reword|re-?write|summari[sz]e|edit|correct|improve|shorten|polish|check
    |review|fix|explain|dictate|transcribe|answer|reply to|rename|convert)\b.{0,60}(?::|\bthis\b|\bfollowing\b|\bbelow\b
    |\bdictate (?:a|the|my) \w+)\W*$|\b(?:translate|proofread|paraphrase|rephrase|reword|re-?write|summari[sz]e|edit
    |shorten|review|fix|answer|reply to|rename|convert)\b[^:]{0,60}(?::\s*\S?|\s{3})|^\W*(?:(?:now|also|and
    |please) )*(?:add|append|insert|include|next|next bit|subject|new line|p\.?s)\s*:\s*\S?|\bdear (?:mr|mrs|ms|dr|sir
    |madam|customer|valued|parents|families|all|team|friends?|colleagues?|neighbou?rs?|guests?)\b[\w. ]{0,25},
    |\b(?:(?<!\bi )said|says|wrote|writes|reads|goes|replied|answered|like this|as follows|here(?:'s| is) (?:the|my|his
    |her|their|a|an)\b.{0,40}|text|message|email|mail|letter|post|ad|review|draft|quote|lyrics|transcript|log|error
    |output|headline|caption|prompt|template|bio)\s*:\s*\S?
    |^\W*(?:[\w'-]+ ){0,2}(?:lyrics|horoscope|fortune cookie|joke|bio|profile|sample|example|dummy|placeholder|slogan
    |made-up
    |fake \w+|invented \w+|(?:e-?mail|mail|letter|note|text|message|sms|post|flyer|sign|notice) from)\b[^:.!?]{0,40}:
"""


# English: who does what a clause says, how that is told in the third person, and what an order can do without.


DROPPED = r"""
    (?:(?:just|also|already|finally|still|recently|only|really|never) )*(?:got (?!\w+ed\b|to\b|it\b|worse|better|up\b
    |put\b|hit\b|cut\b|so\b|too\b)|had (?!to\b|better)|need (?!to (?:be|know))|needed|booked|bought|met|saw|lost|found
    |signed up|paid|quit|sold|want(?:ed)?|prefer|hate|love|live in|work (?:at|for|in|as)|grew up|used to|am\b
    |have (?!to be|you)|can't (?!be)|don't like)\b ?|(?:(?:just|also|still) )*(?P<going>going|trying|planning|learning
    |training|taking|switching|looking|thinking|working|living|moving)\b(?! \w+(?:'s| is| are)\b) ?
"""

ASKS_FOR = r"""
    (?:(?:(?:and|so|but|also|oh|ok|okay|just|then|now|btw|please|pls|plz|kindly)\b,? ?)|(?:(?:can|could|would
    |will) (?:you|u|ya)|would you mind|i'd like you to|i would like you to|i want you to|i need you to|remember to
    |make sure (?:to|you)|be sure to|from (?:now|here) on(?: out)?|going forward|in (?:the )?future|for future reference
    |as a rule|one thing|one rule|house rule|next time)\b[,:]? ?(?:please |just )?)*
"""

PRONOUNS = (
    (r"^(?={NAME_HERE}\W*$)(\w+) here", r"USER is \1"),
    (  # "I'm a teacher myself", not "I'm proud of myself"
        r"^((?:i'm|i am|i was|[\w' ]{2,30}(?: is| was|'s)) .*\w)(?<!\bby)(?<!\bof)(?<!\bto)(?<!\bfor)(?<!\bwith)"
        r"(?<!ing)(?<!\bin)(?<!about) (?:myself|himself|herself|themself)(?=\W*$)",
        r"\1",
    ),
    (r"\b(?:my|our) own\b", "USERS own"),
    (r"\b(?:i'm|im|i am|i'm)(?= |$|,|\.)", "USER is"),
    (r"\b(?:i've|ive|i have)\b", "USER has"),
    (r"\bi haven'?t\b", "USER hasn't"),
    (r"\bi(?:'d|d| had) better\b", "USER had better"),
    (r"\b(?:i'd|id)(?= (?:\w+ly )?(?:rather|prefer|like|love|be|go|say|want|never|have)\b)", "USER would"),
    (r"\bi'd\b", "USER had"),
    (r"\bi'll\b", "USER will"),
    (r"\bi don'?t\b", "USER doesn't"),
    (r"\bi do(?= not\b)", "USER does"),
    (r"\bi do\b", "USER does"),
    (r"\b(and|or|than|with|between) i\b", r"\1 USER"),
    (r"\bi and\b", "USER and"),
    (r"\b(?:my|our)\b", "USERS"),
    (r"\b(?:mine|ours)\b", "USERS"),
    (r"\bme\b", "USER"),
    (r"\bmyself\b", "themself"),
)

AGREEING = r"""
    (?<![\w-])i (?P<adverbs>(?:(?:no longer|just|also|really|still|always|never|usually|only|actually|already|often
    |sometimes|currently|now|recently|finally|mostly|normally|generally|literally|totally|absolutely|kinda|mainly|rarely
    |hardly|barely|basically|definitely|probably|honestly|do|even|first|then|once|both|either
    |(?!fly |apply |reply |rely |supply )\w+ly) )*)(?P<verb>[\w'’]+)
"""

VERB_FORMS = (
    ("^(?:have|ve)$", "has"),
    ("^haven't$", "hasn't"),
    ("^do$", "does"),
    ("^don'?t$", "doesn't"),
    ("^(?:am|are)$", "is"),
    ("^go$", "goes"),
    ("^(need|feed|bleed|speed|breed|succeed|proceed|exceed|embed|shed|wed)$", r"\1s"),
    (r"^(\w{2,}ed)$", r"\1"),
    (r"^(\w*(?:s|x|z|ch|sh))$", r"\1es"),
    (r"^(\w*[^aeiou\W])y$", r"\1ies"),
    (r"^(\w+)$", r"\1s"),
)

PARTICIPLES = r"""
    (?: (?:just|already|also|now|only|always|never|recently|finally|even))* (?:been|had|got|gone|done|become|begun|won
    |lost|left|quit|put|cut|bought|sold|taken|given|made|found|broken|written|seen|met|paid|said|told|asked|come|taught
    |thought|sent|spent|read|run|grown|(?!retired|married|engaged|divorced|tired|bored|excited|worried|called|named
    |based|obsessed|scared|interested|supposed|allowed|located|booked|closed|stuck|disabled|qualified|pleased|need
    |indeed|due|red\b|bed\b)\w{2,}ed)\b
"""

NO_VERBS = r"(?:the|a|an|my|our|his|her|their|this|that|it|some|all|most|not|one|two|\w+ing)\b"

AGAIN = (
    (r"\bUSER's own\b", "their own"),
    (r"\bUSER's\b", "their"),
    (r"\bUSER is\b", "they are"),
    (r"\bUSER was\b", "they were"),
    (r"\bUSER has\b", "they have"),
    (r"\bUSER hasn't\b", "they haven't"),
    (r"\bUSER doesn't\b", "they don't"),
    (r"\bUSER (need|want|get|know|see|like|feel|work|live|think)s\b", r"they \1"),
    (
        r"\bUSER(?= (?:can|can't|could|will|won't|would|should|must|might|may|had|did|didn't|got|made|went|came|bought"
        r"|lost|gave|(?!red\b|need)\w+ed|{PAST})\b)",
        "they",
    ),
)

JOINT_SUBJECTS = r"\b(?:(?-i:[A-Z][\w'-]+)|{KIN}),? (?:and|or) \Z"

# How the agent writes and answers, and not one text, the one before or somebody else.
_STYLE = (
    r"(?:emojis?|emoticons|smileys|bullet (?:lists|points)|bullets|headings|jargon|filler|markdown|exclamation marks"
    r"|(?:metric|imperial) units)"
)
ANSWERING = (
    r"(?!.*\b(?:this|that|these|those|it|him|her|them|here|today|tonight|first|(?<!from )now|(?:the|my|an?|our|his"
    r"|their) (?!same\b|user\b)\w+)\b)(?:(?:and|but|so|also|please|pls|just|could you|can you|would you|will you) )*"
    r"(?:(?:keep|make) (?:all )?(?:your )?(?:answers|replies|responses|explanations) \w+|(?:answer|reply|respond)"
    r"(?: to)?(?: me)? in (?:\w+ ){0,2}(?:sentences|words|paragraphs|prose)\b|(?:no|avoid|skip|(?:don'?t |do not )?use)"
    rf" (?:more |any |only )?{_STYLE}\b|{_STYLE}"
    r" (?:is|are) (?:fine|ok|okay|allowed|welcome) (?:in|for|with) (?!this|that|now|the\b)\w+)"
)
