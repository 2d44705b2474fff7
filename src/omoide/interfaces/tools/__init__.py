"""Every agent tool, defined once; MCP, HTTP and the framework adapters serve the same ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from difflib import get_close_matches

from omoide.errors import InvalidInput, NotFound
from omoide.interfaces.tools import core, koshi, reference_server, tasks, yodoca
from omoide.interfaces.tools.tool import Tool, ToolAnswer
from omoide.language import tokens

__all__ = ["SETS", "Tool", "ToolAnswer", "chosen", "cost", "named"]


# Named sets of tools. A model reads every description with every message, so an agent gets only what it uses.


_OWN: dict[str, Tool] = {
    each.name: each for each in (*core.TOOLS, *yodoca.TOOLS, *koshi.TOOLS, *koshi.NARRATIVE_TOOLS, *tasks.TOOLS)
}
_ALL = _OWN | {each.name: each for each in reference_server.TOOLS}

SETS: dict[str, tuple[str, ...]] = {
    "core": ("get_context", "get_agenda", "search_memory", "remember_fact", "correct_fact"),
    "koshi": tuple(each.name for each in koshi.TOOLS),
    "yodoca": tuple(each.name for each in yodoca.TOOLS),
    "graph": (
        "get_entity_info",
        "get_timeline",
        "explain_fact",
        "weak_facts",
        "confirm_fact",
        "get_memory",
        "memory_stats",
    ),
    "reference": tuple(each.name for each in reference_server.TOOLS),
    "narrative": tuple(each.name for each in koshi.NARRATIVE_TOOLS),
    "care": ("forget", "memory_stats"),
    "tasks": tuple(each.name for each in tasks.TOOLS),
    "all": tuple(_OWN),  # the reference tools replace ours, so they are not added to them
}
DEFAULT = "core"


def chosen(names: str = DEFAULT) -> tuple[Tool, ...]:
    """The tools of a list of sets and single tools such as `core,memory_store`, each once."""
    found: dict[str, Tool] = {}
    for name in filter(None, (each.strip() for each in names.split(","))):
        if name not in SETS and name not in _ALL:
            near = get_close_matches(name, [*SETS, *_ALL], n=1)
            hint = f"did you mean {near[0]}?" if near else f"sets are {', '.join(SETS)}"
            raise InvalidInput(f"there is no tool or set of tools {name!r}; {hint}")
        found |= {each: _ALL[each] for each in SETS.get(name, (name,))}
    if not found:
        raise InvalidInput(f"no tool was chosen; sets are {', '.join(SETS)}")
    return tuple(found.values())


def named(name: str) -> Tool:
    """The tool of that name."""
    if name not in _ALL:
        near = get_close_matches(name, _ALL, n=1)
        raise NotFound(f"there is no tool {name!r}" + (f"; did you mean {near[0]}?" if near else ""))
    return _ALL[name]


def cost(tools: Iterable[Tool]) -> int:
    """The estimated tokens of names, descriptions and schemas."""
    return sum(
        tokens.estimate(json.dumps({"name": each.name, "description": each.description, "parameters": each.schema}))
        for each in tools
    )
