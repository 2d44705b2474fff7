"""The store's verbs, a file for each kind of caller; `Store` is all of them together."""
