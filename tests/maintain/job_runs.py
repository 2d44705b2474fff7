"""Runs jobs on conversations: to the end, interrupted at any step, or dry."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from omoide import Memory, settings
from omoide.clock import DAY, to_micros
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob
from tests.learn.whole import dump, opened

MONDAY = datetime(2026, 2, 9, 9, 30, tzinfo=UTC)
SETTINGS = settings.make_settings(time_zone="UTC")
OUTPUT = "Vercel CLI 33\n" + "building…\n" * 60 + "Deployed successfully to https://app.vercel.app\nDone in 41 s"
OPTIONS = (
    "Of course! There are three options: Docker, serverless functions and edge functions. Docker gives you the most "
    "control, but you would have to run a container registry and patch the images yourself. Serverless functions are "
    "simple. Edge functions answer close to your users. Which one would you like?"
)
DEPLOY: Sequence[tuple[str, str]] = (
    ("user", "Hi! Can you help me deploy the app to Vercel?"),
    ("agent", OPTIONS),
    ("user", "I hate Docker, let's never use it."),
    ("agent", "Understood. Let me know if you would like to see an example of the other two first."),
    ("user", "ok let's go with edge functions then"),
    ("tool:shell", OUTPUT),
    ("user", "It works, thanks!"),
    ("agent", "Great! Which plan are you on?"),
    ("user", "The hobby plan."),
)


# A turn that no short form keeps.
FILLER = ("user", "Hi! Hello! How are you? Thanks a lot! Thank you very much! Thank you! Good morning! See you! Bye!")


def talk(memory: Memory, turns: Sequence[tuple[str, str]] = DEPLOY, **given: Any) -> list[int]:
    """Says it from Monday morning on, a minute a turn; gives the ids."""
    session, begun = given.pop("session", "s1"), given.pop("begun", MONDAY)
    return [
        memory.observe(text, role=role, session=session, at=begun + timedelta(minutes=number), **given).id
        for number, (role, text) in enumerate(turns)
    ]


def job_context(memory: Memory, *, days: float, **given: Any) -> JobContext:
    """Some days after that Monday."""
    parts: dict[str, Any] = {"settings": SETTINGS} | given
    return JobContext(store=memory._store, now=to_micros(MONDAY) + int(days * DAY), **parts)


def run_jobs(memory: Memory, *jobs: MaintenanceJob, days: float, **given: Any) -> list[JobStep]:
    return [step for job in jobs for step in job.run(job_context(memory, days=days, **given))]


def assert_interruptible(
    folder: Path, fill: Callable[[Memory], object], job: MaintenanceJob, *, days: float, every: int = 1
) -> None:
    """A run left at any of its steps and begun again leaves the same file as a whole one; a third finds nothing."""
    path = str(folder / "whole.db")
    with opened(path) as memory:
        fill(memory)
    whole = str(shutil.copy(path, folder / "done.db"))
    with opened(whole, first_id=1_000) as memory:
        steps = run_jobs(memory, job, days=days)
        assert steps
        assert run_jobs(memory, job, days=days) == []
    for cut in sorted({*range(1, len(steps) + 1, every), len(steps)}):
        torn = str(shutil.copy(path, folder / "torn.db"))
        with opened(torn, first_id=1_000) as memory:
            left = job.run(job_context(memory, days=days))
            list(islice(left, cut))
            left.close()  # type: ignore[attr-defined]
        with opened(torn, first_id=2_000) as memory:
            run_jobs(memory, job, days=days)
        assert dump(torn) == dump(whole), f"left after step {cut}"


def assert_dry_run_matches(folder: Path, fill: Callable[[Memory], object], job: MaintenanceJob, *, days: float) -> None:
    """A dry run tells the steps of the run and writes nothing."""
    path = str(folder / "dry.db")
    with opened(path) as memory:
        fill(memory)
    before = dump(path)
    with opened(path, first_id=1_000) as memory:
        foretold = run_jobs(memory, job, days=days, dry_run=True)
    assert dump(path) == before
    with opened(path, first_id=1_000) as memory:
        done = run_jobs(memory, job, days=days)
    assert [(step.verb, step.kind, step.text) for step in foretold] == [(s.verb, s.kind, s.text) for s in done]
