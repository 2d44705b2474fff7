"""Learning: the unlearned parts of sessions and task traces, and the transaction that applies what was learned."""
