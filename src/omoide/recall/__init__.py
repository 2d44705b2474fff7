"""Every question: what do I know that matters here? Milliseconds, and no language model."""
