"""The Extractor that asks a language model: a session in pieces, every answer checked and grounded before it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from omoide import tokens
from omoide.config import Settings
from omoide.learn.ground import grounded
from omoide.learn.model import causes, extract
from omoide.learn.model.ask import Heard, Verdict, ask
from omoide.learn.model.shape import Wrong, entries
from omoide.learn.model.window import DATA_TOKENS, Window, is_data, windows
from omoide.learn.proposal import Conversation, Item, Proposal, gathered
from omoide.providers.languagemodel import LanguageModel, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelExtractor:
    """Proposes what a language model finds in a conversation. It stores nothing and remembers nothing."""

    model: LanguageModel
    batch_tokens: int = 4_000  # of conversation in one call
    answer_tokens: int = 4_000
    repairs: int = 2  # how often an answer that will not do is asked for again
    most_causes: int = causes.MOST
    causes: bool = True

    @classmethod
    def of(cls, model: LanguageModel, settings: Settings) -> ModelExtractor:
        return cls(
            model=model,
            batch_tokens=settings.llm_batch_tokens,
            answer_tokens=settings.llm_answer_tokens,
            repairs=settings.llm_repairs,
            most_causes=settings.causal_inference_batch_size,
        )

    @property
    def name(self) -> str:
        return self.model.name

    def extract(self, conversation: Conversation) -> Proposal:
        """Raises ModelFailed where the model brings no usable answer: then nothing of the session counts."""
        found: list[Item] = []
        notes = _unread(conversation)
        for window in windows(conversation, self.batch_tokens):
            items, said = self._window(conversation, window)
            found += items
            notes += said
        if self.causes:
            linked = causes.find(
                self.model,
                conversation,
                repairs=self.repairs,
                answer_tokens=self.answer_tokens,
                most=self.most_causes,
            )
            found += linked.good
            notes += counted("causes", linked.refused)
        return gathered(found, tuple(notes))

    def _window(self, conversation: Conversation, window: Window) -> tuple[list[Item], list[str]]:
        heard = self._ask(conversation, window)
        halves = window.halves() if heard.cut else None
        if halves is not None:  # there was more to say than an answer holds: ask about half as much
            parts = [self._window(conversation, half) for half in halves]
            return [item for items, _ in parts for item in items], [note for _, notes in parts for note in notes]
        notes = counted("extract", heard.refused)
        if heard.cut:
            notes.append(f"extract: the answer was cut off, {len(heard.good)} whole items of it were kept")
        return list(heard.good), notes

    def _ask(self, conversation: Conversation, window: Window) -> Heard[Item]:
        request = Request(
            operation="extract",
            instructions=extract.INSTRUCTIONS,
            input=window.render(),
            schema=extract.SCHEMA,
            max_output_tokens=self.answer_tokens,
        )
        return ask(
            self.model,
            request,
            lambda value: judged(value, conversation, window),
            self.repairs,
            halved=window.halves() is not None,
        )


def judged(value: Any, conversation: Conversation, window: Window) -> Verdict[Item]:
    """Each item of an answer: of the right form, about a turn that is there, resting on words that were said."""
    built: list[tuple[str, Item]] = []
    problems: list[str] = []
    for entry in entries(extract.SHAPES, value):
        where = f"{entry.shape} {entry.place}"
        try:
            if entry.values is None:
                raise Wrong(entry.problem)
            built.append((where, extract.item_of(entry.shape, entry.values, window)))
        except Wrong as wrong:
            problems.append(f"{where}: {wrong}")
    checked = grounded(conversation, gathered(item for _, item in built))
    places = {id(item): where for where, item in built}
    problems += [f"{places[id(refusal.item)]}: {refusal.reason}" for refusal in checked.refused]
    return Verdict(tuple(checked.proposal), tuple(problems))


def counted(operation: str, problems: Iterable[str]) -> list[str]:
    """Refusals with the same reason in one note: `extract: 3 facts refused: its quote does not stand in its turn`."""
    reasons = Counter((where.split()[0], why) for where, _, why in (each.partition(": ") for each in problems))
    return [f"{operation}: {count} {kind} refused: {why}" for (kind, why), count in reasons.items()]


def _unread(conversation: Conversation) -> list[str]:
    fresh = conversation.turns[conversation.fresh :]
    long = sum(is_data(turn) and tokens.estimate(turn.text) > DATA_TOKENS for turn in fresh)
    return [f"extract: of {long} long texts of tools or documents only the beginning was read"] if long else []
