"""A sentence or two about those who are spoken of often, out of what is known of them."""

from __future__ import annotations

from collections.abc import Iterator

from omoide.learn import teach
from omoide.learn.enrich import summed_up
from omoide.learn.report import Report
from omoide.maintain.job import Job, Step, Upkeep

_ALL = 1_000_000


def run(upkeep: Upkeep) -> Iterator[Step]:
    if upkeep.dry_run:
        yield from _foretold(upkeep)
        return
    for report in teach.enrichment(upkeep.settings, upkeep.language_model).batches(upkeep.store):
        yield from _steps(report)


JOB = Job("enrich", "people and things that are spoken of often get a summary", run)


def _steps(report: Report) -> Iterator[Step]:
    for entry in report.entries:
        yield Step("enriched", "entity", entry.text, None, entry.why)
    for note in report.notes:
        yield Step("kept", "entity", note, None, "the next run tries again")


def _foretold(upkeep: Upkeep) -> Iterator[Step]:
    """A dry run asks no model."""
    settings, model = upkeep.settings, upkeep.language_model
    most = _ALL if model is None else max(1, settings.entity_enrichment_batch_size)
    by = "" if model is None else f"; {model.name} would be asked"
    for each in upkeep.store.untold(settings.entity_enrichment_min_mentions, most):
        if each.facts and (summary := summed_up(each.entity, each.facts)) is not None:
            yield Step("enriched", "entity", summary, None, f"of {each.entity.name}{by}")
