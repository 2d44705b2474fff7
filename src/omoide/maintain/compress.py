"""Compresses turns: after a day into one short episode per segment, after a week into one or two sentences."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from omoide.clock import DAY, to_micros
from omoide.domain import Draft, Node
from omoide.domain.entity import entities_named_in
from omoide.domain.importance import Retention
from omoide.domain.kinds import Episode
from omoide.domain.node import validate_attributes
from omoide.language.extractive_summary import parse_summary
from omoide.language.text import shorten
from omoide.learn import learner
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob, for_each
from omoide.maintain.learning_jobs import LEARN_JOB
from omoide.maintain.retention_jobs import is_over_limit
from omoide.maintain.summary_text import (
    WordedSummary,
    as_said,
    by_label,
    compressed_text,
    distilled_text,
    label_of,
    lowest_origin,
    segments,
)
from omoide.store import SummaryDraft, UncompressedSession
from omoide.store.ageing.compression import COMPRESSED_TAG

_HOUR_MICROSECONDS = 3_600_000_000
_COMPRESSED_SHARE = 0.25  # of the tokens
_FEWEST_TOKENS = 24  # a sentence; two short turns hardly get shorter


def _compress_sessions(context: JobContext) -> Iterator[JobStep]:
    """One transaction per session, so that an interrupted run splits the next session the same way."""
    if is_over_limit(context.store, context.settings):
        return compress_now(context)
    return _compress_before(context, context.now - int(context.settings.compress_after_hours * _HOUR_MICROSECONDS))


def compress_now(context: JobContext) -> Iterator[JobStep]:
    """Compresses without waiting a day, for a file over its size limit."""
    return _compress_before(context, context.now + 1)


COMPRESS_JOB = MaintenanceJob(
    "compress", "compresses turns older than a day into one short episode per segment", _compress_sessions
)


def _compress_before(context: JobContext, before: int) -> Iterator[JobStep]:
    waiting = context.store.summaries.uncompressed_sessions(before)
    work = partial(_compress_session, context)
    return for_each(context, COMPRESS_JOB.name, waiting, lambda each: f"session {each.session or '-'}", work)


def _compress_session(context: JobContext, waiting: UncompressedSession) -> Iterator[JobStep]:
    if not waiting.learned and (step := _learn(context, waiting)) is not None:
        yield step
        if step.verb == "kept":
            return
    found = context.store.nodes.fetch(waiting.turns)
    turns = [found[id] for id in waiting.turns if id in found]
    worded = [
        (group, _shorter_than(group, compressed_text(context, as_said(group), token_budget(group))))
        for segment in segments(turns)
        for group in by_label(segment)
    ]
    yield from _insert_summaries(context, worded)


def _shorter_than(group: Sequence[Node], words: WordedSummary) -> WordedSummary:
    """No words if they are not fewer than those of the turns: short turns are not stored a second time."""
    return words if words.tokens < _raw_tokens(group) else WordedSummary("", words.by)


def _raw_tokens(group: Sequence[Node]) -> int:
    return sum(node.token_count for node in group)


def _learn(context: JobContext, waiting: UncompressedSession) -> JobStep | None:
    """Learns from a session before its turns are compressed."""
    name = waiting.session or ""
    if context.dry_run:
        if LEARN_JOB.name in context.previewed and name in context.store.learning.pending_sessions():
            return None
        return JobStep("learned", "session", name, None, "before it is compressed")
    report = learner.learn_sessions(context.store, context.settings, context.language_model, [name])
    if name in report.failed:
        return JobStep("kept", "session", name, None, f"it could not be learned from yet: {report.failed[name]}")
    return JobStep("learned", "session", name, None, "before it is compressed")


def _insert_summaries(context: JobContext, worded: Sequence[tuple[list[Node], WordedSummary]]) -> Iterator[JobStep]:
    """Writes the summaries. Turns without content are skipped for good."""
    nothing = [node.id for group, words in worded if not words.text for node in group]
    worded = [(group, words) for group, words in worded if words.text]
    ids: list[int | None] = [None] * len(worded)
    if not context.dry_run:
        wanted = [_summary_draft(context, group, words) for group, words in worded]
        written = context.store.summaries.insert_summaries(wanted, nothing)
        if written is None:  # another process was faster, or a turn was erased: the next run sees what is left
            return
        keyed = {node.text: node.id for node in written}
        worded = [(group, words) for group, words in worded if words.text in keyed]
        ids = [keyed[words.text] for _, words in worded]
    for (group, words), id in zip(worded, ids, strict=True):
        yield JobStep("compressed", "episode", shorten(words.text, 120), id, _compress_reason(group, words))


def _compress_reason(group: Sequence[Node], words: WordedSummary) -> str:
    raw = _raw_tokens(group)
    return f"{len(group)} turns, {raw} → {words.tokens} tokens ({describe_reduction(raw, words.tokens)}), {words.by}"


def describe_reduction(before: int, after: int) -> str:
    return f"{round(100 * (1 - after / before))} % fewer" if after < before else "already as short as possible"


def token_budget(group: Sequence[Node]) -> int:
    return compressed_budget(_raw_tokens(group))


def compressed_budget(tokens: int) -> int:
    return max(_FEWEST_TOKENS, int(_COMPRESSED_SHARE * tokens))


def _summary_draft(context: JobContext, group: Sequence[Node], words: WordedSummary) -> SummaryDraft:
    """The highest importance of its turns, their privacy label, their least trusted origin."""
    settings, first, last = context.settings, group[0], group[-1]
    importance = max(node.importance for node in group)
    days = Retention(compressed_days=settings.retention_compressed_days).days("compressed", importance)
    draft = Draft(
        kind="episode",
        text=words.text,
        details={
            "from": first.event_at.isoformat(),
            "until": last.event_at.isoformat(),
            "turns": len(group),
            "tokens": _raw_tokens(group),
            "worded": words.by,
        },
        event_at=to_micros(first.event_at),
        expires_at=None if days is None else context.now + days * DAY,
        importance=importance,
        origin=lowest_origin(group),
        role="system",
        source_type="consolidation",
        attributes=validate_attributes(
            Episode, {"type": _episode_type(group), "compression": "compressed", "outcome": _last_outcome(group)}
        ),
        session=first.session,
        task_id=first.task_id if len({node.task_id for node in group}) == 1 else None,
        tags=(COMPRESSED_TAG,),
        token_count=words.tokens,
        sensitive=label_of(first).sensitive,
        audience=label_of(first).audience,
        key=summary_key("compressed", *(node.ulid for node in group)),
    )
    entities = entities_named_in(words.text, context.store.entities.name_index())
    return SummaryDraft(draft, tuple(node.id for node in group), entities)


def _episode_type(group: Sequence[Node]) -> str:
    types = {node.attributes["type"] for node in group}
    return types.pop() if len(types) == 1 else "conversation"


def _last_outcome(group: Sequence[Node]) -> str | None:
    """The last outcome of the turns."""
    return next((each for node in reversed(group) if (each := node.attributes["outcome"])), None)


def summary_key(*parts: str) -> bytes:
    """The same summary of the same turns is one node, however often it is written."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).digest()


