"""What software and other works are made of, run on and belong to."""

from __future__ import annotations

import re

from omoide.learn.rules.known.tools import TOOLS
from omoide.learn.rules.phrase import CAPITAL, person, proper, tool
from omoide.learn.rules.rule import NAME, Rule, mine

_PARTS = (
    r"app|backend|back end|frontend|front end|api|site|website|web ?site|service|server|database"
    r"|project|bot|blog|store|platform|repo|pipeline|cluster|dashboard|codebase"
    r"|product|model|library|package|cli|plugin|extension|game|worker|queue|cache|gateway|portal"
    r"|landing page|docs|documentation|monorepo|staging|production"
)
SUBJECT = rf"(?:(?i:the|our|my) (?P<part>(?:[a-zA-Z][\w-]+ )?(?i:{_PARTS}))|(?P<who>{NAME}))"


def _rule(predicate: str, verbs: str, read: object, type: str | None = "tool", *, ended: bool = False) -> Rule:
    return Rule(predicate, re.compile(rf"{SUBJECT}(?i: (?:{verbs})) (?P<rest>\S.*)"), read, type, ended, 1.0)  # type: ignore[arg-type]


def platform(rest: str) -> tuple[str, ...]:
    """ "Vercel", "Vercel's hobby plan", "a Raspberry Pi"."""
    plan = re.match(
        rf"(?:the )?({CAPITAL}[\w.]+(?:'s)? (?:[a-z]+ ){{0,2}}(?:plan|tier|cluster|instance|server))\b", rest
    )
    if plan:
        return (plan[1],)
    rest = re.sub(r"^(?:an?|the|our|my) ", "", rest)
    found = tool(rest)[:1]
    return found if found else ()


def whole(rest: str) -> tuple[str, ...]:
    """ "the Chimera project"."""
    rest = re.sub(r"^(?:the|our|my) ", "", rest)
    project = re.match(
        rf"({CAPITAL}[\w-]*(?: {CAPITAL}[\w-]*)*(?: (?:project|suite|platform|team|group|stack|family"
        rf"|ecosystem|program|initiative|company))?)",
        rest,
    )
    return (project[1],) if project and project[1].split()[0].lower() not in {"i", "it"} else ()


def maker(rest: str) -> tuple[str, ...]:
    return person(rest) or proper(rest)


def made(rest: str) -> tuple[str, ...]:
    """ "I created Kira", "I built a tool called Lumen"; not "I created a file"."""
    called = re.match(r"(?:an?|the|my|our) (?:[\w-]+ ){1,4}(?:called|named) (?P<name>.+)", rest)
    found = proper(called["name"] if called else rest)
    return found if found and (called or found[0].lower() not in TOOLS) else ()


def _of_a_whole(rest: str) -> tuple[str, ...]:
    """ "The Chimera suite"; "Ann" owns it, and it is no part of her."""
    found = whole(rest)
    return found if found and (len(found[0].split()) > 1 or rest.startswith(("the ", "our "))) else ()


RULES: tuple[Rule, ...] = (
    _rule(
        "deployed_on",
        "(?:is|are|was|were|got) (?:now |currently |already )?deployed (?:on|to|with|via)|deploys to",
        platform,
    ),
    _rule("hosted_on", "(?:is|are) (?:now |currently )?hosted (?:on|at|with|by)", platform),
    _rule("runs_on", "(?:runs?|is running|now runs) (?:on|under)", platform),
    _rule("deployed_on", "(?:is|are) no longer deployed (?:on|to)", platform, ended=True),
    _rule("depends_on", "(?:depends?|relies|is built|now depends) (?:up)?on(?: top of)?|requires", platform),
    _rule("part_of", "(?:is|are) (?:a )?part of", whole, "project"),
    _rule("part_of", "belongs to", lambda rest: _of_a_whole(rest), "project"),
    _rule("written_in", "(?:is|are|was) (?:all |mostly |entirely )?(?:written|coded|programmed) in", tool),
    _rule("built_with", "(?:is|are|was) (?:built|made) (?:with|using|in)", tool),
    Rule(
        "deployed_on",
        re.compile(
            rf"(?i:(?:we|i)(?:'ve| have)? (?:just |recently |finally )*(?:moved|migrated|switched) (?:the|our"
            rf"|my)) (?P<part>"
            rf"(?:[a-zA-Z][\w-]+ )?(?i:{_PARTS}))(?i:(?: over)? from [\w .+#-]{{2,30}} to) (?P<rest>\S.*)(?P<who>(?!))?"
        ),
        lambda rest: tuple(name for name in platform(rest) if name.lower() in TOOLS),
        "tool",
    ),
    _rule(
        "uses",
        "(?:has |have )?(?:now )?(?:switched|migrated|moved)(?: over)? from [\\w .+#-]{2,30} to",
        lambda rest: platform(rest),
    ),
    _rule(
        "uses",
        "(?:has |have )?(?:now )?(?:switched|migrated|moved)(?: over)? from(?=.* to\\b)",
        lambda rest: platform(rest.split(" to ")[0]),
        ended=True,
    ),
    _rule("uses", "(?:uses?|is using|now uses|still uses)", lambda rest: platform(rest)),
    _rule(
        "created_by",
        "was (?:created|built|made|founded|written|designed|developed|started) by|is (?:made|built"
        "|developed|maintained) by",
        maker,
        "person",
    ),
    mine(
        "created",
        "created|built|founded|started(?= a (?:company|startup|project|blog|podcast|band|channel))"
        "|wrote(?= a (?:tool|library|book|program))|made(?= an? .*(?:called|named))|am the (?:author"
        "|creator) of",
        made,
        "project",
    ),
)
