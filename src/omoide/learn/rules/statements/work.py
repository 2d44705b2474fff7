"""Where somebody works and as what, what they study, and where."""

from __future__ import annotations

import re
from datetime import datetime

from omoide.learn.proposal import USER
from omoide.learn.rules.known_words import LANGUAGES, ORGANIZATIONS, words
from omoide.learn.rules.names_and_dates import began
from omoide.learn.rules.phrases import job, organization, person, proper
from omoide.learn.rules.rule import NAME, ClaimRule, am, mine, named, plain

_SUBJECTS = re.compile(
    r"[a-z]+(?:ics|ology|onomy|istry|ing|ture|phy|ory|aw|ess|gy|ine| science|sciences|design|math"
    r"|maths|art|arts|music|medicine|nursing|languages?)$",
    re.IGNORECASE,
)
_FIELDS = words("math maths history art music yoga pilates french biology chemistry drama religion latin")
_NEVER = words("hard a lot all together abroad more for at in tonight today tomorrow now")


def subject(rest: str) -> tuple[str, ...]:
    """What is studied: a field, not "for the exam"."""
    head = re.split(r" (?:at|in|with|for|and|because|so|right|now|here|abroad|together)\b|,", rest, maxsplit=1)[
        0
    ].strip()
    if not head or len(head.split()) > 3 or head.split()[0].lower() in _NEVER:
        return ()
    return (head,) if _SUBJECTS.search(head) or head[0].isupper() else ()


def freelance(rest: str) -> tuple[str, ...]:
    """ "a subtitle translator": with one word before the trade that no list needs to know."""
    if found := job(rest):
        return found
    one = re.match(r"an? (?P<what>[a-z-]+) (?P<rest>[a-z].*)", rest)
    after = job(one["rest"]) if one else ()
    return (f"{one['what']} {after[0]}",) if one and after else ()


def taught(rest: str) -> tuple[str, ...]:
    """ "physics at a high school": a field in one word, and then where or whom; not "Tom a lesson"."""
    found = re.match(r"(?P<what>[^\W\d_]+)(?=\s*(?:$|[,.!]|(?:at|to|in|for|part-time|full-time|and i|online)\b))", rest)
    low = found["what"].lower() if found else ""
    fields = _SUBJECTS.search(low) and low not in {
        "everything",
        "anything",
        "nothing",
        "something",
        "evening",
        "history",
    }
    return (found["what"],) if found and (fields or low in LANGUAGES or low in _FIELDS) else ()


def employer_after(rest: str) -> tuple[str, ...]:
    """ "a data engineer at Zalando": who it is worked for, when a trade stands before it."""
    if not job(rest):
        return ()
    after = re.search(r"^[^,]{3,60}?\b(?:at|for|with) (?P<name>\S.*)", rest)
    return organization(after["name"]) if after else ()


def school(rest: str) -> tuple[str, ...]:
    after = re.match(r"[^,]{0,40}?\bat (?P<name>\S.*)", rest)
    return proper(re.sub(r"^the ", "", after["name"])) if after else ()


# After the name of an employer that is joined or left: when, as what, why; not "for lunch", not "a voicemail".
_FOR_GOOD = re.compile(
    r"\s*(?:$|[,.!;]|(?:in (?:\d|early|late|spring|summer|autumn|fall|winter|january|february|march|april|may|june"
    r"|july"
    r"|august|september|october|november|december)|last|this (?:year|month|week|spring|summer|fall)|yesterday"
    r"|recently|as"
    r"|two|three|a (?:few|couple|year|month|week)|\d+|back in|and (?:i|now|am)|after|because|to (?:start|join|found"
    r"|work)"
    r"|when|since|for (?:good|a new|another|the)|full[- ]time|part[- ]time)\b)",
    re.IGNORECASE,
)
_JUST_NOW = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening)|for the day|at the moment)\b", re.IGNORECASE
)
_ORGANIZED = re.compile(r"\b(?:Inc|GmbH|Corp|Ltd|AG|LLC|University|Bank|Group|Labs)\b")


def steady(rest: str) -> tuple[str, ...]:
    """ "working at Bosch", not "working at Starbucks today"."""
    return () if _JUST_NOW.search(rest) else organization(rest)


