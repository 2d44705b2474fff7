"""Which hits enter a pack: as many as the answer needs. The budget is a limit, not a target.

Hits far below the best are left out; how far depends on what is asked. A question that the hits probably do not answer
gets a few short lines, so that the reader sees what is known of its subject. Filler is never packed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from omoide.domain import Node
from omoide.language.registry import compiled_pattern, detect_language
from omoide.language.sentences import is_courtesy, is_filler, split_sentences
from omoide.recall.question import Query
from omoide.recall.results import Hit, Recall
from omoide.recall.search.constraints import is_constraint

_BROAD_FACTOR = 0.7  # of the recipe's floor, for requests, lists, counts and other broad questions
_CONSTRAINT_FACTOR = 0.5  # of the floor, for standing constraints where something is to be done
_AGENT_FACTOR = 0.75  # the agent mostly repeats what the user said
_FIRST_LINES, _FIRST_FACTOR = 4, 0.33  # of the floor, for the best four
_UNANSWERED = 0.2  # probability that the hits answer, below which the pack is kept tiny
TINY_PACK = 140  # tokens
FILLER = "says nothing"
TOO_FAR = "far less relevant than the best"
UNANSWERED_REASON = "nothing that was told answers this; the closest lines only"
NOTHING_ASKED = "the message asks nothing"
NOTHING_FOUND = "nothing was found"


@dataclass(frozen=True, slots=True)
class PackSelection:
    """The hits for a pack, best first, and why others were left out."""

    hits: tuple[Hit, ...]
    left_out: dict[int, str] = field(default_factory=dict)
    reason: str = ""  # why the pack is empty or tiny, or what is missing from it
    most_tokens: float = math.inf


def select_hits(recall: Recall) -> PackSelection:
    """Choose the hits that may matter for the answer, whatever the budget."""
    query = recall.query
    if is_filler(query.question.text):
        return PackSelection((), {hit.id: NOTHING_ASKED for hit in recall.hits}, NOTHING_ASKED)
    left_out = {hit.id: FILLER for hit in recall.hits if says_nothing(hit.node)}
    hits = _weighed(query, [hit for hit in recall.hits if hit.id not in left_out])
    if not hits:
        return PackSelection((), left_out, _why_nothing(recall))
    least = _floor(query) * hits[0].score
    kept = tuple(hit for place, hit in enumerate(hits) if hit.score >= least * _need(query, hit, place))
    kept_ids = {hit.id for hit in kept}
    left_out |= {hit.id: TOO_FAR for hit in hits if hit.id not in kept_ids}
    if recall.answered is None or recall.answered >= _UNANSWERED or query.is_request:
        return PackSelection(kept, left_out)
    return PackSelection(kept, left_out, UNANSWERED_REASON, TINY_PACK)


def says_nothing(node: Node) -> bool:
    """Whether a turn is only a greeting, thanks or an acknowledgement."""
    if node.kind != "episode":
        return False
    if node.role != "agent":
        return is_filler(node.text)
    return all(is_filler(each) or is_courtesy(each) for each in split_sentences(node.text))


def _weighed(query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """The hits with the agent's words behind those of others, unless the question asks for them."""
    if query.speaker is not None and query.speaker.by == "agent":
        return list(hits)
    weighed = [replace(hit, score=hit.score * _AGENT_FACTOR) if hit.node.role == "agent" else hit for hit in hits]
    return sorted(weighed, key=lambda hit: -hit.score)


def _floor(query: Query) -> float:
    """The share of the best score that a hit needs."""
    text = query.question.text
    listing = compiled_pattern(detect_language(text).collection_cues).search(text) is not None
    broad = query.is_request or listing or query.asks_only_for_time or query.complexity.name == "complex"
    return query.recipe.pack_floor * (_BROAD_FACTOR if broad else 1.0)


def _need(query: Query, hit: Hit, place: int) -> float:
    """The share of the floor that a hit needs. A constraint found for a request matters more than its score says."""
    if place < _FIRST_LINES:
        return _FIRST_FACTOR
    return _CONSTRAINT_FACTOR if query.is_request and is_constraint(hit.node) else 1.0


def _why_nothing(recall: Recall) -> str:
    judged = next((step.note for step in recall.trace.steps if step.stage == "noise_floor"), "")
    return judged if judged.startswith("no hit") else NOTHING_FOUND
