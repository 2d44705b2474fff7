"""The learning jobs: pending sessions, entity summaries, causes."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide import Memory
from omoide.maintain import learning_jobs
from tests.learn.whole import dump, fill, opened
from tests.maintain.job_runs import assert_dry_run_matches, assert_interruptible, run_jobs, talk

ANNA = (
    ("user", "My sister Anna is a nurse."),
    ("user", "Anna lives in Denver."),
    ("user", "Anna likes chess."),
)
ROLLBACK = (("agent", "The deploy failed with exit code 1."), ("user", "That's why we had to roll back the release."))


def spoken_of(memory: Memory) -> None:
    talk(memory, ANNA)
    memory.end("s1")
    memory.learn()
    memory._store._file.write(lambda db: db.execute("UPDATE entity SET summary = NULL, attributes = '{}'").fetchall())


def rolled_back(memory: Memory) -> None:
    talk(memory, ROLLBACK)
    talk(memory, ROLLBACK, session=None)


def test_ended_sessions_are_learned_from(memory: Memory) -> None:
    talk(memory, ANNA)
    memory.end("s1")
    steps = run_jobs(memory, learning_jobs.LEARN_JOB, days=1)
    assert "learned" in {step.verb for step in steps}
    assert all(step.why for step in steps)
    assert memory.session("s1").learning == "learned"
    assert run_jobs(memory, learning_jobs.LEARN_JOB, days=1) == []


def test_entities_mentioned_often_get_a_summary(memory: Memory) -> None:
    spoken_of(memory)
    [step] = run_jobs(memory, learning_jobs.ENRICH_JOB, days=1)
    assert (step.verb, step.why) == ("enriched", "of Anna")
    assert memory.graph.entity("Anna").summary == step.text
    assert "Denver" in step.text
    assert run_jobs(memory, learning_jobs.ENRICH_JOB, days=1) == []


def test_consecutive_turns_are_linked_as_cause_and_effect(memory: Memory) -> None:
    failed, rolled = talk(memory, ROLLBACK)
    [step] = run_jobs(memory, learning_jobs.CAUSES_JOB, days=1)
    assert step.text == f"[id:{failed}] → [id:{rolled}]"
    [edge] = [edge for edge in memory.graph.links(rolled) if edge.type == "causal"]
    assert (edge.source_id, edge.target_id) == (failed, rolled)
    assert run_jobs(memory, learning_jobs.CAUSES_JOB, days=1) == []


def test_turns_outside_of_any_session_are_linked_too(memory: Memory) -> None:
    talk(memory, ROLLBACK, session=None)
    assert [step.verb for step in run_jobs(memory, learning_jobs.CAUSES_JOB, days=1)] == ["linked"]


def test_links_made_by_learning_are_not_reported_again(memory: Memory) -> None:
    talk(memory, ROLLBACK)
    memory.end("s1")
    memory.learn()
    assert run_jobs(memory, learning_jobs.CAUSES_JOB, days=1) == []


def test_a_later_turn_is_linked_with_the_one_before(memory: Memory) -> None:
    [failed] = talk(memory, ROLLBACK[:1])
    assert run_jobs(memory, learning_jobs.CAUSES_JOB, days=1) == []
    [rolled] = talk(memory, ROLLBACK[1:])
    [step] = run_jobs(memory, learning_jobs.CAUSES_JOB, days=1)
    assert step.text == f"[id:{failed}] → [id:{rolled}]"


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.long)])
def test_learning_can_be_interrupted_at_any_step(tmp_path: Path, every: int) -> None:
    assert_interruptible(tmp_path, fill, learning_jobs.LEARN_JOB, days=100, every=every)


def test_enriching_can_be_interrupted_at_any_step(tmp_path: Path) -> None:
    assert_interruptible(tmp_path, spoken_of, learning_jobs.ENRICH_JOB, days=1)


def test_linking_causes_can_be_interrupted_at_any_step(tmp_path: Path) -> None:
    assert_interruptible(tmp_path, rolled_back, learning_jobs.CAUSES_JOB, days=1)


def test_a_dry_run_of_learning_writes_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "dry.db")
    with opened(path) as memory:
        fill(memory)
    before = dump(path)
    with opened(path, first_id=1_000) as memory:
        foretold = run_jobs(memory, learning_jobs.LEARN_JOB, days=100, dry_run=True)
        assert [step.text for step in foretold] == memory._store.learning.pending_sessions()
    assert dump(path) == before


def test_a_dry_run_of_enriching_writes_nothing(tmp_path: Path) -> None:
    assert_dry_run_matches(tmp_path, spoken_of, learning_jobs.ENRICH_JOB, days=1)


def test_a_dry_run_of_linking_causes_writes_nothing(tmp_path: Path) -> None:
    assert_dry_run_matches(tmp_path, rolled_back, learning_jobs.CAUSES_JOB, days=1)
