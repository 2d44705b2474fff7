"""Every agent tool, defined once; MCP, HTTP and the framework adapters serve the same ones."""

from omoide.interfaces.tools.sets import SETS, chosen, cost, named
from omoide.interfaces.tools.tool import Tool, ToolAnswer

__all__ = ["SETS", "Tool", "ToolAnswer", "chosen", "cost", "named"]
