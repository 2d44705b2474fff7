"""Every id is in a known state, and receipts list copies."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import OmoideError
from omoide.store.engine.connection import open_copy
from tests.conftest import Open, ticking, unsound
from tests.open_file import open_file
from tests.store.migrated import leave_migration_copy

WORDS = st.sampled_from(
    ["Otto lives in Rome", "tea at five", "the garden is green", "never use Docker", "Anna plays chess"]
)
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("observe"), WORDS, st.sampled_from(["s1", "s2", None])),
        st.tuples(st.just("remember"), WORDS, st.integers(1, 12)),
        st.tuples(st.just("correct"), st.integers(1, 12), WORDS),
        st.tuples(st.just("forget"), st.integers(1, 12), st.booleans()),
        st.tuples(st.just("session"), st.sampled_from(["s1", "s2"]), st.booleans()),
        st.tuples(st.just("learn"), st.none(), st.none()),
    ),
    max_size=14,
)


def act(memory: Memory, verb: str, one: object, other: object) -> None:
    match verb, one, other:
        case "observe", str(text), session:
            memory.observe(text, session=session if isinstance(session, str) else None)
        case "remember", str(text), int(source):
            memory.remember(text, sources=[source])
        case "correct", int(id), str(text):
            memory.correct(id, text)
        case "forget", int(id), bool(sources):
            memory.forget(id, sources=sources)
        case "session", str(name), _:
            memory.forget(session=name)
        case _:
            memory.learn()


@settings(max_examples=40)
@given(ACTS)
def test_every_id_is_live_superseded_archived_expired_or_erased(acts: list[tuple[str, object, object]]) -> None:
    with Memory(":memory:", embedder=None, clock=ticking()) as memory:
        given: set[int] = set()
        for each in acts:
            try:
                act(memory, *each)
            except OmoideError:
                continue
            account = memory.admin.id_states()
            assert account.lost == 0
            given |= set(range(1, account.highest + 1))
        for id in given:
            if memory._store.erasure.receipt_of_nodes((id,)) is None:
                assert memory.get(id).state in ("live", "superseded", "archived", "expired")
        assert unsound(memory) == []


def test_receipts_list_backups_and_exports_made_since(memory: Memory, tmp_path: Path) -> None:
    memory._store.copies.add(str(tmp_path / "early.db"), "backup")
    node = memory.observe("A zyxomat hums.")
    copy = tmp_path / "late.db"
    db = open_file(memory.path)
    copied = open_copy(str(copy), db)
    with copied.backup("main", db, "main") as backup:
        backup.step(-1)
    copied.close()
    db.close()
    memory._store.copies.add(str(copy), "backup")
    memory._store.copies.add(str(tmp_path / "gone.jsonl"), "export")
    expected = [(str(copy), "backup", True), (str(tmp_path / "gone.jsonl"), "export", None)]
    assert [(each.path, each.kind, each.holds) for each in memory.forget(node.id, preview=True).copies] == expected
    assert [(each.path, each.kind, each.holds) for each in memory.forget(node.id).copies] == expected
    assert memory.admin.receipts()[0].copies == memory.forget(node.id).copies


def test_receipts_list_a_migration_copy_that_holds_erased_words(opened: Open, path: str) -> None:
    with opened() as memory:
        node = memory.observe("A zyxomat hums.")
        memory.observe("Nothing.")
    leave_migration_copy(path)
    memory = opened()
    beside = [each.path for each in memory.forget(node.id).copies]
    assert beside == [str(each) for each in Path(path).parent.glob("memory.db.before-*")]
    assert len(beside) == 1
    later = memory.observe("A qwertoid purrs.")
    assert memory.forget(later.id).copies == ()
