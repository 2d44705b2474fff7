"""Incidental errors do not become patterns, and each resolution has its own evidence."""

from __future__ import annotations

from omoide import Memory
from omoide.domain import Node

NET = {
    "type": "git",
    "message": "fatal: Could not resolve host github.com",
    "resolution": "Retried after the network was back",
}
THINGS = ("alerts", "orders", "chat", "billing", "search")


def lessons(memory: Memory, kind: str) -> list[Node]:
    found = [each.id for each in memory.tasks.learn().entries if each.kind == kind and each.id is not None]
    return [memory.get(id) for id in dict.fromkeys(found)]


def error(type: str, message: str, resolution: str | None = None) -> dict[str, str | None]:
    return {"type": type, "message": message, "resolution": resolution}


def test_an_error_of_a_single_task_makes_no_pattern(memory: Memory) -> None:
    for number, thing in enumerate(THINGS):
        memory.tasks.record(f"Rename the {thing} folder", "success", errors=[NET] if number == 2 else [])
        memory.tasks.record(f"Write release notes for {thing}", "success", errors=[NET] if number == 3 else [])
    assert lessons(memory, "pattern") == []
    assert memory.before_task("Write a poem about the sea").patterns == ()


def test_an_error_of_every_kind_of_task_is_found_by_its_message_alone(memory: Memory) -> None:
    own = error("Postgres", "deadlock detected on table accounts", "Lock the rows in id order")
    kinds = ("Rename the {} folder", "Write release notes about {}", "Backfill {} balances", "Draw a diagram of {}")
    for kind in kinds:
        for number, thing in enumerate((*THINGS, "mail")):
            errors = [NET] * (number in (1, 4)) + [own] * kind.startswith("Backfill")
            memory.tasks.record(kind.format(thing), "success", errors=errors)
    (found,) = lessons(memory, "pattern")
    assert found.attributes["correct_approach"] == own["resolution"]
    mistake = next(hit.node for hit in memory.before_task("could not resolve host").mistakes)
    assert mistake.attributes["prevention"] == NET["resolution"]
    assert not any(thing in mistake.text for thing in THINGS)


def test_the_confidence_of_a_pattern_grows_with_the_traces_that_met_its_error(memory: Memory) -> None:
    fix = error("Postgres", "deadlock detected", "Lock the rows in id order")
    for number, thing in enumerate(THINGS):
        memory.tasks.record(f"Backfill the {thing} balances", "success", errors=[fix] if number < 2 else [])
    (found,) = lessons(memory, "pattern")
    assert found.confidence == 0.8
    assert len(memory.explain(found.id).evidence) == 2


def test_the_same_way_of_doing_something_else_is_no_evidence(memory: Memory) -> None:
    fix = error("npm", "the lock file is stale", "Deleted the lock file and installed again")
    for thing in ("alerts", "orders"):
        memory.tasks.record(f"Rename folder {thing}", "success", files=["a/x.ts"], errors=[fix])
    for thing in ("alerts", "orders"):
        memory.tasks.record(f"Publish image {thing}", "success", files=["b/y.go"], errors=[{**fix, "type": "yarn"}])
    assert all(len(memory.explain(each.id).evidence) <= 4 for each in lessons(memory, "pattern"))
    for each in memory.before_task("Publish image").patterns:
        assert not ("Rename" in each.node.text and "Publish" in each.node.text) or each.node.confidence <= 0.9


def test_another_resolution_of_the_same_error_is_another_lesson(memory: Memory) -> None:
    user = error("TypeError", "cannot read property 'user' of undefined", "Initialise the store before mount")
    token = error("TypeError", "cannot read property 'token' of undefined", "Await the session call first")
    for goal, each in (("Fix login form", user), ("Fix login form again", token)):
        memory.tasks.record(goal, "success", errors=[each])
    found = {each.attributes["prevention"]: each for each in lessons(memory, "antipattern")}
    assert set(found) == {user["resolution"], token["resolution"]}
    assert {round(each.confidence, 2) for each in found.values()} == {0.67}
    told = memory.tasks.lessons(error="TypeError: cannot read property 'price' of undefined")
    assert {each.node.id for each in told} == {each.id for each in found.values()}
    assert memory.before_task("Fix login form").patterns == ()


