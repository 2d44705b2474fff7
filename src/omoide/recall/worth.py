"""What a hit is worth to a pack, beside the others: how likely it is what was asked for."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.recall.hit import Hit

_STEEP = 3.0  # 1 to 3 measured on four sets: below 2 short turns of little worth crowd out the best


def worth(hits: Sequence[Hit]) -> list[float]:
    """One number from 0 to 1 a hit; the best is 1. Steeper than the scores: half the score is rarely half as likely."""
    best = max((hit.score for hit in hits), default=0.0)
    return [(max(0.0, hit.score) / best) ** _STEEP if best > 0 else 0.0 for hit in hits]
