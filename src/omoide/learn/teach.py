"""A run of learning as the settings want it: by rules, and by a language model where there is one."""

from __future__ import annotations

from collections.abc import Iterable

from omoide.config import Settings
from omoide.learn.consolidate import Progress, Teacher
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
) -> Report:
    rules = Rules(settings.causal_inference_batch_size)
    extractor: Extractor = rules
    enrichment = _enrichment(settings)
    if model is not None:
        extractor, enrichment = _by(model, rules, settings)
    return Teacher(store, extractor, settings.decay_rate_default, enrichment).learn(sessions, progress)


def extractor_of(settings: Settings, model: LanguageModel | None) -> Extractor:
    """What reads a conversation, as the settings want it."""
    rules = Rules(settings.causal_inference_batch_size)
    return rules if model is None else _by(model, rules, settings)[0]


def _by(model: LanguageModel, rules: Rules, settings: Settings) -> tuple[Extractor, Enrichment]:
    from omoide.learn.model.enrich import describe
    from omoide.learn.model.extractor import ModelExtractor

    enrichment = _enrichment(
        settings,
        lambda entity, facts: describe(
            model, entity.name, entity.type, [fact.text for fact in facts], repairs=settings.llm_repairs
        ),
    )
    return Joined(ModelExtractor.of(model, settings), rules), enrichment


def _enrichment(settings: Settings, describe: Describe | None = None) -> Enrichment:
    batch = max(1, settings.entity_enrichment_batch_size)
    return Enrichment(settings.entity_enrichment_min_mentions, batch, describe)
