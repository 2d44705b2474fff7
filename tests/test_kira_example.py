"""Kira-R's end-to-end example: "Can you deploy the Kira app like we did last time?", with the memories it names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from omoide import Memory
from omoide.clock import to_micros
from tests.conftest import NOW, counted, ticking

QUESTION = "Can you deploy the Kira app like we did last time?"
DEPLOYED = "Deployed Kira to Vercel using edge functions successfully"
CONFIGURED = "Configured vercel.json for edge runtime"
DOCKER = "Otto dislikes Docker"
PLAN = "Kira runs on Vercel hobby plan"
PROCEDURE = "Deploy to Vercel"
pytestmark = pytest.mark.minilm


@pytest.fixture
def kira(tmp_path: Path) -> Iterator[Memory]:
    start = to_micros(NOW - timedelta(days=3))
    with Memory(tmp_path / "kira.db", clock=ticking(start), ids=counted()) as memory:
        filled(memory)
        memory.flush()
        yield memory


def filled(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person", description="Kira's creator and primary user")
    memory.graph.entity("Kira", type="project", description="AI partner product, deployed on Vercel")
    memory.graph.relate("Kira", "deployed_on", "Vercel")
    memory.graph.relate("Kira", "uses", "edge functions")
    memory.graph.relate("Otto", "works_on", "Kira")
    then = NOW - timedelta(days=3)
    memory.observe("Let's ship the new version today", session="s1", at=then)
    memory.observe(DEPLOYED, role="agent", session="s1", outcome="success", at=then + timedelta(minutes=5))
    memory.observe(CONFIGURED, role="agent", session="s1", outcome="success", at=then + timedelta(minutes=9))
    memory.observe("Push to prod only after the tests are green", session="s1", at=then + timedelta(minutes=12))
    for number, text in enumerate(("Booked the dentist", "Bought bread", "Called grandma", "Read about the moon")):
        memory.observe(text, session="s2", at=NOW - timedelta(days=12, minutes=number))
    memory.remember(DOCKER, subject="Otto", predicate="dislikes", object="Docker", confidence=0.95, at=then)
    memory.remember(PLAN, subject="Kira", predicate="runs_on", object="Vercel hobby plan", confidence=0.9, at=then)
    memory.remember(
        PROCEDURE,
        kind="procedure",
        name=PROCEDURE,
        trigger="user asks to deploy",
        steps=["Check vercel.json", "run tests", "vercel --prod", "verify URL", "tell Otto"],
        confidence=0.8,
        at=then,
    )
    memory.remember("Keep answers short", kind="preference", category="communication", name="verbosity", strength=0.9)


@pytest.mark.parametrize("recipe", ["everyday", "kira"])
def test_the_five_that_the_seed_names_are_found(kira: Memory, recipe: str) -> None:
    found = kira.recall(QUESTION, at=NOW, recipe=recipe, limit=11).texts  # three are relations
    assert {DEPLOYED, CONFIGURED, DOCKER, PLAN, PROCEDURE} <= set(found)


def test_what_says_ship_or_prod_is_found_by_its_meaning(kira: Memory) -> None:
    hits = {hit.text: hit.arms for hit in kira.recall(QUESTION, at=NOW)}
    assert "vector" in hits["Let's ship the new version today"]


def test_the_dislike_is_reached_through_the_graph(kira: Memory) -> None:
    hit = next(hit for hit in kira.recall(QUESTION, at=NOW).hits if hit.text == DOCKER)
    assert "by way of Kira ← works_on ← Otto" in hit.why


def test_the_pack_has_the_parts_of_the_seeds_example(kira: Memory) -> None:
    lines = kira.context(QUESTION, at=NOW, budget=850).markdown.splitlines()
    start = [line.rsplit(" [id:", 1)[0] for line in lines]
    assert start.index("### Preferences") < start.index("- Keep answers short") < start.index("### Known")
    assert "- **Kira** (project): AI partner product, deployed on Vercel" in start
    assert f"- {DOCKER}" in start
    assert f"- {PLAN}" in start
    assert f"- agent: {DEPLOYED}" in start
    assert "- Kira uses edge functions" in start
    steps = "Check vercel.json → run tests → vercel --prod → verify URL → tell Otto"
    assert any(line.startswith(f"- {PROCEDURE}: {steps}") for line in start)
