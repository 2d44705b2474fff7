"""Similar traces become patterns, resolved errors become anti-patterns."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory, Settings
from omoide.domain import Node
from omoide.learn.trace_lessons import make_pattern, pattern_confidence
from omoide.learn.trace_similarity import assign_clusters
from omoide.store import TaskTrace
from tests.conftest import Open, start, unsound, viewed_with_consent
from tests.learn.whole import Fuse, PowerCut, dump, opened

GOALS = ("Implement POST /api/todos endpoint", "Add the endpoint that posts users", "Write the endpoint for new orders")
FIX = {
    "type": "TypeScript compilation",
    "message": "Missing return type annotation",
    "resolution": "Added explicit :void to the route handler",
}


def express(memory: Memory, number: int, **more: Any) -> Node:
    told: dict[str, Any] = {
        "files": ["src/routes.ts"],
        "actions": [{"t": 0, "action": "run_test"}],
        "errors": [FIX],
        "type": "feature",
    }
    return memory.tasks.record(GOALS[number % len(GOALS)], **({"outcome": "success"} | told | more))


def held(memory: Memory, kind: str) -> list[Node]:
    return [
        hit.node
        for hit in viewed_with_consent(memory).recall("endpoint route handler return type", kinds=[kind], limit=50)
    ]


def test_two_alike_traces_become_a_pattern_and_one_does_not(memory: Memory) -> None:
    first = express(memory, 0)
    memory.tasks.learn()
    assert held(memory, "pattern") == []
    second = express(memory, 1)
    memory.tasks.learn()
    (found,) = held(memory, "pattern")
    told = found.attributes
    assert told["correct_approach"] == FIX["resolution"]
    assert told["incorrect_approach"] == f"{FIX['type']}: {FIX['message']}"
    assert told["category"] == "feature"
    assert "src/routes.ts" in told["conditions"]
    assert found.confidence == 0.8
    assert (found.origin, found.source_type) == ("agent", "consolidation")
    assert {each.episode.id for each in memory.explain(found.id).evidence} == {first.id, second.id}


def test_learning_from_sessions_learns_from_traces_too(memory: Memory) -> None:
    express(memory, 0)
    express(memory, 1)
    assert {entry.kind for entry in memory.learn().entries} == {"pattern", "antipattern"}


def test_more_evidence_raises_the_confidence_and_creates_no_duplicate(memory: Memory) -> None:
    for number in range(6):
        express(memory, number)
        memory.tasks.learn()
    (found,) = held(memory, "pattern")
    assert found.confidence > 0.9
    assert found.attributes["usage_count"] == 4
    assert len(memory.explain(found.id).evidence) == 6
    (mistake,) = held(memory, "antipattern")
    assert len(memory.explain(mistake.id).evidence) == 6


def test_a_resolved_error_becomes_a_antipattern_found_by_goal_message_and_files(memory: Memory) -> None:
    trace = express(memory, 0)
    memory.tasks.record("Something else", "failure", errors=[{"type": "E", "message": "unresolved"}])
    memory.tasks.learn()
    (found,) = held(memory, "antipattern")
    told = found.attributes
    assert (told["what_fails"], told["why"], told["prevention"]) == tuple(FIX.values())
    assert memory.explain(found.id).evidence[0].episode.id == trace.id
    for question in ("POST todos", "missing annotation", "routes.ts", "explicit void"):
        assert found.id in [hit.id for hit in memory.recall(question, kinds=["antipattern"])], question


def test_what_is_done_alike_and_failed_as_often_is_no_pattern(memory: Memory) -> None:
    for number in range(4):
        express(memory, number, outcome="success" if number % 2 else "failure")
    memory.tasks.learn()
    assert held(memory, "pattern") == []


def test_without_errors_the_steps_that_succeeded_are_what_works(memory: Memory) -> None:
    for steps in ("read_file dump_schema migrate", "read_file dump_schema lint migrate"):
        actions = [{"t": n, "action": each} for n, each in enumerate(steps.split())]
        memory.tasks.record("Implement the endpoint for todos", "success", actions=actions)
    memory.tasks.learn()
    (found,) = held(memory, "pattern")
    assert found.attributes["correct_approach"] == "read_file, then dump_schema, then migrate"


def test_every_phrase_of_a_lesson_stands_in_its_traces(memory: Memory) -> None:
    traces = [express(memory, number, constraints=["no new deps"], phase="build") for number in range(3)]
    memory.tasks.learn()
    words = " ".join(str(each.attributes) for each in traces)
    for lesson in (*held(memory, "pattern"), *held(memory, "antipattern")):
        said = re.sub(r"\b(Works|Fails|Also|Files|Prevention|While): ", "", lesson.text)
        for phrase in re.split(r"[.;] |: |\.$", said):
            assert phrase in words, phrase
        for value in lesson.attributes.values():
            for phrase in value if isinstance(value, tuple) else [value]:
                assert not isinstance(phrase, str) or all(each in words for each in phrase.split(": ")), phrase


def test_a_second_run_over_traces_changes_nothing(opened: Open, path: str) -> None:
    memory = opened()
    for number in range(4):
        express(memory, number)
    memory.tasks.learn()
    before = dump(path)
    assert memory.tasks.learn().entries == []
    assert memory.learn().entries == []
    assert dump(path) == before


def test_traces_learned_one_by_one_give_the_result_of_all_at_once(tmp_path: Path) -> None:
    texts = []
    for step in (1, 12):
        with opened(str(tmp_path / f"{step}.db")) as memory:
            for number in range(12):
                express(memory, number, files=[f"src/{number % 2}.ts"])
                memory.tasks.record(f"Write a poem about {number}", "success", errors=[])
                if (number + 1) % step == 0:
                    memory.tasks.learn()
            texts.append(
                sorted((n.text, n.confidence) for kind in ("pattern", "antipattern") for n in held(memory, kind))
            )
    assert texts[0] == texts[1] != []


def test_words_that_a_person_chose_stay_and_confirmed_ones_stay_certain(memory: Memory) -> None:
    for number in range(2):
        express(memory, number)
    memory.tasks.learn()
    (found,) = held(memory, "pattern")
    memory.review.update(found.id, "Route handlers of an endpoint return void")
    memory.review.confirm(found.id)
    express(memory, 2)
    memory.tasks.learn()
    after = memory.get(found.id)
    assert (after.text, after.confidence) == ("Route handlers of an endpoint return void", 1.0)
    assert len(memory.explain(found.id).evidence) == 3


def test_a_pattern_that_was_corrected_is_not_brought_back(memory: Memory) -> None:
    for number in range(2):
        express(memory, number)
    memory.tasks.learn()
    (found,) = held(memory, "pattern")
    better = memory.correct(found.id, "Endpoint handlers are typed RequestHandler")
    express(memory, 2)
    memory.tasks.learn()
    assert [each.id for each in held(memory, "pattern")] == [better.id]
    assert memory.get(better.id).text == "Endpoint handlers are typed RequestHandler"


def test_traces_of_other_labels_are_never_mixed(memory: Memory) -> None:
    express(memory, 0)
    express(memory, 1, sensitive=True)
    express(memory, 2, audience="shared")
    express(memory, 0, origin="import")
    memory.tasks.learn()
    assert held(memory, "pattern") == []
    express(memory, 2, sensitive=True)
    express(memory, 1, origin="import")
    memory.tasks.learn()
    assert {(each.origin, each.sensitive) for each in held(memory, "pattern")} == {("agent", True), ("import", False)}
    assert all(each.sensitive for each in held(memory, "antipattern") if each.origin == "agent" and each.sensitive)


def test_a_crashed_task_teaches_nothing_of_its_crash(opened: Open) -> None:
    memory = opened()
    for _ in range(2):
        task = memory.task("Migrate the table", detached=True)
        memory._store.tasks.finish_task(task.id, _crash(), lambda text: ())
    memory.tasks.learn()
    assert memory.recall("crashed", kinds=["pattern", "antipattern"]).hits == ()


def _crash() -> Any:
    from omoide.store import TaskEnding

    return TaskEnding(outcome="failure", error={"type": "crashed", "message": "gone", "resolution": None})


# ── cut off ───────────────────────────────────────────────────────────────────────────────────────────────────────


def prepared(folder: Path) -> str:
    path = str(folder / "traces.db")
    with opened(path) as memory:
        for number in range(4):
            express(memory, number)
        other = {"type": "Timeout", "message": "full table scan", "resolution": "created an index"}
        for goal in ("Speed up the query over users", "Make the slow users query fast"):
            memory.tasks.record(goal, "success", errors=[other])
        memory.tasks.record("Write a poem", "partial")
    return path


def test_an_interruption_at_any_write_and_a_second_run_give_the_undisturbed_result(tmp_path: Path, fuse: Fuse) -> None:
    path = prepared(tmp_path)
    whole = str(shutil.copy(path, tmp_path / "whole.db"))
    fuse.burnt = 0
    with opened(whole, first_id=1000) as memory:
        memory.tasks.learn()
        assert unsound(memory) == []
    expected, writes = dump(whole), fuse.burnt
    assert writes > 30
    for cut in range(1, writes + 1):
        torn = str(shutil.copy(path, tmp_path / "torn.db"))
        memory = opened(torn, first_id=2000)
        fuse.burnt, fuse.at = 0, cut
        try:
            memory.tasks.learn()
        except PowerCut:
            pass
        finally:
            fuse.at = None
            memory.close()
        with opened(torn, first_id=3000) as memory:
            memory.tasks.learn()
        assert dump(torn) == expected, f"cut at write {cut} of {writes}"


BESIDE = """
import sys
from tests.learn.whole import opened
with opened(sys.argv[1], first_id=int(sys.argv[2])) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    memory.tasks.learn()
"""


def test_two_processes_at_once_learn_everything_once(tmp_path: Path) -> None:
    path = prepared(tmp_path)
    whole = str(shutil.copy(path, tmp_path / "whole.db"))
    with opened(whole, first_id=1000) as memory:
        memory.tasks.learn()
    both = [start(BESIDE, path, first) for first in (2000, 3000)]
    for each in both:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in both:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    for each in both:
        _, said = each.communicate()
        assert each.returncode == 0, said
    with opened(path, first_id=4000) as memory:
        memory.tasks.learn()  # what one of them passed over since the other was at it
        assert unsound(memory) == []
        assert len(held(memory, "pattern")) == 1
    assert len(dump(path)["node"]) == len(dump(whole)["node"])


# ── pure ──────────────────────────────────────────────────────────────────────────────────────────────────────────

words = st.sampled_from("add fix orders users index query route test slow login build mail cache".split())
sentences = st.lists(words, min_size=1, max_size=4).map(" ".join)


@st.composite
def traces(draw: st.DrawFn) -> list[TaskTrace]:
    return [
        TaskTrace(
            id=number,
            number=number,
            cluster=None,
            goal=draw(sentences),
            type=None,
            phase=None,
            outcome=draw(st.sampled_from(("success", "failure", "partial"))),
            files=tuple(draw(st.lists(words, max_size=2))),
            constraints=(),
            actions=tuple({"action": each} for each in draw(st.lists(words, max_size=3))),
            errors=tuple({"type": "E", "message": each} for each in draw(st.lists(sentences, max_size=1))),
            labels=("agent", draw(st.booleans()), "private"),
            vector=None,
        )
        for number in range(1, draw(st.integers(1, 12)) + 1)
    ]


@given(traces(), st.integers(0, 12))
def test_any_traces_in_two_parts_are_placed_as_in_one(found: list[TaskTrace], cut: int) -> None:
    whole = assign_clusters(found)
    first = assign_clusters(found[:cut])
    marked = [replace(each, cluster=first.get(each.id)) for each in found]
    assert first | assign_clusters(marked) == whole


@given(traces())
def test_any_cluster_holds_one_kind_of_label_and_begins_with_its_first_trace(found: list[TaskTrace]) -> None:
    by_id = {each.id: each for each in found}
    for id, cluster in assign_clusters(found).items():
        assert cluster <= id
        assert by_id[cluster].labels == by_id[id].labels


@given(traces())
def test_any_pattern_is_as_sure_as_its_traces_allow(found: list[TaskTrace]) -> None:
    lesson = make_pattern(found)
    assert lesson is None or (lesson.text and 0 <= lesson.confidence < 1 and lesson.sources)


@given(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99))
def test_any_counts_give_a_confidence_that_is_never_certain(bearing: int, neutral: int, against: int) -> None:
    assert 0 <= pattern_confidence(bearing, neutral, against) < 1


def test_what_learns_by_itself_learns_from_tasks_too(opened: Open) -> None:
    memory = opened(settings=Settings(learn_automatically=1))
    express(memory, 0)
    express(memory, 1)
    memory.flush()
    assert len(held(memory, "pattern")) == 1
