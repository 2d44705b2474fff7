-- What ceases to be true, by when: a cached answer must not outlive it.
CREATE INDEX node_ending ON node (valid_until) WHERE valid_until IS NOT NULL;
