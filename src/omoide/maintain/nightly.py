"""The jobs of a night in their order: learn before anything is made shorter, make shorter before anything is taken
away, and the backup last."""

from __future__ import annotations

from omoide.maintain import (
    backup,
    causes,
    compress,
    crashed,
    distil,
    enrich,
    expire,
    fade,
    forget,
    learn,
    narratives,
    orphans,
    prune,
    scrub,
    summaries,
    traces,
    twins,
)
from omoide.maintain.job import Job

JOBS: tuple[Job, ...] = (
    forget.JOB,
    crashed.JOB,
    learn.JOB,
    enrich.JOB,
    causes.JOB,
    narratives.JOB,
    summaries.JOB,
    compress.JOB,
    distil.JOB,
    twins.JOB,
    fade.JOB,
    expire.JOB,
    traces.JOB,
    prune.JOB,
    orphans.JOB,
    scrub.JOB,
    backup.JOB,
)
