"""Suggests links from a note to similar ones, by shared words and by vectors."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from omoide.domain import Node
from omoide.domain.edge import LinkSuggestion
from omoide.language.registry import language_pattern, words_of
from omoide.language.text import fts_terms, search_terms, singular
from omoide.recall.candidates import SearchSources
from omoide.recall.question import NoEmbedding, embed_question
from omoide.store import NodeFilter, Store

_MAX_CANDIDATES = 40  # by words, and again by vectors
_LEAST_OVERLAP = 0.3  # of the words, weighted by rarity; notes on one subject reach less by chance
_LEAST_COSINE = 0.55
_SAME = 0.85  # overlap
_INSIDE = 0.8  # share of the shorter note's words that the longer one contains
_LONGER = 1.5  # times the words
_KINDS = ("fact", "opinion", "note", "pattern", "antipattern", "procedure", "preference", "skill")
_GENERAL = ("pattern", "antipattern")


def suggest_links(node: Node, linked: Collection[int], limit: int, sources: SearchSources) -> list[LinkSuggestion]:
    """Links that could be made from a note, the most similar first. Nodes in `linked` are left out."""
    words = _words(node.text)
    rarity = sources.store.search.rarities(fts_terms(sorted(words))) if words else {}
    by_words = _similar_by_words(node, sources.store)
    cosines = _similar_by_vector(node, sources)
    nodes = sources.store.nodes.fetch([id for id in {*by_words, *cosines} if id != node.id and id not in linked])
    found = []
    for other in nodes.values():
        if other.state != "live" or other.kind not in _KINDS or other.audience != node.audience:
            continue
        overlap = _overlap(words, _words(other.text), rarity)
        cosine = cosines.get(other.id, 0.0)
        if overlap >= _LEAST_OVERLAP or cosine >= _LEAST_COSINE:
            relation, why = _relation(node, other, overlap)
            why += f", meaning {cosine:.2f}" if cosine >= _LEAST_COSINE else ""
            found.append(LinkSuggestion(node.id, other.id, relation, why, round(max(overlap, cosine), 3), other))
    return sorted(found, key=lambda each: (-each.likeness, each.target))[:limit]


def _similar_by_words(node: Node, store: Store) -> list[int]:
    terms = fts_terms(word for word in search_terms(node.text) if word.lower() not in words_of("stop_words"))
    return (
        [id for id, _ in store.search.text(terms, NodeFilter(kinds=_KINDS, archive=False), _MAX_CANDIDATES)]
        if terms
        else []
    )


def _similar_by_vector(node: Node, sources: SearchSources) -> dict[int, float]:
    """Cosines by node; empty without an embedder or vectors."""
    embedding = embed_question(node.text, sources)
    if isinstance(embedding, NoEmbedding):
        return {}
    return dict(sources.store.search.vectors(sources.model_id()).search(embedding.vector, _MAX_CANDIDATES))


def _relation(node: Node, other: Node, overlap: float) -> tuple[str, str]:
    """The most fitting relation, and why."""
    own, theirs = _words(node.text), _words(other.text)
    common = sorted(own & theirs)
    both = f"both mention {', '.join(common[:4])}" if common else "similar in meaning"
    inside = len(common) / min(len(own), len(theirs)) if own and theirs else 0.0
    if inside >= 0.5 and bool(language_pattern("denials").search(node.text)) != bool(
        language_pattern("denials").search(other.text)
    ):
        return "contradicts", f"{both}, and one of them negates it"
    if language_pattern("examples").search(node.text) or (other.kind in _GENERAL and node.kind not in _GENERAL):
        return "example_of", both + (f", and the other is a {other.kind}" if other.kind in _GENERAL else "")
    if overlap >= _SAME and node.kind == other.kind and node.id > other.id:
        return "supersedes", "they say nearly the same, and this one is newer"
    if inside >= _INSIDE and len(own) >= _LONGER * len(theirs):
        return "elaborates", "it says the same and more"
    if inside >= _INSIDE and len(theirs) >= _LONGER * len(own):
        return "elaborated_by", "the other says the same and more"
    return "related_to", both


def _words(text: str) -> frozenset[str]:
    found = (word.lower() for word in search_terms(text))
    return frozenset(singular(word) for word in found if word not in words_of("stop_words"))


def _overlap(one: frozenset[str], other: frozenset[str], rarity: Mapping[str, float]) -> float:
    """The cosine of two sets of words, weighted by rarity; a word that the index lacks has the highest rarity."""
    most = max(rarity.values(), default=1.0)

    def weight(words: Collection[str]) -> float:
        return sum(rarity.get(f'"{word}"', most) ** 2 for word in words)

    total = weight(one) * weight(other)
    return weight(one & other) / math.sqrt(total) if total else 0.0
