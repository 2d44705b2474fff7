"""What a note resembles, and how the two could be linked: by words, and by meaning where there are vectors."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping

from omoide.domain import Node
from omoide.domain.edge import LinkSuggestion
from omoide.language.text import fts_terms, search_terms
from omoide.recall.question import STOP_WORDS
from omoide.recall.search.arm import SearchSources
from omoide.store import NodeFilter, Store

_MAX_CANDIDATES = 40  # candidates that are compared
_LEAST_OVERLAP = 0.3  # of the words, each by its rarity: below it two notes of one house are alike by chance
_LEAST_MEANING = 0.55  # of the cosine
_SAME = 0.85
_INSIDE = 0.8  # of the words of the shorter stand in the longer
_LONGER = 1.5
_KINDS = ("fact", "opinion", "note", "pattern", "antipattern", "procedure", "preference", "skill")
_GENERAL = ("pattern", "antipattern")
_NOT = re.compile(
    r"\b(?:not|never|no longer|don't|doesn't|isn't|aren't|can't|cannot|won't|avoid|instead of|nicht|kein\w*)\b", re.I
)
_EXAMPLE = re.compile(r"\b(?:for example|for instance|e\.g\.|such as|example of|zum beispiel|z\. ?b\.)", re.I)


def suggest_links(node: Node, linked: Collection[int], limit: int, sources: SearchSources) -> list[LinkSuggestion]:
    """Links that could be made from a note, the most alike first; what it is linked to already is left out."""
    words = _words(node.text)
    rarity = sources.store.rarities(fts_terms(sorted(words))) if words else {}
    alike = _by_words(node, sources.store)
    near = _by_meaning(node, sources)
    held = sources.store.nodes([id for id in {*alike, *near} if id != node.id and id not in linked])
    found = []
    for other in held.values():
        if other.state != "live" or other.kind not in _KINDS or other.audience != node.audience:
            continue
        share = _shared(words, _words(other.text), rarity)
        meaning = near.get(other.id, 0.0)
        if share >= _LEAST_OVERLAP or meaning >= _LEAST_MEANING:
            relation, why = _relation(node, other, share)
            said = why + (f", meaning {meaning:.2f}" if meaning >= _LEAST_MEANING else "")
            found.append(LinkSuggestion(node.id, other.id, relation, said, round(max(share, meaning), 3), other))
    return sorted(found, key=lambda each: (-each.likeness, each.target))[:limit]


def _by_words(node: Node, store: Store) -> list[int]:
    wanted = fts_terms(word for word in search_terms(node.text) if word.lower() not in STOP_WORDS)
    return [id for id, _ in store.search_text(wanted, NodeFilter(kinds=_KINDS), _MAX_CANDIDATES)] if wanted else []


def _by_meaning(node: Node, sources: SearchSources) -> dict[int, float]:
    """Without an embedder, or while none of the notes has its vector, words alone speak."""
    from omoide.recall.question import QuestionEmbedding, embed_question

    meant = embed_question(node.text, sources)
    if not isinstance(meant, QuestionEmbedding):
        return {}
    return dict(sources.store.planes(sources.model_id()).search(meant.vector, _MAX_CANDIDATES))


def _relation(node: Node, other: Node, share: float) -> tuple[str, str]:
    """The link that their words speak for, and why."""
    own, theirs = _words(node.text), _words(other.text)
    common = sorted(own & theirs)
    both = f"both speak of {', '.join(common[:4])}" if common else "they mean alike"
    inside = len(common) / min(len(own), len(theirs)) if own and theirs else 0.0
    if inside >= 0.5 and bool(_NOT.search(node.text)) != bool(_NOT.search(other.text)):
        return "contradicts", f"{both}, and one of them denies it"
    if _EXAMPLE.search(node.text) or (other.kind in _GENERAL and node.kind not in _GENERAL):
        return "example_of", both + (f", and the other is a {other.kind}" if other.kind in _GENERAL else "")
    if share >= _SAME and node.kind == other.kind and node.id > other.id:
        return "supersedes", "they say nearly the same, and this one is newer"
    if inside >= _INSIDE and len(own) >= _LONGER * len(theirs):
        return "elaborates", "it says the same and more"
    if inside >= _INSIDE and len(theirs) >= _LONGER * len(own):
        return "elaborated_by", "the other says the same and more"
    return "related_to", both


def _words(text: str) -> frozenset[str]:
    found = (word.lower() for word in search_terms(text))
    return frozenset(
        word[:-1] if len(word) > 4 and word.endswith("s") else word for word in found if word not in STOP_WORDS
    )


def _shared(one: frozenset[str], other: frozenset[str], rarity: Mapping[str, float]) -> float:
    """The cosine of two sets of words, each by its rarity; a word that the index has not is as rare as can be."""
    most = max(rarity.values(), default=1.0)

    def weight(words: Collection[str]) -> float:
        return sum(rarity.get(f'"{word}"', most) ** 2 for word in words)

    total = weight(one) * weight(other)
    return weight(one & other) / math.sqrt(total) if total else 0.0