def test_a_number_that_tells_makes_another_error(memory: Memory) -> None:
    for code in (401, 503):
        memory.tasks.record(
            f"Call the api {code}",
            "success",
            errors=[error("HTTP", f"Request failed with status code {code}", "Refresh the token and try again")],
        )
    assert len(lessons(memory, "antipattern")) == 2


def test_a_resolution_seen_only_in_failed_tasks_is_marked_and_ranked_last(memory: Memory) -> None:
    def deadlock(cure: str) -> list[dict[str, str | None]]:
        return [error("Postgres", "deadlock detected on table accounts", cure)]

    for thing in ("alerts", "orders", "chat"):
        memory.tasks.record(f"Backfill the {thing} balances", "failure", errors=deadlock("Retried in a loop"))
    for thing in ("billing", "search", "auth"):
        errors = deadlock("Lock the rows in id order") if thing != "auth" else []
        memory.tasks.record(f"Backfill the {thing} balances", "success", errors=errors)
    memory.tasks.learn()
    briefing = memory.before_task("Backfill the invoice balances")
    assert briefing.patterns[0].node.attributes["correct_approach"] == "Lock the rows in id order"
    cures = [hit.node.attributes["prevention"] for hit in briefing.mistakes]
    assert cures == ["Lock the rows in id order", "Retried in a loop"]
    assert "Tried, and the task failed all the same: Retried in a loop" in briefing.markdown


def test_steps_that_every_task_has_make_no_pattern(memory: Memory) -> None:
    steps = [{"action": each} for each in ("read_file", "edit_file", "run_test")]
    for number in range(4):
        memory.tasks.record(f"Fix bug {100 + number} in checkout", "success", actions=steps)
    assert lessons(memory, "pattern") == []


def test_steps_that_most_tasks_have_make_no_pattern(memory: Memory) -> None:
    usual = [{"action": each} for each in ("claim_ticket", "close_ticket")]
    for thing in (*THINGS, "mail"):
        memory.tasks.record(f"Rename the {thing} folder", "success", actions=usual)
        memory.tasks.record(f"Write release notes about {thing}", "success", actions=usual)
        memory.tasks.record(f"Rotate certificate {thing}", "success", actions=[*usual, {"action": "terraform_apply"}])
    (found,) = lessons(memory, "pattern")
    assert "terraform_apply" in found.attributes["correct_approach"]


def test_the_same_error_in_unlike_tasks_is_learned_once(memory: Memory) -> None:
    told = (
        (
            "Import the March payroll sheet",
            "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe4",
            "Open it with cp1252",
        ),
        ("Load Bavarian town names", "'utf-8' codec can't decode byte 0xfc in position 9", "Opened the file as cp1252"),
        ("Parse the supplier list", "utf-8 codec can't decode byte 0xdf", "Use encoding=cp1252"),
    )
    for goal, message, cure in told:
        memory.tasks.record(goal, "success", errors=[error("UnicodeDecodeError", message, cure)])
    (found,) = lessons(memory, "antipattern")
    assert found.text.count("UnicodeDecodeError") == 1
    assert len(memory.explain(found.id).evidence) == 3
    for goal, _, _ in told:
        assert found.id in [hit.id for hit in memory.before_task(goal).mistakes]


def test_a_pattern_that_its_cluster_no_longer_supports_loses_confidence(memory: Memory) -> None:
    fix = error("Postgres", "deadlock detected", "Lock the rows in id order")
    for thing in ("alerts", "orders"):
        memory.tasks.record(f"Backfill the {thing} balances", "success", errors=[fix])
    (found,) = lessons(memory, "pattern")
    for number in range(8):
        memory.tasks.record(f"Backfill the {THINGS[number % 2]} balances", "success")
    memory.tasks.learn()
    assert memory.get(found.id).confidence == 0.5
