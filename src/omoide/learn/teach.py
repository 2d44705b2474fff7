"""A run of learning as the settings want it: by rules, and by a language model where there is one."""

from __future__ import annotations

from collections.abc import Iterable

from omoide.config import Settings
from omoide.learn.consolidate import STRETCH, Progress, Teacher
from omoide.learn.enrich import Describe, Enrichment
from omoide.learn.joined import Joined
from omoide.learn.proposal import Extractor
from omoide.learn.report import Report
from omoide.learn.rules import Rules
from omoide.providers.languagemodel import LanguageModel
from omoide.store import Store


def learn(
    store: Store,
    settings: Settings,
    model: LanguageModel | None,
    sessions: Iterable[str],
    progress: Progress | None = None,
    stretch: int = STRETCH,
) -> Report:
    told = enrichment(settings, model)
    return Teacher(store, extractor_of(settings, model), settings.decay_rate_default, told, stretch).learn(
        sessions, progress
    )


def extractor_of(settings: Settings, model: LanguageModel | None) -> Extractor:
    """What reads a conversation, as the settings want it."""
    rules = Rules(settings.causal_inference_batch_size)
    if model is None:
        return rules
    from omoide.learn.model.extractor import ModelExtractor

    return Joined(ModelExtractor.of(model, settings), rules)


def enrichment(settings: Settings, model: LanguageModel | None) -> Enrichment:
    batch = max(1, settings.entity_enrichment_batch_size)
    described = None if model is None else _describing(settings, model)
    return Enrichment(settings.entity_enrichment_min_mentions, batch, described)


def _describing(settings: Settings, model: LanguageModel) -> Describe:
    from omoide.learn.model.enrich import describe

    return lambda entity, facts: describe(
        model, entity.name, entity.type, [fact.text for fact in facts], repairs=settings.llm_repairs
    )
