"""The Model Context Protocol: tools, memories as resources, and two prompts, over standard input or HTTP."""
