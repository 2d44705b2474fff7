"""Where somebody works and as what, what they study, and where."""

from __future__ import annotations

import re

from omoide.learn.rules.known.tools import ORGANIZATIONS
from omoide.learn.rules.known.words import words
from omoide.learn.rules.phrase import job, organization, proper
from omoide.learn.rules.rule import Rule, am, mine, named, plain

_SUBJECTS = re.compile(
    r"[a-z]+(?:ics|ology|onomy|istry|ing|ture|phy|ory|aw|ess|gy|ine| science|sciences|design|math"
    r"|maths|art|arts|music|medicine|nursing|languages?)$",
    re.IGNORECASE,
)
_NEVER = words("hard a lot all together abroad more for at in tonight today tomorrow now")


def subject(rest: str) -> tuple[str, ...]:
    """What is studied: a field, not "for the exam"."""
    head = re.split(r" (?:at|in|with|for|and|because|so|right|now|here|abroad|together)\b|,", rest, maxsplit=1)[
        0
    ].strip()
    if not head or len(head.split()) > 3 or head.split()[0].lower() in _NEVER:
        return ()
    return (head,) if _SUBJECTS.search(head) or head[0].isupper() else ()


def employer_after(rest: str) -> tuple[str, ...]:
    """ "a data engineer at Zalando": who it is worked for, when a trade stands before it."""
    if not job(rest):
        return ()
    after = re.search(r"^[^,]{3,60}?\b(?:at|for|with) (?P<name>\S.*)", rest)
    return organization(after["name"]) if after else ()


def school(rest: str) -> tuple[str, ...]:
    after = re.match(r"[^,]{0,40}?\bat (?P<name>\S.*)", rest)
    return proper(re.sub(r"^the ", "", after["name"])) if after else ()


RULES: tuple[Rule, ...] = (
    mine(
        "works_at",
        "work at|work for|work over at|working at|working for|joined(?! (?:the|a|my|them|us|him|her)\\b)"
        "|started (?:working )?at|got hired (?:at|by)|got a job (?:at|with)"
        "|got a new job (?:at|with)|started (?:a|my) new (?:job|position|role) (?:at|with)"
        "|started a job (?:at|with)|accepted (?:an offer|a job|a position|a role) (?:at|from|with)",
        organization,
        "organization",
    ),
    am("works_at", "working at|working for|employed (?:at|by)|interning at", organization, "organization"),
    mine("works_as", "work as|working as|started as|work part-time as|work full-time as", job),
    mine("works_at", "work as|working as", employer_after, "organization"),
    am("works_as", "", lambda rest: job(rest) if re.match(r"an? ", rest) else ()),
    am("works_as", "working as|employed as", job),
    am("works_at", "", lambda rest: employer_after(rest) if re.match(r"an? ", rest) else (), "organization"),
    am("works_at", "working as|employed as", employer_after, "organization"),
    plain("works_as", r"my (?:job|profession|occupation|job title|day job)(?: title)? is (?:being |working as )?", job),
    plain("works_at", r"my (?:employer|company) is (?:called |named )?", proper, "organization"),
    mine(
        "works_at",
        "quit my job at|left my job at|resigned from|got laid off (?:from|by)"
        "|got fired from|no longer work (?:at|for)|don't work (?:at|for)|dont work (?:at|for)"
        "|do not work (?:at|for)|used to work (?:at|for)|stopped working (?:at|for)",
        organization,
        "organization",
        ended=True,
    ),
    mine("works_at", "quit|left(?= [A-Z])", lambda rest: _company(rest), "organization", ended=True),
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
        "worked_at",
        r"i worked (?:at|for) (?=.* (?:until|for \w+ years?|from|back then|in \d{4}|as)\b)",
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
    named(
        "works_at", "works at|works for|is working at|is working for|got a job at|joined", organization, "organization"
    ),
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
    named("works_at", "quit|left(?= [A-Z])", lambda rest: _company(rest), "organization", ended=True),
    named("studies", "studies|is studying|majors in|majored in", subject),
    named("studies_at", "studies|is studying", school, "organization"),
    named("graduated_from", "graduated from", proper, "organization"),
)


def _company(rest: str) -> tuple[str, ...]:
    """ "I left Amazon", not "I left Berlin" and not "I left Anna": only what is known to employ people."""
    found = organization(rest)
    if not found:
        return ()
    return (
        found
        if found[0].lower() in ORGANIZATIONS
        or re.search(r"\b(?:Inc|GmbH|Corp|Ltd|AG|LLC|University|Bank|Group|Labs)\b", found[0])
        else ()
    )
