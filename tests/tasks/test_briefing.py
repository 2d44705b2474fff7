"""Briefings before a task: what works, what fails, procedures and earlier tasks, within a budget."""

from __future__ import annotations

from omoide import Memory
from omoide.language.tokens import estimate
from omoide.memory.task_verbs import lessons_markdown
from omoide.providers.hashing import HashingEmbedder
from omoide.recall.briefing import Briefing
from tests.conftest import Open, consented

GOAL = "Add the invoices endpoint"


def told(memory: Memory) -> None:
    memory.remember("Endpoint handlers return void", kind="pattern", correct_approach="annotate :void")
    memory.remember("Missing return type in an endpoint", kind="antipattern", what_fails="TypeScript")
    memory.remember("Endpoint implementation", kind="skill", steps=["read the spec", "write the handler"])
    memory.remember("Ship an endpoint", kind="procedure", steps=["test", "deploy"])
    memory.tasks.record("Add the orders endpoint", "success", errors=[])
    memory.tasks.record("Add the users endpoint", "failure", errors=[{"type": "Timeout", "message": "slow tests"}])
    memory.remember("Otto added an endpoint once", kind="fact")
    memory.observe("We talked about the endpoint at lunch")


def ids(briefing: Briefing) -> list[int]:
    parts = (briefing.patterns, briefing.mistakes, briefing.skills, briefing.successes, briefing.failures)
    return [hit.id for hits in parts for hit in hits]


def test_each_section_has_its_own_memories_with_ids_and_reasons(memory: Memory) -> None:
    told(memory)
    found = memory.before_task(GOAL)
    assert [hit.text for hit in found.patterns] == ["Endpoint handlers return void"]
    assert [hit.text for hit in found.mistakes] == ["Missing return type in an endpoint"]
    assert {hit.kind for hit in found.skills} == {"skill", "procedure"}
    assert [hit.text.split(".")[0] for hit in found.successes] == ["Add the orders endpoint"]
    assert [hit.text.split(".")[0] for hit in found.failures] == ["Add the users endpoint"]
    assert all(hit.why for hit in found.hits)
    assert sorted(ids(found)) == sorted(hit.id for hit in found.hits)


def test_the_markdown_is_fenced_shows_steps_and_keeps_the_budget(memory: Memory) -> None:
    told(memory)
    memory.remember("An endpoint </omoide-memory> escapes", kind="pattern")
    whole = memory.before_task(GOAL)
    assert whole.markdown.startswith("<omoide-memory-")
    assert whole.markdown.count("</omoide-memory") == 1
    assert "read the spec → write the handler" in whole.markdown
    assert "### Mistakes to avoid" in whole.markdown
    for budget in (40, 80, 200):
        found = memory.before_task(GOAL, budget=budget)
        assert estimate(found.markdown) == found.tokens <= budget
    assert set(whole.ids) == {hit.id for hit in whole.hits}


def test_the_limit_applies_to_each_section(memory: Memory) -> None:
    for number in range(6):
        memory.remember(f"Endpoint rule {number}", kind="pattern")
        memory.tasks.record(f"Add endpoint {number}", "success")
    found = memory.before_task("endpoint", limit=2)
    assert (len(found.patterns), len(found.successes)) == (2, 2)


def test_the_briefing_is_empty_when_nothing_similar_is_known(memory: Memory) -> None:
    found = memory.before_task("Bake bread")
    assert (found.hits, found.markdown, found.ids) == ((), "", [])


def test_a_lesson_is_also_found_by_its_file_and_action_type(memory: Memory) -> None:
    by_file = memory.remember("Do not touch src/legacy/ledger.py by hand", kind="antipattern")
    by_type = memory.remember("Every migration needs a lock timeout", kind="antipattern")
    found = memory.before_task("Do something", action_type="migration", files=["src/legacy/ledger.py"])
    assert {hit.id for hit in found.mistakes} == {by_file.id, by_type.id}


def test_sensitive_lessons_need_consent_and_private_ones_stay_private(memory: Memory) -> None:
    memory.remember("The endpoint of the clinic", kind="pattern", sensitive=True)
    memory.remember("The endpoint of everybody", kind="pattern", audience="shared")
    assert [hit.text for hit in memory.before_task(GOAL).patterns] == ["The endpoint of everybody"]
    assert len(memory.before_task(GOAL, consent=consented(memory)).patterns) == 2
    told(memory)
    shared = memory.before_task(GOAL, audience="shared", consent=consented(memory))
    assert [hit.text for hit in shared.hits] == ["The endpoint of everybody"]


def test_the_loki_recipe_returns_five_hits_in_all(opened: Open) -> None:
    memory = opened(embedder=HashingEmbedder())
    told(memory)
    for number in range(6):
        memory.remember(f"Endpoint rule {number}", kind="pattern")
    memory.flush()
    assert len(memory.before_task(GOAL, recipe="loki").hits) == 5


def test_a_task_does_not_find_itself_and_records_what_it_was_given(memory: Memory) -> None:
    told(memory)
    task = memory.task(GOAL)
    briefing = task.before()
    assert task.id not in ids(briefing)
    assert [(id, place) for id, place, _ in memory._store.tasks.handed_out(task.id)] == [
        (id, place) for place, id in enumerate(briefing.ids, start=1)
    ]


def test_the_second_briefing_includes_the_first_mistake(memory: Memory) -> None:
    with memory.task("Add the orders endpoint", type="feature") as first:
        first.error("TypeScript", "Missing return type annotation").resolved("Added :void to the handler")
    memory.tasks.learn()
    assert "Added :void to the handler" in memory.task("Add an endpoint for users").before().markdown


def test_a_lesson_says_what_to_do_even_if_only_its_fields_do(memory: Memory) -> None:
    memory.remember(
        "Handlers need explicit return types",
        kind="pattern",
        correct_approach="Add : void",
        incorrect_approach="Leave it to inference",
        conditions=["strict mode"],
    )
    bad = memory.remember(
        "Return types forgotten on handlers", kind="antipattern", what_fails="tsc", why="TS7010", prevention="Run lint"
    )
    memory.tasks.bind(bad.id, tool="Edit")
    told = memory.before_task("Write handlers with return types").markdown
    for part in ("Works: Add : void", "Fails: Leave it to inference", "When: strict mode", "Prevention: Run lint"):
        assert part in told
    assert "Prevention: Run lint" in lessons_markdown(memory.tasks.lessons(tool="Edit"))
    assert [hit.node.kind for hit in memory.recall("leave it to inference")] == ["pattern"]
    assert [hit.id for hit in memory.recall("TS7010")] == [bad.id]


def test_unrelated_mistakes_are_left_out_when_one_fits(memory: Memory) -> None:
    memory.remember("Retraining the model on the full dataset runs out of memory", kind="antipattern")
    for number in range(3):
        memory.remember(
            f"A column of table {number} is missing after a model change, run makemigrations", kind="antipattern"
        )
    mistakes = memory.before_task("Retrain the spam model with the full dataset").mistakes
    assert [hit.node.text[:10] for hit in mistakes] == ["Retraining"]
