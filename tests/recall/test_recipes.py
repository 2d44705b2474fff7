"""The recipes: each formula against numbers computed by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from omoide import Memory, Settings
from omoide.domain import KINDS
from omoide.errors import InvalidInput
from omoide.recall.pipeline import search
from omoide.recall.question import Query, RecallQuestion, understand
from omoide.recall.question_cues import COMPLEX, Intent
from omoide.recall.recipes import RECIPES, recipe_by_name
from omoide.recall.results import RecallTrace
from omoide.recall.search import ARMS, SearchSources
from omoide.store import NodeFilter, Store
from tests.conftest import NOW, Open, counted, ticking


class Given:
    """An embedder that was told every vector."""

    name = "given"
    dimensions = 2

    def __init__(self, cosines: Mapping[str, float]) -> None:
        self._cosines = cosines  # with the question, which points along the first axis

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found = [self._cosines.get(text, 0.0) for text in texts]
        return np.array([(cosine, math.sqrt(1 - cosine**2)) for cosine in found], dtype=np.float32)


def scores(memory: Memory, question: str, recipe: str) -> dict[str, float]:
    return {hit.text: hit.score for hit in memory.recall(question, recipe=recipe, at=NOW)}


def sources(path: str) -> SearchSources:
    return SearchSources(Store(path, ticking(), counted(), 5.0), None, lambda: 0, "no embedder was given")


def asked(text: str, recipe: str, **understood: object) -> Query:
    question = RecallQuestion(
        text=text, at=NOW, limit=None, filter=NodeFilter(), recipe=recipe_by_name(recipe, Settings())
    )
    return replace(understand(question, {}), **understood)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_names_only_arms_and_kinds_that_exist(name: str) -> None:
    recipe = RECIPES[name]
    for voice in (*recipe.arms, *recipe.follow_up_arms):
        assert voice.arm in ARMS
        assert set(voice.kinds) <= set(KINDS)


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_answers_any_question_with_what_it_may(memory: Memory, name: str) -> None:
    memory.observe("I prefer tea", session="s1")
    memory.remember("Otto dislikes Docker")
    for text in ("tea", "", '"', "What did we discuss yesterday?", "Otto docker skill"):
        memory.recall(text, recipe=name)
        memory.context(text, recipe=name)


# ── kira ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_kira_adds_reciprocal_ranks_from_one_with_k_sixty_and_boosts_them(opened: Open) -> None:
    near, far = "deploy the app to vercel", "deploy went wrong"
    memory = opened(embedder=Given({near: 0.5, far: 0.9, "deploy vercel": 1.0}))
    memory.observe(near, at=NOW - timedelta(hours=42))
    memory.observe(far, at=NOW - timedelta(hours=336))
    memory.flush()
    found = scores(memory, "deploy vercel", "kira")
    # words: near 1st, far 2nd; meaning: far 1st, near 2nd; importance 5 → 0.8 + 0.2 = 1; 42 of 168 hours → 1.75
    assert found[near] == pytest.approx((1 / 61 + 1 / 62) * 1.75 * 1.0)
    assert found[far] == pytest.approx((1 / 62 + 1 / 61) * 1.0 * 1.0)


def test_kira_gives_a_bonus_for_what_the_graph_reaches(memory: Memory) -> None:
    memory.graph.entity("Kira", type="project")
    memory.graph.entity("Vercel", type="tool")
    memory.graph.entity("Berlin", type="place")
    memory.graph.relate("Kira", "deployed_on", "Vercel", confidence=0.9)
    memory.graph.relate("Kira", "loves", "Berlin", confidence=0.3)  # not over 0.3: not walked
    memory.remember("Vercel bills by the month", confidence=0.8, importance=10, at=NOW - timedelta(days=30))
    memory.remember("Berlin is large", at=NOW - timedelta(days=30))
    found = scores(memory, "how is Kira?", "kira")
    # 0.02 × 1 / (1 + 0.5·1) × 0.8, then × 1 (a month old) × 1.2 (importance 10) × 0.8 (confidence)
    assert found["Vercel bills by the month"] == pytest.approx(0.02 / 1.5 * 0.8 * 1.2 * 0.8)
    assert found.keys() == {"Vercel bills by the month", "Kira is deployed on Vercel", "Kira loves Berlin"}


def test_kira_takes_the_twenty_best_of_each(memory: Memory) -> None:
    memory.observe_many([{"text": f"tea number {number}"} for number in range(30)])
    assert len(memory.recall("tea", recipe="kira", limit=30).hits) == 20


# ── koshi ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def bm25(length: int, average: float, rows: int, holding: int) -> float:
    """One word that stands once in a text: k1 = 1.2, b = 0.75, and a rarity that never reaches zero."""
    rarity = math.log(1 + (rows - holding + 0.5) / (holding + 0.5))
    return rarity * 2.2 / (1 + 1.2 * (0.25 + 0.75 * length / average))


def test_koshi_multiplies_bm25_by_usefulness_and_by_how_long_it_was_not_touched(opened: Open) -> None:
    memory = opened(clock=lambda: int((NOW - timedelta(days=50)).timestamp() * 1_000_000))
    useful = memory.remember("alpha beta")
    memory.remember("alpha gamma delta")
    memory.review.reinforce(useful.id)
    memory.review.demote(useful.id)
    found = scores(memory, "beta gamma", "koshi")
    # both untouched for 50 days → 1 / 1.5; the first was reinforced (+3) and demoted (-1)
    assert found["alpha beta"] == pytest.approx(bm25(2, 2.5, 2, 1) * math.exp(2 * 0.2) / 1.5)
    assert found["alpha gamma delta"] == pytest.approx(bm25(3, 2.5, 2, 1) / 1.5)


def test_koshi_asks_for_every_word_of_two_letters_and_no_address(memory: Memory) -> None:
    memory.remember("who")
    memory.remember("beta")
    memory.remember("example")
    memory.remember("x")
    found = memory.recall("who x alpha-beta https://example.com/x", recipe="koshi").texts
    assert sorted(found) == ["beta", "who"]


# ── yodoca ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_yodoca_fuses_words_meaning_and_entities_by_rank(opened: Open) -> None:
    memory = opened(embedder=Given({"tea is warm": 0.4, "coffee": 0.8, "tea": 1.0}), settings=Settings(rrf_k=10))
    memory.remember("tea is warm", at=NOW)
    memory.remember("coffee", at=NOW)
    memory.flush()
    found = scores(memory, "tea", "yodoca")
    assert found == {"tea is warm": pytest.approx(1 / 11 + 1 / 12), "coffee": pytest.approx(1 / 11)}


def test_yodocas_weights_are_settings(opened: Open) -> None:
    memory = opened(settings=Settings(rrf_weight_fts=0.25))
    memory.remember("tea", at=NOW)
    assert scores(memory, "tea", "yodoca") == {"tea": pytest.approx(0.25 / 61)}


def test_yodoca_follows_causes_when_asked_why(path: str, memory: Memory) -> None:
    deploy = memory.remember("The deploy failed")
    disk = memory.remember("No room was left")
    logs = memory.remember("Logs were never rotated")
    memory.graph.link(disk.id, deploy.id, "causal", confidence=0.7)
    memory.graph.link(logs.id, disk.id, "causal", confidence=0.7)
    found = search(
        asked("why did the deploy fail?", "yodoca", intent=Intent("why", "told")), sources(path), RecallTrace()
    )
    # words: deploy 1st; causes: one step at 0.7 / 1.5, two steps at 0.49 / 2
    assert dict(found.in_order()) == {
        deploy.id: pytest.approx(1 / 61),
        disk.id: pytest.approx(1 / 61),
        logs.id: pytest.approx(1 / 62),
    }
    assert found.reasons([disk.id])[disk.id] == [("causal", 1, f"a cause of [id:{deploy.id}]")]


def test_yodoca_follows_the_order_of_time_when_asked_when(path: str, memory: Memory) -> None:
    turns = [memory.observe(text, session="s1") for text in ("Hello", "We moved house", "Then it rained", "Bye", "…")]
    found = search(
        asked("when did we move house?", "yodoca", intent=Intent("when", "told")), sources(path), RecallTrace()
    )
    reasons = {id: each[0] for id, each in found.reasons(found.ids.tolist()).items()}
    said = {id: why for id, (arm, _, why) in reasons.items() if arm == "temporal"}
    assert said == {
        turns[0].id: f"said before [id:{turns[1].id}]",
        turns[2].id: f"said after [id:{turns[1].id}]",
        turns[3].id: f"said after [id:{turns[1].id}]",
    }


def test_yodoca_walks_no_graph_for_a_general_question(path: str, memory: Memory) -> None:
    memory.observe("Hello", session="s1")
    memory.observe("We moved house", session="s1")
    trace = RecallTrace()
    assert len(search(asked("we moved house", "yodoca"), sources(path), trace)) == 1
    assert "skipped, the question does not ask why" in str(trace)


def test_a_complex_question_walks_further_and_gets_more(path: str, memory: Memory) -> None:
    assert (asked("tea", "yodoca").depth, asked("tea", "yodoca").limit) == (2, 5)
    complex_one = asked("tea", "yodoca", complexity=COMPLEX)
    assert (complex_one.depth, complex_one.limit) == (4, 20)


# ── loki ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_loki_weighs_knowledge_successes_and_skills(opened: Open) -> None:
    cosines = {"fact": 0.8, "note": 0.4, "it worked": 0.6, "it failed": 0.9, "goal task": 1.0}
    memory = opened(embedder=Given(cosines))
    memory.remember("fact", kind="fact")
    memory.remember("note", kind="note")
    memory.observe("it worked", outcome="success")
    memory.observe("it failed", outcome="failure")
    memory.remember("how to do the task", kind="skill", name="task")
    memory.flush()
    found = scores(memory, "goal task", "loki")
    # each list as a share of its best: 0.5 × 1, 0.5 × 0.4 / 0.8, 0.3 × 1, 0.2 × 1; the failure is not asked for
    assert list(found) == ["fact", "it worked", "note", "how to do the task"]
    assert list(found.values()) == pytest.approx([0.5, 0.3, 0.25, 0.2], abs=0.01)


def test_loki_returns_five(opened: Open) -> None:
    memory = opened(embedder=Given({f"fact {n}": 0.5 + n / 100 for n in range(8)} | {"goal": 1.0}))
    for number in range(8):
        memory.remember(f"fact {number}")
    memory.flush()
    assert memory.recall("goal", recipe="loki").texts == [f"fact {n}" for n in (7, 6, 5, 4, 3)]


# ── ours ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_before_task_finds_patterns_skills_and_traces_and_no_talk(memory: Memory) -> None:
    memory.remember("Handlers in Express need return types", kind="pattern")
    memory.remember("Never retry a POST to Express blindly", kind="antipattern")
    memory.remember("Write the contract, then the Express handler", kind="skill", name="api")
    memory.observe("Built the Express endpoint", outcome="success", role="agent")
    memory.observe("Express timed out", outcome="failure", role="agent")
    memory.observe("I talked about Express at lunch")
    assert {hit.kind for hit in memory.recall("add an Express endpoint", recipe="before_task")} == {
        "pattern", "antipattern", "skill", "episode",
    }  # fmt: skip
    assert "I talked about Express at lunch" not in memory.recall("Express", recipe="before_task").texts


def test_session_start_finds_preferences_open_goals_and_the_latest(memory: Memory) -> None:
    memory.remember("Short answers", kind="preference", name="verbosity", strength=0.9)
    memory.observe("I can't stand small talk", at=NOW - timedelta(days=90))
    memory.remember("The migration waits for review", kind="handoff", at=NOW - timedelta(days=2))
    memory.observe("Deploying…", outcome="pending", role="agent", at=NOW - timedelta(days=1))
    memory.observe("Bye", at=NOW - timedelta(hours=1))
    assert set(memory.recall("", recipe="session_start", at=NOW).texts) == {
        "Short answers", "I can't stand small talk", "The migration waits for review", "Deploying…", "Bye",
    }  # fmt: skip


def test_a_deep_recall_returns_more(memory: Memory) -> None:
    memory.observe_many([{"text": f"tea number {number}"} for number in range(40)])
    assert (len(memory.recall("tea").hits), len(memory.recall("tea", recipe="deep").hits)) == (10, 30)


def test_an_unknown_recipe_names_the_nearest() -> None:
    with pytest.raises(InvalidInput, match="did you mean 'yodoca'"):
        recipe_by_name("yodoka", Settings())


def test_the_command_line_and_the_page_name_every_recipe() -> None:
    from omoide.interfaces.verbs import BY_METHOD

    (help,) = [each.help for each in BY_METHOD["recall"].signature.parameters if each.name == "recipe"]
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "retrieval.md").read_text("utf-8")
    for name in RECIPES:
        assert name in help
        assert f"`{name}`" in page


def test_before_a_task_the_same_words_are_one_hit(memory: Memory) -> None:
    memory.remember("Handlers need return types", kind="pattern")
    memory.remember("handlers  need return types", kind="pattern")
    found = memory.recall("handlers", recipe="before_task")
    (hit,) = found.hits
    assert list(found.trace.dropped.values()) == [f"same words as [id:{hit.id}]"]


def test_loki_searches_by_words_without_an_embedding(opened: Open) -> None:
    memory = opened(embedder=None)
    rule = memory.remember("Endpoint handlers return void", kind="pattern")
    done = memory.tasks.record("Add the orders endpoint", "success")
    found = memory.before_task("Add the users endpoint", recipe="loki")
    assert {hit.id for hit in found.hits} == {rule.id, done.id}