def _for_good(rest: str) -> tuple[str, ...]:
    found = organization(rest)
    if not found or not _FOR_GOOD.match(rest.removeprefix("the ")[len(found[0]) :]):
        return ()
    return found


def joined(rest: str) -> tuple[str, ...]:
    """ "I joined Stripe in March". With nothing after it the name may be Anna's, unless we know that it employs."""
    found = _for_good(rest)
    alone = found and not rest[len(found[0]) :].strip(" ,.!")
    return () if alone and not employs(found[0]) else found


def left(rest: str) -> tuple[str, ...]:
    """ "I left Acme", not "I left Berlin". It only ends what is held: a name that employs nobody ends nothing."""
    return _for_good(rest)


def employs(name: str) -> bool:
    return name.lower() in ORGANIZATIONS or _ORGANIZED.search(name) is not None


_NEW_JOB = "(?:started|got) (?:a|my) (?:new )?(?:job|position|role) as"

WORK_RULES: tuple[ClaimRule, ...] = (
    mine(
        "works_at",
        "work at|work for|work over at|working at|working for"
        "|started (?:working )?at|got hired (?:at|by)|got a job (?:at|with)"
        "|got a new job (?:at|with)|started (?:a|my) new (?:job|position|role) (?:at|with)"
        "|started a job (?:at|with)|accepted (?:an offer|a job|a position|a role) (?:at|from|with)",
        organization,
        "organization",
    ),
    plain(
        "works_at",
        r"(?:i've|i have|we've|we have)(?: recently| just| actually| also)? (?:worked|been working) (?:at|for|with)"
        r" (?=.* (?:since|for (?!myself))\b)",
        organization,
        "organization",
    ),
    plain(
        "works_at",
        r"(?=i(?:'ve| have)? (?:just |finally |recently )?(?:(?:quit|left|lost|resigned from) my (?:old |current )?job"
        r"|(?:got|was|been) (?:laid off|fired|let go|sacked|made redundant)|retired)"
        r"(?:\s*$|,| (?:last|yesterday|today|this|in \w+|on \w+|two|a)\b))",
        lambda rest: (USER,),
        ended=True,
    ),
    plain(
        "works_at",
        r"(?=i(?:'m| am)(?: currently| now| still)? (?:between jobs|out of (?:work|a job)|jobless)"
        r"(?:\s*$|[,.!]| (?:now|right|at|since|for|again)\b))",
        lambda rest: (USER,),
        ended=True,
    ),
    ClaimRule(
        "works_at",
        re.compile(
            rf"(?=(?P<who>{NAME})(?i:(?: has)?(?: just| finally| recently)? (?:quit|resigned|retired|got fired"
            rf"|was fired"
            r"|was laid off|got laid off|lost (?:his|her|their) job|quit (?:his|her|their) job)"
            r"(?:\s*$|,| (?:last|yesterday|today|this|two|a)\b)))(?P<rest>.+)"
        ),
        lambda rest: person(rest)[:1],
        ended=True,
        confidence=0.9,
    ),
    mine("works_at", "joined(?! (?:the|a|my|them|us|him|her)\\b)", lambda rest: joined(rest), "organization"),
    am("works_at", "working at|working for|employed (?:at|by)|interning at", steady, "organization"),
    mine("works_as", "work as|working as|started as|work part-time as|work full-time as", job),
    mine("works_as", "work (?:nights?|days|shifts|night shifts|evenings|weekends|freelance|remotely) as", job),
    mine("works_as", "freelance as", freelance),
    mine("teaches", "teach", taught),
    named("teaches", "teaches", taught),
    mine("works_at", "work as|working as", employer_after, "organization"),
    mine("works_as", _NEW_JOB, job),
    mine("works_at", _NEW_JOB, employer_after, "organization"),
    am("works_as", "", lambda rest: job(rest) if re.match(r"an? ", rest) else ()),
    am("works_as", "working as|employed as", job),
    am("works_at", "", lambda rest: employer_after(rest) if re.match(r"an? ", rest) else (), "organization"),
    am("works_at", "working as|employed as", employer_after, "organization"),
    plain("works_as", r"my (?:job|profession|occupation|job title|day job)(?: title)? is (?:being |working as )?", job),
    plain("works_at", r"my (?:employer|company) is (?:called |named )?", proper, "organization"),
    mine(
        "works_at",
        "(?:quit|left|lost) my (?:old |current |last )?(?:job|position|role|post) (?:at|with)|resigned from"
        "|(?:got|was|were|have been|been|just got) (?:laid off|fired|let go|sacked|made redundant) (?:from|by|at)"
        "|no longer work (?:at|for)|don't work (?:at|for)|dont work (?:at|for)"
        "|do not work (?:at|for)|used to work (?:at|for)|stopped working (?:at|for)",
        organization,
        "organization",
        ended=True,
    ),
    mine("works_at", "quit|left(?= [A-Z])", lambda rest: left(rest), "organization", ended=True),
    am(
        "works_at",
        "no longer (?:at|with|working (?:at|for))|not working (?:at|for)",
        organization,
        "organization",
        ended=True,
    ),
    mine(
        "works_as",
        "used to work as|no longer work as|used to be",
        lambda rest: job(rest) if re.match(r"an? ", rest) else (),
        ended=True,
    ),
    plain(
        "works_at",
        r"(?:i|we)(?: also| once| actually| previously| briefly)? worked (?:at|for) (?!.* since\b)",
        organization,
        "organization",
        past=True,
    ),
    plain("works_as", r"i (?:was|worked as) (?=an? )", job, past=True),
    named("works_at", "worked (?:at|for)(?!.* since\\b)", organization, "organization", past=True),
    plain(
        "worked_at",
        r"i worked (?:at|for) (?=.* (?:for \w+ years?|back then|as)\b)",
        organization,
        "organization",
        confidence=0.9,
    ),
    mine("studies", "study|studying|major in|majored in|am majoring in", subject),
    am("studies", "studying|majoring in|doing (?:a|my) (?:phd|master's|masters|bachelor's|degree) in", subject),
    mine("studies_at", "study|studying|go to school|go to college|am enrolled", school, "organization"),
    am("studies_at", "studying|a student|enrolled|doing my \\w+", school, "organization"),
    mine(
        "graduated_from",
        "graduated from|went to college at|studied at|got my degree from",
        lambda rest: proper(rest),
        "organization",
    ),
    mine("works_on", "work on a (?:\\w+ )?project (?:called|named)|work on(?= [A-Z])", proper, "project"),
    am(
        "works_on",
        "(?:working on|building|developing|making) (?:an?|my|our|the) (?:[\\w-]+ ){1,3}(?:called|named)"
        "|working on(?= [A-Z])",
        proper,
        "project",
    ),
    mine(
        "works_on",
        "(?:no longer work|don't work|do not work|stopped working|used to work) on(?= [A-Z])",
        proper,
        "project",
        ended=True,
    ),
    am("works_on", "(?:no longer|not) working on(?= [A-Z])", proper, "project", ended=True),
    named(
        "works_at",
        "works at|works for|is working at|is working for|(?:just )?got a (?:new )?job (?:at|with)"
        "|(?:has )?(?:just )?started (?:a|his|her|their) new (?:job|position|role) (?:at|with)",
        organization,
        "organization",
    ),
    named("works_at", "joined", lambda rest: joined(rest), "organization"),
    named("works_as", "works as|is working as", job),
    named("works_as", "is", lambda rest: job(rest) if re.match(r"an? ", rest) else ()),
    named(
        "works_at", "works as|is", lambda rest: employer_after(rest) if re.match(r"an? ", rest) else (), "organization"
    ),
    named(
        "works_at",
        "no longer works (?:at|for)|doesn't work (?:at|for)|does not work (?:at|for)|stopped working (?:at|for)"
        "|used to work (?:at|for)",
        organization,
        "organization",
        ended=True,
    ),
    named(
        "works_at",
        "(?:quit|left|lost) (?:his|her|their) (?:old |last )?(?:job|position|role|post) (?:at|with)|resigned from"
        "|(?:got|was|has been) (?:laid off|fired|let go|sacked|made redundant) (?:from|by|at)",
        organization,
        "organization",
        ended=True,
    ),
    named("works_at", "quit|left(?= [A-Z])", lambda rest: left(rest), "organization", ended=True),
    named("studies", "studies|is studying|majors in|majored in", subject),
    named("studies_at", "studies|is studying", school, "organization"),
    named("graduated_from", "graduated from", proper, "organization"),
)


