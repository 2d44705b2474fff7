"""The page of all tools, for the docs, made from the tools themselves."""

from __future__ import annotations

from typing import Any

from omoide.interfaces.tools.sets import DEFAULT, SETS, chosen, cost
from omoide.interfaces.tools.tool import Tool


def as_markdown() -> str:
    sets = "\n".join(f"| `{name}` | {cost(chosen(name)):,} | {_names(tools)} |" for name, tools in SETS.items())
    return f"""# Tools

What an agent can call, over MCP ([MCP](../how-to/mcp.md)) or in a program: each is defined once. Descriptions are read by
the model with every message, so they come in sets; `{DEFAULT}` is the default, and `--tools core,graph` or
`--tools search_memory,memory_store` is any choice of them. Tokens are our estimate of name, description and schema.

| set | tokens | tools |
|---|---|---|
{sets}

{chr(10).join(map(_section, chosen("all,reference")))}
This page is made from `omoide.interfaces.tools` (`python -m omoide.interfaces.tools.page`).
"""


def _names(tools: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in tools)


def _section(tool: Tool) -> str:
    does = "reads" if tool.reads else "removes" if tool.destroys else "writes"
    required = tool.schema.get("required", ())
    rows = "".join(_row(name, each, name in required) for name, each in tool.schema.get("properties", {}).items())
    table = f"\n| argument | type | meaning |\n|---|---|---|\n{rows}" if rows else ""
    return f"## {tool.name}\n\n{' '.join(tool.description.split())} *({does})*\n{table}"


def _row(name: str, argument: dict[str, Any], required: bool) -> str:
    kind = " or ".join(f"`{each}`" for each in argument["enum"]) if "enum" in argument else argument.get("type", "any")
    default = argument.get("default")
    remark = "" if required or default in (None, "") else f" Default {default}."
    return f"| `{name}`{'' if required else ' (optional)'} | {kind} | {_meaning(argument)}{remark} |\n"


def _meaning(argument: dict[str, Any]) -> str:
    fields = argument.get("items", {}).get("properties", {})
    parts = [argument["description"]] if "description" in argument else []
    return " ".join([*parts, *(["Each: " + ", ".join(f"`{name}`" for name in fields)] if fields else [])])


if __name__ == "__main__":
    print(as_markdown(), end="")
