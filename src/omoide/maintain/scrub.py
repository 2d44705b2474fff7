"""Looks for rot: pages, words against their hashes, whether the index has every memory. It repairs nothing."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.maintain.job import Job, Step, Upkeep

_BATCHES = 50  # a night: of a file that is larger the rest is for the next ones
_BATCH = 2_000  # nodes: some ten milliseconds of reading, and no transaction that anybody waits for


def run(upkeep: Upkeep) -> Iterator[Step]:
    """Goes on where it was left, or had seen enough for a night; at the end it starts over the next night."""
    structure = upkeep.store.structure()
    if not structure.ok:
        yield Step("found", "file", structure.detail, None, "run `omoide doctor`, and keep your backups")
    after = 0
    for _ in range(_BATCHES):
        seen = upkeep.store.scrub_from(after, _BATCH) if upkeep.dry_run else upkeep.store.scrub(_BATCH, keep=True)
        if seen is None:
            return
        after = seen.upto
        for id, text, why in seen.wrong:
            yield Step("found", "node", text, id, why)
        yield Step("checked", "nodes", f"{seen.first} to {seen.upto}", None, "words, folding and index")


JOB = Job("scrub", "looks for rot in pages, words and indexes", run)