# What somebody is going to do at a time they name. Without a time it is talk.


_PLAN = re.compile(
    r"(?i:(?:i'?m|i am|we're|we are) (?:also |finally |officially )?)(?P<what>(?i:flying|moving"
    r"|traveling|travelling|going|driving|heading|starting|getting married|getting|having|taking"
    r"|visiting|meeting|seeing|attending|running|leaving|returning|graduating|presenting|giving"
    r"|hosting|launching|releasing|switching|retiring|turning|celebrating)\b.*)"
)
_GOING_TO = re.compile(
    r"(?i:(?:i'?m|i am|we're|we are) (?:going to|planning to|planning on|scheduled to|about to|gonna)"
    r"|i (?:plan|intend) to|i will|i'll|we'll|we will|we plan to) (?!the |a |an |my )(?P<what>[a-z].*)"
)
_HAVE = re.compile(
    r"(?i:(?:i|we) have) (?P<what>(?i:an? (?:[\w'-]+ ){0,2}(?:appointment|interview|exam|flight"
    r"|surgery|wedding|deadline|presentation|conference|trip|concert|marathon|race|recital))\b.*)"
)
_LONGEST = 120  # characters of a plan with its time
# The words of the time: cut from the end of what is planned.
_TIME = re.compile(
    r"\s*,?\s*\b(?:(?:on|in|at|by|for|from|until|early|late|around|before|after|sometime|later) )*"
    r"(?:(?:this|next|the|coming) )*(?:tomorrow|tonight|today|monday|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|weekend|week|month|year"
    r"|summer|winter|spring|autumn|fall|christmas|easter|(?:in )?(?:an?|two|three|four|five|six"
    r"|\d+) (?:days?|weeks?|months?|years?|hours?)|\d{1,2}(?:st|nd|rd|th)?|\d{4}"
    r"|\d{1,2}(?::\d\d)? ?(?:am|pm))\b"
    r"(?:[ ,]*(?:of|at|the|in|on|\d{1,4}(?::\d\d)?(?:st|nd|rd|th)?(?: ?[ap]m)?|january|february|march"
    r"|april|may|june|july|august|september|october|november|december|year|month|week|weekend|morning"
    r"|afternoon|evening|night|summer|winter|spring|autumn|fall|monday|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday)\b)*\s*$",
    re.IGNORECASE,
)
_SURELY = re.compile(r"^(?:definitely|also|just|certainly|finally|then|actually|be(?= \w+ing\b)) ", re.IGNORECASE)
_VAGUE = re.compile(
    r"(?:try|check|see|look|think|let|be|go ahead|do|get back|ask|take a look|give it|give that|need"
    r"|have to|keep|start with|read|test|call|try out|work on|use|make sure|say|tell you|assume|start"
    r"|stop|continue|begin|follow|finish"
    r"|admit)\b",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\b(?:it|that|this|them|him|her|there|you|your|these|those|tomorrow|today|next (?:week|month"
    r"|year))\b",
    re.IGNORECASE,
)


_CANCELLED = re.compile(
    r"(?:i|we)(?:'ve| have)? (?:just |had to )?(?:cancell?(?:ed)?|call(?:ed)? off) (?:the|my"
    r"|our) (?P<what>(?:[\w-]+ ){0,2}(?:trip"
    r"|flight|visit|move|appointment|meeting|wedding|vacation|holiday|journey|party|interview"
    r"|conference)\b[^,;.]{0,40})",
    re.IGNORECASE,
)


def cancelled(text: str) -> str | None:
    """What is off: "the trip to Rome"."""
    found = _CANCELLED.match(text)
    return found["what"].strip() if found else None


def plan(text: str, at: datetime) -> tuple[str, datetime] | None:
    """What is planned and when it begins, or None where no future time is named."""
    found = _GOING_TO.match(text) or _PLAN.match(text) or _HAVE.match(text)
    if not found or len(found["what"]) > _LONGEST:
        return None
    when = began(found["what"], at, prefer="future")
    if when is None or when.date() <= at.date():  # what is done today is over before it is remembered
        return None
    what = _TIME.sub("", _SURELY.sub("", found["what"])).strip(" ,.")
    if not 1 < len(what.split()) < 9 or _VAGUE.match(what) or _LEANS.search(what):
        return None
    return what, when
