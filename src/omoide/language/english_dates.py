"""English words of dates, and verbs that tell whether a date lies ahead or behind."""

from __future__ import annotations

from omoide.language.registry import DateWords

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
        |(?:what|anything) (?:do i have |have i got |is |'s )?(?:planned|scheduled|booked)|my (?:next )?appointments)\b
    """,
    saying_words=r"""
        \b(?:discuss|talk|spoke|speak|said|say|told|tell|mention|chat|convers|sessions?\b|asked?\b|cover|recap
        |summar)\w*
    """,
    past_verbs=r"""
        \b(?:was|were|wasn't|weren't|did|didn't|had|hadn't|been|went|got|came|bought|met|lost|won|saw|took|made|gave
        |broke
        |threw|found|sold|quit|left|began|ran|ate|drank|wrote|read|told|said|heard|felt|kept|held|brought|taught|thought
        |caught|fell|flew|drove|rode|swam|sang|spoke|sent|spent|slept|paid|built|grew|knew|became|chose|woke|wore|stood
        |born|since|ago|back in|\w{2,}(?<!ne)(?<!fe)(?<!se)(?<!spe)(?<!excee)(?<!procee)(?<!\bde)(?<!hundr)ed)\b
    """,
    arranging_verbs=r"""
        (?:told|gave|got|booked|made|took|promised|said|agreed|picked|chose|asked|offered|invited|had|put|found
        |planned|wanted|came|was(?! born)|were(?! born)|set|slipped|moved|called|announced)\b
    """,
    ahead_verbs=r"""
        \b(?:will|won't|shall|should|must|let's|going to|gonna|plan(?:s|ning)? (?:to|on|for)|planned (?:to|on|for)
        |(?:have|has|need|needs|want|wants|hope|hopes|supposed|expected|meant) to|(?:is|are|am|be
        |gets?) (?:\w+ )?\w+ed|is|are|isn't|aren't|am|due|booked|scheduled|rescheduled|pushed|postponed|delayed
        |slipped|bumped|brought forward|deferred|signed up|invited|(?:confirmed|fixed|set) for|agreed (?:on|to)|remind
        |reserved|cancell?ed|upcoming|(?:got|gets?|have|has|had|put|booked) (?:\w+ )?down for
        |g[ai]ve (?:\w+ )?(?:until|till|til)|got (?:an?|my|the) (?:slot|date|place|table)|got (?:an?|my
        |our) (?:\w+ ){0,2}(?:appointment|interview|meeting|exam|call|flight|trip|date|session|lesson|viewing|wedding
        |party|check-?up|scan|gig|concert|match|test|visit|deadline)|got (?:\w+ )?(?:moved|cancell?ed|pushed|postponed
        |rescheduled|delayed))(?!\w)|(?:'ll|'re|'m|\b(?:it|that|there|he|she)'s(?! been| had| got))\b|\b(?:moved
        |changed|shifted|switched)(?:\s+\w+){0,4}?\s+to\s+(?=the \d|\d|next|this|tomorrow|(?:mon|tue|wed|thu|fri|sat
        |sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b)
    """,
)
