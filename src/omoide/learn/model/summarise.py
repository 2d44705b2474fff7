"""What is asked about a session, a day or a week: what happened, and what is still open."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.gist import Said
from omoide.learn.model.told import sum_up
from omoide.providers.languagemodel import LanguageModel

INSTRUCTIONS = """\
You sum up {of} for the person who lived it: what was done, decided and learned, how it came out, and what is still open
(questions without an answer, plans and promises not reported done). Plain sentences, the weightiest first, no headings,
no praise. Use only what stands below: no name, number or date of your own.

- summary: the sentences.
- quotes: leave empty.
"""


def summarise(model: LanguageModel, said: Sequence[Said], budget: int, *, of: str, repairs: int = 2) -> str:
    return sum_up(model, "summarise", INSTRUCTIONS.format(of=of), said, budget, repairs)
