"""Turns are compressed into episodes and these into sentences; the turns can still be read."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from omoide import Memory
from omoide.clock import to_micros
from omoide.domain import Node
from omoide.language.tokens import estimate
from omoide.maintain import compress
from omoide.maintain.job import MaintenanceJob
from omoide.providers.protocols import Completion, CompletionRequest, ModelCallFailed, TokenPrice
from omoide.store.records import nodes
from tests.conftest import Ticking, unsound, viewed_with_consent
from tests.maintain.job_runs import (
    DEPLOY,
    FILLER,
    MONDAY,
    SETTINGS,
    assert_dry_run_matches,
    assert_interruptible,
    job_context,
    run_jobs,
    talk,
)


def condensed(memory: Memory) -> list[Node]:
    held = viewed_with_consent(memory).list(state="all", order="added")
    return [node for node in held if node.kind == "episode" and node.attributes["compression"] != "raw"]


def found(memory: Memory, question: str, **given: Any) -> list[int]:
    return [hit.id for hit in memory.recall(question, **given).hits]


def archive(memory: Memory, *ids: int, at: int = 1) -> None:
    """What the expiring of raw turns does to them, by hand."""

    def retire(db: Any) -> None:
        for id in ids:
            nodes.retire(db, id, "archived", at)

    memory._store._file.write(retire)


def test_turns_older_than_a_day_become_one_episode_of_at_most_half_the_tokens(memory: Memory) -> None:
    talk(memory)
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    [node] = condensed(memory)
    assert node.attributes["compression"] == "compressed"
    assert "I hate Docker, let's never use it." in node.text
    assert "edge functions" in node.text
    assert "Deployed successfully" in node.text
    assert "hobby plan" in node.text
    assert node.token_count == estimate(node.text)
    raw = sum(estimate(text) for _, text in DEPLOY)
    assert node.token_count <= 0.5 * raw


def test_the_step_reports_tokens_before_and_after(memory: Memory) -> None:
    talk(memory)
    [learned, step] = run_jobs(memory, compress.COMPRESS_JOB, days=2)
    [node] = condensed(memory)
    raw = sum(estimate(text) for _, text in DEPLOY)
    assert (learned.verb, step.verb, step.id) == ("learned", "compressed", node.id)
    assert step.why.startswith(f"9 turns, {raw} → {node.token_count} tokens (")
    assert step.why.endswith("% fewer), by rules")


def test_a_turn_that_does_not_get_shorter_is_not_stored_again(memory: Memory) -> None:
    talk(memory, [("user", "I moved to Berlin.")])
    assert [step.verb for step in run_jobs(memory, compress.COMPRESS_JOB, days=2)] == ["learned"]
    assert condensed(memory) == []
    assert run_jobs(memory, compress.COMPRESS_JOB, days=3) == []
    assert memory.recall("Where did I move?").texts == ["I moved to Berlin."]


def test_turns_of_today_are_not_compressed(memory: Memory) -> None:
    talk(memory)
    assert run_jobs(memory, compress.COMPRESS_JOB, days=0.9) == []


def test_a_file_over_its_limit_is_compressed_at_once(memory: Memory) -> None:
    talk(memory)
    assert run_jobs(memory, MaintenanceJob("compress", "now", compress.compress_now), days=0.1)
    assert len(condensed(memory)) == 1


def test_facts_are_learned_before_turns_are_compressed(memory: Memory) -> None:
    talk(memory, [("user", "I live in Berlin."), ("agent", "Nice.")])
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    assert "User lives in Berlin" in [node.text for node in memory.list(state="all", order="added")]


def test_a_summary_is_not_a_turn_of_its_session(memory: Memory) -> None:
    talk(memory)
    memory.end("s1")
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    session = memory.session("s1")
    assert (session.episode_count, session.is_open, session.learning) == (len(DEPLOY), False, "learned")
    assert memory.learn("s1").turns == 0
    assert unsound(memory) == []


def test_the_turns_of_a_summary_can_be_read(memory: Memory) -> None:
    talk(memory)
    run_jobs(memory, compress.COMPRESS_JOB, compress.SHORTEN_JOB, days=2)
    run_jobs(memory, compress.SHORTEN_JOB, days=400)
    [node] = condensed(memory)
    assert [each.episode.text for each in memory.explain(node.id).evidence] == [text for _, text in DEPLOY]


def test_a_long_session_is_split_at_pauses(memory: Memory) -> None:
    talk(memory, DEPLOY)
    talk(memory, [("user", "I moved to Berlin."), ("agent", "Congratulations!")], begun=MONDAY + timedelta(hours=5))
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    deploy, berlin = condensed(memory)
    assert "Berlin" not in deploy.text
    assert berlin.text == "User: I moved to Berlin."
    assert berlin.event_at == MONDAY + timedelta(hours=5)


def test_a_long_segment_is_split_where_the_topic_changes(memory: Memory) -> None:
    bread = [("user", f"The sourdough bread needs flour and water, loaf {n}.") for n in range(20)]
    bikes = [("user", f"The bicycle wheel has a broken spoke, wheel {n}.") for n in range(20)]
    talk(memory, [*bread, *bikes])
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    first, second = condensed(memory)
    assert "bicycle" not in first.text
    assert "sourdough" not in second.text


def test_private_turns_never_enter_a_shared_summary(memory: Memory) -> None:
    talk(memory, [("user", "The release is on Friday the 13th."), FILLER], audience="shared")
    talk(memory, [("user", "I earn 70,000 euros a year."), FILLER], begun=MONDAY + timedelta(minutes=5))
    later = MONDAY + timedelta(minutes=10)
    talk(memory, [("user", "I have diabetes since 2019."), FILLER], sensitive=True, begun=later)
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    texts = {(node.audience, node.sensitive): node.text.splitlines()[0] for node in condensed(memory)}
    assert texts == {
        ("shared", False): "User: The release is on Friday the 13th.",
        ("private", False): "User: I earn 70,000 euros a year.",
        ("private", True): "User: I have diabetes since 2019.",
    }


def test_a_summary_has_the_lowest_origin_and_highest_importance(memory: Memory) -> None:
    talk(memory, [("user", "Remember: the server is in Rome."), ("tool:shell", "Deployed to Rome in 3 s"), FILLER])
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    [node] = condensed(memory)
    assert (node.origin, node.importance, node.role) == ("tool:shell", 7, "system")


@pytest.mark.parametrize(("words", "days"), [("I moved to Berlin.", 90), ("I always move to Berlin.", None)])
def test_a_compressed_episode_stays_ninety_days_and_an_important_one_forever(
    memory: Memory, words: str, days: int | None
) -> None:
    talk(memory, [("user", words), FILLER])
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    [node] = condensed(memory)
    assert node.expires_at == (None if days is None else MONDAY + timedelta(days=days + 2))


def test_live_turns_are_recalled_instead_of_their_summary(memory: Memory) -> None:
    ids = talk(memory)
    before = found(memory, "Docker")
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    [node] = condensed(memory)
    assert {id for id in found(memory, "Docker") if id in ids} == set(before)
    assert node.id not in found(memory, "Docker")
    assert node.id not in found(memory, "what happened?", recipe="session_start")


def test_a_summary_is_recalled_where_its_turns_are_not(memory: Memory) -> None:
    ids = talk(memory)
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    [node] = condensed(memory)
    archive(memory, *ids)
    assert node.id not in found(memory, "hobby plan Vercel edge functions")
    assert node.id in found(memory, "hobby plan Vercel edge functions", archive=False)
    assert node.id in found(memory, "edge functions", session="s1", archive=False)


def test_a_summary_is_found_by_its_tag(memory: Memory) -> None:
    talk(memory)
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    [node] = condensed(memory)
    assert found(memory, "Docker", tags=["auto-compression"]) == [node.id]


def test_after_a_week_a_summary_is_shortened_and_its_text_kept_in_history(memory: Memory) -> None:
    talk(memory)
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    [longer] = condensed(memory)
    [step] = run_jobs(memory, compress.SHORTEN_JOB, days=400)
    [node] = condensed(memory)
    assert (node.id, node.attributes["compression"], node.expires_at) == (longer.id, "distilled", None)
    assert "I hate Docker" in node.text
    assert node.token_count <= 40
    assert memory.explain(node.id).changes[-1]["before"]["text"] == longer.text
    assert f"{longer.token_count} compressed → {node.token_count} tokens" in step.why
    assert run_jobs(memory, compress.SHORTEN_JOB, days=401) == []


def test_a_summary_is_not_distilled_before_its_week_is_over(memory: Memory) -> None:
    talk(memory)
    recorded = run_jobs(memory, compress.COMPRESS_JOB, days=2)
    assert recorded
    [node] = condensed(memory)
    after = (node.recorded_at - MONDAY) / timedelta(days=1)
    assert run_jobs(memory, compress.SHORTEN_JOB, days=after + 6.9) == []
    assert run_jobs(memory, compress.SHORTEN_JOB, days=after + 7.1)


def test_later_turns_of_a_compressed_session_get_their_own_summary(memory: Memory) -> None:
    talk(memory)
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    talk(memory, [("user", "I moved to Berlin."), FILLER], begun=MONDAY + timedelta(days=3))
    run_jobs(memory, compress.COMPRESS_JOB, days=5)
    assert [node.text.splitlines()[0] for node in condensed(memory)][1:] == ["User: I moved to Berlin."]


def test_turns_outside_of_sessions_are_compressed_too(memory: Memory) -> None:
    talk(memory, [("user", "I moved to Berlin."), FILLER], session=None)
    [step] = run_jobs(memory, compress.COMPRESS_JOB, days=2)
    assert step.verb == "compressed"


def test_a_session_of_greetings_gets_no_summary(memory: Memory) -> None:
    talk(memory, [("user", "Hi!"), ("agent", "Hello there!")])
    assert [step.verb for step in run_jobs(memory, compress.COMPRESS_JOB, days=2)] == ["learned"]
    assert run_jobs(memory, compress.COMPRESS_JOB, days=2) == []


def test_a_clock_jump_changes_no_summary(memory: Memory) -> None:
    talk(memory)
    assert run_jobs(memory, compress.COMPRESS_JOB, compress.SHORTEN_JOB, days=-400) == []
    assert run_jobs(memory, compress.COMPRESS_JOB, days=366)
    assert run_jobs(memory, compress.COMPRESS_JOB, days=2) == []
    assert len(condensed(memory)) == 1


def test_a_summary_does_not_count_as_a_mention(memory: Memory) -> None:
    talk(memory, [("user", "My sister Anna lives in Denver."), FILLER])
    memory.end("s1")
    memory.learn()
    before, spoken = memory.graph.entity("Anna").mention_count, memory.graph.timeline("Anna")
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    assert len(condensed(memory)) == 1
    assert memory.graph.entity("Anna").mention_count == before
    assert [each.id for each in memory.graph.timeline("Anna")] == [each.id for each in spoken]
    archive(memory, 1)
    assert [each.id for each in memory.graph.timeline("Anna")] == [each.id for each in spoken]


def test_as_of_an_earlier_time_the_turns_are_recalled(memory: Memory) -> None:
    ids = talk(memory)
    run_jobs(memory, compress.COMPRESS_JOB, days=2)
    [node] = condensed(memory)
    then = node.recorded_at
    archive(memory, *ids, at=to_micros(then + timedelta(days=9)))
    asked = found(memory, "hobby plan", as_of=then + timedelta(days=1), at=then + timedelta(days=1))
    assert node.id not in asked
    assert ids[-1] in asked


def test_a_session_that_cannot_be_learned_from_is_kept_as_it_is(memory: Memory) -> None:
    talk(memory, [("user", "I live in Berlin.")])
    [kept] = run_jobs(memory, compress.COMPRESS_JOB, days=2, language_model=Broken())
    assert (kept.verb, kept.text) == ("kept", "s1")
    assert "it could not be learned from yet" in kept.why
    assert condensed(memory) == []


class Broken:
    """A language model that cannot be reached."""

    name = "broken"

    def price(self, operation: str) -> TokenPrice | None:
        return None

    def complete(self, request: CompletionRequest) -> Completion:
        raise ModelCallFailed("broken: nobody answers")


@settings(max_examples=25)
@given(some.lists(some.text(min_size=1, max_size=60).filter(str.strip), min_size=1, max_size=6))
def test_any_compressed_turns_can_be_read(texts: list[str]) -> None:
    said = [text.replace("\0", " ") for text in texts]
    with Memory(":memory:", embedder=None, clock=Ticking()) as memory:
        kept = [memory.get(id).text for id in talk(memory, [*(("user", f"{text}. I moved.") for text in said), FILLER])]
        run_jobs(memory, compress.COMPRESS_JOB, days=2)
        run_jobs(memory, compress.SHORTEN_JOB, days=400)
        told = [each.episode.text for node in condensed(memory) for each in memory.explain(node.id).evidence]
        assert sorted(told) == sorted(kept)


def filled(memory: Memory) -> None:
    talk(memory)
    talk(memory, [("user", "I moved to Berlin."), FILLER], session="s2")
    talk(memory, [("user", "I earn 70,000 euros a year."), FILLER], session="s2", audience="shared")
    talk(memory, [("user", "My sister Anna lives in Denver."), FILLER], session=None)


def compressed(memory: Memory) -> None:
    filled(memory)
    run_jobs(memory, compress.COMPRESS_JOB, days=2)


def test_compressing_can_be_interrupted_at_any_step(tmp_path: Path) -> None:
    assert_interruptible(tmp_path, filled, compress.COMPRESS_JOB, days=2)


def test_distilling_can_be_interrupted_at_any_step(tmp_path: Path) -> None:
    assert_interruptible(tmp_path, compressed, compress.SHORTEN_JOB, days=400)


def test_a_dry_run_of_compressing_writes_nothing(tmp_path: Path) -> None:
    assert_dry_run_matches(tmp_path, filled, compress.COMPRESS_JOB, days=2)


def test_a_dry_run_of_distilling_writes_nothing(tmp_path: Path) -> None:
    assert_dry_run_matches(tmp_path, compressed, compress.SHORTEN_JOB, days=400)


def test_two_concurrent_runs_compress_once(memory: Memory) -> None:
    talk(memory)
    first, second = (compress.COMPRESS_JOB.run(job_context(memory, days=2)) for _ in range(2))
    assert next(first).verb == "learned"
    assert list(second)
    assert list(first) == []
    assert len(condensed(memory)) == 1


def test_settings_control_when_turns_are_compressed(memory: Memory) -> None:
    from dataclasses import replace

    talk(memory)
    assert run_jobs(memory, compress.COMPRESS_JOB, days=0.5, settings=replace(SETTINGS, compress_after_hours=6))
