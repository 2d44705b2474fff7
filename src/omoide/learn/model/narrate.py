"""What is asked about a stretch of talk: the one sentence that says where things stood when it ended."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.gist import Said
from omoide.learn.model.told import sum_up
from omoide.providers.languagemodel import LanguageModel

INSTRUCTIONS = """\
You write one sentence for an agent that will come back to this talk later and asks "where was I?": what it was about,
what was decided or done last, and what comes next if somebody said so. One sentence, past tense, no heading. Use only
what stands below: no name, number or date of your own.

- summary: the sentence.
- quotes: leave empty.
"""


def narrate(model: LanguageModel, said: Sequence[Said], budget: int, *, repairs: int = 2) -> str:
    return sum_up(model, "summarise", INSTRUCTIONS, said, budget, repairs)
