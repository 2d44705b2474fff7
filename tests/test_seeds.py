"""The five seeds' own tables, queries and examples, run against a filled file by anybody's SQLite browser."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from omoide import Memory
from omoide.domain.importance import Retention, classify_importance
from omoide.domain.kinds import Procedure
from tests.conftest import NOW, Ticking, counted


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[apsw.Connection]:
    """A file with the seeds' example data, opened as a stranger would: plain SQLite, no functions of ours."""
    path = tmp_path / "kira.db"
    with Memory(path, embedder=None, clock=Ticking(), ids=counted()) as memory:
        memory.graph.entity(
            "Otto",
            type="person",
            description="Kira's creator and primary user",
            aliases=["coringa_dfato", "@coringa_dfato_2"],
            importance=10,
            telegram_id="7985502241",
        )
        turn = memory.observe(
            "Can you deploy this to Vercel? And please never suggest Docker, I hate it.",
            session="sess_abc123",
            channel="telegram",
            tags=["deployment", "preference", "vercel"],
            at=NOW,
        )
        memory.observe("Deployed with edge functions.", role="agent", session="sess_abc123", outcome="success")
        memory.remember(
            "Otto dislikes Docker",
            subject="Otto",
            predicate="dislikes",
            object="Docker",
            confidence=0.95,
            sources=[turn.id],
        )
        home = memory.remember("Otto lives in São Paulo", subject="Otto", predicate="located_in", object="São Paulo")
        memory.correct(home.id, "Otto lives in Berlin", subject="Otto", predicate="located_in", object="Berlin")
        memory.graph.relate("Otto", "uses", "Neovim", source_node=turn.id)
        memory.graph.relate("Otto", "works_on", "Kira")
        memory.graph.relate("Kira", "uses", "SQLite")
        memory.remember(
            "Deploy to Vercel",
            kind="procedure",
            name="Deploy to Vercel",
            trigger="user asks to deploy, mentions Vercel or production",
            context="project uses React with Vite",
            steps=[
                {"action": "run", "detail": "Run tests first: npm test"},
                {"action": "run", "detail": "vercel --prod"},
            ],
            success_count=4,
            failure_count=1,
            confidence=0.8,
            last_outcome="success",
        )
        memory.remember(
            "Keep answers short",
            kind="preference",
            category="communication",
            name="verbosity",
            value="concise",
            strength=0.9,
        )
        memory.remember("Tone is casual", kind="preference", category="communication", name="tone", value="casual")
        memory.remember(
            "Payment API HMAC signature: no trailing empty string",
            kind="note",
            tags=["payments", "hmac"],
            source_type="agent",
            session="sess_abc123",
        )
        pattern = memory.remember(
            "Express route handlers require explicit return types in strict mode",
            kind="pattern",
            category="typescript",
            conditions=["Using TypeScript strict mode"],
            correct_approach="Add `: void`",
            incorrect_approach="Omitting return type annotation",
            confidence=0.95,
            usage_count=8,
            sources=[turn.id],
        )
        wrong = memory.remember(
            "TypeScript compilation",
            kind="antipattern",
            what_fails="TypeScript compilation",
            why="Missing return type annotation",
            prevention="Added explicit :void to route handler",
        )
        memory.graph.link(pattern.id, wrong.id, "contradicts")
        memory.remember(
            "Implemented POST /api/todos endpoint",
            kind="handoff",
            from_agent="eng-001-backend",
            to_agent="qa-001-testing",
            git_state="commit abc123",
            needs_testing=["contract tests"],
        )
    reader = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    yield reader
    reader.close()


def rows(db: apsw.Connection, query: str, *values: Any) -> list[dict[str, Any]]:
    cursor = db.execute(query, values)
    found: list[dict[str, Any]] = []
    for row in cursor:
        found.append(dict(zip((column[0] for column in cursor.get_description()), row, strict=True)))  # noqa: PERF401
    return found


# ── Kira-L ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_recent_important_events(filled: apsw.Connection) -> None:
    found = rows(
        filled,
        """
        SELECT * FROM episodes
        WHERE importance >= 7 AND timestamp > datetime('2026-02-12', '-7 days')
        ORDER BY timestamp DESC LIMIT 20
        """,
    )
    assert [row["summary"][:14] for row in found] == ["Can you deploy"]
    assert found[0]["timestamp"] == "2026-02-11T09:30:00.000Z"
    assert found[0]["expires_at"] == "2026-02-18T09:30:00.000Z"
    assert (found[0]["type"], found[0]["actor"], found[0]["compression"]) == ("conversation", "user", "raw")


