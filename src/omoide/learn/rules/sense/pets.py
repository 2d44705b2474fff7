"""Animals that are not the speaker's: looked after, wished for, dreamt of, gone; and what only sounds like one."""

from __future__ import annotations

import re

from omoide.learn.rules.known.people import PETS

from .said import Said, goes_on

_ANIMAL = "|".join(sorted(PETS, key=len, reverse=True))
# Whoever has it, got it or names it has it; whoever met, wants, draws or minds it does not.
_HAVE = re.compile(
    r"\b(?:have|has|'ve|own|keep|got|adopted|rescued|bought|took in|ended up (?:adopting|getting|buying|keeping)"
    r"|live with|share|raise|on a|j'ai|nous avons|habe?n?|tengo|tenemos|tenho|temos)\b",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"\b(?:had|used to|once|want(?:ed|s)?|would|will|could|might|'d|'ll|wish|hope|hoping|like|love|plan(?:ning)?"
    r"|think(?:ing)?|getting|consider(?:ing)?|going to|about to|met|saw|seen|see|found|lost|drew|draw|read|heard"
    r"|dream\w*"
    r"|sitting|sit|walk(?:ing)?|watching|minding|looking after|look after|caring for|taking care|fostering|foster"
    r"|borrow"
    r"|never|don't|not|no|picture|photo|video|about|naming|name|call|calling|friend|neighbou?r\w*|to)\b[^,;]*$",
    re.IGNORECASE,
)
_OURS = re.compile(
    rf"\b(?:my|our|meine?|unsere?|mi|meu|minha|nuestr[oa]) (?:[\w-]+ ){{0,3}}(?:{_ANIMAL}|hund|katze"
    r"|perr[oa]|gat[oa]|cachorr[oa])\b",
    re.IGNORECASE,
)
_NAMING = re.compile(rf"\b(?:name|naming|call|calling) (?:my|our) (?:[\w-]+ ){{0,2}}(?:{_ANIMAL}),? $", re.IGNORECASE)
_TOYS = re.compile(
    r"\b(?:hot|toy|stuffed|chocolate|plush|plushie|corn|balloon|robot|virtual|imaginary|rocking|clay|paper|dream"
    r"|prairie"
    r"|sea|guard|my own) $",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\s+(?:in (?:this|that|the|my) (?:fight|race|hunt|code|show|repo|script)|to (?!me\b|my\b|myself\b)\w+|on (?:my"
    r"|the)"
    r"|at the|until|this week|next week|for (?:a|the|my) (?:neighbou?r|friend|week|weekend|day|sister|brother)"
    r"|when i was|as a (?:kid|child)|growing up|back then|years ago|in the (?:\d+s|park|movie|book))\b",
    re.IGNORECASE,
)


def not_kept(said: Said) -> bool:
    if _NAMING.search(said.before) or _ELSEWHERE.match(said.after):
        return True
    if _OURS.search(said.before):
        return False
    named = said.object[:1].isupper()
    if not named and (goes_on(said.after) or _TOYS.search(said.before)):
        return True
    return bool(said.before) and (_HAVE.search(said.before) is None or _NOT_SO.search(said.before) is not None)
