"""Arguments as models write them: an id as it was shown, tags as a list, an entity under any of its words."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field

_SHOWN = re.compile(r"\s*\[?\s*(?:id\s*:)?\s*(\d{1,18})\s*\]?\s*", re.IGNORECASE)


def _number(given: Any) -> Any:
    """`[id:7]` is how we print it, so that is how it comes back."""
    found = _SHOWN.fullmatch(given) if isinstance(given, str) else None
    return int(found[1]) if found else given


def _joined(given: Any) -> Any:
    listed = isinstance(given, list | tuple) and all(isinstance(each, str) for each in given)
    return ", ".join(given) if listed else given


Number = Annotated[int, BeforeValidator(_number)]
Id = Annotated[Number, Field(ge=1, description="The N of [id:N] in a result.")]
Words = Annotated[str, BeforeValidator(_joined)]
Tags = Annotated[Words, Field(description="Comma-separated keywords.")]
Limit = Annotated[int, Field(ge=1, le=50, description="How many at most.")]
Entity = Annotated[
    str,
    Field(
        description="A name or alias, as people say it.", validation_alias=AliasChoices("entity_name", "name", "entity")
    ),
]


def split(tags: str | None) -> list[str]:
    return [word for each in (tags or "").split(",") if (word := each.strip())]
