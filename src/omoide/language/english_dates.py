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
        (?:told|gave|got|(?:re|pre|un)?(?:booked|scheduled|arranged)|reserved|applied|registered|enrolled|signed up
        |swapped|made|took|promised|said|agreed|picked|chose|asked|offered|invited|had|put|found
        |planned|wanted|came|was(?! born)|were(?! born)|set|slipped|moved|called|announced)\b
        |\w+\b.*\b(?:for(?: \w+)?|(?:tickets?|seats) (?:to|for) .*)\Z
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
        |(?:isn't|aren't|won't be|wont be) (?:happening|taking place|coming|going ahead)|(?:can't|cannot|won't) (?:come
        |make it))\b
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
