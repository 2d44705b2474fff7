"""Any sequence of verbs, restarts, crashes and clock jumps agrees with a simple model of what a memory is."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from omoide import Memory
from tests.conftest import START, Ticking, unsound

WORDS = st.lists(st.sampled_from("tea crane pier Otto Oslo red green 7 harbour".split()), min_size=1, max_size=5)
PICK = st.integers(min_value=0, max_value=1_000)
EXAMPLES = int(os.environ.get("TORTURE_SECONDS", "60")) * 2


class MemoryMachine(RuleBasedStateMachine):
    """The model: texts and states by id, and the id of each key."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "memory.db"
        self.clock = Ticking(START)
        self.memory = self.open()
        self.texts: dict[int, str] = {}
        self.states: dict[int, str] = {}
        self.keys: dict[str, int] = {}
        self.erased: set[int] = set()
        self.notes: set[int] = set()

    def open(self) -> Memory:
        return Memory(self.path, embedder=None, clock=self.clock)

    def teardown(self) -> None:
        self.memory.close()
        shutil.rmtree(self.folder)

    def pick(self, number: int, *states: str) -> int | None:
        found = [id for id, state in self.states.items() if state in states]
        return found[number % len(found)] if found else None

    @rule(words=WORDS, number=st.integers(0, 5))
    def observe(self, words: list[str], number: int) -> None:
        """The same key again returns the same turn; an erased one stays erased."""
        key = f"key {number}"
        node = self.memory.observe(" ".join(words), key=key, session="s")
        if key in self.keys:
            assert (node.id, node.state == "erased") == (self.keys[key], self.keys[key] in self.erased)
            return
        self.keys[key] = node.id
        self.texts[node.id], self.states[node.id] = " ".join(words), "live"

    @rule(words=WORDS)
    def observe_without_a_key(self, words: list[str]) -> None:
        node = self.memory.observe(" ".join(words), session="s")
        self.texts[node.id], self.states[node.id] = " ".join(words), "live"

    @rule(words=WORDS, number=st.integers(0, 5))
    def remember(self, words: list[str], number: int) -> None:
        key = f"note {number}"
        node = self.memory.remember(" ".join(words), kind="note", key=key)
        if key not in self.keys:
            self.keys[key] = node.id
            self.texts[node.id], self.states[node.id] = " ".join(words), "live"
            self.notes.add(node.id)
        assert node.id == self.keys[key]

    @rule(words=WORDS, number=PICK)
    def correct(self, words: list[str], number: int) -> None:
        """The old one is no longer live, and both can be read."""
        old = self.pick(number, "live")
        if old is None or old not in self.notes:
            return
        text = f"{' '.join(words)} instead of {old}"
        new = self.memory.correct(old, text)
        self.states[old] = self.memory.get(old).state
        assert self.states[old] != "live"
        self.texts[new.id], self.states[new.id] = text, "live"
        self.notes.add(new.id)

    @rule(number=PICK)
    def judge(self, number: int) -> None:
        if (id := self.pick(number, "live")) is not None:
            [self.memory.review.confirm, self.memory.review.reinforce, self.memory.review.demote][number % 3](id)

    @rule(number=PICK, other=PICK)
    def link(self, number: int, other: int) -> None:
        one, two = self.pick(number, "live"), self.pick(other, "live")
        if one is not None and two is not None and one != two:
            self.memory.graph.link(one, two, "related_to")

    @rule(words=WORDS)
    def ask(self, words: list[str]) -> None:
        found = self.memory.recall(" ".join(words)).hits
        assert not self.erased & {hit.id for hit in found}
        assert self.memory.context(" ".join(words), budget=100).tokens <= 100

    @rule()
    def learn(self) -> None:
        if "s" in {each.name for each in self.memory.sessions()}:
            self.memory.end("s")
        assert self.memory.learn().failed == {}

    @rule()
    def maintain(self) -> None:
        assert self.memory.maintain(["learn", "summaries", "narratives", "scrub"]).failed == {}

    @rule()
    def export_and_import(self) -> None:
        """What is here already is recognised."""
        self.memory.admin.export(self.folder / "all.jsonl", overwrite=True)
        taken = self.memory.admin.import_(self.folder / "all.jsonl")
        assert (taken.total("added"), taken.total("updated")) == (0, 0)

    @rule()
    def go_on_in_a_backup(self) -> None:
        after = self.folder / f"{self.path.stem}b.db"
        self.memory.admin.backup(after)
        self.memory.close()
        self.path = after
        self.memory = self.open()

    @rule(number=PICK)
    def archive(self, number: int) -> None:
        if (id := self.pick(number, "live")) is not None:
            self.memory.admin.archive(id)
            self.states[id] = "archived"

    @rule(number=PICK)
    def unarchive(self, number: int) -> None:
        if (id := self.pick(number, "archived")) is not None:
            self.memory.admin.unarchive(id)
            self.states[id] = "live"

    @rule(number=PICK)
    def forget(self, number: int) -> None:
        if (id := self.pick(number, "live", "archived")) is not None:
            receipt = self.memory.forget(id)
            assert receipt.clean
            assert id in receipt.ids
            for each in receipt.ids:  # and what was made from it
                self.texts.pop(each, None)
                self.states.pop(each, None)
                self.erased.add(each)
            for each in receipt.reinstated:  # what the erased one had replaced
                self.states[each] = "live"

    @rule()
    def close_and_open(self) -> None:
        self.memory.close()
        self.memory = self.open()

    @rule(days=st.sampled_from([-400, -1, 1, 400]))
    def clock_jumps(self, days: int) -> None:
        self.clock.advance(days=days)

    @rule()
    def crash(self) -> None:
        """The process is gone and nothing was checkpointed: only the file and its log are left."""
        after = self.folder / f"{self.path.stem}x.db"
        for ending in ("", "-wal"):
            if Path(f"{self.path}{ending}").exists():
                shutil.copy(f"{self.path}{ending}", f"{after}{ending}")
        self.memory.close()
        self.path = after
        self.memory = self.open()

    @invariant()
    def every_text_is_as_the_model_says(self) -> None:
        for id, text in self.texts.items():
            node = self.memory.get(id)
            assert (node.text, node.state) == (text, self.states[id])
        listed = {node.id for node in self.memory.list(state="all", limit=1000).items}
        assert self.texts.keys() <= listed
        assert not self.erased & listed

    @precondition(lambda self: len(self.states) % 4 == 3)
    @invariant()
    def the_doctor_finds_nothing(self) -> None:
        assert unsound(self.memory) == []


few = settings(
    max_examples=4, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
TestAFewStories = MemoryMachine.TestCase
TestAFewStories.settings = few


class ThoroughMachine(MemoryMachine):
    """The same machine, run at length."""


TestManyStories = pytest.mark.torture(ThoroughMachine.TestCase)
TestManyStories.settings = settings(few, max_examples=EXAMPLES, stateful_step_count=40)
