"""Lessons that are told without a query, because of what happens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import InvalidInput, NotFound
from omoide.layers.trigger import bound, happened, signature


def lesson(memory: Memory, text: str = "Never force-push main") -> int:
    return memory.remember(text, kind="antipattern", prevention="ask first").id


def texts(memory: Memory, **what: Any) -> list[str]:
    return [each.node.text for each in memory.lessons(**what)]


@pytest.mark.parametrize(
    ("pattern", "file"),
    [
        ("src/routes/*.ts", "src/routes/todos.ts"),
        ("src/routes/*.ts", "/home/otto/shop/src/routes/todos.ts"),
        ("*.py", "a/b/c.py"),
        ("**/migrations/**", "app/migrations/0001_first.sql"),
        ("Dockerfile", "services/api/Dockerfile"),
        ("src/db", "src/db/todos.ts"),
        ("src/**/*.test.ts", "src/a/b/todos.test.ts"),
        ("./README.md", "README.md"),
        ("src\\win\\*.c", "src\\win\\a.c"),
        ("[abc].txt", "b.txt"),
        ("*", "anything"),
        ("*.tar.gz", "out/a.tar.gz"),
    ],
)
def test_a_path_is_met_by_its_pattern(memory: Memory, pattern: str, file: str) -> None:
    memory.bind(lesson(memory), path=pattern)
    assert texts(memory, path=file) == ["Never force-push main"]


@pytest.mark.parametrize(
    ("pattern", "file"),
    [
        ("src/routes/*.ts", "src/routes/deep/todos.ts"),
        ("src/routes/*.ts", "src/routes/todos.tsx"),
        ("*.py", "a.pyc"),
        ("/etc/hosts", "backup/etc/hosts"),
        ("Dockerfile", "Dockerfile.dev"),
    ],
)
def test_another_path_is_not(memory: Memory, pattern: str, file: str) -> None:
    memory.bind(lesson(memory), path=pattern)
    assert texts(memory, path=file) == []


def test_a_command_is_met_by_its_first_words_wherever_it_stands_in_the_line(memory: Memory) -> None:
    memory.bind(lesson(memory), command="git push --force")
    for line in (
        "git push --force origin main",
        "cd shop && git push --force",
        "sudo GIT_TRACE=1 /usr/bin/git push --force",
        "make test; git push --force | cat",
    ):
        assert texts(memory, command=line) == ["Never force-push main"], line
    for line in ("git push", "git pusher --force", "echo git push --force"):
        assert texts(memory, command=line) == [], line


def test_an_error_is_met_whatever_its_numbers_paths_and_addresses_are(memory: Memory) -> None:
    memory.bind(lesson(memory, "Check for None first"), error="AttributeError: 'NoneType' object has no attribute 'id'")
    printed = """
    Traceback (most recent call last):
      File "/home/otto/shop/app.py", line 214, in handler
    \x1b[31mAttributeError: 'NoneType' object has no attribute 'id'\x1b[0m (at 0x7f3a2c9b)
    """
    assert texts(memory, error=printed) == ["Check for None first"]
    assert texts(memory, error="AttributeError: 'str' object has no attribute 'id'") == []


def test_an_error_can_be_met_by_its_class_alone(memory: Memory) -> None:
    memory.bind(lesson(memory, "Read the type"), error="TypeError")
    assert texts(memory, error="src/a.ts(3,5): TypeError: x is undefined") == ["Read the type"]


def test_the_most_specific_lesson_is_told_first_and_says_why(memory: Memory) -> None:
    by_tool, by_folder, by_file = lesson(memory, "tool"), lesson(memory, "folder"), lesson(memory, "file")
    memory.bind(by_tool, tool="Edit")
    memory.bind(by_folder, path="src/**")
    memory.bind(by_file, path="src/routes/todos.ts", tool="Edit")
    told = memory.lessons(tool="Edit", path="src/routes/todos.ts")
    assert [each.node.text for each in told] == ["file", "folder", "tool"]
    assert told[0].why == "src/routes/todos.ts and the tool Edit"
    assert told[1].why == "src/routes/todos.ts is one of src/**"
    assert [each.node.text for each in memory.lessons(tool="Edit", path="src/routes/todos.ts", limit=1)] == ["file"]


def test_all_that_a_binding_names_must_hold(memory: Memory) -> None:
    memory.bind(lesson(memory), tool="Bash", command="rm -rf")
    assert texts(memory, command="rm -rf build") == []
    assert texts(memory, tool="Read", command="rm -rf build") == []
    assert texts(memory, tool="bash", command="rm -rf build") == ["Never force-push main"]


def test_a_corrected_lesson_is_told_in_its_new_words_once(memory: Memory) -> None:
    id = lesson(memory)
    memory.bind(id, command="git push")
    new = memory.correct(id, "Never force-push main or release")
    memory.bind(new.id, command="git push")
    assert texts(memory, command="git push") == ["Never force-push main or release"]


def test_what_is_sensitive_needs_consent_and_what_is_private_stays_private(memory: Memory) -> None:
    secret = memory.remember("The staging login is on the blue card", sensitive=True)
    memory.bind(secret.id, tool="Login")
    assert texts(memory, tool="Login") == []
    assert [each.node.id for each in memory.lessons(tool="Login", consent=True)] == [secret.id]
    memory.bind(lesson(memory), tool="Push")
    assert memory.lessons(tool="Push", audience="shared") == []


def test_binding_twice_is_binding_once_and_can_be_taken_back(memory: Memory) -> None:
    id = lesson(memory)
    first = memory.bind(id, path="*.ts")
    assert memory.bind(id, path="*.ts") == first
    second = memory.bind(id, tool="Edit")
    assert memory.bindings(id) == [first, second]
    assert memory.unbind(id, first.id) == 1
    assert texts(memory, path="a.ts") == []
    assert memory.unbind(id) == 1
    assert memory.bindings() == []


def test_a_binding_needs_something_to_be_bound_to(memory: Memory) -> None:
    id = lesson(memory)
    for nothing in ({}, {"command": "sudo "}, {"error": "1234 /tmp/x"}, {"path": ""}):
        with pytest.raises(InvalidInput):
            memory.bind(id, **nothing)
    with pytest.raises(NotFound):
        memory.bind(99, tool="Edit")


def test_a_mistake_that_was_resolved_is_told_to_whoever_meets_it_again(memory: Memory) -> None:
    with memory.task("Add the orders endpoint") as task:
        task.error("TypeScript", "Missing return type annotation").resolved("Added :void to the handler")
    memory.consolidate()
    told = memory.lessons(error="src/users.ts(12,3): error TS7010: missing return type annotation")
    assert [each.node.prevention for each in told] == ["Added :void to the handler"]  # type: ignore[attr-defined]


@given(st.text(max_size=200), st.text(max_size=200))
def test_whatever_can_be_bound_is_met_by_itself(error: str, command: str) -> None:
    for what in ({"error": error}, {"command": command}):
        parts = {"tool": None, "path": None, "command": None, "error": None} | what
        try:
            trigger = bound(**parts)
        except InvalidInput:
            continue
        met = happened(**parts)
        assert trigger.key in met.keys
        assert trigger.reason(met)


@given(st.text(max_size=300))
def test_a_signature_is_its_own_signature(text: str) -> None:
    assert signature(signature(text)) == signature(text)
