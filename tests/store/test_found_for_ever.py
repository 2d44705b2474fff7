"""No sequence of observe, learn, maintain, archive, unarchive and clock jumps hides a memory from its own words, and
archiving and unarchiving leave the file as it was."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.domain import Node
from omoide.errors import InvalidInput
from omoide.providers.hashing import HashingEmbedder
from tests.conftest import START, Ticking, unsound
from tests.learn.whole import opened
from tests.maintain.store_dumps import dump

Verb = Callable[[Memory, Ticking], object]
PLACES = ("Quillport", "Zanbrook", "Ferndale", "Ostwick", "Marlinga", "Drusk")
TALK = (
    "I live in {} now and I like it",
    "My sister Petra works at {}",
    "Put it somewhere safe: the key of {} is under the stone",
    "The ferry to {} leaves at 9:40",
    "Never book a hotel in {} for me",
    "In {} the soup was cold",
    "{}で会いましょう",
)


@st.composite
def says(draw: st.DrawFn) -> Verb:
    place, form = draw(st.sampled_from(PLACES)), draw(st.sampled_from(TALK))
    number, session = draw(st.integers(1, 999_999)), draw(st.sampled_from(["s1", "s2"]))

    def verb(memory: Memory, clock: Ticking) -> None:
        memory.observe(f"{form.format(place)} marker{number}", role="user", session=session)
        memory.observe("Thanks, noted!", role="agent", session=session)

    return verb


def learns(memory: Memory, clock: Ticking) -> None:
    for session in memory.sessions():
        memory.end(session.name)
    memory.learn()


def sleeps(days: int) -> Verb:
    def verb(memory: Memory, clock: Ticking) -> None:
        clock.advance(days=days)
        memory.maintain()

    return verb


def moves(verb_name: str, place: int) -> Verb:
    def verb(memory: Memory, clock: Ticking) -> None:
        if nodes := list(memory.list(state="all")):
            with suppress(InvalidInput):  # already archived, or live
                getattr(memory.admin, verb_name)(nodes[place % len(nodes)].id)

    return verb


LIVES = st.lists(
    st.one_of(
        says(),
        says(),
        st.just(learns),
        st.sampled_from([1, 2, 6, 40, 400, -3]).map(sleeps),
        st.integers(0, 30).map(lambda place: moves("archive", place)),
        st.integers(0, 30).map(lambda place: moves("unarchive", place)),
    ),
    min_size=3,
    max_size=14,
)


def is_findable(node: Node) -> bool:
    """Summaries and narratives are told by their turns; what has ended is asked for with `as_of`."""
    repeats = node.kind == "narrative" or (node.kind == "episode" and node.attributes["compression"] != "raw")
    return node.state in ("live", "archived") and not repeats and node.valid_until is None and "marker" in node.text


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(LIVES)
def test_every_live_or_archived_memory_is_found_by_its_own_words(life: list[Verb]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        clock = Ticking(START)
        with opened(str(Path(folder) / "a.db"), clock=clock) as memory:
            for verb in life:
                verb(memory, clock)
            for node in memory.list(state="all"):
                if is_findable(node):
                    found = memory.recall(node.text, limit=50)
                    same = {hit.id for hit in found if hit.text == node.text}  # of equal texts one is shown
                    assert same or "told" in str(found.trace.explain_node(node.id)), (node, found.trace)  # told once
                    assert node.text in memory.recall(node.text, kinds=[node.kind], limit=50).texts
            assert unsound(memory) == []


@pytest.mark.parametrize("withdraw", [False, True])
def test_archiving_and_unarchiving_leave_every_row_as_it_was(tmp_path: Path, withdraw: bool) -> None:
    path = str(tmp_path / "a.db")
    with opened(path, embedder=HashingEmbedder()) as memory:
        memory.graph.entity("Petra", type="person")
        said = memory.observe(
            "Petra: the ferry leaves at 9:40, 東京",
            speaker="Petra",
            session="s",
            tags=["trip"],
            details={"x": "y" * 300},
        )
        fact = memory.remember("Petra takes the ferry", sources=[said.id], subject="Petra", object="z" * 200)
        memory.flush()
        memory.recall("When does the ferry leave?")
    before = dump(path)
    with opened(path, embedder=HashingEmbedder()) as memory:
        for id in (said.id, fact.id):
            memory.admin.archive(id, withdraw=withdraw)
        assert unsound(memory) == []
    for table in ("vector", "edge", "node_entity", "indexed_word"):
        assert dump(path)[table] == before[table]
    with opened(path, embedder=HashingEmbedder()) as memory:
        for id in (said.id, fact.id):
            memory.admin.unarchive(id)
        memory.flush()
        assert unsound(memory) == []
    after = dump(path)
    assert {name for name in before if before[name] != after[name]} == {"change"}  # its history tells of it
