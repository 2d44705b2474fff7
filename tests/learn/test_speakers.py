"""Two people who talk in one session keep their own facts."""

from __future__ import annotations

from omoide import Memory
from omoide.learn.learning_context import LearningReport
from tests.conftest import Open

TALK = (
    ("Mia", "I live in Bonn"),
    ("Raj", "I live in Pune"),
    ("Raj", "my wife Priya is a doctor"),
    ("Mia", "always use pnpm, not npm"),
    ("Raj", "I prefer npm over pnpm"),
    ("Mia", "I prefer tea over coffee"),
    ("Raj", "no emojis please"),
    ("Raj", "my sister Ida works at Aldi"),
    ("Mia", "always run the whole test suite before you commit"),
)


def talked(memory: Memory) -> LearningReport:
    for minute, (speaker, text) in enumerate(TALK):
        memory.observe(text, speaker=speaker, session="g", at=f"2026-05-14T10:{minute:02d}:00+00:00")
    memory.end("g")
    return memory.learn()


def test_each_one_has_a_family_and_preferences_of_their_own(opened: Open) -> None:
    report = talked(opened())
    learned = [entry.text for entry in report.entries if entry.verb == "learned" and entry.kind == "fact"]
    for told in ("Mia lives in Bonn", "Raj lives in Pune", "Raj's wife Priya is a doctor", "Ida is Raj's sister"):
        assert told in learned
    assert any(text.startswith("Raj prefers npm") for text in learned)
    assert any(text.startswith("Mia prefers tea") for text in learned)
    assert not [entry for entry in report.entries if entry.verb == "refused"]


def test_what_one_of_several_preferences_binds_nobody_and_what_is_left_out_is_told(opened: Open) -> None:
    report = talked(opened())
    assert not [entry for entry in report.entries if entry.kind == "preference"]
    assert [note for note in report.notes if "a wish of Mia" in note and "test suite" in note]
