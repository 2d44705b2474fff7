"""English: how people set right or take back what was said, name something else to use, and teach how it is done."""

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
    (?:i|we|he|she|they|it|there|this|that|these|those|my|our|his|her|their|the|an?|what|who|where|why|which|how|can|could
    |should|would|do|does|did|is|are|was|were)(?:'\w+)?\b
"""
TOPICS = r"""
    \W*(?:(?:our|my|the|this)\ (?P<thing>(?:[\w-]+\ ){0,3}?[\w-]+)\ (?:just\ |always\ |keeps?\ |has\ )?
    (?:is|was|needs?|has|broke|breaks|fail(?:s|ed)?|crash(?:es|ed)|stop(?:s|ped)|hangs?|hung|died|won't|doesn't|isn't
    |got|went|stuck|\w+ing|\w+ed)\b)
"""
TOPIC_AGAIN = r"\b(?:it|that|this)\b"
