"""Small lists of what a pattern alone cannot tell: places, tools, organizations, trades, languages."""
