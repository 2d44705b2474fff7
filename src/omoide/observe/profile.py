"""From what somebody says of an entity to what is stored of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from omoide.errors import InvalidInput
from omoide.layers import ENTITY_TYPES
from omoide.layers.entity import TYPE_ALIASES
from omoide.observe import checked
from omoide.store import Profile


def profile(
    name: str,
    type: str | None = None,
    aliases: Collection[str] = (),
    description: str | None = None,
    summary: str | None = None,
    importance: int | None = None,
    attributes: Mapping[str, Any] | None = None,
) -> Profile:
    """Checked; a type is one of ours or of the seeds'."""
    type = TYPE_ALIASES.get(type, type) if isinstance(type, str) else type
    if type is not None and type not in ENTITY_TYPES:
        raise InvalidInput(f"entity type: expected one of {', '.join(ENTITY_TYPES)}, got {type!r}")
    return Profile(
        name=checked.required(name, "name"),
        type=type,
        aliases=checked.tags(aliases),
        description=checked.account(description, "description"),
        summary=checked.account(summary, "summary"),
        attributes=checked.details(dict(attributes or {}), "attributes"),
        importance=None if importance is None else checked.importance(importance),
    )
