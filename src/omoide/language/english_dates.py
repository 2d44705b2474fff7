"""English words of dates, and verbs that tell whether a date lies ahead or behind."""

from __future__ import annotations

# Words that may be other words or names as well.
AMBIGUOUS_DATE_WORDS = frozenset("may march mar jan dec sun sat mon wed weds fri".split())
DATE_WORDS = """
    day week weekend weekends month year fortnight quarter today tomorrow tmrw tonight yesterday eve christmas xmas
    easter thanksgiving halloween hanukkah passover ramadan eid diwali
"""
PAST_VERBS = r"""
    \b(?:was|were|wasn't|weren't|did|didn't|had|hadn't|been|went|got|came|bought|met|lost|won|saw|took|made|gave|broke
    |threw|found|sold|quit|left|began|ran|ate|drank|wrote|read|told|said|heard|felt|kept|held|brought|taught|thought
    |caught|fell|flew|drove|rode|swam|sang|spoke|sent|spent|slept|paid|built|grew|knew|became|chose|woke|wore|stood
    |born|since|ago|back in|\w{2,}(?<!ne)(?<!fe)(?<!se)(?<!spe)(?<!excee)(?<!procee)ed)\b
"""
AHEAD_VERBS = r"""
    \b(?:will|won't|shall|should|must|let's|going to|gonna|plan(?:s|ning)? (?:to|on|for)|planned (?:to|on|for)
    |(?:have|has|need|needs|want|wants|hope|hopes|supposed|expected|meant) to|is|are|isn't|aren't|am|due|booked
    |scheduled|rescheduled|pushed|postponed|delayed|slipped|bumped|brought forward|deferred|signed up|invited
    |(?:confirmed|fixed|set) for|agreed (?:on|to)|remind|reserved|cancell?ed|upcoming
    |got (?:an?|my|our) (?:\w+ ){0,2}(?:appointment|interview|meeting|exam|call|flight|trip|date|session|lesson
    |viewing|wedding|party|check-?up|scan|gig|concert|match|test|visit|deadline)
    |got (?:\w+ )?(?:moved|cancell?ed|pushed|postponed|rescheduled|delayed))(?!\w)|(?:'ll|'re|'m)\b
    |\b(?:moved|changed|shifted|switched)(?:\s+\w+){0,4}?\s+to\s+(?=the \d|\d|next|this|tomorrow
    |(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b)
"""
