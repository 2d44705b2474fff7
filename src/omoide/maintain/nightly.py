"""The jobs of a night in their order: first learn, then make shorter, and the backup last."""

from __future__ import annotations

from omoide.maintain import backup, learn, scrub
from omoide.maintain.job import Job

JOBS: tuple[Job, ...] = (
    learn.JOB,
    scrub.JOB,
    backup.JOB,
)
