"""Lessons: memories bound to a tool, a path, a command or an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory
from omoide.domain.trigger import error_signature, normalize_trigger, trigger_event
from omoide.errors import InvalidInput, NotFound
from tests.conftest import consented


def lesson(memory: Memory, text: str = "Never force-push main") -> int:
    return memory.remember(text, kind="antipattern", prevention="ask first").id


def texts(memory: Memory, **what: Any) -> list[str]:
    return [each.node.text for each in memory.tasks.lessons(**what)]


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
        ("src/a.py", "src//a.py"),
        ("src//a.py", "src/a.py"),
        ("src/a.py", "src/b/../a.py"),
        ("src/./a.py", "./src/a.py"),
        ("caf\u00e9.py", "cafe\u0301.py"),
        ("~/x", str(Path.home() / "x")),
        ("a[1].py", "a[1].py"),
        ("app/[id]/page.tsx", "app/[id]/page.tsx"),
        ("{a,b}.py", "b.py"),
        ("src/{a,b/{c,d}}/*.ts", "src/b/d/x.ts"),
        ("*.{ts,tsx}", "web/page.tsx"),
        ("{resource}.ts", "{resource}.ts"),
        ("src/win/a.c", "C:\\shop\\src\\win\\a.c"),
    ],
)
def test_a_path_matches_its_pattern(memory: Memory, pattern: str, file: str) -> None:
    memory.tasks.bind(lesson(memory), path=pattern)
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
def test_another_path_does_not_match(memory: Memory, pattern: str, file: str) -> None:
    memory.tasks.bind(lesson(memory), path=pattern)
    assert texts(memory, path=file) == []


@pytest.mark.parametrize("pattern", ["!src/a.py", "@(a|b).py", "{1..9}.py", ".", "..", "/", "{a,b,c}" * 6])
def test_a_pattern_that_can_never_match_is_refused(memory: Memory, pattern: str) -> None:
    with pytest.raises(InvalidInput, match="path: "):
        memory.tasks.bind(lesson(memory), path=pattern)


def test_a_tool_may_be_one_of_many(memory: Memory) -> None:
    memory.tasks.bind(lesson(memory), tool="mcp__*")
    assert texts(memory, tool="mcp__GitHub__push") == ["Never force-push main"]
    assert texts(memory, tool="Bash") == []


def test_a_command_matches_by_its_first_words_anywhere_in_a_line(memory: Memory) -> None:
    memory.tasks.bind(lesson(memory), command="git push --force")
    for line in (
        "git push --force origin main",
        "cd shop && git push --force",
        "sudo GIT_TRACE=1 /usr/bin/git push --force",
        "make test; git push --force | cat",
    ):
        assert texts(memory, command=line) == ["Never force-push main"], line
    for line in ("git push", "git pusher --force", "echo git push --force"):
        assert texts(memory, command=line) == [], line


@pytest.mark.parametrize(
    "line",
    [
        "sudo -E git push",
        "sudo -u otto git push",
        "FOO='a b' git push",
        "(git push)",
        "$(git push)",
        'echo "$(git push)"',
        "`git push`",
        "if true; then git push; fi",
        "! git push",
        "git \\\npush",
        'git "push"',
        "git -C /x push",
        "bash -c 'git push'",
        "bash -lc 'cd shop && git push'",
        "echo main | xargs -n 1 git push",
        "nice -n 5 git push",
        "timeout 5 git push 2>&1 | cat",
        "echo it's; git push",
        "# first\ngit push",
        "cat <<EOF\nhello\nEOF\ngit push",
    ],
)
def test_a_command_matches_however_the_shell_runs_it(memory: Memory, line: str) -> None:
    memory.tasks.bind(lesson(memory), command="git push")
    assert texts(memory, command=line) == ["Never force-push main"]


@pytest.mark.parametrize(
    "line",
    [
        "cat <<EOF\ngit push\nEOF",
        "cat <<'EOF' > notes\n$(git push)\nEOF\nls",
        "cat <<EOF\ngit push",
        "# git push",
        "echo 'git push'",
        "git stash push",
    ],
)
def test_quoted_text_is_not_a_command(memory: Memory, line: str) -> None:
    memory.tasks.bind(lesson(memory), command="git push")
    assert texts(memory, command=line) == []


def test_flags_may_follow_a_command_in_any_position(memory: Memory) -> None:
    memory.tasks.bind(lesson(memory), command="git push --force")
    assert texts(memory, command="git push origin main --force") == ["Never force-push main"]
    assert texts(memory, command="git push origin main --force-with-lease") == []


def test_an_error_matches_despite_other_numbers_paths_and_addresses(memory: Memory) -> None:
    memory.tasks.bind(
        lesson(memory, "Check for None first"), error="AttributeError: 'NoneType' object has no attribute 'id'"
    )
    printed = """
    Traceback (most recent call last):
      File "/home/otto/shop/app.py", line 214, in handler
    \x1b[31mAttributeError: 'NoneType' object has no attribute 'id'\x1b[0m (at 0x7f3a2c9b)
    """
    assert texts(memory, error=printed) == ["Check for None first"]
    assert texts(memory, error="AttributeError: 'str' object has no attribute 'id'") == []


@pytest.mark.parametrize(
    ("told", "printed"),
    [
        ("Cannot find module", "Error: Cannot find module 'lodash'"),
        ("Cannot find module 'left-pad'", "Error: Cannot find module 'left-pad'\n  at require"),
        ("invalid literal for int() with base 10", "ValueError: invalid literal for int() with base 10: 'xyz'"),
        ("KeyError: 'user_id'", "Traceback (most recent call last):\nKeyError: 'user_id'"),
        ("ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 10.0.0.3:6000"),
        ("exit code 137", "Process exited with exit code 137"),
        ("Process exited with code 137", "eslint: process exited with code 137 after 3 s"),
        ("[Errno 13] Permission denied: '/etc/x'", "PermissionError: [Errno 13] Permission denied: '/etc/x'"),
        ("HTTP 404", "HTTP/1.1 404 Not Found"),
        ("error TS7010: missing return type annotation in src/a.ts", "b.ts(1,2): Missing return type annotation"),
        ("404", "HTTP 404: Not Found"),
        ("'user_id'", "KeyError: 'user_id'"),
    ],
)
def test_an_error_matches_by_the_names_in_it(memory: Memory, told: str, printed: str) -> None:
    memory.tasks.bind(lesson(memory), error=told)
    assert texts(memory, error=printed) == ["Never force-push main"]


@pytest.mark.parametrize(
    ("told", "printed"),
    [
        ("404", "HTTP 500: Not Found"),
        ("exit code 137", "Process exited with exit code 1"),
        ("Process exited with code 137", "Process exited with code 1"),
        ("Request failed with status code 401", "AxiosError: Request failed with status code 503"),
        ("KeyError: 'user_id'", "KeyError: 'email'"),
        ("Cannot find module 'left-pad'", "Error: Cannot find module 'express'"),
        ("HTTP 404", "HTTP 4040"),
        ("errno 13", "OSError: [Errno 2] No such file or directory"),
    ],
)
def test_a_bound_value_does_not_match_another_value(memory: Memory, told: str, printed: str) -> None:
    memory.tasks.bind(lesson(memory), error=told)
    assert texts(memory, error=printed) == []


@pytest.mark.parametrize(
    ("message", "printed", "met"),
    [
        ("Process exited with code 137", "Process exited with code 137", True),
        ("Process exited with code 137", "eslint: Process exited with code 1", False),
        ("Process exited with code 1", "Process exited with code 1", False),
        ("Request failed with status code 401", "AxiosError: Request failed with status code 401", True),
        ("Request failed with status code 401", "AxiosError: Request failed with status code 503", False),
        ("Request failed", "Request failed", False),
    ],
)
def test_a_mistake_is_bound_only_by_a_distinctive_error(memory: Memory, message: str, printed: str, met: bool) -> None:
    memory.tasks.record("Call", "success", errors=[{"type": "HTTP", "message": message, "resolution": "Wait"}])
    memory.tasks.learn()
    assert bool(memory.tasks.lessons(error=printed)) == met


def test_a_signature_ends_with_a_whole_word() -> None:
    assert error_signature("Missing return type annotation in src/a.ts:3") == "missing return type annotation"


def test_a_learned_mistake_matches_another_value(memory: Memory) -> None:
    with memory.task("Start the server") as task:
        task.error("Error", "Cannot find module 'express'").resolved("npm install what is missing")
    memory.tasks.learn()
    told = memory.tasks.lessons(error="Error: Cannot find module 'lodash'")
    assert [each.node.attributes["prevention"] for each in told] == ["npm install what is missing"]


def test_an_error_can_match_by_its_class_alone(memory: Memory) -> None:
    memory.tasks.bind(lesson(memory, "Read the type"), error="TypeError")
    assert texts(memory, error="src/a.ts(3,5): TypeError: x is undefined") == ["Read the type"]


def test_the_most_specific_lesson_comes_first_with_its_reason(memory: Memory) -> None:
    by_tool, by_folder, by_file = lesson(memory, "tool"), lesson(memory, "folder"), lesson(memory, "file")
    memory.tasks.bind(by_tool, tool="Edit")
    memory.tasks.bind(by_folder, path="src/**")
    memory.tasks.bind(by_file, path="src/routes/todos.ts", tool="Edit")
    told = memory.tasks.lessons(tool="Edit", path="src/routes/todos.ts")
    assert [each.node.text for each in told] == ["file", "folder", "tool"]
    assert told[0].why == "src/routes/todos.ts and the tool Edit"
    assert told[1].why == "src/routes/todos.ts is one of src/**"
    assert [each.node.text for each in memory.tasks.lessons(tool="Edit", path="src/routes/todos.ts", limit=1)] == [
        "file"
    ]


def test_all_conditions_of_a_binding_must_hold(memory: Memory) -> None:
    memory.tasks.bind(lesson(memory), tool="Bash", command="rm -rf")
    assert texts(memory, command="rm -rf build") == []
    assert texts(memory, tool="Read", command="rm -rf build") == []
    assert texts(memory, tool="bash", command="rm -rf build") == ["Never force-push main"]


def test_a_corrected_lesson_is_returned_once_with_its_new_text(memory: Memory) -> None:
    id = lesson(memory)
    memory.tasks.bind(id, command="git push")
    new = memory.correct(id, "Never force-push main or release")
    memory.tasks.bind(new.id, command="git push")
    assert texts(memory, command="git push") == ["Never force-push main or release"]


def test_sensitive_lessons_need_consent_and_private_lessons_stay_private(memory: Memory) -> None:
    secret = memory.remember("The staging login is on the blue card", sensitive=True)
    memory.tasks.bind(secret.id, tool="Login")
    assert texts(memory, tool="Login") == []
    assert [each.node.id for each in memory.tasks.lessons(tool="Login", consent=consented(memory))] == [secret.id]
    memory.tasks.bind(lesson(memory), tool="Push")
    assert memory.tasks.lessons(tool="Push", audience="shared") == []


def test_binding_twice_stores_one_binding_which_can_be_removed(memory: Memory) -> None:
    id = lesson(memory)
    first = memory.tasks.bind(id, path="*.ts")
    assert memory.tasks.bind(id, path="*.ts") == first
    second = memory.tasks.bind(id, tool="Edit")
    assert memory.tasks.bindings(id) == [first, second]
    assert memory.tasks.unbind(id, first.id) == 1
    assert texts(memory, path="a.ts") == []
    assert memory.tasks.unbind(id) == 1
    assert memory.tasks.bindings() == []


def test_a_binding_needs_a_condition(memory: Memory) -> None:
    id = lesson(memory)
    for nothing in ({}, {"command": "sudo "}, {"error": "→ !"}, {"path": ""}):
        with pytest.raises(InvalidInput):
            memory.tasks.bind(id, **nothing)
    with pytest.raises(NotFound):
        memory.tasks.bind(99, tool="Edit")


def test_a_resolved_mistake_is_returned_when_it_occurs_again(memory: Memory) -> None:
    with memory.task("Add the orders endpoint") as task:
        task.error("TypeScript", "Missing return type annotation").resolved("Added :void to the handler")
    memory.tasks.learn()
    told = memory.tasks.lessons(error="src/users.ts(12,3): error TS7010: missing return type annotation")
    assert [each.node.prevention for each in told] == ["Added :void to the handler"]  # type: ignore[attr-defined]


@given(st.text(max_size=200), st.text(max_size=200))
def test_every_binding_matches_its_own_condition(error: str, command: str) -> None:
    for what in ({"error": error}, {"command": command}):
        parts = {"tool": None, "path": None, "command": None, "error": None} | what
        try:
            trigger = normalize_trigger(**parts)
        except InvalidInput:
            continue
        met = trigger_event(**parts)
        assert trigger.key in met.keys
        assert trigger.reason(met)


@given(st.text(max_size=300))
def test_the_signature_of_a_signature_is_itself(text: str) -> None:
    assert error_signature(error_signature(text)) == error_signature(text)


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf x",
        "rm -fr x",
        "rm -r -f x",
        "rm -R -f x",
        "rm --recursive --force x",
        "rm x -rf",
        "rm -rvf x",
        "find . -name x -exec rm -rf {} \\;",
        "find . -type d -execdir rm -rf {} +",
        "ssh host 'rm -rf x'",
        "ssh -p 22 otto@host rm -rf x",
        "docker exec web rm -rf /x",
        "docker exec -it -u root web rm -rf /x",
        "kubectl exec pod -- rm -rf /x",
        "docker exec web sh -c 'cd /x; rm -rf y'",
    ],
)
def test_flags_match_in_any_notation(memory: Memory, line: str) -> None:
    memory.tasks.bind(lesson(memory), command="rm -rf")
    assert texts(memory, command=line) == ["Never force-push main"]


@pytest.mark.parametrize(
    "line", ["rm -r x", "rm -f x", "find . -name rm -print", "ssh host ls", "docker exec web ls -rf"]
)
def test_fewer_flags_or_another_command_do_not_match(memory: Memory, line: str) -> None:
    memory.tasks.bind(lesson(memory), command="rm -rf")
    assert texts(memory, command=line) == []


def test_a_flag_matches_by_its_letter_too(memory: Memory) -> None:
    memory.tasks.bind(lesson(memory), command="git push --force")
    assert texts(memory, command="git push -f origin main") == ["Never force-push main"]
    assert texts(memory, command="git push --force-with-lease") == []


def test_a_tool_glob_is_looked_up_by_the_text_before_its_first_star(memory: Memory) -> None:
    for glob in ("mcp__github__*", "mcp__*__create_issue", "*issue", "mcp__github__create_issue"):
        memory.tasks.bind(lesson(memory, glob), tool=glob)
    memory.tasks.bind(lesson(memory, "other"), tool="mcp__gitlab__*")
    assert {each.node.text for each in memory.tasks.lessons(tool="mcp__GitHub__create_issue", limit=9)} == {
        "mcp__github__*",
        "mcp__*__create_issue",
        "*issue",
        "mcp__github__create_issue",
    }
