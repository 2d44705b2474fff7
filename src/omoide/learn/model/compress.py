"""What is asked about a stretch of talk that is to be kept in fewer words, and in fewest."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.gist import Said
from omoide.learn.model.told import sum_up
from omoide.providers.languagemodel import LanguageModel

COMPRESS = """\
You shorten a talk so that it can be remembered: a few plain sentences that keep every decision, every outcome, every
fact about people and things, names, numbers and dates. Leave out greetings, filler, questions that were answered, and
how things were said. Say who did or wants what. Use only what stands in the talk: no name, number or date of your own.

- summary: the sentences.
- quotes: words in which somebody says what they prefer or feel, copied letter by letter; at most five, often none.
"""

DISTIL = """\
You say in one or two plain sentences what a talk came to: the outcome and the facts that will matter in a year, above
all what somebody prefers or dislikes. Use only what stands in the talk: no name, number or date of your own.

- summary: the one or two sentences.
- quotes: leave empty.
"""


def compress(model: LanguageModel, said: Sequence[Said], budget: int, *, repairs: int = 2) -> str:
    return sum_up(model, "compress", COMPRESS, said, budget, repairs)


def distil(model: LanguageModel, said: Sequence[Said], budget: int, *, repairs: int = 2) -> str:
    return sum_up(model, "compress", DISTIL, said, budget, repairs)
