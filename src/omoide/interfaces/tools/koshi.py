"""The tool set `koshi`: store single memories, query by keywords, rate what helped, keep narratives."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from omoide.domain import Node
from omoide.interfaces.tools.tool import (
    CommaSeparated,
    Id,
    Limit,
    Number,
    Tags,
    ToolAnswer,
    brief,
    memory_line,
    memory_lines,
    outcome,
    proposed,
    split,
    tool,
)
from omoide.memory import Memory


@tool("remember", ("text", "tags"))
def memory_store(
    memory: Memory,
    content: Annotated[str, Field(description="One fact, decision or solution, as a clear sentence.")],
    tags: Tags = "",
) -> ToolAnswer:
    """Store one thing for future conversations: a decision, a fact, how a problem was solved. One thing per call,
    understandable without this conversation. Do not store secrets or what is only useful now."""
    node = memory.remember(content, tags=split(tags), origin="agent")
    return ToolAnswer(outcome(node, "stored"), {"memory": brief(node)})


@tool("recall", ("query", "limit"), reads=True)
def memory_query(
    memory: Memory,
    query: Annotated[str, Field(description="Keywords and synonyms, or a question.")],
    limit: Limit = 5,
) -> ToolAnswer:
    """Look up what earlier conversations stored. Call it before you answer anything that may depend on the past. If the
    results do not help, try other words, up to three times per message. Then reinforce what helped."""
    found = memory.recall(query, limit=limit)
    rows = [{**brief(hit.node), "score": round(hit.score, 4), "why": hit.why} for hit in found]
    nothing = "nothing found; try other words, or continue without memory"
    return ToolAnswer(memory_lines([hit.node for hit in found], nothing), {"memories": rows})


@tool("review.reinforce", ("id",))
def memory_reinforce(memory: Memory, id: Id) -> ToolAnswer:
    """Rate a memory that helped you (+3): it will rank higher next time."""
    return _rated(memory.review.reinforce(id))


@tool("review.demote", ("id",))
def memory_demote(memory: Memory, id: Id) -> ToolAnswer:
    """Rate a memory that was stale or irrelevant (-1). If it is wrong, correct it instead."""
    return _rated(memory.review.demote(id))


@tool("review.update", ("id", "text", "tags"))
def memory_update(
    memory: Memory,
    id: Id,
    content: Annotated[str, Field(description="The whole new text.")],
    tags: Annotated[
        CommaSeparated | None, Field(description="Comma-separated keywords; leave out to keep the old ones.")
    ] = None,
) -> ToolAnswer:
    """Change the wording of a memory in place; its score stays. What the user said
    only changes once they accept it. If the world changed (a move, a new job), use
    correct_fact or store the new fact, so that the history stays right."""
    node = memory.review.update(id, content, tags=None if tags is None else split(tags), origin="agent")
    if (waiting := proposed(node)) is not None:
        return waiting
    return ToolAnswer(memory_line(node), {"memory": brief(node)})


def _rated(node: Node) -> ToolAnswer:
    return ToolAnswer(f"[id:{node.id}] now has score {node.score}", {"id": node.id, "score": node.score})


@tool("narrative.write", ("text", "topic", "nodes", "session"))
def narrative_update(
    memory: Memory,
    text: Annotated[str, Field(description="One sentence: what was done or decided, and what comes next.")],
    topic: Annotated[str | None, Field(description="A few words that name the topic.")] = None,
    nodes: Annotated[list[Number] | None, Field(description="The N of each [id:N] it connects.")] = None,
    session: Annotated[str | None, Field(description="The session; the latest if not given.")] = None,
) -> ToolAnswer:
    """Write down where the work stands, when the topic changes or work pauses, so that you can continue later. It
    follows the previous narrative and connects what was said since."""
    node = memory.narrative.write(text, topic=topic, nodes=nodes or (), session=session)
    if node is None:
        return ToolAnswer("not stored: it was erased on request before", {"narrative": None})
    found = memory.narrative.get(node.id)
    before = found.previous if found else None
    after = f", after [id:{before.id}]" if before else ""
    return ToolAnswer(f"stored as [id:{node.id}]{after}", {"narrative": brief(node)})


@tool("narrative.recap", reads=True)
def narrative_search(
    memory: Memory,
    query: Annotated[str, Field(description="What to look for; empty: the last session and what is open.")] = "",
    limit: Limit = 5,
) -> ToolAnswer:
    """Find where the work stood. With an empty query, at the start of a session: the last session, how it ended, what
    is still open. With words: the narratives that mention them."""
    if not query.strip():
        recap = memory.narrative.recap()
        rows = [brief(node) for node in recap.narratives]
        return ToolAnswer(recap.markdown or "nothing was said yet", {"narratives": rows})
    found = [hit.node for hit in memory.recall(query, kinds=["narrative"], limit=limit)]
    data = {"narratives": [brief(node) for node in found]}
    return ToolAnswer(memory_lines(found, "no narrative mentions it"), data)


TOOLS = (memory_store, memory_query, memory_reinforce, memory_demote, memory_update)
NARRATIVE_TOOLS = (narrative_update, narrative_search)
