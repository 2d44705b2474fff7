"""A session that ended without a word about it gets its narrative: one sentence about where things stood."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.learn.narrate import narrate, sentence
from omoide.maintain.job import Job, Step, Upkeep
from omoide.text import shorten


def run(upkeep: Upkeep) -> Iterator[Step]:
    store = upkeep.store
    for session in store.unnarrated_sessions():
        if upkeep.dry_run:
            found = store.nodes(store.unnarrated(session))
            told = sentence([found[id] for id in sorted(found)])
            if told is not None:
                yield Step("narrated", "narrative", shorten(told.text, 120), None, session)
            continue
        node = narrate(store, session, upkeep.language_model, repairs=upkeep.settings.llm_repairs)
        if node is not None:
            yield Step("narrated", "narrative", shorten(node.text, 120), node.id, session)


JOB = Job("narratives", "sessions that are over get the sentence that answers: where was I?", run)
