"""Examples of the source designs, from statement to learned memory."""

from __future__ import annotations

from datetime import timedelta

from omoide import Memory
from tests.conftest import NOW, Open


def said(memory: Memory, *turns: str, session: str, days_ago: float = 0.0) -> None:
    for number, text in enumerate(turns):
        memory.observe(text, role="user", session=session, at=NOW - timedelta(days=days_ago, seconds=-number))
    memory.end(session)


def test_a_move_is_learned_with_its_date_and_the_past_is_kept(opened: Open) -> None:
    memory = opened()
    said(memory, "I live in São Paulo.", session="s1", days_ago=60)
    memory.learn()
    said(memory, "I moved to Berlin last month.", session="s2")
    memory.learn()
    found = memory.recall("Where does the user live?", kinds=["fact"])
    homes = [hit.node.attributes["object"] for hit in found.hits if hit.node.attributes["predicate"] == "lives_in"]
    assert homes == ["Berlin"]
    [old] = memory.explain(found.hits[0].id).supersedes
    assert memory.get(old).text == "User lives in São Paulo"
    assert memory.get(old).valid_until is not None


def test_always_use_pnpm_not_npm_becomes_a_preference_and_rewrites_the_procedure(opened: Open) -> None:
    memory = opened()
    steps = ["Run tests first: npm test", "npm run build", "vercel --prod"]
    old = memory.remember("Deploy: npm test, then vercel --prod", kind="procedure", name="Deploy", steps=steps)
    said(memory, "No, always use pnpm, not npm.", session="s1")
    memory.learn()
    [wish] = memory.recall("pnpm npm", kinds=["preference"]).hits
    assert (wish.node.attributes["value"], wish.node.attributes["strength"]) == ("pnpm", 0.9)
    [new] = memory.explain(old.id).superseded_by
    assert memory.get(new).attributes["steps"] == (
        "Run tests first: pnpm test",
        "pnpm run build",
        "vercel --prod",
    )
    assert memory.get(old.id).attributes["steps"] == tuple(steps)


def test_the_same_correction_again_makes_the_preference_stronger(opened: Open) -> None:
    memory = opened()
    said(memory, "No, use pnpm, not npm.", session="s1", days_ago=2)
    said(memory, "Use pnpm, not npm!", session="s2", days_ago=1)
    memory.learn()
    [wish] = memory.recall("pnpm", kinds=["preference"]).hits
    assert wish.node.attributes["evidence_count"] == 2
    assert abs(wish.node.attributes["strength"] - (0.9 + 0.1 * 0.2)) < 1e-9
    assert len(memory.explain(wish.id).evidence) == 2


def test_do_not_put_comments_in_the_code(opened: Open) -> None:
    memory = opened()
    said(memory, "Don't put comments in the code.", session="s1")
    memory.learn()
    [wish] = memory.recall("comments in code", kinds=["preference"]).hits
    assert "comments in the code" in wish.text
    [evidence] = memory.explain(wish.id).evidence
    assert evidence.words in evidence.episode.text


def test_a_dislike_and_a_deployment_are_learned_from_one_turn(opened: Open) -> None:
    memory = opened()
    said(memory, "My app is deployed on Vercel. I hate Docker, never suggest it.", session="s1")
    report = memory.learn()
    assert report.count("learned") >= 2
    known = [hit.text for hit in memory.recall("Docker Vercel", kinds=["fact", "preference"])]
    assert any("Vercel" in text for text in known)
    assert any("hates Docker" in text for text in known)
    assert any("never suggest it" in text and "Docker" in text for text in known)


def test_four_successes_and_one_failure_move_the_confidence_of_a_procedure(opened: Open) -> None:
    memory = opened()
    deploy = memory.remember("Deploy", kind="procedure", name="Deploy to Vercel", confidence=0.5)
    expected = 0.5
    for outcome in ("success", "success", "success", "failure", "success"):
        expected = expected + (1 - expected) * 0.15 if outcome == "success" else expected * 0.7
        deploy = memory.tasks.outcome(deploy.id, outcome)
    assert abs(deploy.confidence - expected) < 1e-9
    assert (deploy.attributes["success_count"], deploy.attributes["failure_count"]) == (4, 1)
    assert deploy.attributes["last_outcome"] == "success"


def test_work_that_ended_is_no_longer_believed(opened: Open) -> None:
    memory = opened()
    said(memory, "I work at Acme.", session="s1", days_ago=30)
    said(memory, "I no longer work at Acme.", session="s2")
    memory.learn()
    found = memory.recall("Where does the user work? Acme", kinds=["fact"])
    assert [hit for hit in found if hit.node.attributes["predicate"] == "works_at"] == []
