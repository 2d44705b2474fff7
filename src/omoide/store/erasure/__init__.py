"""Erasure: finding what goes with a memory, removing every trace of it, keyed digests against its return, receipts."""
