"""`.loki/memory` folders: import and export without loss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import InvalidInput

TRACE: dict[str, Any] = {
    "id": "ep-2026-01-06-001",
    "task_id": "task-042",
    "timestamp": "2026-01-06T10:30:00Z",
    "duration_seconds": 342,
    "agent": "eng-001-backend",
    "context": {
        "phase": "development",
        "goal": "Implement POST /api/todos endpoint",
        "constraints": ["No third-party deps", "< 200ms response"],
        "files_involved": ["src/routes/todos.ts", "src/db/todos.ts"],
        "mood": "curious",
    },
    "action_log": [
        {"t": 0, "action": "read_file", "target": "openapi.yaml"},
        {"t": 120, "action": "run_test", "result": "fail", "error": "missing return type"},
        {"t": 180, "action": "run_test", "result": "pass"},
    ],
    "outcome": "success",
    "errors_encountered": [
        {
            "type": "TypeScript compilation",
            "message": "Missing return type annotation",
            "resolution": "Added explicit :void to route handler",
        }
    ],
    "artifacts_produced": ["src/routes/todos.ts", "tests/todos.test.ts"],
    "git_commit": "abc123",
    "cost": {"dollars": 0.12},
}
PATTERN: dict[str, Any] = {
    "id": "sem-001",
    "pattern": "Express route handlers require explicit return types in strict mode",
    "category": "typescript",
    "conditions": ["Using TypeScript strict mode", "Writing Express route handlers"],
    "correct_approach": "Add `: void` to handler signature: `(req, res): void =>`",
    "incorrect_approach": "Omitting return type annotation",
    "confidence": 0.95,
    "source_episodes": ["ep-2026-01-06-001", "ep-2026-01-05-012"],
    "usage_count": 8,
    "last_used": "2026-01-06T14:00:00Z",
    "links": [{"to": "sem-005", "relation": "related_to"}, {"to": "sem-012", "relation": "supersedes"}],
    "reviewed_by": "otto",
}
OTHERS = [
    {"id": "sem-005", "pattern": "Handlers end with a response", "confidence": 0.9, "links": []},
    {"id": "sem-012", "pattern": "Return types are optional", "confidence": 0.6},
]
ANTIPATTERN = {
    "id": "anti-001",
    "what_fails": "Docker builds",
    "why": "The lock file was missing",
    "prevention": "Commit package-lock.json",
    "source": "ep-2026-01-06-001",
}
LEDGER = {
    "agent_id": "eng-001-backend",
    "last_checkpoint": "2026-01-06T10:00:00Z",
    "tasks_completed": 12,
    "current_task": "task-042",
    "state": {"files_modified": ["src/routes/todos.ts"], "uncommitted_changes": True, "last_git_commit": "abc123"},
    "context": {"tech_stack": ["express"], "patterns_learned": ["sem-001"], "current_goal": "Implement CRUD for todos"},
    "shift": "night",
}
HANDOFF = {
    "id": "handoff-001",
    "from_agent": "eng-001-backend",
    "to_agent": "qa-001-testing",
    "timestamp": "2026-01-06T11:00:00Z",
    "context": {
        "what_was_done": "Implemented POST /api/todos endpoint",
        "artifacts": ["src/routes/todos.ts"],
        "git_state": "commit abc123",
        "needs_testing": ["unit tests for validation", "contract tests"],
        "known_issues": [],
        "relevant_patterns": ["sem-001"],
    },
    "urgency": 3,
}
SKILL = (
    "# Skill: Debugging\n\nWhen all else fails.\n\n## Steps\n1. Read the message\n2. Read it again\n\n## Jokes\nNone.\n"
)
FILES: dict[str, Any] = {
    "episodic/2026-01-06/task-001.json": TRACE,
    "episodic/2026-01-06/task-002.json": {**TRACE, "id": "ep-2026-01-06-002", "outcome": "abandoned", "agent": 7},
    "episodic/index.json": {"version": 2, "by_day": {"2026-01-06": ["ep-2026-01-06-001"]}},
    "semantic/patterns.json": [PATTERN, *OTHERS],
    "semantic/anti-patterns.json": {"version": 1, "anti_patterns": [ANTIPATTERN], "updated": "2026-01-06"},
    "semantic/facts.json": {
        "fact-1": {"fact": "The API runs on port 8080", "source_url": "x"},
        "fact-2": {"text": "b c"},
    },
    "semantic/links.json": [{"from": "sem-005", "to": "anti-001", "relation": "example_of", "by": "otto"}],
    "ledgers/eng-001.json": LEDGER,
    "handoffs/handoff-001.json": HANDOFF,
    "learnings/2026-01-06.json": [
        {"error": "ENOENT", "message": "no such file", "resolution": "create the folder", "times": 2},
        {"learning": "Small commits are easier to review"},
    ],
    "learnings/odd.json": "just a text",
    "semantic/README.txt": "hands off",
}


def lay(folder: Path, files: dict[str, Any] = FILES) -> Path:
    for name, body in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body if name.endswith(".txt") else json.dumps(body))
    for name in ("skills", "semantic"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "skills" / "debugging.md").write_text(SKILL)
    (folder / "semantic" / "logo.bin").write_bytes(b"\xff\x00\xfe")
    return folder


def contents(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            name = path.relative_to(folder).as_posix()
            found[name] = json.loads(data) if name.endswith(".json") else data
    return found


def test_a_round_trip_loses_nothing(memory: Memory, tmp_path: Path) -> None:
    given = lay(tmp_path / "in")
    report = memory.admin.import_loki(given)
    assert report.skipped == []
    memory.admin.export_loki(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(given)


def test_every_document_becomes_a_memory_of_its_kind(memory: Memory, tmp_path: Path) -> None:
    report = memory.admin.import_loki(lay(tmp_path / "in"))
    assert {what: dict(outcome) for what, outcome in report.outcomes.items()} == {
        "trace": {"new": 2},
        "file": {"kept": 4},
        "pattern": {"new": 3},
        "antipattern": {"new": 1},
        "fact": {"new": 2},
        "skill": {"new": 1},
        "handoff": {"new": 1},
        "learning": {"new": 2},
        "ledger": {"new": 1},
        "link": {"made": 5},
    }
    trace = memory.get(report.ids["ep-2026-01-06-001"])
    assert trace.attributes["goal"] == "Implement POST /api/todos endpoint"
    assert trace.event_at.isoformat() == "2026-01-06T10:30:00+00:00"
    pattern = memory.get(report.ids["sem-001"])
    assert (pattern.confidence, pattern.attributes["usage_count"]) == (0.95, 8)
    related = {(each.relation, each.node.id) for each in memory.graph.neighbours(pattern.id)}
    assert ("supersedes", report.ids["sem-012"]) in related
    assert ("derived_from", report.ids["ep-2026-01-06-001"]) in related
    assert ("sem-001", "ep-2026-01-05-012") in report.dangling
    assert memory.tasks.ledger("eng-001-backend").tasks_completed == 12
    assert [node.id for node in memory.tasks.handoffs("qa-001-testing")] == [report.ids["handoff-001"]]
    assert memory.before_task("Implement the POST endpoint for todos").hits


def test_importing_again_applies_only_changes(memory: Memory, tmp_path: Path) -> None:
    given = lay(tmp_path / "in")
    first = memory.admin.import_loki(given)
    before = memory.stats()
    again = memory.admin.import_loki(given)
    assert memory.stats() == before
    assert again.ids == first.ids
    assert all(set(outcome) <= {"unchanged", "made"} for outcome in again.outcomes.values())
    (given / "semantic/patterns.json").write_text(json.dumps([{**PATTERN, "usage_count": 9}, *OTHERS]))
    third = memory.admin.import_loki(given)
    assert third.outcomes["pattern"] == {"updated": 1, "unchanged": 2}
    assert memory.get(first.ids["sem-001"]).attributes["usage_count"] == 9


def test_new_memories_are_exported_beside_imported_ones(memory: Memory, tmp_path: Path) -> None:
    first = memory.admin.import_loki(lay(tmp_path / "in"))
    note = memory.remember("Otto reviews on Mondays")
    memory.graph.link(note.id, first.ids["sem-005"], "elaborates")
    memory.review.update(first.ids["sem-005"], category="express")
    with memory.task("Repair the build") as task:
        task.error("Docker", "no space left on device").resolved("docker system prune")
    memory.tasks.checkpoint("qa-001", task="task-9")
    memory.admin.export_loki(tmp_path / "out")
    written = contents(tmp_path / "out")
    (fact,) = [
        each for each in written["semantic/facts.json"].values() if each.get("fact") == "Otto reviews on Mondays"
    ]
    assert fact["links"] == [{"to": "sem-005", "relation": "elaborates"}]
    assert written["semantic/patterns.json"][1] == {**OTHERS[0], "category": "express"}
    assert written["semantic/patterns.json"][0] == PATTERN
    assert written["ledgers/qa-001.json"]["current_task"] == "task-9"
    assert len([name for name in written if name.startswith("episodic/2026-05-03/task-")]) == 1


def test_exported_memories_import_into_another_memory_and_not_twice_into_their_own(
    memory: Memory, tmp_path: Path
) -> None:
    with memory.task("Repair the build", agent="eng-1", type="bugfix") as task:
        task.error("Docker", "no space left on device").resolved("docker system prune")
    memory.tasks.learn()
    memory.tasks.handoff(what_was_done="Repaired the build", to="qa")
    memory.admin.export_loki(tmp_path / "out")
    nodes = memory.stats().nodes
    memory.admin.import_loki(tmp_path / "out")
    assert memory.stats().nodes == nodes
    with Memory(tmp_path / "other.db", embedder=None) as other:
        report = other.admin.import_loki(tmp_path / "out")
        assert not report.skipped
        assert [node.attributes["what_was_done"] for node in other.tasks.handoffs("qa")] == ["Repaired the build"]
        assert other.tasks.list()[0].attributes["task_type"] == "bugfix"
        assert other.graph.neighbours(next(hit.id for hit in other.before_task("Repair the build").mistakes))


def test_progress_is_reported_and_a_folder_is_required(memory: Memory, tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    memory.admin.import_loki(lay(tmp_path / "in"), progress=lambda done, total: heard.append((done, total)))
    assert heard[-1] == (14, 14)
    with pytest.raises(InvalidInput):
        memory.admin.import_loki(tmp_path / "missing")


def test_a_path_outside_of_the_folder_is_never_written(memory: Memory, tmp_path: Path) -> None:
    memory.remember(
        "evil", details={"loki": {"what": "trace", "path": "../evil.json", "place": None, "body": {"id": "x"}}}
    )
    with pytest.raises(InvalidInput, match="is outside of the folder"):
        memory.admin.export_loki(tmp_path / "out")
    assert not (tmp_path / "evil.json").exists()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(alphabet="abc é\n", max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "goal", "b"]), inner, max_size=3),
    max_leaves=6,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    st.dictionaries(st.sampled_from([*TRACE, "more"]), JSON, max_size=6),
    st.lists(st.dictionaries(st.sampled_from([*PATTERN, "more"]), JSON, max_size=5), max_size=3),
    st.dictionaries(st.sampled_from([*LEDGER, "more"]), JSON, max_size=5),
    st.dictionaries(st.sampled_from([*HANDOFF, "accepted_at"]), JSON, max_size=5),
)
def test_any_document_is_exported_unchanged(
    tmp_path_factory: pytest.TempPathFactory, trace: Any, patterns: Any, ledger: Any, handoff: Any
) -> None:
    for number, pattern in enumerate(patterns):
        pattern["id"] = f"sem-{number}"
    files = {
        "episodic/2026-01-06/task-001.json": {**trace, "id": "ep-1"},
        "episodic/index.json": {},
        "semantic/patterns.json": patterns,
        "ledgers/a.json": {**ledger, "agent_id": "a"},
        "handoffs/h.json": {**handoff, "id": "h-1"},
    }
    place = tmp_path_factory.mktemp("loki")
    given = lay(place / "in", files)
    with Memory(place / "a.db", embedder=None) as memory:
        report = memory.admin.import_loki(given)
        assert report.skipped == []
        memory.admin.export_loki(place / "out")
    assert contents(place / "out") == contents(given)


def test_an_invalid_entry_is_reported_and_the_others_are_imported(memory: Memory, tmp_path: Path) -> None:
    facts = [
        {"id": "f1", "fact": "The gateway listens on 8443"},
        "a loose remark",
        {"id": "f2", "fact": "Otto owns it"},
    ]
    place = tmp_path / "theirs" / "semantic"
    place.mkdir(parents=True)
    (place / "facts.json").write_text(json.dumps(facts))
    (place / "patterns.json").write_text(json.dumps({"version": 1, "patterns": [{"id": "p1", "pattern": "Retry"}, 7]}))
    report = memory.admin.import_loki(tmp_path / "theirs")
    assert [hit.text for hit in memory.recall("gateway listens")] == ["The gateway listens on 8443"]
    assert {path for path, _ in report.skipped} == {"semantic/facts.json#1", "semantic/patterns.json#1"}
    memory.admin.export_loki(tmp_path / "ours")
    assert json.loads((tmp_path / "ours/semantic/facts.json").read_text()) == facts
    written = json.loads((tmp_path / "ours/semantic/patterns.json").read_text())
    assert written == {"version": 1, "patterns": [{"id": "p1", "pattern": "Retry"}, 7]}


def test_an_imported_mistake_is_found_by_the_goals_and_files_of_those_who_met_it(
    memory: Memory, tmp_path: Path
) -> None:
    place = tmp_path / "theirs"
    (place / "semantic").mkdir(parents=True)
    (place / "episodic" / "2026-01-06").mkdir(parents=True)
    fault = {"type": "Vue", "message": "Avoid mutating a prop directly", "resolution": "Emit update:modelValue"}
    trace = {
        "id": "ep-1",
        "timestamp": "2026-01-06T10:30:00Z",
        "context": {"goal": "Polish the invoice page", "files_involved": ["web/invoice/Total.vue"]},
        "errors_encountered": [fault],
        "outcome": "success",
    }
    bad = {
        "id": "a1",
        "what_fails": "Vue",
        "why": fault["message"],
        "prevention": fault["resolution"],
        "source": "ep-1",
    }
    (place / "episodic/2026-01-06/task-1.json").write_text(json.dumps(trace))
    (place / "semantic/anti-patterns.json").write_text(json.dumps([bad]))
    report = memory.admin.import_loki(place)
    text = memory.get(report.ids["a1"]).text
    memory.tasks.learn()
    for asked in ({"goal": "Polish the receipt page"}, {"goal": "Change it", "files": ["web/invoice/Total.vue"]}):
        assert report.ids["a1"] in [hit.id for hit in memory.before_task(**asked).mistakes], asked
    assert memory.get(report.ids["a1"]).text == text


def write_json(path: Path, body: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(body))


def read_json(path: Path) -> Any:
    return json.loads(path.read_text())


@pytest.mark.parametrize("withdraw", [False, True])
def test_an_export_in_place_keeps_documents_whose_memories_faded(
    memory: Memory, tmp_path: Path, withdraw: bool
) -> None:
    given = lay(tmp_path / "in")
    before = {path: path.read_bytes() for path in given.rglob("*") if path.is_file()}
    report = memory.admin.import_loki(given)
    for id in report.ids.values():
        if memory.get(id).state == "live":
            memory.admin.archive(id, withdraw=withdraw)
    memory.admin.export_loki(given)
    assert {path: path.read_bytes() for path in given.rglob("*") if path.is_file()} == before


def test_a_changed_document_is_exported_as_it_was_changed(memory: Memory, tmp_path: Path) -> None:
    given = lay(tmp_path / "in")
    first = memory.admin.import_loki(given)
    changed = {**PATTERN, "usage_count": 9, "reviewed_by": "anna", "more": {"a": [1]}}
    write_json(given / "semantic/patterns.json", [changed, *OTHERS])
    write_json(given / "handoffs/handoff-001.json", {**HANDOFF, "urgency": 5})
    write_json(given / "episodic/2026-01-06/task-001.json", {**TRACE, "git_commit": "def456", "cost": 2})
    again = memory.admin.import_loki(given)
    assert again.ids == first.ids
    assert isinstance(memory.get(first.ids["sem-001"]).details, dict)
    memory.admin.export_loki(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(given)


def test_what_changed_here_and_what_changed_in_the_document_are_both_kept(memory: Memory, tmp_path: Path) -> None:
    given = lay(tmp_path / "in")
    first = memory.admin.import_loki(given)
    memory.review.update(first.ids["sem-001"], category="express")
    write_json(given / "semantic/patterns.json", [{**PATTERN, "confidence": 0.5, "reviewed_by": "anna"}, *OTHERS])
    report = memory.admin.export_loki(given)
    assert read_json(given / "semantic/patterns.json")[0] == {
        **PATTERN,
        "category": "express",
        "confidence": 0.5,
        "reviewed_by": "anna",
    }
    (backup,) = report.backups
    assert read_json(Path(backup))[0]["category"] == "typescript"
    assert memory.admin.import_loki(given).files == report.files  # a backup is not imported


def edited(place: Path, name: str, **fields: Any) -> None:
    found = read_json(place / name)
    write_json(place / name, [{**each, **fields} for each in found] if isinstance(found, list) else {**found, **fields})


@pytest.mark.parametrize("read_first", [True, False])
def test_what_a_person_edits_in_a_document_of_ours_is_taken_over_and_stays(
    memory: Memory, tmp_path: Path, read_first: bool
) -> None:
    place = tmp_path / "loki"
    fact = memory.remember("Otto drinks tea", kind="note", details={"cup": 1})
    pattern = memory.remember("Retry slowly", kind="pattern", category="net", correct_approach="back off")
    bad = memory.remember("Never pull on the quay", kind="antipattern")
    with memory.task("Move the crane") as task:
        task.action("run_test", target="pier.py")
    memory.admin.export_loki(place)
    [trace] = sorted((place / "episodic").glob("*/*.json"))
    edited(place, "semantic/facts.json", fact="Otto drinks coffee", by={"name": "anna", "list": [1, None]})
    edited(place, "semantic/patterns.json", category="ports", reviewed=True)
    edited(place, "semantic/anti-patterns.json", note="é")
    edited(place, trace.relative_to(place).as_posix(), git_commit="abc123", cost=2.5)
    theirs = contents(place)
    if read_first:
        memory.admin.import_loki(place)
    memory.admin.export_loki(place)
    assert contents(place) == theirs
    assert (memory.get(fact.id).text, memory.get(fact.id).details["cup"]) == ("Otto drinks coffee", 1)
    assert (memory.get(pattern.id).text, memory.get(pattern.id).attributes["category"]) == ("Retry slowly", "ports")
    assert memory.get(bad.id).text == "Never pull on the quay"
    assert memory.get(task.id).attributes["git_commit"] == "abc123"


def test_what_changed_only_in_the_memory_is_not_taken_back_by_its_own_export(memory: Memory, tmp_path: Path) -> None:
    note = memory.remember("Otto drinks tea", kind="note")
    memory.admin.export_loki(tmp_path)
    memory.review.update(note.id, "Otto drinks cocoa")
    memory.admin.export_loki(tmp_path)
    assert memory.get(note.id).text == "Otto drinks cocoa"
    assert read_json(tmp_path / "semantic/facts.json")[0]["fact"] == "Otto drinks cocoa"


def test_an_export_reads_what_it_would_replace(memory: Memory, tmp_path: Path) -> None:
    given = lay(tmp_path / "in")
    memory.admin.import_loki(given)
    memory.remember("Otto reviews on Mondays", kind="fact")
    facts = {**FILES["semantic/facts.json"], "fact-3": {"fact": "The proxy runs on port 9090", "by": "anna"}}
    write_json(given / "semantic/facts.json", facts)
    (given / "semantic/patterns.json").write_text("[{broken")
    report = memory.admin.export_loki(given)
    written = read_json(given / "semantic/facts.json")
    assert facts.items() <= written.items()
    assert len(written) == 4
    assert "The proxy runs on port 9090" in memory.recall("proxy port").texts
    assert (given / "semantic/patterns.json").read_text() == "[{broken"
    assert [path for path, _ in report.skipped] == ["semantic/patterns.json"]


def test_a_second_export_changes_no_file(memory: Memory, tmp_path: Path) -> None:
    memory.admin.import_loki(lay(tmp_path / "in"))
    memory.remember("To mend it, call Otto", kind="procedure", name="mend the mat", steps=["open it", "call Otto"])
    memory.remember("Make tea", kind="skill", name="Make tea", steps=["boil", "pour"])
    memory.remember("Otto reviews on Mondays", kind="fact")
    memory.admin.export_loki(tmp_path / "out")
    before = contents(tmp_path / "out")
    nodes = memory.stats().nodes
    for _ in range(2):
        memory.admin.import_loki(tmp_path / "out")
        assert memory.admin.export_loki(tmp_path / "out").backups == []
    assert contents(tmp_path / "out") == before
    assert memory.stats().nodes == nodes


def test_a_time_without_a_zone_is_utc(memory: Memory, tmp_path: Path) -> None:
    write_json(tmp_path / "in/episodic/2026-01-06/task-1.json", {**TRACE, "timestamp": "2026-01-06T10:30:00"})
    write_json(tmp_path / "in/ledgers/eng.json", {**LEDGER, "last_checkpoint": "2026-01-06T10:00:00"})
    report = memory.admin.import_loki(tmp_path / "in")
    assert memory.get(report.ids[TRACE["id"]]).event_at.isoformat() == "2026-01-06T10:30:00+00:00"
    assert memory.tasks.ledger("eng-001-backend").last_checkpoint.isoformat() == "2026-01-06T10:00:00+00:00"


def test_skills_of_subfolders_return_to_them(memory: Memory, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / "in/skills" / name).mkdir(parents=True)
        (tmp_path / "in/skills" / name / "debug.md").write_text(SKILL.replace("Debugging", name))
    memory.admin.import_loki(tmp_path / "in")
    memory.admin.export_loki(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(tmp_path / "in")


def test_of_several_imported_patterns_the_one_that_fits_gets_the_evidence(memory: Memory, tmp_path: Path) -> None:
    fix = "Commit package-lock.json before the image is built"
    patterns = [
        {"id": "p1", "pattern": "Lock files belong to the repository", "correct_approach": fix},
        {"id": "p2", "pattern": "Name images after their branch", "correct_approach": "Tag the image with the branch"},
    ]
    given = tmp_path / "in"
    for number in (1, 2, 3):
        fault = {"type": "Docker", "message": "npm ci needs a lock file", "resolution": fix}
        context = {"goal": "Build the image of the shop"}
        trace = {"id": f"ep-{number}", "context": context, "errors_encountered": [fault], "outcome": "success"}
        write_json(given / f"episodic/2026-01-0{number}/task-1.json", trace)
    write_json(given / "semantic/patterns.json", [{**each, "source_episodes": ["ep-1"]} for each in patterns])
    ids = memory.admin.import_loki(given).ids
    memory.tasks.learn()
    sources = {name: len(memory.graph.neighbours(ids[name])) for name in ("p1", "p2")}
    assert sources == {"p1": 3, "p2": 1}
