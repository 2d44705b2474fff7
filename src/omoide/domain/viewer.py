"""Who reads: what a reader may see decides which rows leave the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Audience = Literal["private", "shared"]


@dataclass(frozen=True, slots=True)
class Viewer:
    """The user alone (`private`), or others as well (`shared`), with or without consent to see what is sensitive.

    What is sensitive is never shown to others.
    """

    audience: Audience = "private"
    consent: bool = False

    @property
    def shared(self) -> bool:
        return self.audience == "shared"

    @property
    def sees_all(self) -> bool:
        return self.consent and not self.shared
