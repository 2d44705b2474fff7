"""Clauses that lean on others for their subject: "I sold my car and bought a bike", "my wife left Acme"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .known.people import RELATIVES
from .said.kin import Kin
from .sentence import Clause

_AND = re.compile(
    r",? and (?:then |just |also |now |recently |finally )*(?=(?:bought|joined|moved to|sold|left|started|switched"
    r"|adopted"
    r"|quit|got (?:a|hired|married|divorced)|work at|work as|work for|live in|use|speak|study)\b)",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"(?:(?:and |so |hi,? |well,? )?(?:i'?m|i am) \d\d$)"
    r"|(?:[\w ]{0,12}, )?(?:i|we)(?:'ve| have)? (?:just |also |now |recently |finally )*[a-z]",
    re.IGNORECASE,
)
# Under these the second verb is no more told as done than the first.
_MODAL = re.compile(
    r"\b(?:would|could|should|might|may|must|almost|nearly|wish|want|wanted|hope|plan|planned|try|tried|trying|to"
    r"|will"
    r"|can|can't|cannot|never|don't|didn't|not|if|when|let|help|need|think|guess|people|who)\b|'ll\b|'d\b",
    re.IGNORECASE,
)
_MOVED_TO = re.compile(r"\b(?:moved|switched|migrated|relocated|went|back) (?:\w+ )?to\b", re.IGNORECASE)
_KINS = "|".join(sorted(map(re.escape, RELATIVES), key=len, reverse=True))
_KIN = re.compile(
    rf"(?i:(?:(?:and|but|so|oh|well),? )?(?:my|our)) (?P<kin>{_KINS})(?='s\b| [a-z])(?! (?:named|called|and)\b)"
)


def coordinated(clause: Clause) -> list[Clause]:
    """The clause, or its two halves where the second verb has the first one's subject."""
    gap = _AND.search(clause.text)
    head = clause.text[: gap.start()] if gap else ""
    if not gap or not _TELLS.match(head) or _MODAL.search(_MOVED_TO.sub("", head)):
        return [clause]
    first = replace(clause, text=head, end=clause.start + len(head))
    return [first, *coordinated(Clause(f"I {clause.text[gap.end() :]}", clause.start + gap.end(), clause.end))]


_SECOND = re.compile(
    r"(?:but|and|then|yet|though)\b(?: (?:then|now|also|later|mostly|actually|currently|still|since))* (?P<verb>"
    r"(?:grew up|live in|work (?:at|for|as|in)|moved (?:back )?to|speak|use|study|was raised in)\b.*)",
    re.IGNORECASE,
)
_ZWEITENS = re.compile(r"und (?P<verb>(?:arbeite|wohne|lebe)\b.*)", re.IGNORECASE)
_I_TELL = re.compile(r"(?:i|we)(?:'ve|'m|'re| have| was| were| am| are)? (?:\w+ )*[a-z]", re.IGNORECASE)


def carried(before: str, clause: Clause) -> Clause:
    """ "I was born in Lagos | but grew up in Leeds": the second half with the subject of the first."""
    if (found := _ZWEITENS.match(clause.text)) and re.match(r"(?:\w+,? )?ich\b", before, re.IGNORECASE):
        return replace(clause, text=f"ich {found['verb']}")
    found = _SECOND.match(clause.text)
    head = re.sub(r"\bused to\b", "", _MOVED_TO.sub("", before))
    if not found or not _I_TELL.match(head) or _MODAL.search(head):
        return clause
    return replace(clause, text=f"I {found['verb']}")


def speaks_of_kin(text: str) -> bool:
    """Whether it is worth knowing whom the turns before have named."""
    return _KIN.search(text) is not None


def relative(clause: Clause, known: Sequence[Kin]) -> Clause:
    """ "My wife left Acme", where she was named before: by her name, if there is just one such."""
    found = _KIN.match(clause.text)
    kind = RELATIVES[found["kin"].lower()] if found else ""
    names = {kin.who for kin in known if kin.kind == kind}
    if not found or len(names) != 1:
        return clause
    return replace(clause, text=names.pop() + clause.text[found.end() :])
