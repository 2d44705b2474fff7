"""Whether doubtful words are time at all: "in May" is, "on the 8th floor" is not."""

from __future__ import annotations

from .combine import Hit, Reader, Rule

_FOLLOWS_WORDS = """
    and or but , . ? ! ; : ) ( " ' - – — to until till through that what which who whom whose when where why
    how if did do does was were is are am be been has have had will would could should can i we you he she
    they it my our your his her their its the a an in on at for with about from of as by into than then so
    because please while during before after since not also
"""
# What may stand after "on the 8th" or "in 2023". Any other word there is likely what the number counts or
# numbers.
_FOLLOWS = frozenset(_FOLLOWS_WORDS.split())


def sound(rule: Rule, *, habits: bool = False) -> Rule:
    """A doubtful reading is made sure by the preposition before it, unless what follows tells otherwise.

    `habits`: let a part of the day through, still doubtful.
    """

    def sounding(reader: Reader, at: int) -> Hit | None:
        hit = rule(reader, at)
        if hit is None or not hit[0].weak:
            return hit
        kinds, after = hit[0].kinds, hit[1]
        if reader.point:
            return hit[0].strong(), after
        if _habit(kinds):
            return hit if habits else None
        if "loose" in kinds or (kinds in _COUNTS and not _free(reader, after)):
            return None
        return hit[0].strong(), after

    return Rule(sounding, rule.first)


_COUNTS = (frozenset({"dom"}), frozenset({"year"}))


def _habit(kinds: frozenset[str]) -> bool:
    """ "In the morning" and "at 5" without a day are as a rule a habit, not a date."""
    return kinds <= {"clock", "part"} or "now" in kinds


def _free(reader: Reader, at: int) -> bool:
    return at >= len(reader.tokens) or reader.word(at) in _FOLLOWS or reader.tokens[at].capital
