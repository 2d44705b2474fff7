"""What a check has seen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: what was looked at, whether it holds, what was seen, whether it was mended."""

    check: str
    ok: bool
    detail: str
    repaired: bool = False
