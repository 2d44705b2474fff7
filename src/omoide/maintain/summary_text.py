"""Splits turns into segments of one topic and privacy label, and words summaries with a model or by rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from omoide.clock import to_micros
from omoide.domain import Node
from omoide.domain.node import least_trusted
from omoide.domain.quotation import spoken_turn
from omoide.errors import OmoideError
from omoide.language import tokens
from omoide.language.extractive_summary import SpokenTurn, brief_summary, summarize
from omoide.language.text import search_terms
from omoide.maintain.job import JobContext
from omoide.providers.protocols import LanguageModel

_LONGEST_PAUSE = 3_600_000_000  # an hour of silence usually ends a topic
_MOST_TURNS = 30  # a summary of more turns would be too long for one memory
_WINDOW_TURNS = 6  # turns compared on either side of a possible split
_FEWEST_TURNS = 6  # turns of a segment after a split


@dataclass(frozen=True, slots=True)
class PrivacyLabel:
    """Who may read a memory, and whether it is sensitive."""

    audience: str
    sensitive: bool


def label_of(node: Node) -> PrivacyLabel:
    return PrivacyLabel(node.audience, node.sensitive)


def lowest_origin(nodes: Iterable[Node]) -> str:
    return least_trusted(node.origin for node in nodes)


def as_said(nodes: Sequence[Node]) -> list[SpokenTurn]:
    return [spoken_turn(node) for node in nodes]


def by_label(nodes: Sequence[Node]) -> list[list[Node]]:
    """Groups nodes by label, so that a summary of shared turns never contains private ones."""
    order = sorted(nodes, key=lambda node: (label_of(node).audience, label_of(node).sensitive))
    return [list(group) for _, group in groupby(order, key=label_of)]


def segments(nodes: Sequence[Node]) -> list[list[Node]]:
    """Splits at long pauses, then where the vocabulary changes most, until each segment fits one memory."""
    segments_so_far: list[list[Node]] = []
    for node in nodes:
        if segments_so_far and to_micros(node.event_at) - to_micros(segments_so_far[-1][-1].event_at) <= _LONGEST_PAUSE:
            segments_so_far[-1].append(node)
        else:
            segments_so_far.append([node])
    return [segment for stretch in segments_so_far for segment in _split_by_subject(stretch)]


def _split_by_subject(nodes: list[Node]) -> list[list[Node]]:
    queue, done = [nodes], []
    while queue:
        segment = queue.pop()
        if len(segment) <= _MOST_TURNS:
            done.append(segment)
            continue
        at = _best_split(segment)
        queue += [segment[at:], segment[:at]]
    return done


def _best_split(nodes: Sequence[Node]) -> int:
    """The position where the words before and after overlap least; of equals the one nearest the middle."""
    words = [frozenset(word.lower() for word in search_terms(node.text)) for node in nodes]
    middle = len(nodes) / 2

    def overlap(at: int) -> tuple[float, float]:
        before = frozenset().union(*words[max(0, at - _WINDOW_TURNS) : at])
        after = frozenset().union(*words[at : at + _WINDOW_TURNS])
        return len(before & after) / (min(len(before), len(after)) or 1), abs(at - middle)

    return min(range(_FEWEST_TURNS, len(nodes) - _FEWEST_TURNS + 1), key=overlap)


BY_RULES = "by rules"
_MODEL_TOKENS = 1_500  # tokens of the most informative sentences shown to a model: one short call


@dataclass(frozen=True, slots=True)
class WordedSummary:
    """The text of a summary and who wrote it."""

    text: str
    by: str

    @property
    def tokens(self) -> int:
        return tokens.estimate(self.text)


def compressed_text(context: JobContext, turns: Sequence[SpokenTurn], budget: int) -> WordedSummary:
    """A short form within the budget, or up to twice as long where sentences still name something new."""
    plain = summarize(turns, budget, 2 * budget).text
    budget = max(budget, tokens.estimate(plain))

    def by_model(model: LanguageModel) -> str:
        from omoide.learn.model.summaries import compress_talk

        return compress_talk(model, turns, budget, repairs=context.settings.llm_repairs)

    return _by_model_or_rules(context, by_model, lambda: plain)


def distilled_text(context: JobContext, turns: Sequence[SpokenTurn], budget: int) -> WordedSummary:
    def by_model(model: LanguageModel) -> str:
        from omoide.learn.model.summaries import shorten_talk

        return shorten_talk(model, turns, budget, repairs=context.settings.llm_repairs)

    return _by_model_or_rules(context, by_model, lambda: brief_summary(turns, budget).text)


def summarised_text(
    context: JobContext, turns: Sequence[SpokenTurn], budget: int, of: str, *, at_most: int = 0
) -> tuple[WordedSummary, tuple[int, ...]]:
    """The summary and the indexes of the turns it is based on. A model sees only the most informative turns, because a
    day may be longer than its context."""
    plain, shown = summarize(turns, budget, at_most), summarize(turns, _MODEL_TOKENS)
    budget = max(budget, tokens.estimate(plain.text))

    def by_model(model: LanguageModel) -> str:
        from omoide.learn.model.summaries import summarize_period

        talk = [turns[place] for place in shown.turns]
        return summarize_period(model, talk, budget, of=of, repairs=context.settings.llm_repairs)

    words = _by_model_or_rules(context, by_model, lambda: plain.text)
    return words, plain.turns if words.text == plain.text else shown.turns


def _by_model_or_rules(
    context: JobContext, by_model: Callable[[LanguageModel], str], rules: Callable[[], str]
) -> WordedSummary:
    """Uses the rules if there is no model, in a dry run (calls cost money), and when the model fails."""
    model = context.language_model
    if model is None:
        return WordedSummary(rules(), BY_RULES)
    if context.dry_run:
        return WordedSummary(rules(), f"{BY_RULES}; {model.name} would be asked")
    try:
        return WordedSummary(by_model(model), f"by {model.name}")
    except OmoideError as error:
        return WordedSummary(rules(), f"{BY_RULES}, since {str(error).partition(';')[0]}")
