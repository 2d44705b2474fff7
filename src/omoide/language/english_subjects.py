"""English: who does what a clause says, how that is told in the third person, and what an order can do without."""

from __future__ import annotations

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
    (?<!\w)i (?P<adverbs>(?:(?:no longer|just|also|really|still|always|never|usually|only|actually|already|often
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