def test_what_happened_in_a_session(filled: apsw.Connection) -> None:
    found = rows(filled, "SELECT * FROM episodes WHERE session_id = 'sess_abc123' ORDER BY timestamp ASC")
    assert [row["actor"] for row in found] == ["user", "agent"]
    assert found[1]["outcome"] == "success"


def test_full_text_search(filled: apsw.Connection) -> None:
    found = rows(filled, "SELECT rowid, text FROM nodes_fts WHERE nodes_fts MATCH 'deploy vercel' ORDER BY rank")
    assert {row["text"][:6] for row in found} == {"Can yo", "Deploy"}


def test_events_of_a_topic_by_tags(filled: apsw.Connection) -> None:
    # The seed's own text names json_each without joining it; this is what it means.
    found = rows(
        filled,
        "SELECT episodes.* FROM episodes, json_each(episodes.tags) WHERE json_each.value = 'deployment'",
    )
    assert len(found) == 1


def test_the_knowledge_graph_is_walked_one_and_two_hops(filled: apsw.Connection) -> None:
    direct = """
        SELECT e2.name, r.type, r.confidence
        FROM entities e1
        JOIN relationships r ON r.source_id = e1.id
        JOIN entities e2 ON r.target_id = e2.id
        WHERE e1.name = 'Otto' AND r.type = 'uses'
    """
    two_hops = """
        SELECT e3.name, r2.type
        FROM entities e1
        JOIN relationships r1 ON r1.source_id = e1.id
        JOIN entities e2 ON r1.target_id = e2.id
        JOIN relationships r2 ON r2.source_id = e2.id
        JOIN entities e3 ON r2.target_id = e3.id
        WHERE e1.name = 'Otto' AND r1.type = 'works_on' AND r2.type = 'uses'
    """
    assert rows(filled, direct) == [{"name": "Neovim", "type": "uses", "confidence": 1.0}]
    assert rows(filled, two_hops) == [{"name": "SQLite", "type": "uses"}]


def test_preferences_and_procedures_are_queried_as_the_seed_does(filled: apsw.Connection) -> None:
    wanted = rows(
        filled,
        "SELECT key, value, strength FROM preferences WHERE category = 'communication' ORDER BY strength DESC",
    )
    assert wanted == [
        {"key": "verbosity", "value": "concise", "strength": 0.9},
        {"key": "tone", "value": "casual", "strength": 0.5},
    ]
    (procedure,) = rows(
        filled,
        """
        SELECT * FROM procedures
        WHERE trigger LIKE '%deploy%' AND confidence > 0.5
        ORDER BY confidence DESC, last_used DESC
        LIMIT 1
        """,
    )
    assert (procedure["name"], procedure["success_count"], procedure["failure_count"]) == ("Deploy to Vercel", 4, 1)
    failed = """
        SELECT name, failure_count, success_count, confidence
        FROM procedures
        WHERE failure_count > 0
        ORDER BY failure_count DESC
    """
    assert len(rows(filled, failed)) == 1


def test_facts_know_their_entity_their_source_and_their_successor(filled: apsw.Connection) -> None:
    facts = {row["object"]: row for row in rows(filled, "SELECT * FROM facts")}
    otto = rows(filled, "SELECT id, aliases, metadata FROM entities WHERE name = 'Otto'")[0]
    episode = rows(filled, "SELECT id FROM episodes ORDER BY rowid LIMIT 1")[0]
    assert facts["Docker"]["entity_id"] == otto["id"]
    assert facts["Docker"]["source_episode"] == episode["id"]
    assert facts["São Paulo"]["superseded_by"] == facts["Berlin"]["id"]
    assert facts["São Paulo"]["valid_until"] is not None
    assert facts["Berlin"]["valid_until"] is None
    assert "coringa_dfato" in otto["aliases"]
    assert "7985502241" in otto["metadata"]


# ── Kira-R ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_episodes_are_ranked_by_bm25_with_column_weights(filled: apsw.Connection) -> None:
    found = rows(
        filled,
        """
        SELECT e.id, e.summary, e.timestamp, e.importance, e.compression,
               bm25(nodes_fts, 1.0, 0.5, 0.3) AS fts_score
        FROM nodes_fts
        JOIN episodes e ON e.rowid = nodes_fts.rowid
        WHERE nodes_fts MATCH ?
          AND e.timestamp > '2026-01-01'
        ORDER BY fts_score
        LIMIT 20
        """,
        "docker",
    )
    assert [row["summary"][:3] for row in found] == ["Can"]


