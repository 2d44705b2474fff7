"""How probably the hits answer a question: which of its words they cover, compared token by token.

A question about somebody known that nobody talked about ("What is Bára's husband called?") finds turns about Bára. They
are relevant by any similarity of whole texts, but none of them covers "husband".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.recall.noise_floor import share_of_terms_in_node
from omoide.recall.question import QuestionEmbedding
from omoide.store import unpack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.recall.candidates import SearchSources
    from omoide.recall.question import Query
    from omoide.recall.results import Hit

_BEST = 8  # hits that are read
_COVERED = 0.45  # similarity of a word and its closest token from which the word is covered
# Logistic regression on two lives and two public sets: questions against the same questions without their evidence.
_CLOSEST, _UNCOVERED, _TERMS, _OFFSET = 3.1, 2.0, 0.45, -2.35


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """What the best hits cover of a question; each from 0 to 1."""

    closest: float  # the mean similarity of its words to the closest tokens of one hit, by rarity
    uncovered: float  # the share of its words, by rarity, that no hit covers
    terms: float  # the greatest share of its terms in one hit

    @property
    def probability(self) -> float:
        """That the hits answer the question."""
        gain = _CLOSEST * self.closest - _UNCOVERED * self.uncovered + _TERMS * self.terms
        return 1 / (1 + math.exp(-gain - _OFFSET))


def answer_evidence(query: Query, hits: Sequence[Hit], sources: SearchSources) -> AnswerEvidence | None:
    """The evidence in the best hits; None without token states for the question's language."""
    import numpy as np

    embedding = query.embedding
    if not isinstance(embedding, QuestionEmbedding) or embedding.tokens is None or embedding.unsupported_language:
        return None
    known = {word.casefold(): rarity for word, rarity in sources.rarities(query.terms).items()}
    words = [word.casefold() for word in embedding.tokens.words]
    weights = np.array([known[word] for word in dict.fromkeys(words) if word in known], np.float32)
    best = hits[:_BEST]
    packed = sources.store.embeddings.read_token_states(sources.model_id(), [hit.id for hit in best])
    texts = [data for data in packed.values() if data]
    if not texts or not weights.sum():
        return None
    covered = _coverage(embedding.tokens.states, words, known, texts)
    weights /= weights.sum()
    missing = covered.max(axis=0) < _COVERED
    terms = max(share_of_terms_in_node(query.terms, hit.node) for hit in best)
    return AnswerEvidence(float((covered @ weights).max()), float(weights[missing].sum()), terms)


def _coverage(
    states: NDArray[np.float32], words: Sequence[str], known: Mapping[str, float], texts: Sequence[bytes]
) -> NDArray[np.float32]:
    """For each text and each known word, the similarity of the word to the closest token, 1 for the same token."""
    import numpy as np

    from omoide.store.search.embedding import matrix_product

    stored, starts = unpack(texts)
    similar = np.maximum.reduceat(matrix_product(stored, states.T), starts, axis=0) / np.maximum(
        np.abs(states).sum(axis=1), 1e-6
    )
    names = [word for word in dict.fromkeys(words) if word in known]
    parts = [[place for place, word in enumerate(words) if word == name] for name in names]
    return np.stack([similar[:, places].mean(axis=1) for places in parts], axis=1)
