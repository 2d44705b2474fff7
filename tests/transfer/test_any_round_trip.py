"""Any memory can be exported and imported without loss, into an empty file and into another memory."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import OmoideError
from tests.conftest import START, Ticking, unsound
from tests.learn.whole import opened
from tests.transfer.test_jsonl import LATER, content

WORDS = st.text(min_size=1, max_size=40).filter(str.strip)
NAMES = st.sampled_from(["Otto", "Ada", "tea", "Zürich", "お茶"])
IDS = st.integers(1, 12)
VERBS: dict[str, st.SearchStrategy[Callable[[Memory], object]]] = {
    "observe": st.builds(
        lambda text, session, key, speaker: (
            lambda memory: memory.observe(text, session=session, key=key, speaker=speaker)
        ),
        WORDS,
        st.sampled_from([None, "s1", "s2"]),
        st.sampled_from([None, None, "k1", "k2"]),
        st.none() | NAMES,
    ),
    "remember": st.builds(
        lambda text, tags, details: lambda memory: memory.remember(text, tags=tags, details=details),
        WORDS,
        st.lists(NAMES, max_size=2),
        st.none()
        | st.recursive(st.none() | st.integers() | st.floats(allow_nan=False) | WORDS, st.lists, max_leaves=4),
    ),
    "prefer": st.builds(
        lambda text, name: lambda memory: memory.remember(text, kind="preference", name=name, value=text),
        WORDS,
        NAMES,
    ),
    "correct": st.builds(lambda id, text: lambda memory: memory.correct(id, text), IDS, WORDS),
    "update": st.builds(lambda id, text: lambda memory: memory.review.update(id, text), IDS, WORDS),
    "confirm": st.builds(lambda id: lambda memory: memory.review.confirm(id), IDS),
    "reinforce": st.builds(lambda id: lambda memory: memory.review.reinforce(id), IDS),
    "demote": st.builds(lambda id: lambda memory: memory.review.demote(id), IDS),
    "link": st.builds(
        lambda one, other, type: lambda memory: memory.graph.link(one, other, type),
        IDS,
        IDS,
        st.sampled_from(["causal", "related_to", "supersedes", "contradicts"]),
    ),
    "entity": st.builds(
        lambda name, alias: lambda memory: memory.graph.entity(name, type="person", aliases=[alias]), NAMES, WORDS
    ),
    "relate": st.builds(lambda one, other: lambda memory: memory.graph.relate(one, "likes", other), NAMES, NAMES),
    "merge": st.builds(lambda one, other: lambda memory: memory.graph.merge(one, other), NAMES, NAMES),
    "archive": st.builds(lambda id: lambda memory: memory.admin.archive(id), IDS),
    "unarchive": st.builds(lambda id: lambda memory: memory.admin.unarchive(id), IDS),
    "forget": st.builds(lambda id: lambda memory: memory.forget(id), IDS),
    "end": st.builds(lambda name: lambda memory: memory.end(name), st.sampled_from(["s1", "s2"])),
    "learn": st.just(lambda memory: memory.learn()),
    "recall": st.builds(lambda name: lambda memory: (memory.recall(name), memory.flush()), NAMES),
}
LIVES = st.lists(st.one_of(*VERBS.values()), max_size=25)


def live(path: Path, life: list[Callable[[Memory], object]], **given: Any) -> Memory:
    memory = opened(str(path), clock=Ticking(START), **given)
    for verb in life:
        with suppress(OmoideError):  # what a verb refuses leaves nothing
            verb(memory)
    return memory


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(LIVES)
def test_any_store_goes_into_an_empty_file_and_out_again_to_the_byte(life: list[Callable[[Memory], object]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with live(folder / "a.db", life) as memory:
            memory.admin.export(folder / "a.jsonl")
            account = memory.admin.id_states()
            assert account.lost == 0
        with opened(str(folder / "b.db"), first_id=LATER) as memory:
            memory.admin.import_(folder / "a.jsonl")
            assert memory.admin.id_states() == account
            memory.admin.export(folder / "b.jsonl")
            assert unsound(memory) == []
        assert (folder / "b.jsonl").read_bytes() == (folder / "a.jsonl").read_bytes()
        assert content(str(folder / "b.db")) == content(str(folder / "a.db"))


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(LIVES, LIVES)
def test_any_store_joins_any_other_soundly_and_twice_changes_nothing(
    life: list[Callable[[Memory], object]], other: list[Callable[[Memory], object]]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with live(folder / "a.db", life) as memory:
            memory.admin.export(folder / "a.jsonl")
        with live(folder / "b.db", other, first_id=LATER) as memory:
            held = memory.stats().nodes
            report = memory.admin.import_(folder / "a.jsonl")
            assert unsound(memory) == []
            assert memory.admin.id_states().lost == 0
            assert memory.stats().nodes == held + report.counts.get("node", {}).get("added", 0)
        before = content(str(folder / "b.db"))
        with opened(str(folder / "b.db"), first_id=2 * LATER) as memory:
            again = memory.admin.import_(folder / "a.jsonl")
            assert (again.total("added"), again.total("updated")) == (0, 0)
        assert content(str(folder / "b.db")) == before
