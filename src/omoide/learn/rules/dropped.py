"""Statements whose "I" is left out: "Moved to Utrecht last month", "- based in Cork" in a list about oneself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from omoide.learn.proposal import Turn

from .claims import claims_in
from .found import Found, Scene
from .known.people import RELATIVES
from .known.places import PLACES
from .mood import Read
from .phrase import CAPITAL
from .sentence import Clause

_ADVERBS = r"(?:(?:just|recently|finally|officially|actually|so|hey|btw|update:|well|oh|ok|and)[, ]+)*"
# Past forms and what nobody commands. A bare "work at Stripe" may be an instruction, unless it stands in a list.
_I_DID = (
    r"moved (?:back |over )?to|relocated to|started (?:working )?(?:at|as)|started (?:a|my) (?:new )?(?:job|role"
    r"|position)"
    r"|got a (?:new )?(?:job|position|role)|got hired|got married|got divorced|grew up in|adopted an?"
    r"|switched (?:over )?(?:from|to)|graduated from|quit my job|left my job"
)
_I_HAVE = r"been (?:living in|working (?:at|for|as)|a vegan|a vegetarian)"
_I_AM = r"based in|(?:currently|still|now) (?:living in|based in|working (?:at|for|as))|allergic to"
_A_FAN = r"(?:big|huge) fan of"
_I_WAS = r"born in|born and raised in"
DROPS = re.compile(
    rf"(?P<adverbs>{_ADVERBS})(?:(?P<did>{_I_DID})|(?P<have>{_I_HAVE})|(?P<am>{_I_AM})|(?P<fan>{_A_FAN})"
    rf"|(?P<was>{_I_WAS}))"
    r"(?= \S)",
    re.IGNORECASE,
)
_SUBJECT = {"did": "I", "have": "I have", "am": "I'm", "fan": "I'm a", "was": "I was"}
_KIN = "|".join(sorted(map(re.escape, RELATIVES), key=len, reverse=True))
# Somebody else is spoken of: then it is they who moved.
_OTHERS = re.compile(
    rf"\b(?:he|she|they|he's|she's|his|him|them|their|who)\b|\b(?:my|your|our|the|a|her) (?:\w+ )?(?:{_KIN}|ex|parents"
    rf"|kids|team|company|office|friends)\b"
    rf"|(?-i:(?<=[a-z,] ){CAPITAL}[a-z]+(?:'s| (?:is|was|has|did|moved|lives|works))\b)",
    re.IGNORECASE,
)
_DANGLES = re.compile(rf",\s*(?:the|this|that|an?|its|it|he|she|they|his|her|(?-i:{CAPITAL})\w+ [a-z]+(?:s|ed))\b")
_THEN = re.compile(
    r"\s*(?:$|[,.!;]|(?:last|this|two|three|an?|few|\d+|in (?:\d|(?-i:[A-Z]))|recently|yesterday|for|with|from|because"
    r"|and|after|since|back|to (?:be|work|study|live))(?:\b|(?<=\d)))",
    re.IGNORECASE,
)
_LIST = re.compile(r"^[ \t]*(?:[-*•·]|\d[.)])[ \t]+\S", re.MULTILINE)
_ABOUT_ME = re.compile(
    r"\b(?:about (?:me|myself)|my (?:profile|background|details|situation)|who i am|quick intro)\b[^\n]{0,20}\n",
    re.IGNORECASE,
)
_LINES = (
    (re.compile(r"(?:based|living|from|allergic|married|learning|fluent) |(?:vegan|vegetarian)$", re.I), "I'm {}"),
    (re.compile(r"(?:\d\d)(?: years old)?$", re.IGNORECASE), "I am {}"),
    (re.compile(r"(?:work|live|love|like|hate|speak|use|drive|own|play|study|enjoy|prefer) ", re.IGNORECASE), "I {}"),
    (re.compile(r"(?:an?|one|two|three|\d) (?:\w+ )?(?:kids?|children|sons?|daughters?|cats?|dogs?)\b"), "I have {}"),
    (re.compile(r"born in ", re.IGNORECASE), "I was {}"),
)  # fmt: skip
# Without a heading "- use React" is a task.
_ALONE = re.compile(r"I'm (?:based|living|allergic)|I was born|I (?:work (?:at|for|as)|live in)|I have", re.IGNORECASE)
_LONGEST = 8  # words of a line in a list


def dropped(scene: Scene, reads: list[Read], before: Sequence[Turn]) -> Iterator[Found]:
    """What a turn says of its speaker without saying "I"."""
    if len(_LIST.findall(scene.turn.text)) > 1:
        for read, clause in _listed(scene.turn.text, reads):
            yield from claims_in(scene, [_told(read, clause)])
        return
    if before and _OTHERS.search(before[-1].text[-400:]):
        return
    for read in reads:
        first = read.told[0] if read.told else None
        found = DROPS.match(first.text) if first and not read.asks else None
        if found and first and not _DANGLES.search(read.sentence.text):
            said = f"{_SUBJECT[found.lastgroup or 'did']} {first.text[found.end('adverbs') :]}"
            for item in claims_in(scene, [_told(read, replace(first, text=said))]):
                if item.claim.predicate != "lives_in" or _is_place(item.claim.object, said):
                    yield item
        if _OTHERS.search(read.sentence.text) and not found:
            return


def _is_place(name: str, said: str) -> bool:
    """A card is moved to Done as well, and a kitchen to Chicago style pizza."""
    after = said[said.lower().find(name.lower()) + len(name) :]
    return name.split(",")[0].lower() in PLACES and _THEN.match(after) is not None


def _told(read: Read, clause: Clause) -> Read:
    return replace(
        read, told=(clause,), presupposed=(), sentence=replace(read.sentence, text=clause.text, clauses=(clause,))
    )


def _listed(text: str, reads: list[Read]) -> list[tuple[Read, Clause]]:
    """The lines of a list about the speaker: under a heading that says so, or where every line can be read."""
    items = [read for read in reads if _LIST.match(text[text.rfind("\n", 0, read.sentence.start) + 1 :])]
    found = [(read, said) for read in items if (said := _line(read))]
    headed = _ABOUT_ME.search(text[: items[0].sentence.start]) if items else None
    alone = len(found) == len(items) == len(reads) and all(_ALONE.match(said.text) for _, said in found)
    return found if headed or alone else []


def _line(read: Read) -> Clause | None:
    text = re.sub(r"^(?:[-*•·]|\d[.)])\s*", "", read.sentence.text)
    if not read.told or len(text.split()) > _LONGEST:
        return None
    said = next((form.format(text) for pattern, form in _LINES if pattern.match(text)), None)
    return Clause(said, read.sentence.end - len(text), read.sentence.end) if said else None
