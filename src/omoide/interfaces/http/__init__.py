"""The HTTP API: the same verbs for programs in other languages, one space per token, on your own machine by default."""
