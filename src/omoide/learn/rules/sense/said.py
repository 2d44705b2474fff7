"""A claim as it was said: the words before its object, the object as written, the words after it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from omoide.learn.proposal import Claim
from omoide.learn.rules.known.words import words

_REST = re.compile(r"[.!?\n]")


@dataclass(frozen=True, slots=True)
class Said:
    """`before` and `after` are empty where the object is told in other words than it was said."""

    words: str
    tail: str  # of the sentence, after the words
    object: str
    before: str
    written: str
    after: str
    subject: str
    predicate: str
    asked: bool = False  # the sentence ends with a question mark

    @classmethod
    def of(cls, claim: Claim, turn: str) -> Said:
        text, low = claim.quote.words, claim.quote.words.casefold()
        begins = turn.find(text)
        rest = turn[begins + len(text) :] if begins >= 0 else ""
        tail = _REST.split(rest, maxsplit=1)[0]
        asked = rest[len(tail) : len(tail) + 1] == "?"
        at = _place(low, claim.object.casefold())
        parts = ("", "", "")
        if at >= 0 and len(low) == len(text):
            end = at + len(claim.object)
            parts = (text[:at], text[at:end], text[end:])
        return cls(text, tail, claim.object, *parts, claim.subject, claim.predicate, asked)

    @property
    def low(self) -> str:
        return self.object.casefold()


def _place(text: str, object: str) -> int:
    found = re.search(rf"(?<!\w){re.escape(object)}(?!\w)", text)
    return found.start() if found else -1


# What may follow a thing that stands by itself. Another noun there makes it something else: "a cat scan".
_CLOSED = words("""
    and or but so because since as if when while where which who whose that than then though although unless until
    till before after of in on at to for from with without by about over under near during despite like plus except
    via per not also too again already still now today tonight tomorrow yesterday lately recently currently always
    often sometimes daily regularly everywhere anywhere here there right well fluently pretty very quite really
    badly a an the my our his her their its your this these those every each all both most more less only just even
    mostly mainly instead rather anyway anymore please thanks thank lol haha tbh ngl btw imo i i'm i've i'd we we're
    we've he he's she she's they it it's you is are was were has have had will would can could do does did last next
    once twice myself professionally sadly unfortunately luckily fortunately actually apparently etc yes no nope
    yeah and/or alone together any anyways off up out back down never ever two three four five six seven six eight
    one some since ok okay eh huh right haha hahaha xd ago und oder aber seit bei mit für in als weil von an auf im
    am aus jetzt gern gerne auch nicht zur zum sehr total über em na no do da los las el la y e o con en de para com
    mas pero à au aux dans chez et depuis pour avec sur qui que mais où des du le les un une ou
""")
_NEXT = re.compile(r"\s*([.,;:!?()\[\]\"'…–—/&+-])|\s+([^\W_][\w'’-]*)")


def goes_on(after: str) -> bool:
    """Whether another word of substance follows, so that the thing named is only a part of what is meant."""
    found = _NEXT.match(after)
    if found is None or found[1]:
        return bool(found and found[1] == "-" and re.match(r"-\w", after))
    word = found[2].casefold()
    return word not in _CLOSED and not word.endswith("ly") and not word[0].isdigit()
