"""Which episode brought about the next one, by the words that say so at the beginning of a turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from omoide.learn.proposal import Cause, Turn

from .found import quoted

MOST = 50  # Yodoca's batch of causal links in one run
_SO = re.compile(
    r"\s*(?:(?:and|ok|okay|yeah|yes|right|well|oh)[, ]+)*(?P<cue>that's why|thats why|that is why"
    r"|this is why|which is why|because of (?:that|this)|due to (?:that|this)|as a (?:result"
    r"|consequence)"
    r"|therefore|consequently|hence|for that reason|so (?:we|i) (?:had to|needed to|decided to|rolled"
    r"|switched|restarted|reverted|ended up)|that (?:led to|caused|broke|made)|this (?:led to|caused"
    r"|broke)"
    r"|deshalb|deswegen|darum|por eso|por isso|因此|所以)\b",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\s*(?:(?:yes|yeah|right|ok)[, ]+)*(?P<cue>that's because|thats because|it's because"
    r"|this (?:happened|failed|broke) because|(?:it|that|this) was caused by|caused by"
    r"|it failed because)\b(?!\s+of (?:that|this))",
    re.IGNORECASE,
)


def causes_in(turns: Sequence[Turn], fresh: int) -> Iterator[Cause]:
    """Links between consecutive turns; a turn that only asks why links nothing."""
    for before, turn in zip(turns[max(fresh - 1, 0) :], turns[max(fresh, 1) :], strict=False):
        if turn.role not in {"user", "agent"} or turn.text.rstrip().endswith("?"):
            continue
        offset = _after_name(turn)
        so, because = _SO.match(turn.text, offset), _FOR.match(turn.text, offset)
        found = so or because
        if found:
            end = re.search(r"[.!?\n]|$", turn.text[found.end() :])
            quote = quoted(turn, found.start("cue"), found.end() + (end.start() if end else 0))
            first, second = (before, turn) if so else (turn, before)
            yield Cause(cause=first.id, effect=second.id, quote=quote)


def _after_name(turn: Turn) -> int:
    return len(turn.speaker) + 1 if turn.speaker and turn.text.startswith(f"{turn.speaker}:") else 0
