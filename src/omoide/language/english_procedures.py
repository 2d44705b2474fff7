"""English words that teach how something is done: what is done, and the steps."""

from __future__ import annotations

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
