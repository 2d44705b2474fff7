"""Raw → compressed: turns older than a day become one episode for each stretch, a quarter as long or less."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from omoide.clock import DAY, micros
from omoide.layers import Draft, Node
from omoide.layers.attribute import validated
from omoide.layers.episodic import Episode, Retention
from omoide.layers.names import named_in
from omoide.learn import teach
from omoide.maintain.job import Job, Step, Upkeep
from omoide.maintain.learn import JOB as LEARN
from omoide.maintain.size import is_tight
from omoide.maintain.talk import by_label, label, origin, said, stretches
from omoide.maintain.words import Worded, compressed
from omoide.store import Condensed, Waiting
from omoide.store.condensing import TAG
from omoide.text import shorten

_HOUR = 3_600_000_000
_KEPT = 0.25  # of the tokens: Kira-L wants 70 to 80 per cent fewer
_LEAST = 24  # tokens: a sentence; two short turns are hardly shorter when they are condensed


def run(upkeep: Upkeep) -> Iterator[Step]:
    """One transaction a session, so that a run that is cut off parts the next session as a whole one would."""
    if is_tight(upkeep.store, upkeep.settings):
        yield from at_once(upkeep)
    else:
        yield from _condense(upkeep, upkeep.now - int(upkeep.settings.compress_after_hours * _HOUR))


def at_once(upkeep: Upkeep) -> Iterator[Step]:
    """The same without waiting a day, for a file that has outgrown its limit (Kira-R)."""
    yield from _condense(upkeep, upkeep.now + 1)


JOB = Job("compress", "turns older than a day become one short episode for each stretch of a session", run)


def _condense(upkeep: Upkeep, before: int) -> Iterator[Step]:
    for waiting in upkeep.store.uncondensed(before):
        if not waiting.learned and (step := _learn(upkeep, waiting)) is not None:
            yield step
            if step.verb == "kept":
                continue
        found = upkeep.store.nodes(waiting.turns)
        turns = [found[id] for id in waiting.turns if id in found]
        worded = [
            (group, compressed(upkeep, said(group), budget(group)))
            for stretch in stretches(turns)
            for group in by_label(stretch)
        ]
        yield from _written(upkeep, worded)


def _learn(upkeep: Upkeep, waiting: Waiting) -> Step | None:
    """Facts first: what is condensed was learned from."""
    name = waiting.session or ""
    if upkeep.dry_run:
        if LEARN.name in upkeep.foretold and name in upkeep.store.pending_sessions():
            return None
        return Step("learned", "session", name, None, "before it is condensed")
    report = teach.learn(upkeep.store, upkeep.settings, upkeep.language_model, [name])
    if name in report.failed:
        return Step("kept", "session", name, None, f"it could not be learned from yet: {report.failed[name]}")
    return Step("learned", "session", name, None, "before it is condensed")


def _written(upkeep: Upkeep, worded: Sequence[tuple[list[Node], Worded]]) -> Iterator[Step]:
    """Groups that come down to nothing are passed over, for good: nothing of them need be kept in use."""
    nothing = [node.id for group, words in worded if not words.text for node in group]
    worded = [(group, words) for group, words in worded if words.text]
    ids: list[int | None] = [None] * len(worded)
    if not upkeep.dry_run:
        wanted = [_condensed(upkeep, group, words) for group, words in worded]
        written = upkeep.store.condense(wanted, nothing)
        if written is None:  # another process was faster, or a turn was forgotten: the next run sees what is left
            return
        keyed = {node.text: node.id for node in written}
        worded = [(group, words) for group, words in worded if words.text in keyed]
        ids = [keyed[words.text] for _, words in worded]
    for (group, words), id in zip(worded, ids, strict=True):
        yield Step("compressed", "episode", shorten(words.text, 120), id, _told(group, words))


def _told(group: Sequence[Node], words: Worded) -> str:
    raw = sum(node.token_count for node in group)
    return f"{len(group)} turns, {raw} → {words.tokens} tokens ({fewer(raw, words.tokens)}), {words.by}"


def fewer(before: int, after: int) -> str:
    """A short turn is told in its own words, with the name of who said it: that is no shorter."""
    return f"{round(100 * (1 - after / before))} % fewer" if after < before else "its own words, as short as they get"


def budget(group: Sequence[Node]) -> int:
    return max(_LEAST, int(_KEPT * sum(node.token_count for node in group)))


def _condensed(upkeep: Upkeep, group: Sequence[Node], words: Worded) -> Condensed:
    names = upkeep.store.entity_names()
    return Condensed(_draft(upkeep, group, words), tuple(node.id for node in group), named_in(words.text, names))


def _draft(upkeep: Upkeep, group: Sequence[Node], words: Worded) -> Draft:
    """As weighty as the weightiest of its turns, as private as the most private, as trusted as the least."""
    settings, first, last = upkeep.settings, group[0], group[-1]
    importance = max(node.importance for node in group)
    days = Retention(compressed_days=settings.retention_compressed_days).days("compressed", importance)
    return Draft(
        kind="episode",
        text=words.text,
        details={
            "from": first.event_at.isoformat(),
            "until": last.event_at.isoformat(),
            "turns": len(group),
            "tokens": sum(node.token_count for node in group),
            "worded": words.by,
        },
        event_at=micros(first.event_at),
        expires_at=None if days is None else upkeep.now + days * DAY,
        importance=importance,
        origin=origin(group),
        role="system",
        source_type="consolidation",
        attributes=validated(Episode, {"type": _type(group), "compression": "compressed", "outcome": _outcome(group)}),
        session=first.session,
        task_id=first.task_id if len({node.task_id for node in group}) == 1 else None,
        tags=(TAG,),
        token_count=words.tokens,
        sensitive=label(first).sensitive,
        audience=label(first).audience,
        key=key("compressed", *(node.ulid for node in group)),
    )


def _type(group: Sequence[Node]) -> str:
    types = {node.attributes["type"] for node in group}
    return types.pop() if len(types) == 1 else "conversation"


def _outcome(group: Sequence[Node]) -> str | None:
    """How it came out in the end."""
    return next((each for node in reversed(group) if (each := node.attributes["outcome"])), None)


def key(*parts: str) -> bytes:
    """The same summary of the same turns is one node, however often it is written."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).digest()
