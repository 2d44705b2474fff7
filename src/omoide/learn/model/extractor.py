"""The Extractor that asks a language model: a session in pieces, every answer checked and grounded before it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from omoide.language import tokens
from omoide.learn.grounding import ground_proposal
from omoide.learn.model import causes, extraction_prompt
from omoide.learn.model.answer_schema import InvalidAnswer, answer_entries
from omoide.learn.model.ask import AnswerVerdict, CheckedAnswer, ask_model
from omoide.learn.model.conversation_window import MAX_DATA_TOKENS, ConversationWindow, is_data_turn, split_windows
from omoide.learn.proposal import Conversation, Proposal, ProposalItem, collect_proposal
from omoide.providers.protocols import CompletionRequest, LanguageModel
from omoide.settings import Settings


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
        found: list[ProposalItem] = []
        notes = _truncation_notes(conversation)
        for window in split_windows(conversation, self.batch_tokens):
            items, said = self._window(conversation, window)
            found += items
            notes += said
        if self.causes:
            linked = causes.find_causes(
                self.model,
                conversation,
                repairs=self.repairs,
                answer_tokens=self.answer_tokens,
                most=self.most_causes,
            )
            found += linked.good
            notes += refusal_notes("causes", linked.refused)
        return collect_proposal(found, tuple(notes))

    def _window(self, conversation: Conversation, window: ConversationWindow) -> tuple[list[ProposalItem], list[str]]:
        heard = self._ask(conversation, window)
        halves = window.halves() if heard.cut else None
        if halves is not None:  # there was more to say than an answer holds: ask about half as much
            parts = [self._window(conversation, half) for half in halves]
            return [item for items, _ in parts for item in items], [note for _, notes in parts for note in notes]
        notes = refusal_notes("extract", heard.refused)
        if heard.cut:
            notes.append(f"extract: the answer was cut off, {len(heard.good)} whole items of it were kept")
        return list(heard.good), notes

    def _ask(self, conversation: Conversation, window: ConversationWindow) -> CheckedAnswer[ProposalItem]:
        request = CompletionRequest(
            operation="extract",
            instructions=extraction_prompt.EXTRACTION_INSTRUCTIONS,
            input=window.render(),
            schema=extraction_prompt.EXTRACTION_SCHEMA,
            max_output_tokens=self.answer_tokens,
        )
        return ask_model(
            self.model,
            request,
            lambda value: check_items(value, conversation, window),
            self.repairs,
            halved=window.halves() is not None,
        )


def check_items(value: Any, conversation: Conversation, window: ConversationWindow) -> AnswerVerdict[ProposalItem]:
    """Each item of an answer: of the right form, about a turn that is there, resting on words that were said."""
    built: list[tuple[str, ProposalItem]] = []
    problems: list[str] = []
    for entry in answer_entries(extraction_prompt.EXTRACTION_LISTS, value):
        where = f"{entry.shape} {entry.place}"
        try:
            if entry.values is None:
                raise InvalidAnswer(entry.problem)
            built.append((where, extraction_prompt.item_from_entry(entry.shape, entry.values, window)))
        except InvalidAnswer as wrong:
            problems.append(f"{where}: {wrong}")
    checked = ground_proposal(conversation, collect_proposal(item for _, item in built))
    places = {id(item): where for where, item in built}
    problems += [f"{places[id(refusal.item)]}: {refusal.reason}" for refusal in checked.refused]
    return AnswerVerdict(tuple(checked.proposal), tuple(problems))


def refusal_notes(operation: str, problems: Iterable[str]) -> list[str]:
    """Refusals with the same reason in one note: `extract: 3 facts refused: its quote is not in its turn`."""
    reasons = Counter((where.split()[0], why) for where, _, why in (each.partition(": ") for each in problems))
    return [f"{operation}: {count} {kind} refused: {why}" for (kind, why), count in reasons.items()]


def _truncation_notes(conversation: Conversation) -> list[str]:
    fresh = conversation.turns[conversation.fresh :]
    long = sum(is_data_turn(turn) and tokens.estimate(turn.text) > MAX_DATA_TOKENS for turn in fresh)
    return [f"extract: of {long} long texts of tools or documents only the beginning was read"] if long else []
