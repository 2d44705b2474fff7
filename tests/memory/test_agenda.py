"""What memories say about coming and past days: stored with them, listed as an agenda, kept by every way of copying."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from omoide import Memory
from omoide.errors import InvalidInput
from omoide.learn.across_sessions import EntitySummarizer
from omoide.learn.learner import Learner
from omoide.learn.proposal import LearningConversation, Proposal, Quote, Statement
from tests.conftest import consented, inserted

JUNE = ("2026-06-01T00:00:00+00:00", "2026-07-01T00:00:00+00:00")


def rows(memory: Memory) -> list[tuple[str, str]]:
    """(first day, state) of the agenda of a year."""
    found = memory.agenda("2026-01-01T00:00:00+00:00", "2027-01-01T00:00:00+00:00")
    return [(f"{each.begins:%Y-%m-%d}", each.state) for each in found]


def test_a_turn_is_found_on_the_day_it_speaks_of(memory: Memory) -> None:
    turn = memory.observe("The dentist is on the 26th at 9:40.", session="s1")
    (entry,) = memory.agenda()
    assert (entry.id, entry.state, entry.when) == (turn.id, "coming", "2026-05-26 (Tue) 09:40")
    assert entry.text == "The dentist is on the 26th at 9:40."


def test_a_report_is_past(memory: Memory) -> None:
    memory.observe("I met Sara on the 1st.")
    assert rows(memory) == [("2026-05-01", "past")]


def test_only_the_sentence_with_the_date_is_shown(memory: Memory) -> None:
    memory.observe("Busy week! The exam is on 12 June. Wish me luck.")
    (entry,) = memory.agenda(*JUNE)
    assert entry.text == "The exam is on 12 June."


def test_long_times_are_no_entries_of_a_short_span(memory: Memory) -> None:
    memory.observe("In 2026 I want to run a marathon.")
    memory.observe("We are in Rome from 3 to 9 June.")
    assert [each.words for each in memory.agenda(*JUNE)] == ["from 3 to 9 June"]


def test_what_an_agent_repeats_is_listed_once(memory: Memory) -> None:
    memory.observe("The launch is on 12 June.", session="s1")
    memory.observe("Noted: the launch is on 12 June.", role="agent", session="s1")
    assert len(memory.agenda(*JUNE)) == 1


def test_a_statement_stands_for_its_turn_and_a_moved_one_says_where_to(memory: Memory) -> None:
    turn = memory.observe("The dentist is on 9 June.", session="s1")
    old = inserted(memory, "User's dentist appointment is on 9 June", [turn.id])
    new = memory.correct(old.id, "User's dentist appointment is on 12 June")
    found = memory.agenda(*JUNE)
    assert [(each.id, each.state) for each in found] == [(old.id, "moved"), (new.id, "coming")]
    assert found.entries[0].replaced_by == new.id
    assert found.entries[0].moved_to == datetime(2026, 6, 12, tzinfo=UTC)
    assert found.entries[0].sources == (turn.id,)


def test_a_cancelled_one_is_marked(memory: Memory) -> None:
    old = inserted(memory, "User flies to Chennai on 9 June")
    memory.correct(old.id, "User does not fly to Chennai")
    assert rows(memory) == [("2026-06-09", "cancelled")]


def test_a_turn_that_cancels_is_marked(memory: Memory) -> None:
    memory.observe("The concert on 9 June got cancelled.")
    assert rows(memory) == [("2026-06-09", "cancelled")]


class Scripted:
    """An extractor that proposes one plan."""

    name = "scripted"

    def extract(self, conversation: LearningConversation) -> Proposal:
        plan = Statement(
            form="plan",
            subject="user",
            text="User sees the dentist on the 26th (2026-05-26)",
            quote=Quote(conversation.turns[0].id, "dentist is on the 26th"),
            confidence=0.9,
            matter="dentist",
            begins=datetime(2026, 5, 26, tzinfo=UTC),
            ends=datetime(2026, 5, 27, tzinfo=UTC),
        )
        return Proposal(statements=(plan,))


def test_a_learned_plan_has_the_time_of_its_turn(memory: Memory) -> None:
    turn = memory.observe("The dentist is on the 26th.", session="s1")
    memory.end("s1")
    Learner(memory._core.store, Scripted(), 0.0, EntitySummarizer(99, 10)).learn(["s1"])
    (entry,) = memory.agenda()
    assert (entry.kind, entry.words, entry.sources) == ("fact", "on the 26th", (turn.id,))


def test_archived_and_restored_memories_keep_their_times(memory: Memory) -> None:
    note = inserted(memory, "The lease ends on 12 June", kind="note")
    memory.admin.archive(note.id)
    assert rows(memory) == [("2026-06-12", "coming")]
    memory.admin.unarchive(note.id)
    assert rows(memory) == [("2026-06-12", "coming")]


def test_withdrawn_private_and_sensitive_ones_are_left_out(memory: Memory) -> None:
    inserted(memory, "The scan is on 12 June", sensitive=True)
    assert not memory.agenda(*JUNE)
    assert len(memory.agenda(*JUNE, consent=consented(memory))) == 1
    assert not memory.agenda(*JUNE, audience="shared", consent=consented(memory))


def test_an_updated_text_has_new_times(memory: Memory) -> None:
    note = inserted(memory, "The lease ends on 12 June", kind="note")
    memory.review.update(note.id, "The lease ends on 20 June")
    assert rows(memory) == [("2026-06-20", "coming")]


def test_erased_ones_leave_nothing(memory: Memory) -> None:
    turn = memory.observe("The surprise party is on 12 June.")
    receipt = memory.forget(turn.id)
    assert receipt.clean
    assert not memory.agenda(*JUNE)


def test_an_export_keeps_them(memory: Memory, tmp_path: Path) -> None:
    memory.observe("The launch is on 12 June.")
    memory.admin.export(tmp_path / "all.jsonl")
    with Memory(tmp_path / "other.db", embedder=None) as other:
        other.admin.import_(tmp_path / "all.jsonl")
        other.admin.import_(tmp_path / "all.jsonl")
        assert [each.words for each in other.agenda(*JUNE)] == ["on 12 June"]


def test_the_span_must_be_a_span(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="until is not after since"):
        memory.agenda(JUNE[1], JUNE[0])


def read_calendar(text: str) -> list[dict[str, str]]:
    """The events of an iCalendar file, its lines unfolded."""
    assert text.endswith("END:VCALENDAR\r\n")
    lines = text.replace("\r\n ", "").split("\r\n")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    events: list[dict[str, str]] = []
    for line in lines:
        if line == "BEGIN:VEVENT":
            events.append({})
        elif events and ":" in line and line != "END:VEVENT":
            name, _, value = line.partition(":")
            events[-1][name] = value
    return events


def test_it_can_be_written_as_icalendar(memory: Memory) -> None:
    memory.observe("Dinner with Ana, Bob; and Çağla — the whole family comes, bring cake — is on 12 June at 19:30.")
    memory.observe("We are in Rome from 3 to 9 June.")
    memory.observe("The concert on 20 June got cancelled.")
    trip, dinner, concert = read_calendar(memory.agenda(*JUNE).icalendar)
    assert (trip["DTSTART;VALUE=DATE"], trip["DTEND;VALUE=DATE"]) == ("20260603", "20260610")
    assert dinner["DTSTART"] == "20260612T193000Z"
    assert dinner["SUMMARY"].startswith("Dinner with Ana\\, Bob\\; and Çağla")
    assert (trip["STATUS"], concert["STATUS"]) == ("CONFIRMED", "CANCELLED")


@pytest.mark.parametrize("name", ["since", "until"])
def test_a_wrong_time_is_named(memory: Memory, name: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{name}: 2027-11-01T00:00:00 has no time zone"):
        memory.agenda(**{"since": "2026-11-01T00:00:00Z", name: "2027-11-01"})


def test_a_bare_day_of_the_month_follows_the_date_before_it(memory: Memory) -> None:
    memory.observe("We fly to Crete on June 11, back on the 25th.", session="s1")
    memory.end("s1")
    memory.learn()
    assert rows(memory) == [("2026-06-11", "coming"), ("2026-06-25", "coming")]


@pytest.fixture
def in_stockholm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine's zone is that of Stockholm, two hours east in May."""
    with monkeypatch.context() as machine:
        machine.setenv("TZ", "Europe/Stockholm")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("in_stockholm")
@pytest.mark.parametrize(
    ("at", "expected"), [(None, "07:00"), ("2026-05-03T09:00:00-08:00", "17:00"), ("2026-05-03T09:00:00Z", "09:00")]
)
def test_a_learned_appointment_has_the_time_of_day_of_its_turn(memory: Memory, at: str | None, expected: str) -> None:
    memory.observe("I have the dentist on May 26 at 9:00.", session="s1", at=at)
    memory.end("s1")
    memory.learn()
    (entry,) = memory.agenda("2026-05-20T00:00:00Z", "2026-06-01T00:00:00Z")
    assert (entry.kind, f"{entry.begins:%H:%M}") == ("fact", expected)


@pytest.mark.usefixtures("in_stockholm")
def test_today_is_one_day_of_the_speaker(memory: Memory) -> None:
    memory.observe("I visited Ana in Oslo today.", session="s1")
    memory.end("s1")
    memory.learn()
    here = timezone(timedelta(hours=2))
    found = memory.agenda(datetime(2026, 5, 1, tzinfo=here), datetime(2026, 6, 1, tzinfo=here))
    assert [(each.kind, each.is_whole_day, (each.ends - each.begins).days) for each in found] == [("fact", True, 1)]
