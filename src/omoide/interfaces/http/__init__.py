"""The HTTP API: the same verbs for programs in other languages. One token opens one memory."""
