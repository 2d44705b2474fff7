"""Learning at the command line: reports, explanations, uncertain memories, entity profiles."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import apsw
import pytest

from omoide.errors import NotFound
from omoide.memory import Memory
from tests.interfaces.terminal import Terminal, read_until


@pytest.fixture(scope="session")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two conversations that are over: 1 and 2 in March, 3 in May."""
    path = tmp_path_factory.mktemp("spoken") / "memory.db"
    with Memory(path, embedder=None) as memory:
        memory.observe("Hi, I'm Otto. I live in São Paulo.", session="s1", at="2026-03-02T12:00:00+00:00")
        memory.observe("Always use pnpm, not npm.", session="s1", at="2026-03-02T12:01:00+00:00")
        memory.observe("I moved to Berlin last month.", session="s2", at="2026-05-14T12:00:00+00:00")
        for session in ("s1", "s2"):
            memory.end(session)
    return path


@pytest.fixture(scope="session")
def known(spoken: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, learned from: 4 what Otto is called, 5 São Paulo, 6 pnpm, 7 Berlin."""
    path = tmp_path_factory.mktemp("known") / "memory.db"
    shutil.copy(spoken, path)
    with Memory(path, embedder=None) as memory:
        memory.learn()
    return path


@pytest.fixture
def fresh(terminal: Terminal, spoken: Path) -> Terminal:
    shutil.copy(spoken, terminal.path)
    return terminal


@pytest.fixture
def learned(terminal: Terminal, known: Path) -> Terminal:
    shutil.copy(known, terminal.path)
    return terminal


def home(terminal: Terminal) -> int:
    """The id of the fact that Otto lives in Berlin."""
    with Memory(terminal.path, embedder=None) as memory:
        return next(node.id for node in memory.graph.timeline("Otto") if node.kind == "fact" and "Berlin" in node.text)


# ── learn ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_report_shows_what_was_read_and_learned(fresh: Terminal) -> None:
    ran = fresh.run("learn")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("3 turns of 2 sessions: ")
    learned, superseded = ran.out.split("\nLearned\n")[1].split("\nSuperseded\n")
    assert "Always use pnpm, not npm — Always use pnpm, not npm" in learned
    assert (
        "Otto lives in São Paulo → Otto moved to Berlin last month (2026-04) — I moved to Berlin last month"
        in superseded
    )


def test_the_report_is_a_document_too(fresh: Terminal) -> None:
    found = fresh.json("learn")
    assert (found["sessions"], found["turns"], found["failed"]) == (["s1", "s2"], 3, {})
    assert found["counts"]["superseded"] == 1
    assert {"verb", "kind", "text", "id", "why"} == set(found["entries"][0])


def test_learning_again_learns_nothing_and_says_so(learned: Terminal) -> None:
    ran = learned.run("learn")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("nothing to learn")
    assert learned.json("learn")["entries"] == []


def test_one_session_is_learned_from_and_the_others_wait(fresh: Terminal) -> None:
    assert fresh.json("learn", "--session", "s2")["sessions"] == ["s2"]
    states = {each["name"]: each["learning"] for each in fresh.json("sessions")["sessions"]}
    assert states == {"s1": "pending", "s2": "learned"}


def test_a_long_list_is_cut_for_people_but_complete_as_json(terminal: Terminal) -> None:
    cities = "Rome Paris Madrid Vienna Oslo Athens Lisbon Dublin Prague Warsaw Zagreb Sofia".split()
    friends = "Anna Bruno Carla David Elena Felix Greta Hugo Irene Jonas Karin Laura".split()
    with Memory(terminal.path, embedder=None) as memory:
        for friend, city in zip(friends, cities, strict=True):
            memory.observe(f"My friend {friend} lives in {city}.", session="s1")
        memory.end("s1")
    shutil.copy(terminal.path, terminal.folder / "twin.db")
    seen = terminal.run("learn").out.split("\nLearned\n")[1].split("\n\n")[0].splitlines()
    count = terminal.json("--db", "twin.db", "learn")["counts"]["learned"]
    assert count > 20
    assert (len(seen), seen[-1]) == (21, f"… and {count - 20} more")


def test_a_session_that_fails_says_why_and_the_others_are_learned_from(fresh: Terminal) -> None:
    other = apsw.Connection(str(fresh.path))
    [(first,)] = other.execute("SELECT id FROM session WHERE name = 's1'")
    refusal = f"WHEN new.session_id = {first} BEGIN SELECT RAISE(ABORT, 'no room'); END"
    other.execute(f"CREATE TRIGGER no_room BEFORE INSERT ON journal {refusal}")
    other.close()
    ran = fresh.run("learn")
    assert ran.code == 1
    assert ran.out.splitlines()[0].startswith("1 turn of 1 session: ")
    [failed] = ran.out.split("\nFailed\n")[1].splitlines()
    assert failed.startswith("s1 stays pending: ")
    assert "no room" in failed
    assert "(no room)" in fresh.run("sessions").out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_a_progress_bar_shows_on_a_terminal(fresh: Terminal) -> None:
    ours, theirs = os.openpty()
    process = fresh.start("learn", more={"TERM": "xterm", "COLUMNS": "80"}, stderr=theirs)
    os.close(theirs)
    seen = read_until(ours, "learning", "3/3")
    out, _ = process.communicate(timeout=60)
    os.close(ours)
    assert (process.returncode, out.startswith(b"3 turns of 2 sessions")) == (0, True)
    assert "learning" in seen
    assert "3/3" in seen


# ── explain ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_explain_quotes_the_words_and_dates_the_chain(learned: Terminal) -> None:
    ran = learned.run("explain", str(home(learned)), TZ="UTC")
    assert "[id:3] 2026-05-14 user: “I moved to Berlin last month”" in ran.out
    assert "2026-03-02 → 2026-04-01 · superseded  Otto lives in São Paulo" in ran.out
    assert "2026-04-01 → now · live  Otto moved to Berlin" in ran.out
    assert "Otto (person), Berlin (place)" in ran.out


def test_explain_gives_programs_the_whole_chain(learned: Terminal) -> None:
    new = home(learned)
    found = learned.json("explain", str(new))
    assert found["superseded_by"] == []
    assert [each["id"] for each in found["chain"]] == [*found["supersedes"], new]
    assert found["evidence"][0]["words"] in found["evidence"][0]["episode"]["text"]
    assert 0 < found["confidence_today"] <= 1


def test_a_superseded_fact_has_the_same_chain(learned: Terminal) -> None:
    new = home(learned)
    [old] = learned.json("explain", str(new))["supersedes"]
    found = learned.json("explain", str(old))
    assert ([each["id"] for each in found["chain"]], found["superseded_by"]) == ([old, new], [new])


# ── uncertain ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_contradicts_something_is_uncertain_and_names_it(learned: Terminal) -> None:
    new = home(learned)
    rumour = learned.json("remember", "Otto lives in Rome", "--confidence", "0.3")["id"]
    learned.run("graph", "link", str(rumour), str(new), "contradicts")
    rows = [line.split() for line in learned.run("review", "uncertain").out.splitlines()]
    assert rows[0] == ["id", "kind", "today", "contradicts", "text"]
    assert rows[1][:4] == [str(rumour), "fact", "0.30", f"[id:{new}]"]
    assert {each["node"]["id"]: each["contradicts"] for each in learned.json("review", "uncertain")["uncertain"]} == {
        rumour: [new],
        new: [rumour],
    }
    assert f"[id:{rumour}]" in learned.run("explain", str(new)).out.split("Contradicted by")[1]


def test_uncertain_narrows_by_its_options(learned: Terminal) -> None:
    assert learned.run("review", "uncertain").err == "no memory is uncertain\n"
    assert len(learned.json("review", "uncertain", "--below", "1", "--limit", "1")["uncertain"]) == 1


# ── entities ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_entity_has_a_profile_and_a_timeline_in_event_order(learned: Terminal) -> None:
    ran = learned.run("graph", "entity", "otto", TZ="UTC")
    head, timeline = ran.out.split("\nTimeline\n")
    assert head.startswith("Otto person\n")
    known = head.split("\nKnown\n")[1]
    assert "moved to Berlin last month (2026-04)  since 2026-04-01" in known
    assert "São Paulo" not in known
    days = [line[:10] for line in timeline.splitlines()]
    assert days == sorted(days)
    assert "2026-03-02 → 2026-04-01" in timeline


def test_a_timeline_keeps_the_latest_entries(learned: Terminal) -> None:
    ran = learned.run("graph", "entity", "Otto", "--limit", "1")
    found = learned.json("graph", "entity", "Otto", "--limit", "1")
    assert len(found["timeline"]) == 1
    assert ran.out.split("\nTimeline\n")[1].splitlines()[0] == f"… {found['earlier']} earlier"


def test_entities_are_merged_and_split(learned: Terminal) -> None:
    learned.run("graph", "entity", "Ottone", "--type", "person")
    assert learned.run("graph", "merge", "Ottone", "Otto").out.startswith("Otto (person) · also Ottone · ")
    assert learned.json("graph", "entity", "Ottone")["entity"]["name"] == "Otto"
    assert learned.run("graph", "split", "Otto", "Ottone", "--type", "person").out.startswith("Ottone (person) · ")
    assert learned.json("graph", "entity", "Otto")["entity"]["aliases"] == []


def test_merges_and_splits_are_shown(learned: Terminal) -> None:
    learned.run("graph", "entity", "Ottone", "--type", "person")
    learned.run("graph", "merge", "Ottone", "Otto")
    told = "Ottone was merged into Otto"
    assert told in learned.run("graph", "entity", "Otto").out
    assert [each["text"] for each in learned.json("graph", "entity", "Otto")["entity_changes"]] == [told]
    learned.run("graph", "split", "Otto", "Ottone")
    assert "Ottone was split off Otto" in learned.run("history", "Otto").out
    [fact] = [each["node"] for each in learned.json("history", "Otto")["versions"]][:1]
    assert [each["verb"] for each in learned.json("explain", str(fact["id"]))["entity_changes"]] == ["merge", "split"]


def test_an_outcome_changes_the_confidence_of_a_procedure(terminal: Terminal) -> None:
    terminal.run("remember", "Deploy to Vercel", "--kind", "procedure", "--confidence", "0.5")
    ran = terminal.run("tasks", "outcome", "1", "success")
    assert "1 worked, 0 failed" in ran.out
    assert terminal.json("tasks", "outcome", "1", "failure")["failure_count"] == 1


def test_what_is_observed_without_a_session_belongs_to_its_day_and_is_learned(terminal: Terminal) -> None:
    terminal.run("observe", "I live in Berlin.", "--at", "2026-05-03T09:00:00+00:00")
    lines = '{"text": "I work at Acme.", "at": "2026-05-03T10:00:00+00:00"}'
    terminal.run("observe", "--jsonl", "-", stdin=lines)
    assert [each["name"] for each in terminal.json("sessions")["sessions"]] == ["2026-05-03"]
    waiting = terminal.run("learn").err
    assert "`omoide learn --session 2026-05-03` reads it now, `omoide end 2026-05-03` ends it" in waiting
    terminal.run("end", "2026-05-03")
    assert "Berlin" in terminal.run("learn").out
    assert "no session has unread turns" in terminal.run("learn").err


def test_a_first_name_is_enough_where_only_one_person_has_it(terminal: Terminal) -> None:
    terminal.run("graph", "entity", "Mira Lindqvist", "--type", "person")
    assert "Mira Lindqvist" in terminal.run("graph", "entity", "Mira").out
    assert terminal.run("history", "Mira").code == 0
    terminal.run("graph", "entity", "Mira Sandoval", "--type", "person")
    refused = terminal.run("graph", "entity", "mira")
    assert refused.code == 3
    assert "did you mean Mira Lindqvist or Mira Sandoval" in refused.err


def test_forgetting_a_person_takes_the_whole_name(terminal: Terminal) -> None:
    terminal.run("graph", "entity", "Mira Lindqvist", "--type", "person")
    assert "did you mean Mira Lindqvist" in terminal.run("forget", "--entity", "Mira", "--yes").err


def test_a_first_name_tells_a_shared_reader_no_private_person(terminal: Terminal) -> None:
    with Memory(terminal.path, embedder=None) as memory:
        memory.remember("Mira Lindqvist works at Globex", audience="private")
        memory.graph.entity("Mira Lindqvist", type="person", description="a colleague")
        assert memory.graph.entity("Mira").name == "Mira Lindqvist"
        with pytest.raises(NotFound) as refused:
            memory.viewed(audience="shared").graph.entity("Mira")
        assert "Lindqvist" not in str(refused.value)
