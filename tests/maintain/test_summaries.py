"""Summaries of sessions, days and weeks, updated with later turns, and open items."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from omoide import Memory
from omoide.domain import Node
from omoide.errors import InvalidInput
from omoide.maintain import compress, summaries
from omoide.store.records import nodes
from tests.conftest import unsound
from tests.maintain.job_runs import (
    DEPLOY,
    MONDAY,
    SETTINGS,
    assert_dry_run_matches,
    assert_interruptible,
    run_jobs,
    talk,
)

DENTIST = (("user", "I'll call the dentist tomorrow."), ("agent", "Noted."))
CALLED = (("user", "I called the dentist, the appointment is on Friday."), ("agent", "Good."))
VISA = (("user", "I need to renew my visa."), ("agent", "It takes six weeks."))
SAO_PAULO = replace(SETTINGS, time_zone="America/Sao_Paulo")


def tagged(memory: Memory, tag: str) -> list[Node]:
    return [node for node in memory.list(state="all", order="added") if tag in node.tags]


def test_an_ended_session_gets_a_summary(memory: Memory) -> None:
    talk(memory)
    assert run_jobs(memory, summaries.SUMMARIES_JOB, days=0.1) == []
    memory._store.sessions.end("s1", None)  # as a new session on the same channel does
    [step] = run_jobs(memory, summaries.SUMMARIES_JOB, days=0.1)
    assert step.verb == "summarised"
    assert "I hate Docker" in (memory.session("s1").summary or "")
    assert run_jobs(memory, summaries.SUMMARIES_JOB, days=0.1) == []


def test_a_given_summary_stays(memory: Memory) -> None:
    talk(memory)
    memory.end("s1", summary="We deployed.")
    assert run_jobs(memory, summaries.SUMMARIES_JOB, days=0.1) == []
    assert memory.session("s1").summary == "We deployed."


def test_sensitive_turns_are_not_in_a_session_summary(memory: Memory) -> None:
    talk(memory, [("user", "I have diabetes since 2019.")], sensitive=True)
    talk(memory, [("user", "I moved to Berlin.")])
    memory.end("s1")
    run_jobs(memory, summaries.SUMMARIES_JOB, days=0.1)
    assert memory.session("s1").summary == "User: I moved to Berlin."


def test_a_past_day_gets_one_summary_linked_to_its_sources(memory: Memory) -> None:
    talk(memory)
    run_jobs(memory, summaries.SUMMARIES_JOB, days=1)
    [daily] = tagged(memory, "daily")
    assert daily.details["day"] == "2026-02-09"
    assert "I hate Docker" in daily.text
    told = [each.episode.text for each in memory.explain(daily.id).evidence]
    assert "I hate Docker, let's never use it." in told
    assert "Great! Which plan are you on?" in told  # it stands before its answer
    assert run_jobs(memory, summaries.SUMMARIES_JOB, days=1) == []
    assert unsound(memory) == []


def test_today_is_not_summarised(memory: Memory) -> None:
    talk(memory)
    run_jobs(memory, summaries.SUMMARIES_JOB, days=0.5)
    assert tagged(memory, "daily") == []


def test_later_turns_of_a_day_are_added_to_its_summary(memory: Memory) -> None:
    talk(memory)
    run_jobs(memory, summaries.SUMMARIES_JOB, days=1)
    [before] = tagged(memory, "daily")
    talk(memory, [("user", "I moved to Berlin.")], session="s2", begun=MONDAY + timedelta(hours=3))
    [step] = [each for each in run_jobs(memory, summaries.SUMMARIES_JOB, days=2) if each.kind == "day"]
    [daily] = tagged(memory, "daily")
    assert (step.verb, daily.id) == ("summarised again", before.id)
    assert "I moved to Berlin." in daily.text
    assert "I hate Docker" in daily.text
    assert memory.explain(daily.id).changes[-1]["before"]["text"] == before.text


def test_a_day_with_archived_turns_keeps_its_summary(memory: Memory) -> None:
    ids = talk(memory)
    run_jobs(memory, summaries.SUMMARIES_JOB, days=1)

    def archive(db: object) -> None:
        for id in ids:
            nodes.retire(db, id, "archived", 1)  # type: ignore[arg-type]

    memory._store._file.write(archive)
    assert run_jobs(memory, summaries.SUMMARIES_JOB, days=2) == []
    talk(memory, [("user", "I moved to Berlin.")], session="s2", begun=MONDAY + timedelta(hours=3))
    run_jobs(memory, summaries.SUMMARIES_JOB, days=3)
    [daily] = tagged(memory, "daily")
    assert "I moved to Berlin." in daily.text
    assert "I hate Docker" in daily.text


def test_a_day_begins_at_the_users_own_midnight(memory: Memory) -> None:
    late = MONDAY.replace(hour=1)  # still Sunday evening in São Paulo
    talk(memory, [("user", "I moved to Berlin.")], begun=late)
    run_jobs(memory, summaries.SUMMARIES_JOB, days=1, settings=SAO_PAULO)
    [daily] = tagged(memory, "daily")
    assert daily.details["day"] == "2026-02-08"


def test_an_unknown_time_zone_is_refused(memory: Memory) -> None:
    talk(memory)
    with pytest.raises(InvalidInput, match="unknown time zone 'Berlin'"):
        run_jobs(memory, summaries.SUMMARIES_JOB, days=1, settings=replace(SETTINGS, time_zone="Berlin"))


def test_private_and_shared_turns_get_separate_summaries(memory: Memory) -> None:
    talk(memory, [("user", "The release is on Friday the 13th.")], audience="shared")
    talk(memory, [("user", "I earn 70,000 euros a year.")])
    run_jobs(memory, summaries.SUMMARIES_JOB, days=8)
    told = {(node.tags[0], node.audience): node.text for node in (*tagged(memory, "daily"), *tagged(memory, "weekly"))}
    assert told == {
        ("daily", "shared"): "User: The release is on Friday the 13th.",
        ("daily", "private"): "User: I earn 70,000 euros a year.",
        ("weekly", "shared"): "User: The release is on Friday the 13th.",
        ("weekly", "private"): "User: I earn 70,000 euros a year.",
    }


def test_a_weekly_summary_lists_open_items(memory: Memory) -> None:
    dentist, _ = talk(memory, DENTIST)
    visa, _ = talk(memory, VISA, session="s2", begun=MONDAY + timedelta(days=1))
    [asked] = talk(memory, [("agent", "Which airport do you prefer?")], session="s3", begun=MONDAY + timedelta(days=2))
    run_jobs(memory, summaries.SUMMARIES_JOB, days=7)
    [weekly] = tagged(memory, "weekly")
    assert weekly.details["week"] == "2026-W07"
    assert f"- I'll call the dentist tomorrow. [id:{dentist}]" in weekly.text
    assert f"- I need to renew my visa. [id:{visa}]" in weekly.text
    assert f"- Which airport do you prefer? [id:{asked}]" in weekly.text


def test_an_item_reported_done_is_closed(memory: Memory) -> None:
    talk(memory, DENTIST)
    talk(memory, CALLED, session="s2", begun=MONDAY + timedelta(days=1))
    run_jobs(memory, summaries.SUMMARIES_JOB, days=7)
    [weekly] = tagged(memory, "weekly")
    assert "Still open" not in weekly.text


def test_an_item_reported_done_in_a_later_week_is_closed(memory: Memory) -> None:
    talk(memory, DENTIST)
    run_jobs(memory, summaries.SUMMARIES_JOB, days=7)
    talk(memory, CALLED, session="s2", begun=MONDAY + timedelta(days=8))
    run_jobs(memory, summaries.SUMMARIES_JOB, days=9)
    [weekly] = tagged(memory, "weekly")
    assert "dentist" in weekly.text
    assert "Still open" not in weekly.text
    assert run_jobs(memory, summaries.SUMMARIES_JOB, days=9) == []


@pytest.mark.parametrize("days", range(68, 80))
def test_a_week_long_ago_keeps_all_of_its_days(memory: Memory, days: int) -> None:
    talk(memory, DENTIST)
    talk(memory, VISA, session="s2", begun=MONDAY + timedelta(days=3))
    run_jobs(memory, summaries.SUMMARIES_JOB, days=7)
    [weekly] = tagged(memory, "weekly")
    assert run_jobs(memory, summaries.SUMMARIES_JOB, days=days) == []
    assert tagged(memory, "weekly") == [weekly]


def test_the_current_week_waits_and_a_known_week_stays(memory: Memory) -> None:
    talk(memory, DENTIST)
    run_jobs(memory, summaries.SUMMARIES_JOB, days=6)
    assert tagged(memory, "weekly") == []
    run_jobs(memory, summaries.SUMMARIES_JOB, days=7)
    assert len(tagged(memory, "weekly")) == 1
    assert run_jobs(memory, summaries.SUMMARIES_JOB, days=8) == []


def test_daily_and_weekly_summaries_are_found_by_tag(memory: Memory) -> None:
    ids = talk(memory, VISA)
    run_jobs(memory, summaries.SUMMARIES_JOB, days=7)
    [daily], [weekly] = tagged(memory, "daily"), tagged(memory, "weekly")
    assert {hit.id for hit in memory.recall("visa").hits} <= set(ids)
    assert [hit.id for hit in memory.recall("visa", tags=["daily"]).hits] == [daily.id]
    assert [hit.id for hit in memory.recall("what is still open?", tags=["weekly"]).hits] == [weekly.id]


def filled(memory: Memory) -> None:
    talk(memory)
    memory.end("s1")
    talk(memory, DENTIST, session="s2", begun=MONDAY + timedelta(days=1))
    talk(memory, VISA, session="s3", begun=MONDAY + timedelta(days=2), audience="shared")
    talk(memory, CALLED, session="s4", begun=MONDAY + timedelta(days=8))


def test_summarising_can_be_interrupted_at_any_step(tmp_path: Path) -> None:
    assert_interruptible(tmp_path, filled, summaries.SUMMARIES_JOB, days=15)


def test_a_dry_run_of_summarising_writes_nothing(tmp_path: Path) -> None:
    assert_dry_run_matches(tmp_path, filled, summaries.SUMMARIES_JOB, days=15)


def test_summaries_and_compression_do_not_interfere(memory: Memory) -> None:
    talk(memory, DEPLOY)
    memory.end("s1")
    run_jobs(
        memory, summaries.SUMMARIES_JOB, compress.COMPRESS_JOB, summaries.SUMMARIES_JOB, compress.COMPRESS_JOB, days=8
    )
    assert len(tagged(memory, "daily")) == 1
    assert len(tagged(memory, "auto-compression")) == 1
    assert memory.learn().turns == 0
    assert unsound(memory) == []
