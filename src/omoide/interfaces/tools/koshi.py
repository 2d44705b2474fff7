"""Koshi's five: an agent stores single memories, asks by keywords, and says which of them helped."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from omoide.domain import Node
from omoide.interfaces.tools import told
from omoide.interfaces.tools.given import Id, Limit, Tags, Words, split
from omoide.interfaces.tools.tool import Answer, tool
from omoide.memory import Memory


@tool()
def memory_store(
    memory: Memory,
    content: Annotated[str, Field(description="One fact, decision or piece of context, in a clear sentence.")],
    tags: Tags = "",
) -> Answer:
    """Keep one thing for future conversations: a decision, a fact, how a problem was solved. One thing per call,
    written so that it makes sense without this conversation. Do not store secrets or what is only useful right now."""
    node = memory.remember(content, tags=split(tags), origin="agent")
    return Answer(f"stored as [id:{node.id}]", {"memory": told.brief(node)})


@tool(reads=True)
def memory_query(
    memory: Memory,
    query: Annotated[str, Field(description="Keywords with natural synonyms; a plain question works too.")],
    limit: Limit = 5,
) -> Answer:
    """Look up what earlier conversations left. Ask before answering anything that may depend on the past; if the
    results do not help, ask again with other words, up to three times a message. Then reinforce what helped."""
    found = memory.recall(query, limit=limit)
    rows = [{**told.brief(hit.node), "score": round(hit.score, 4), "why": hit.why} for hit in found]
    return Answer(
        told.lines([hit.node for hit in found], "nothing found; try other words, or go on without memory"),
        {"memories": rows},
    )


@tool()
def memory_reinforce(memory: Memory, id: Id) -> Answer:
    """Say that a memory helped you just now (+3): it will come up earlier next time."""
    return _scored(memory.review.reinforce(id))


@tool()
def memory_demote(memory: Memory, id: Id) -> Answer:
    """Say that a memory was stale or beside the point (-1). If it is wrong, correct it instead."""
    return _scored(memory.review.demote(id))


@tool()
def memory_update(
    memory: Memory,
    id: Id,
    content: Annotated[str, Field(description="The whole new text.")],
    tags: Annotated[
        Words | None, Field(description="Comma-separated keywords; leave out to keep the old ones.")
    ] = None,
) -> Answer:
    """Fix the wording of a memory in place; its score stays. When the world changed (a move, a new job), use
    correct_fact or store the new fact instead, so that the history stays true."""
    node = memory.review.update(id, content, tags=None if tags is None else split(tags))
    return Answer(told.line(node), {"memory": told.brief(node)})


def _scored(node: Node) -> Answer:
    return Answer(f"[id:{node.id}] now has score {node.score}", {"id": node.id, "score": node.score})


TOOLS = (memory_store, memory_query, memory_reinforce, memory_demote, memory_update)
