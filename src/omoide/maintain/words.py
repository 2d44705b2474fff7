"""Who words a summary: a language model whose answer holds, else the rules, and which of the two it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from omoide import tokens
from omoide.errors import OmoideError
from omoide.gist import Said, essence, gist, sourced
from omoide.maintain.job import Upkeep

RULES = "by rules"
_SHOWN = 1_500  # tokens of the most telling sentences: enough for a day, and one short call


@dataclass(frozen=True, slots=True)
class Worded:
    """The words of a summary and who found them."""

    text: str
    by: str

    @property
    def tokens(self) -> int:
        return tokens.estimate(self.text)


def compressed(upkeep: Upkeep, said: Sequence[Said], budget: int) -> Worded:
    def asked() -> str:
        from omoide.learn.model.compress import compress

        assert upkeep.language_model is not None
        return compress(upkeep.language_model, said, budget, repairs=upkeep.settings.llm_repairs)

    return _worded(upkeep, asked, lambda: gist(said, budget))


def distilled(upkeep: Upkeep, said: Sequence[Said], budget: int) -> Worded:
    def asked() -> str:
        from omoide.learn.model.compress import distil

        assert upkeep.language_model is not None
        return distil(upkeep.language_model, said, budget, repairs=upkeep.settings.llm_repairs)

    return _worded(upkeep, asked, lambda: essence(said, budget))


def summed_up(upkeep: Upkeep, said: Sequence[Said], budget: int, of: str) -> tuple[Worded, tuple[int, ...]]:
    """The words, and the places of the turns they rest on. A model is shown the most telling of them, not all: a day
    may be longer than it reads, and what it did not see need not be forgotten with it."""
    plain, shown = sourced(said, budget), sourced(said, _SHOWN)

    def asked() -> str:
        from omoide.learn.model.summarise import summarise

        assert upkeep.language_model is not None
        talk = [said[place] for place in shown.turns]
        return summarise(upkeep.language_model, talk, budget, of=of, repairs=upkeep.settings.llm_repairs)

    words = _worded(upkeep, asked, lambda: plain.text)
    return words, plain.turns if words.text == plain.text else shown.turns


def _worded(upkeep: Upkeep, asked: Callable[[], str], rules: Callable[[], str]) -> Worded:
    """A dry run asks no model: it would cost what the run costs."""
    model = upkeep.language_model
    if model is None:
        return Worded(rules(), RULES)
    if upkeep.dry_run:
        return Worded(rules(), f"{RULES}; {model.name} would be asked")
    try:
        return Worded(asked(), f"by {model.name}")
    except OmoideError as error:  # nothing is lost: what a model cannot do, the rules do
        return Worded(rules(), f"{RULES}, since {str(error).partition(';')[0]}")
