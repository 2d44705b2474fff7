"""The read path on one screen: Question → Query → hits of each arm → fused → ranked."""

from __future__ import annotations

from dataclasses import replace

from omoide.recall import meaning
from omoide.recall.fuse import Fused, Heard, best_of, by_length, fuse
from omoide.recall.hit import Recall
from omoide.recall.judge import judge
from omoide.recall.late import asked, lifted, likeness, short_list
from omoide.recall.meaning import Unread
from omoide.recall.query import understand
from omoide.recall.question import Query, Question, Seed
from omoide.recall.rank import rank
from omoide.recall.search import ARMS, Found, Sources
from omoide.recall.spread import spread_out, start_points
from omoide.recall.trace import Notes, Trace


def answer(question: Question, sources: Sources) -> Recall:
    """Finds what matters and says why."""
    trace = Trace()
    with trace.stage("understand") as notes:
        query = understand(question, sources.store.entity_names())
        notes.append(_understood(query))
    query = _embed(query, sources, trace)
    heard = _search(query, sources, trace)
    with trace.stage("fuse") as notes:
        fused = _fuse(query, heard, sources)
        notes.append(f"{len(fused)} candidates")
        notes.leaves = fused.values()
    with trace.stage("spread") as notes:
        fused = _spread(query, fused, sources, notes)
        notes.leaves = fused.values()
    with trace.stage("late") as notes:
        fused = _late(query, fused, sources, notes)
    with trace.stage("rank") as notes:
        hits = rank(query, fused, sources, trace)
        notes.append(f"{len(hits)} kept")
        notes.leaves = hits
    with trace.stage("floor") as notes:
        judged = judge(query, hits, [found for _, found in heard], sources)
        trace.dropped |= {hit.id: judged.dropped for hit in hits if not judged.hits}
        notes.append(judged.verdict)
    return Recall(query, judged.hits, trace, judged.probability)


def _embed(query: Query, sources: Sources, trace: Trace) -> Query:
    """The question's meaning, if something goes by it. A question for a time alone is answered without."""
    recipe = query.question.recipe
    if query.asks_only_for_a_time or not recipe.reads_meaning:
        return query
    with trace.stage("embed") as notes:
        read = meaning.read(query.question.text, sources)
        notes.append(f"skipped, {read.reason}" if isinstance(read, Unread) else "once for all that go by it")
    return replace(query, meaning=read)


def _search(query: Query, sources: Sources, trace: Trace) -> list[Heard]:
    """Asks the voices of the recipe, in two waves: some searches start from the best of what others have found."""
    recipe = query.question.recipe
    heard: list[Heard] = []
    for wave in (recipe.voices, recipe.then):
        best = best_of(fuse(heard), recipe.seeds) if wave else ()
        seeds = tuple(Seed(each.id, each.score) for each in best)
        heard += [(voice, found) for voice in wave if (found := _ask(query.put_to(voice, seeds), sources, trace))]
    return heard


def _ask(query: Query, sources: Sources, trace: Trace) -> Found | None:
    """One voice's answer. A question for a time alone is the time arm's; the others have nothing to go by."""
    voice = query.voice
    assert voice is not None
    if query.asks_only_for_a_time and voice.arm != "time":
        return None
    with trace.stage(voice.arm) as notes:
        if reason := voice.silent(query.intent, query.question.keep):
            notes.append(f"skipped, {reason}")
            return None
        found = ARMS[voice.arm](query, sources)
        notes.leaves = found.candidates if isinstance(found, Found) else ()
        notes.append(f"{len(found.candidates)} found" if isinstance(found, Found) else f"skipped, {found.reason}")
    return found if isinstance(found, Found) else None


def _fuse(query: Query, heard: list[Heard], sources: Sources) -> dict[int, Fused]:
    fused = fuse(heard)
    half_worth = query.question.recipe.half_worth
    if half_worth is None or query.asks_only_for_a_time:
        return fused
    return by_length(fused, sources.store.lengths(list(fused)), half_worth)


def _spread(query: Query, fused: dict[int, Fused], sources: Sources, notes: list[str]) -> dict[int, Fused]:
    spread = query.question.recipe.spread
    if spread is None or not fused or query.asks_only_for_a_time:
        return fused
    beside = sources.store.neighbours(start_points(fused, spread), spread.reach)
    takers = {taker for _, taker, _, _ in beside}
    if query.keep.selective:  # a neighbour that may not be found must not take the place of one that may
        takers = set(sources.store.passing(sorted(takers), query.keep))
        beside = [each for each in beside if each[1] in takers]
    notes.append(f"{len(takers)} turns beside a hit")
    return spread_out(fused, beside, spread)


def _late(query: Query, fused: dict[int, Fused], sources: Sources, notes: Notes) -> dict[int, Fused]:
    recipe, read = query.question.recipe.late, query.meaning
    if recipe is None or not fused or query.asks_only_for_a_time:
        return fused
    if isinstance(read, Unread):
        notes.append(f"skipped, {read.reason}")
        return fused
    if read.tokens is None:
        assert sources.embedder is not None
        notes.append(f"skipped, {sources.embedder.name} gives no token states")
        return fused
    pool = short_list(fused, recipe)
    packed = sources.store.token_states(sources.model_id(), pool)
    alike = likeness(asked(read.tokens, query.terms), packed)
    notes.append(f"{len(alike)} of the best {len(pool)} compared word by word")
    fused = lifted(fused, pool, alike, recipe)
    notes.leaves = fused.values()
    return fused


def _understood(query: Query) -> str:
    parts = [f"words {', '.join(query.terms) or 'none'}"]
    if query.phrases:
        parts.append(f"phrases {', '.join(query.phrases)}")
    if query.entities:
        parts.append(f"{len(query.entities)} entities")
    if query.when is not None:
        parts.append("time " + ", ".join(clue.phrase.text for clue in query.when.clues))
    return " · ".join(parts)
