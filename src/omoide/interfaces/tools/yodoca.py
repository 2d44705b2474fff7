"""The tool set `yodoca`: search, facts that are corrected and confirmed, and where they come from."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from omoide.domain import KINDS, layer_of
from omoide.interfaces.documents import serialise
from omoide.interfaces.tools.tool import (
    EntityName,
    Id,
    Limit,
    Tags,
    ToolAnswer,
    brief,
    instant,
    memory_line,
    memory_lines,
    outcome,
    proposed,
    split,
    tool,
)
from omoide.memory import Memory

Type = Literal["episodic", "semantic", "procedural", "opinion"]
_TIME = "last_week, last_month, YYYY-MM-DD or an ISO time."


@tool("recall", ("query", "kinds", "subject", "since", "until", "limit"), reads=True)
def search_memory(
    memory: Memory,
    query: Annotated[str, Field(description="A question or keywords, in any language.")],
    type: Annotated[Type | None, Field(description="Only events, facts, procedures, or opinions.")] = None,
    entity_name: Annotated[str | None, Field(description="Only what mentions this entity.")] = None,
    after: Annotated[str | None, Field(description=_TIME)] = None,
    before: Annotated[str | None, Field(description=_TIME)] = None,
    limit: Limit = 10,
) -> ToolAnswer:
    """Search everything that was said and learned before: facts, preferences, procedures, past conversations.
    Understands "last spring", names and why/when/who questions. Each result starts with [id:N]; an empty result means
    that nothing relevant is known, so do not guess."""
    found = memory.recall(
        query,
        kinds=_kinds(type),
        subject=entity_name,
        since=instant(after, "after"),
        until=instant(before, "before"),
        limit=limit,
    )
    rows = [{**brief(hit.node), "score": round(hit.score, 4), "why": hit.why} for hit in found]
    return ToolAnswer(memory_lines([hit.node for hit in found], "nothing relevant is known"), {"results": rows})


def _kinds(type: Type | None) -> tuple[str, ...]:
    if type is None:
        return ()
    if type == "opinion":
        return ("opinion",)
    return tuple(kind for kind in KINDS if layer_of(kind) == type and kind != "opinion")


@tool("remember", ("text", "confidence", "tags"))
def remember_fact(
    memory: Memory,
    fact: Annotated[str, Field(description="One clear sentence with names instead of pronouns.")],
    confidence: Annotated[float, Field(ge=0, le=1, description="1 if stated, less if inferred.")] = 1.0,
    tags: Tags = "",
) -> ToolAnswer:
    """Store a lasting fact that the user stated or that you established. Not for what only matters in this
    conversation."""
    source = "stated" if confidence >= 0.9 else "inferred"
    node = memory.remember(fact, confidence=confidence, tags=split(tags), origin="agent", source_type=source)
    return ToolAnswer(outcome(node, "remembered"), {"fact": brief(node)})


@tool("correct", ("id", "text", "at"))
def correct_fact(
    memory: Memory,
    id: Id,
    fact: Annotated[str, Field(description="The sentence that is true now.")],
    since: Annotated[str | None, Field(description=f"When it became true, if not just now: {_TIME}")] = None,
) -> ToolAnswer:
    """Replace a memory that is wrong or no longer true. The old one stays in the history and is no longer recalled.
    What the user said is not replaced: your correction waits until the user accepts it."""
    node = memory.correct(id, fact, at=instant(since, "since"), origin="agent")
    if (waiting := proposed(node)) is not None:
        return waiting
    return ToolAnswer(f"[id:{id}] is replaced by [id:{node.id}] {node.text}", {"fact": brief(node), "replaces": id})


@tool("review.confirm", ("id",))
def confirm_fact(memory: Memory, id: Id) -> ToolAnswer:
    """Mark a memory as confirmed by the user: its confidence no longer decays. Only after the user said so."""
    node = memory.review.confirm(id)
    return ToolAnswer(f"confirmed: {memory_line(node)}", {"fact": brief(node)})


@tool("graph.entity", ("name",), reads=True)
def get_entity_info(memory: Memory, entity_name: EntityName, limit: Limit = 20) -> ToolAnswer:
    """Return what is known about a person, organization, project, place or tool: a description, its relations, and the
    end of its timeline."""
    entity = memory.graph.entity(entity_name)
    relations = memory.graph.relations(entity_name)
    timeline = memory.graph.timeline(entity_name, limit)
    about = entity.summary or entity.description or "no description yet"
    parts = [f"{entity.name} ({entity.type}): {about}"]
    if entity.aliases:
        parts.append("also called " + ", ".join(entity.aliases))
    parts += [f"- {each.source} {each.type} {each.target}" for each in relations]
    parts += [memory_line(node) for node in timeline]
    return ToolAnswer(
        "\n".join(parts),
        {
            "entity": serialise(entity),
            "relations": serialise(relations),
            "timeline": [brief(node) for node in timeline],
        },
    )


@tool("stats", reads=True)
def memory_stats(memory: Memory) -> ToolAnswer:
    """Return how much is remembered: counts by kind and layer, entities, the size of the file, pending work."""
    stats = serialise(memory.stats())
    lines = [f"{name}: {value}" for name, value in stats.items() if value not in (None, {})]
    return ToolAnswer("\n".join(lines), stats)


@tool("explain", ("id",), reads=True)
def explain_fact(memory: Memory, id: Id) -> ToolAnswer:
    """Return where a memory comes from: its evidence, what it replaced, what contradicts it, whom it mentions. Use it
    when the user asks how you know something."""
    why = memory.explain(id)
    parts = [
        memory_line(why.node),
        f"confidence today: {why.confidence:.2f}, stated with {why.node.confidence:.2f}",
    ]
    parts += [
        f'said in [id:{each.episode.id}], {each.episode.event_at:%Y-%m-%d}: "{each.words}"' for each in why.evidence
    ]
    parts += [f"replaced [id:{each}]" for each in why.supersedes]
    parts += [f"replaced by [id:{each}]" for each in why.superseded_by]
    parts += [f"contradicts [id:{each}]" for each in why.contradicts]
    if why.entities:
        parts.append("mentions " + ", ".join(each.name for each in why.entities))
    return ToolAnswer(
        "\n".join(parts),
        {
            "node": brief(why.node),
            "confidence": why.confidence,
            "evidence": [{"episode": brief(each.episode), "words": each.words} for each in why.evidence],
            "supersedes": why.supersedes,
            "superseded_by": why.superseded_by,
            "contradicts": why.contradicts,
            "entities": [each.name for each in why.entities],
        },
    )


@tool("review.uncertain", ("limit",), reads=True)
def weak_facts(memory: Memory, limit: Limit = 10) -> ToolAnswer:
    """Return the least certain and the contradicting memories: ask the user about them, then confirm or correct."""
    found = memory.review.uncertain(limit)
    return ToolAnswer(memory_lines(found, "no memory is uncertain"), {"weak": [brief(node) for node in found]})


TOOLS = (
    search_memory,
    remember_fact,
    correct_fact,
    confirm_fact,
    get_entity_info,
    memory_stats,
    explain_fact,
    weak_facts,
)
