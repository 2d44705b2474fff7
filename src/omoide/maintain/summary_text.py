"""Turns in stretches that are each about one thing and under one label, and what a summary of them may claim to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from omoide.clock import to_micros
from omoide.domain import Node
from omoide.errors import OmoideError
from omoide.language import tokens
from omoide.language.extractive_summary import SpokenTurn, brief_summary_text, summarize, summary_text
from omoide.language.text import search_terms
from omoide.maintain.job import JobContext

_LONGEST_PAUSE = 3_600_000_000  # an hour's silence ends a subject more often than not
_MOST_TURNS = 30  # turns: beyond, a summary of a quarter of the length is itself too long to be one memory
_WINDOW_TURNS = 6  # turns on either side of a place where a stretch may be parted
_FEWEST_TURNS = 6  # turns of a part

# Whose word is worth less stands later; a summary carries the last of its sources (DESIGN: the lowest origin).
_ORIGINS_BY_TRUST = ("user", "agent", "system")


@dataclass(frozen=True, slots=True)
class PrivacyLabel:
    """Who may read it, and whether they were asked first."""

    audience: str
    sensitive: bool


def label_of(node: Node) -> PrivacyLabel:
    return PrivacyLabel(node.audience, node.sensitive)


def lowest_origin(nodes: Iterable[Node]) -> str:
    return lowest_of(node.origin for node in nodes)


def lowest_of(origins: Iterable[str]) -> str:
    """Of user, agent, system, then what tools, documents and imports brought in."""
    return max(origins, key=lambda each: (_origin_rank(each), each))


def as_said(nodes: Sequence[Node]) -> list[SpokenTurn]:
    return [
        SpokenTurn(node.role or node.origin, node.text, node.speaker, to_micros(node.event_at), node.importance)
        for node in nodes
    ]


def by_label(nodes: Sequence[Node]) -> list[list[Node]]:
    """Apart by label, so that a summary leaks nothing and what may be shared is not locked away with what may not."""
    order = sorted(nodes, key=lambda node: (label_of(node).audience, label_of(node).sensitive))
    return [list(group) for _, group in groupby(order, key=label_of)]


def segments(nodes: Sequence[Node]) -> list[list[Node]]:
    """Parted at long pauses, then where the words change most, until each is short enough for one memory."""
    parted: list[list[Node]] = []
    for node in nodes:
        if parted and to_micros(node.event_at) - to_micros(parted[-1][-1].event_at) <= _LONGEST_PAUSE:
            parted[-1].append(node)
        else:
            parted.append([node])
    return [part for stretch in parted for part in _split_by_subject(stretch)]


def _split_by_subject(nodes: list[Node]) -> list[list[Node]]:
    waiting, done = [nodes], []
    while waiting:
        part = waiting.pop()
        if len(part) <= _MOST_TURNS:
            done.append(part)
            continue
        at = _best_split(part)
        waiting += [part[at:], part[:at]]
    return done


def _best_split(nodes: Sequence[Node]) -> int:
    """Where what is said before has least in common with what is said after; of equals the one nearest the middle."""
    words = [frozenset(word.lower() for word in search_terms(node.text)) for node in nodes]
    middle = len(nodes) / 2

    def held(at: int) -> tuple[float, float]:
        before = frozenset().union(*words[max(0, at - _WINDOW_TURNS) : at])
        after = frozenset().union(*words[at : at + _WINDOW_TURNS])
        return len(before & after) / (min(len(before), len(after)) or 1), abs(at - middle)

    return min(range(_FEWEST_TURNS, len(nodes) - _FEWEST_TURNS + 1), key=held)


def _origin_rank(origin: str) -> int:
    return _ORIGINS_BY_TRUST.index(origin) if origin in _ORIGINS_BY_TRUST else len(_ORIGINS_BY_TRUST)


# Who words a summary: a language model whose answer holds, else the rules, and which of the two it was.


BY_RULES = "by rules"
_MODEL_TOKENS = 1_500  # tokens of the most telling sentences: enough for a day, and one short call


@dataclass(frozen=True, slots=True)
class WordedSummary:
    """The words of a summary and who found them."""

    text: str
    by: str

    @property
    def tokens(self) -> int:
        return tokens.estimate(self.text)


def compressed_text(upkeep: JobContext, said: Sequence[SpokenTurn], budget: int) -> WordedSummary:
    def asked() -> str:
        from omoide.learn.model.summaries import compress_talk

        assert upkeep.language_model is not None
        return compress_talk(upkeep.language_model, said, budget, repairs=upkeep.settings.llm_repairs)

    return _by_model_or_rules(upkeep, asked, lambda: summary_text(said, budget))


def distilled_text(upkeep: JobContext, said: Sequence[SpokenTurn], budget: int) -> WordedSummary:
    def asked() -> str:
        from omoide.learn.model.summaries import distil_talk

        assert upkeep.language_model is not None
        return distil_talk(upkeep.language_model, said, budget, repairs=upkeep.settings.llm_repairs)

    return _by_model_or_rules(upkeep, asked, lambda: brief_summary_text(said, budget))


def summarised_text(
    upkeep: JobContext, said: Sequence[SpokenTurn], budget: int, of: str
) -> tuple[WordedSummary, tuple[int, ...]]:
    """The words, and the places of the turns they rest on. A model is shown the most telling of them, not all: a day
    may be longer than it reads, and what it did not see need not be forgotten with it."""
    plain, shown = summarize(said, budget), summarize(said, _MODEL_TOKENS)

    def asked() -> str:
        from omoide.learn.model.summaries import summarize_period

        assert upkeep.language_model is not None
        talk = [said[place] for place in shown.turns]
        return summarize_period(upkeep.language_model, talk, budget, of=of, repairs=upkeep.settings.llm_repairs)

    words = _by_model_or_rules(upkeep, asked, lambda: plain.text)
    return words, plain.turns if words.text == plain.text else shown.turns


def _by_model_or_rules(upkeep: JobContext, asked: Callable[[], str], rules: Callable[[], str]) -> WordedSummary:
    """A dry run asks no model: it would cost what the run costs."""
    model = upkeep.language_model
    if model is None:
        return WordedSummary(rules(), BY_RULES)
    if upkeep.dry_run:
        return WordedSummary(rules(), f"{BY_RULES}; {model.name} would be asked")
    try:
        return WordedSummary(asked(), f"by {model.name}")
    except OmoideError as error:  # nothing is lost: what a model cannot do, the rules do
        return WordedSummary(rules(), f"{BY_RULES}, since {str(error).partition(';')[0]}")
