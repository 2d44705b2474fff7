"""The Model Context Protocol: our tools, memories as resources, and two prompts, over stdio or HTTP."""
