"""Words that anybody may say: two texts that have one of them in common need not know of each other.

`ordinary.txt` has the stems of about 35,000 English words, the most frequent first, made from the frequency lists of
zxcvbn (`ordinary.LICENSE`); of its lists of names and passwords only what stands in a vocabulary of English too.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

_SMALL = 200  # of the most frequent ones: a phrase of nothing else says nothing


@cache
def _ranked() -> dict[str, int]:
    text = resources.files("omoide.store").joinpath("ordinary.txt").read_text(encoding="ascii")
    return {stem: rank for rank, stem in enumerate(text.split())}


def is_ordinary(stem: str) -> bool:
    return stem in _ranked()


def is_small(stem: str) -> bool:
    """Whether it only joins other words."""
    return len(stem) < 2 or _ranked().get(stem, _SMALL) < _SMALL
