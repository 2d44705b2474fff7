"""Writes narratives: one sentence about a segment of a session, with its topic and source turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from omoide.clock import to_micros
from omoide.domain import Draft, Node
from omoide.domain.entity import entities_named_in
from omoide.domain.kinds import Narrative
from omoide.domain.node import least_trusted, validate_attributes
from omoide.domain.quotation import spoken_turn
from omoide.errors import OmoideError
from omoide.language import tokens
from omoide.language.extractive_summary import brief_summary, summarize
from omoide.language.registry import words_of
from omoide.language.sentences import is_filler
from omoide.language.text import search_terms
from omoide.providers.protocols import LanguageModel
from omoide.store import NarrativeDraft, Store

_SENTENCE_TOKENS = 60  # one sentence, or a question with its answer
_MODEL_INPUT_TOKENS = 1_500  # of the most informative turns
_TOPIC_WORDS = 3
_MIN_TOPIC_LETTERS = 4
_NARRATIVE_IMPORTANCE = 5


@dataclass(frozen=True, slots=True)
class NarrativeSentence:
    """The sentence, the ids of its source turns, and who worded it."""

    text: str
    topic: str | None
    turns: tuple[int, ...]
    by: str


def write_narrative(
    store: Store, session: str, model: LanguageModel | None = None, *, topic: str | None = None, repairs: int = 2
) -> Node | None:
    """Write a narrative of the turns since the last one. Returns the last one if there are no new turns.

    Returns None if the session has no narrative and nothing to tell.
    """
    return store.derive(lambda: _write_narrative(store, session, model, topic, repairs))


def _write_narrative(
    store: Store, session: str, model: LanguageModel | None, topic: str | None, repairs: int
) -> Node | None:
    ids = store.narratives.unnarrated(session)
    found = store.nodes.fetch(ids)
    turns = [found[id] for id in ids if id in found]
    sentence = narrative_sentence(turns, model, repairs)
    if sentence is None:
        return None
    draft = draft_narrative(
        turns, sentence.text, topic or sentence.topic, session, source_type="consolidation", worded=sentence.by
    )
    return store.narratives.insert_narrative(
        NarrativeDraft(
            draft=draft,
            connects=sentence.turns,
            covers=tuple(node.id for node in turns),
            entities=entities_named_in(sentence.text, store.entities.name_index()),
        )
    )


def narrative_sentence(
    turns: Sequence[Node], model: LanguageModel | None = None, repairs: int = 2
) -> NarrativeSentence | None:
    """Summarise turns in one sentence, by a model or by rules.

    Sensitive turns are left out if there are others, since narratives are shown without asking for consent.
    """
    open = [node for node in turns if not node.sensitive] or list(turns)
    talk = [spoken_turn(node) for node in open]
    plain = brief_summary(talk, _SENTENCE_TOKENS)
    if not plain.text:
        return None
    topic, by = _topic(open), "by rules"
    if model is not None:
        from omoide.learn.model.summaries import narrate_talk as asked

        shown = summarize(talk, _MODEL_INPUT_TOKENS)
        try:
            words = asked(model, [talk[place] for place in shown.turns], _SENTENCE_TOKENS, repairs=repairs)
            return NarrativeSentence(
                _one_line(words), topic, tuple(open[place].id for place in shown.turns), f"by {model.name}"
            )
        except OmoideError as error:  # fall back to the rules
            by = f"by rules, since {str(error).partition(';')[0]}"
    return NarrativeSentence(_one_line(plain.text), topic, tuple(open[place].id for place in plain.turns), by)


def draft_narrative(
    of: Sequence[Node],
    text: str,
    topic: str | None,
    session: str | None,
    *,
    source_type: str,
    origin: str | None = None,
    at: int | None = None,
    worded: str | None = None,
) -> Draft:
    """A draft as private as the most private of its sources, with the least trusted of their origins."""
    written_by_caller = source_type == "narrative"  # the caller may have used all sources, sensitive ones too
    open = [node for node in of if written_by_caller or not node.sensitive] or list(of)
    return Draft(
        kind="narrative",
        text=text,
        details=None if worded is None else {"worded": worded},
        event_at=at if at is not None else max(to_micros(node.event_at) for node in of),
        origin=origin or least_trusted(node.origin for node in open),
        source_type=source_type,
        attributes=validate_attributes(Narrative, {"topic": topic} if topic else {}),
        importance=_NARRATIVE_IMPORTANCE,
        session=session,
        token_count=tokens.estimate(text),
        sensitive=any(node.sensitive for node in open),
        audience="shared" if open and all(node.audience == "shared" for node in open) else "private",
    )


def _topic(turns: Sequence[Node]) -> str | None:
    """The words that most turns share, in order of appearance; None if no word occurs in two turns."""
    said = [
        [word.lower() for word in search_terms(node.text) if _is_topic_word(word)]
        for node in turns
        if not is_filler(node.text) and not (node.role or "").startswith("tool:")
    ]
    spread = Counter(word for words in said for word in words)  # terms gives each word of a turn once
    order = {word: place for place, word in enumerate(dict.fromkeys(word for words in said for word in words))}
    shared = sorted((word for word in spread if spread[word] > 1), key=lambda word: (-spread[word], order[word]))
    return " ".join(sorted(shared[:_TOPIC_WORDS], key=order.__getitem__)) or None


def _is_topic_word(word: str) -> bool:
    if not word.isascii():
        return len(word) > 1
    return len(word) >= _MIN_TOPIC_LETTERS and word.lower() not in words_of("general_words") and not word.isdigit()


def _one_line(text: str) -> str:
    return " ".join(text.split())