def test_current_facts_are_searched_by_words(filled: apsw.Connection) -> None:
    found = rows(
        filled,
        """
        SELECT f.id, f.subject, f.predicate, f.object, f.confidence, bm25(nodes_fts) AS fts_score
        FROM nodes_fts
        JOIN facts f ON f.rowid = nodes_fts.rowid
        WHERE nodes_fts MATCH 'lives'
          AND f.valid_until IS NULL
        ORDER BY fts_score
        LIMIT 10
        """,
    )
    assert [row["object"] for row in found] == ["Berlin"]


# ── Koshi, Loki, Yodoca ───────────────────────────────────────────────────────────────────────────────────────


def test_memories_have_koshis_columns(filled: apsw.Connection) -> None:
    (memory,) = rows(filled, "SELECT * FROM memories WHERE tags LIKE '%hmac%'")
    assert (memory["source"], memory["tags"], memory["score"]) == ("agent", "payments, hmac", 0)
    assert memory["session_id"] == "sess_abc123"


def test_patterns_anti_patterns_and_handoffs_have_lokis_columns(filled: apsw.Connection) -> None:
    (pattern,) = rows(filled, "SELECT * FROM patterns")
    assert (pattern["usage_count"], pattern["category"]) == (8, "typescript")
    assert '"relation":"contradicts"' in pattern["links"]
    (wrong,) = rows(filled, "SELECT * FROM anti_patterns")
    assert wrong["why"] == "Missing return type annotation"
    (handoff,) = rows(filled, "SELECT * FROM handoffs")
    assert '"needs_testing":["contract tests"]' in handoff["context"]


def test_nodes_edges_and_sessions_have_yodocas_columns(filled: apsw.Connection) -> None:
    types = {row["type"] for row in rows(filled, "SELECT DISTINCT type FROM nodes WHERE valid_until IS NULL")}
    assert types == {"episodic", "semantic", "procedural"}
    kinds = {row["relation_type"] for row in rows(filled, "SELECT DISTINCT relation_type FROM edges")}
    assert {"temporal", "derived_from", "supersedes"} <= kinds
    assert rows(filled, "SELECT * FROM sessions_consolidations")[0]["consolidated_at"] is None
    assert rows(filled, "SELECT count(*) AS n FROM node_entities")[0]["n"] > 0


# ── arithmetic ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "given", "score"),
    [
        ("The weather is fine", {}, 5),
        ("ok", {}, 2),
        ("Thanks!", {}, 2),
        ("Please remember this", {}, 7),
        ("No, use tabs", {"tags": ["correction"]}, 7),
        ("Never do that again", {"tags": ["correction"], "outcome": "failure"}, 10),
        ("heartbeat", {"type": "system"}, 3),
        ("ok", {"type": "system"}, 1),
        ("x" * 501, {"role": "user"}, 6),
        ("x" * 501, {"role": "agent"}, 5),
    ],
)
def test_importance_follows_kiras_factors(text: str, given: dict[str, Any], score: int) -> None:
    assert classify_importance(text, **given) == score


@pytest.mark.parametrize(
    ("compression", "weight", "days"),
    [("raw", 7, 7), ("raw", 8, 30), ("compressed", 5, 90), ("compressed", 6, None), ("distilled", 1, None)],
)
def test_retention_follows_kiras_table(compression: str, weight: int, days: int | None) -> None:
    assert Retention().days(compression, weight) == days


def test_a_procedure_gains_slowly_and_loses_fast(memory: Memory) -> None:
    node = memory.remember("Deploy", kind="procedure", confidence=0.5)
    assert isinstance(node, Procedure)
    assert node.confidence_after("success") == pytest.approx(0.575)
    assert node.confidence_after("failure") == pytest.approx(0.35)
    assert node.confidence_after("partial") == 0.5


def test_an_important_episode_is_kept_for_thirty_days(memory: Memory) -> None:
    turn = memory.observe("No! Never, ever use Docker", at=NOW, tags=["correction"])
    assert turn.importance == 9
    assert turn.expires_at == NOW + timedelta(days=30)