_DISTILLED_SHARE = 0.05  # of the raw tokens
_FEWEST_DISTILLED, _MOST_DISTILLED = 24, 40  # tokens


def distilled_budget(tokens: int) -> int:
    return min(_MOST_DISTILLED, max(_FEWEST_DISTILLED, int(_DISTILLED_SHARE * tokens)))


def _shorten_summaries(context: JobContext) -> Iterator[JobStep]:
    ids = context.store.summaries.distillable(context.now - context.settings.compress_further_after_days * DAY)
    return for_each(context, SHORTEN_JOB.name, ids, "memory {}".format, partial(_shorten_summary, context))


def _shorten_summary(context: JobContext, id: int) -> Iterator[JobStep]:
    node = context.store.nodes.require(id)
    words = _distilled_text(context, node)
    if context.dry_run or _reword_summary(context, node, words) is not None:  # None: another process was faster
        yield JobStep("shortened", "episode", shorten(words.text, 120), id, _shorten_reason(node, words))


SHORTEN_JOB = MaintenanceJob(
    "shorten", "reduces compressed episodes older than a week to one or two sentences", _shorten_summaries
)


def _distilled_text(context: JobContext, node: Node) -> WordedSummary:
    """Uses the turns themselves while all are live, to avoid shortening twice."""
    sources = context.store.summaries.summary_sources(node.id)
    found = context.store.nodes.fetch(sources)
    whole = len(sources) == source_turns(node) and all(each.state == "live" for each in found.values())
    talk = as_said([found[id] for id in sources]) if whole else parse_summary(node.text)
    budget = distilled_budget(source_tokens(node))
    words = distilled_text(context, talk, budget)
    if words.text and words.tokens <= max(budget, node.token_count):
        return words
    return WordedSummary(node.text, words.by)


def _reword_summary(context: JobContext, node: Node, words: WordedSummary) -> Node | None:
    attributes = validate_attributes(Episode, node.attributes | {"compression": "distilled"})
    entities = entities_named_in(words.text, context.store.entities.name_index())
    values = {"attributes": attributes, "expires_at": None}
    return context.store.summaries.shorten(node.id, words.text, words.tokens, values, entities)


def _shorten_reason(node: Node, words: WordedSummary) -> str:
    raw = source_tokens(node)
    less = describe_reduction(raw, words.tokens)
    return f"{raw} raw, {node.token_count} compressed → {words.tokens} tokens ({less}), {words.by}"


def source_tokens(node: Node) -> int:
    return int(_details_of(node).get("tokens", node.token_count))


def source_turns(node: Node) -> int:
    return int(_details_of(node).get("turns", 0))


def _details_of(node: Node) -> dict[str, Any]:
    return node.details if isinstance(node.details, dict) else {}
