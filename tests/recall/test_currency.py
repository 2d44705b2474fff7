"""Currency: of memories on the same matter, the newest comes first and earlier ones are marked."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.recall.currency import asks_for_past, same_matter
from tests.conftest import Open, Ticking


@pytest.fixture
def work(opened: Open) -> Memory:
    from omoide.providers.minilm import MiniLM

    memory = opened(embedder=MiniLM())
    memory.observe("our standup is at 9:30 every day", session="a", at="2026-03-02T09:00:00+00:00")
    memory.observe("bublina is a vizsla and runs with me", session="a", at="2026-03-02T09:05:00+00:00")
    memory.observe("standup moved, it is at 10:00 now", session="b", at="2026-03-26T09:00:00+00:00")
    memory.observe("the billing repo uses go 1.22", session="c", at="2026-03-27T09:00:00+00:00")
    memory.flush()
    return memory


@pytest.mark.minilm
def test_the_newest_of_one_matter_is_the_first_hit(work: Memory) -> None:
    found = work.recall("when is our standup every day?")
    assert found.texts[0] == "standup moved, it is at 10:00 now"
    assert found.earlier == {1: 3}
    assert "[id:1] is earlier than [id:3]" in str(found.trace)


@pytest.mark.minilm
def test_an_earlier_line_is_marked_and_stands_below(work: Memory) -> None:
    lines = work.context("when is our standup every day?").markdown.splitlines()
    old = "- earlier than [id:3]: user: our standup is at 9:30 every day [id:1]"
    assert lines.index("- user: standup moved, it is at 10:00 now [id:3]") < lines.index(old)


@pytest.mark.minilm
def test_a_question_about_the_past_keeps_the_order(work: Memory) -> None:
    assert work.recall("what was our standup time every day before?").texts[0] == "our standup is at 9:30 every day"


def test_superseded_facts_appear_only_for_the_past_and_with_their_dates(memory: Memory, clock: Ticking) -> None:
    home = memory.remember("Otto lives in São Paulo")
    clock.advance(days=30)
    memory.correct(home.id, "Otto lives in Berlin")
    assert "São Paulo" not in memory.context("Where does Otto live?").markdown
    past = memory.context("Where did Otto live before?").markdown
    assert "Otto lives in Berlin" in past
    assert "until 2026-" in next(line for line in past.splitlines() if "São Paulo" in line)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("deploy is on tuesdays after 14:00", "deploys are on wednesdays now, 10:00", True),
        ("my manager is Ingrid", "Dele is my manager now", True),
        ("the fee for the third reminder is 120", "third fee 150 instead of 120", True),
        ("deploy is on tuesdays after 14:00", "the dog is scared of the lift now", False),
        ("lenka is a radiologist", "ondra lives in Gothenburg", False),
    ],
)
def test_turns_on_the_same_matter_are_recognised(memory: Memory, old: str, new: str, same: bool) -> None:
    one, other = memory.observe(old, session="a"), memory.observe(new, session="b")
    assert (same_matter(one, other, 0.55 if same else 0.15) >= 0.4) == same


def test_statements_are_compared_by_subject_and_slot(memory: Memory) -> None:
    one = memory.remember("Otto lives in Berlin", subject="Otto", predicate="lives_in", object="Berlin")
    other = memory.remember("Anna lives in Lisbon", subject="Anna", predicate="lives_in", object="Lisbon")
    assert same_matter(one, other, 0.9) == 0.0


@pytest.mark.parametrize("text", ["what was the old address?", "where did we live before?", "wo war das früher?"])
def test_questions_about_the_past_are_recognised(text: str) -> None:
    assert asks_for_past(text)


def test_a_question_about_now_does_not_ask_for_the_past() -> None:
    assert not asks_for_past("where do we live?")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Nora takes Nora's coffee with oat milk", "Nora is selling Nora's bike now"),
        ("Nora's name is Nora", "Nora changed Nora's flight, the name on it is Nora now"),
    ],
)
def test_the_name_of_the_subject_is_no_evidence_of_one_matter(memory: Memory, old: str, new: str) -> None:
    slot = "name" if old.startswith("Nora's name") else None
    one = memory.remember(old, subject="Nora", predicate=slot, object="Nora" if slot else None)
    other = memory.remember(new, subject="Nora")
    assert same_matter(one, other, 0.6) == 0.0


@pytest.mark.parametrize(
    ("old", "new", "cosine"),
    [
        ("Henrik is my boss", "Henrik moved the supplier report to next Wednesday", 0.5),
        ("Priya is my wife", "Priya changed the dinner to 8pm on Friday", 0.5),
        ("my daughter Lina plays the cello", "Lina moved to the front row", 0.6),
        ("that fifty-gallon's an RE350T6", "two forty-gallons at the church to swap on the 5th", 0.5),
        (
            "my partner Sam and I are looking at a flat in Altona, viewing on the 24th at 6pm",
            "we got the flat! moving in Nov 1st",
            0.6,
        ),
    ],
)
def test_a_shared_name_noun_or_measure_is_not_the_same_matter(
    memory: Memory, old: str, new: str, cosine: float
) -> None:
    one, other = memory.observe(old, session="a"), memory.observe(new, session="b")
    assert same_matter(one, other, cosine) == 0.0


def test_a_relation_is_not_earlier_than_a_line_of_no_slot(memory: Memory) -> None:
    boss = memory.remember("Henrik is User's boss", subject="User", predicate="manager", object="Henrik")
    report = memory.remember("Henrik moved the supplier report to Friday", subject="Henrik")
    assert same_matter(boss, report, 0.7) == 0.0
