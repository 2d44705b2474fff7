"""The best candidates compared with the question word by word: each of its words finds its closest in the text.

One vector a text blurs what it says; the states of its words keep it apart ("late interaction", as in ColBERT), at a
price that only a short list can pay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omoide.providers.embedder import Embedder
from omoide.recall.fuse import Fused
from omoide.recall.meaning import Meaning, Unread
from omoide.store import Tokens, unpacked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.recall.recipe import Late

_WORTH_SAYING = 0.5  # of the way from the least to the most alike: what lies below is no reason to be found


def comparable(read: Meaning | Unread, embedder: Embedder | None) -> Tokens | Unread:
    """The words of the question as the embedder reads them, or why there are none to compare."""
    if isinstance(read, Unread):
        return read
    assert embedder is not None
    if read.tokens is None:
        return Unread(f"{embedder.name} gives no token states")
    return Unread(f"{embedder.name} was not made for this language") if read.guessed else read.tokens


def short_list(fused: Mapping[int, Fused], late: Late) -> list[int]:
    """The best by score."""
    return sorted(fused, key=lambda id: (-fused[id].score, id))[: late.from_best]


@dataclass(frozen=True, slots=True)
class Asked:
    """The words that are compared: their states, and how much each counts; together 1."""

    states: NDArray[np.float32]
    weights: NDArray[np.float32]


def asked(tokens: Tokens, rarities: Mapping[str, float]) -> Asked:
    """The question's words that are worth asking, each by how much it tells apart; where none is among them, all of its
    words alike."""
    import numpy as np

    known = {word.casefold(): rarity for word, rarity in rarities.items()}
    kept = {place: known[word.casefold()] for place, word in enumerate(tokens.words) if word.casefold() in known}
    if not kept:
        kept = {place: 1.0 for place, word in enumerate(tokens.words) if any(map(str.isalnum, word))}
    weights = np.array(list(kept.values()), np.float32)
    return Asked(tokens.states[list(kept)], weights / max(weights.sum(), 1e-9))


def likeness(question: Asked, packed: Mapping[int, bytes]) -> dict[int, float]:
    """How well the words of the question are met in each text: the mean over them of the closest one there.

    A long text meets them better by chance; taking that out again gained nothing and lost on three sets. A text
    without a word in it ("…") meets them no better than the text that does so least.
    """
    import numpy as np

    texts = {id: data for id, data in packed.items() if data}
    if not texts or not len(question.states):
        return {}
    states, starts = unpacked(list(texts.values()))
    closest = np.maximum.reduceat(states @ question.states.T, starts, axis=0)
    met = dict(zip(texts, (closest @ question.weights).tolist(), strict=True))
    least = min(met.values())
    return {id: met.get(id, least) for id in packed}


def lifted(fused: Mapping[int, Fused], pool: Sequence[int], alike: Mapping[int, float], late: Late) -> dict[int, Fused]:
    """Adds to each of the pool its share of the weight, from the least to the most alike.

    One whose words were not compared, since they are not embedded yet, gets what the others get on the average: it
    neither gains nor loses by coming early.
    """
    shares = _stretched(alike)
    if not shares:
        return dict(fused)
    average = sum(shares.values()) / len(shares)
    ranks = {id: rank for rank, id in enumerate(sorted(alike, key=lambda id: (-alike[id], id)), start=1)}
    result = dict(fused)
    for id in pool:
        given = fused[id].given
        if shares.get(id, 0.0) >= _WORTH_SAYING:
            given = (*given, ("late", ranks[id], "close in wording and meaning"))
        score = fused[id].score + late.weight * shares.get(id, average)
        result[id] = replace(fused[id], score=score, given=given)
    return result


def _stretched(alike: Mapping[int, float]) -> dict[int, float]:
    if not alike:
        return {}
    low, high = min(alike.values()), max(alike.values())
    return {id: (each - low) / (high - low) if high > low else 1.0 for id, each in alike.items()}
