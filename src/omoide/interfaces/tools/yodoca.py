"""Yodoca's eight: searching by intent, facts that are corrected and confirmed, and where they come from."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from omoide.domain import KINDS, layer_of
from omoide.interfaces.document import document
from omoide.interfaces.tools import told
from omoide.interfaces.tools.given import Entity, Id, Limit, Tags, split
from omoide.interfaces.tools.tool import Answer, tool
from omoide.interfaces.tools.when import instant
from omoide.memory import Memory

Type = Literal["episodic", "semantic", "procedural", "opinion"]
_TIME = "last_week, last_month, YYYY-MM-DD or an ISO time."


@tool(reads=True)
def search_memory(
    memory: Memory,
    query: Annotated[str, Field(description="A question or keywords, in any language.")],
    type: Annotated[
        Type | None, Field(description="Only what happened, what is known, how things are done, or judgements.")
    ] = None,
    entity_name: Annotated[
        str | None, Field(description="Only what speaks of this person, project, place or tool.")
    ] = None,
    after: Annotated[str | None, Field(description=_TIME)] = None,
    before: Annotated[str | None, Field(description=_TIME)] = None,
    limit: Limit = 10,
) -> Answer:
    """Search everything that was said and learned before: facts, preferences, how-tos, past conversations. Understands
    "last spring", names and why/when/who questions. Each result starts with [id:N]; an empty result means nothing
    relevant is known, so do not guess."""
    found = memory.recall(
        query,
        kinds=_kinds(type),
        subject=entity_name,
        since=instant(after, "after"),
        until=instant(before, "before"),
        limit=limit,
    )
    rows = [{**told.brief(hit.node), "score": round(hit.score, 4), "why": hit.why} for hit in found]
    return Answer(told.lines([hit.node for hit in found], "nothing relevant is known"), {"results": rows})


def _kinds(type: Type | None) -> tuple[str, ...]:
    if type is None:
        return ()
    if type == "opinion":
        return ("opinion",)
    return tuple(kind for kind in KINDS if layer_of(kind) == type and kind != "opinion")


@tool()
def remember_fact(
    memory: Memory,
    fact: Annotated[str, Field(description="One clear sentence that stands by itself: names, no pronouns.")],
    confidence: Annotated[float, Field(ge=0, le=1, description="1 if said outright, less if inferred.")] = 1.0,
    tags: Tags = "",
) -> Answer:
    """Save a lasting fact that the user stated or that you established. Not for what is only true in this
    conversation."""
    source = "stated" if confidence >= 0.9 else "inferred"
    node = memory.remember(fact, confidence=confidence, tags=split(tags), origin="agent", source_type=source)
    return Answer(f"remembered as [id:{node.id}]", {"fact": told.brief(node)})


@tool()
def correct_fact(
    memory: Memory,
    id: Id,
    fact: Annotated[str, Field(description="The sentence that is true now.")],
    since: Annotated[str | None, Field(description=f"When it became true, if not just now: {_TIME}")] = None,
) -> Answer:
    """Replace a memory that is wrong or no longer true. The old one stays in the history and is not recalled again."""
    node = memory.correct(id, fact, at=instant(since, "since"), origin="agent")
    return Answer(f"[id:{id}] is replaced by [id:{node.id}] {node.text}", {"fact": told.brief(node), "replaces": id})


@tool()
def confirm_fact(memory: Memory, id: Id) -> Answer:
    """The user confirmed this memory: from now on it neither fades nor is pruned. Only after they really said so."""
    node = memory.review.confirm(id)
    return Answer(f"confirmed: {told.line(node)}", {"fact": told.brief(node)})


@tool(reads=True)
def get_entity_info(memory: Memory, entity_name: Entity, limit: Limit = 20) -> Answer:
    """Everything known of a person, organization, project, place or tool: what it is, how it relates to others, and the
    latest of its timeline."""
    entity = memory.graph.entity(entity_name)
    relations = memory.graph.relations(entity_name)
    timeline = memory.graph.timeline(entity_name, limit)
    about = entity.summary or entity.description or "no description yet"
    parts = [f"{entity.name} ({entity.type}): {about}"]
    if entity.aliases:
        parts.append("also called " + ", ".join(entity.aliases))
    parts += [f"- {each.source} {each.type} {each.target}" for each in relations]
    parts += [told.line(node) for node in timeline]
    return Answer(
        "\n".join(parts),
        {
            "entity": document(entity),
            "relations": document(relations),
            "timeline": [told.brief(node) for node in timeline],
        },
    )


@tool(reads=True)
def memory_stats(memory: Memory) -> Answer:
    """How much is remembered: counts by kind and layer, entities, orphans, size of the file, what waits to be done."""
    stats = document(memory.stats())
    lines = [f"{name}: {value}" for name, value in stats.items() if value not in (None, {})]
    return Answer("\n".join(lines), stats)


@tool(reads=True)
def explain_fact(memory: Memory, id: Id) -> Answer:
    """Where a memory comes from: the words it rests on, what it replaced, what contradicts it, whom it speaks of. Use
    it when the user asks how you know something."""
    why = memory.explain(id)
    parts = [told.line(why.node), f"confidence today: {why.confidence:.2f}, stated with {why.node.confidence:.2f}"]
    parts += [
        f'said in [id:{each.episode.id}], {each.episode.event_at:%Y-%m-%d}: "{each.words}"' for each in why.evidence
    ]
    parts += [f"replaced [id:{each}]" for each in why.supersedes]
    parts += [f"replaced by [id:{each}]" for each in why.superseded_by]
    parts += [f"contradicts [id:{each}]" for each in why.contradicts]
    if why.entities:
        parts.append("speaks of " + ", ".join(each.name for each in why.entities))
    return Answer(
        "\n".join(parts),
        {
            "node": told.brief(why.node),
            "confidence": why.confidence,
            "evidence": [{"episode": told.brief(each.episode), "words": each.words} for each in why.evidence],
            "supersedes": why.supersedes,
            "superseded_by": why.superseded_by,
            "contradicts": why.contradicts,
            "entities": [each.name for each in why.entities],
        },
    )


@tool(reads=True)
def weak_facts(memory: Memory, limit: Limit = 10) -> Answer:
    """What is least certain or contradicts something else: good to ask the user about, then confirm or correct."""
    found = memory.review.uncertain(limit)
    return Answer(told.lines(found, "nothing is weak"), {"weak": [told.brief(node) for node in found]})


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
