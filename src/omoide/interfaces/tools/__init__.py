"""Every agent tool, defined once; MCP, HTTP and the adapters serve the same ones."""

from omoide.interfaces.tools.sets import SETS, chosen, cost, named
from omoide.interfaces.tools.tool import Answer, Tool

__all__ = ["SETS", "Answer", "Tool", "chosen", "cost", "named"]
