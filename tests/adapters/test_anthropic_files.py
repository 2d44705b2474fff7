"""The commands of Anthropic's memory tool over documents, beside what its own file system answers."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import InvalidInput, NotFound, OmoideError
from omoide.interfaces.adapters.anthropic_files import Files


@pytest.fixture
def files(memory: Memory) -> Files:
    return Files(memory)


def test_a_file_is_created_seen_and_recalled(files: Files, memory: Memory) -> None:
    assert files.create("/memories/otto.md", "Otto hates Docker\nand loves Vercel\n") == (
        "File created successfully at: /memories/otto.md"
    )
    assert files.view("/memories/otto.md") == (
        "Here's the content of /memories/otto.md with line numbers:\n"
        "     1\tOtto hates Docker\n     2\tand loves Vercel\n     3\t"
    )
    (hit,) = memory.recall("who hates Docker?")
    assert (hit.node.text, hit.node.audience, hit.node.origin) == (
        "Otto hates Docker\nand loves Vercel\n",
        "private",
        "agent",
    )


def test_lines_of_a_file_can_be_seen_alone(files: Files) -> None:
    files.create("/memories/a", "1\n2\n3\n4")
    assert files.view("/memories/a", [2, 3]).splitlines()[1:] == ["     2\t2", "     3\t3"]
    assert files.view("/memories/a", [3, -1]).splitlines()[1:] == ["     3\t3", "     4\t4"]


def test_a_directory_exists_until_it_is_deleted(files: Files) -> None:
    files.create("/memories/b.md", "12345")
    files.create("/memories/a/deep/er.md", "x" * 2048)
    files.create("/memories/.hidden", "x")
    assert files.view("/memories").splitlines()[1:] == [
        "4K\t/memories",
        "4K\t/memories/a/",
        "4K\t/memories/a/deep/",
        "5B\t/memories/b.md",
    ]
    files.delete("/memories/a/deep/er.md")
    assert files.view("/memories/a").splitlines()[1:] == ["4K\t/memories/a", "4K\t/memories/a/deep/"]
    files.delete("/memories/a")
    assert files.view("/memories").splitlines()[1:] == ["4K\t/memories", "5B\t/memories/b.md"]
    with pytest.raises(NotFound):
        files.view("/memories/a")


def test_an_empty_memory_has_its_directory(files: Files) -> None:
    assert files.view("/memories/").splitlines()[1:] == ["4K\t/memories"]


def test_a_unique_text_is_replaced(files: Files, memory: Memory) -> None:
    files.create("/memories/a", "one\ntwo\ntwo\nthree")
    assert "     1\tONE" in files.str_replace("/memories/a", "one", "ONE")
    with pytest.raises(InvalidInput, match="lines: 2, 3"):
        files.str_replace("/memories/a", "two", "2")
    with pytest.raises(InvalidInput, match="did not appear verbatim"):
        files.str_replace("/memories/a", "four", "4")
    files.str_replace("/memories/a", "\nthree", "")
    node = memory.documents.list("memories")[0]
    assert node.text == "ONE\ntwo\ntwo"
    assert [each["before"]["text"] for each in memory.history(node.id)[0].changes] == [
        "one\ntwo\ntwo\nthree",
        "ONE\ntwo\ntwo\nthree",
    ]


def test_lines_are_inserted_after_the_line_that_is_named(files: Files, memory: Memory) -> None:
    files.create("/memories/a", "one\nthree\n")
    files.insert("/memories/a", 1, "two\n")
    files.insert("/memories/a", 0, "zero")
    assert memory.documents.list("memories")[0].text == "zero\none\ntwo\nthree\n"
    with pytest.raises(InvalidInput, match=r"within the range \[0, 4\]"):
        files.insert("/memories/a", 9, "x")


def test_a_deleted_file_is_withdrawn(files: Files, memory: Memory) -> None:
    files.create("/memories/a", "Otto hates Docker")
    assert files.delete("/memories/a") == "Successfully deleted /memories/a"
    assert memory.recall("docker").texts == []
    assert [node.text for node in memory.list(state="archived")] == ["Otto hates Docker"]
    files.create("/memories/a", "Otto likes Podman")
    assert "Podman" in files.view("/memories/a")


def test_a_file_and_a_directory_can_be_renamed(files: Files) -> None:
    files.create("/memories/a/one", "1")
    files.create("/memories/a/two", "2")
    files.rename("/memories/a", "/memories/b")
    assert "1" in files.view("/memories/b/one")
    files.rename("/memories/b/two", "/memories/two")
    with pytest.raises(InvalidInput, match="already exists"):
        files.rename("/memories/two", "/memories/b/one")
    with pytest.raises(InvalidInput, match="into itself"):
        files.rename("/memories/b", "/memories/b/c")
    with pytest.raises(NotFound):
        files.rename("/memories/a", "/memories/c")


def test_an_empty_file_is_a_file(files: Files) -> None:
    files.create("/memories/empty", "")
    files.insert("/memories/empty", 0, "first")
    assert "     1\tfirst" in files.view("/memories/empty")


def test_there_is_nothing_below_a_file(files: Files) -> None:
    files.create("/memories/a", "1")
    files.create("/memories/b", "2")
    with pytest.raises(InvalidInput, match="is a file"):
        files.create("/memories/a/c", "3")
    with pytest.raises(InvalidInput, match="is a file"):
        files.rename("/memories/b", "/memories/a/c")


def test_nothing_is_created_twice_nor_in_place_of_a_directory(files: Files) -> None:
    files.create("/memories/a/b", "1")
    for path in ("/memories/a/b", "/memories/a", "/memories"):
        with pytest.raises(InvalidInput, match="already exists"):
            files.create(path, "2")


def test_each_line_of_a_text_that_is_not_unique_is_named_once(files: Files) -> None:
    files.create("/memories/a", "aaaa\nb\n" * 3)
    with pytest.raises(InvalidInput, match="in lines: 1, 3, 5"):
        files.str_replace("/memories/a", "a", "c")


@pytest.mark.parametrize("command", [None, "view", [1], {"command": "create", "path": "/memories/a", "file_text": 7}])
def test_a_command_of_another_shape_is_refused(files: Files, command: Any) -> None:
    with pytest.raises(InvalidInput):
        files.run(command)


@pytest.mark.parametrize(
    "outside",
    [
        "/etc/passwd",
        "memories/a",
        "/memoriesX",
        "/memories/../etc",
        "/memories/a/../../etc",
        "/memories/./a",
        "/memories/%2e%2e/etc",
        "/memories/%252e%252e/etc",
        "/memories/..%2fetc",
        "/memories/..\\etc",
        "/memories//etc",
        "/memories/a\0b",
        "/memories/a\nb",
        "",
    ],
)
def test_no_path_leads_out_of_the_directory(files: Files, outside: str) -> None:
    for command in (
        {"command": "view", "path": outside},
        {"command": "create", "path": outside, "file_text": "x"},
        {"command": "delete", "path": outside},
        {"command": "rename", "old_path": outside, "new_path": "/memories/x"},
    ):
        with pytest.raises(InvalidInput):
            files.run(command)


def test_neither_the_directory_itself_nor_an_unknown_command_can_be_run(files: Files) -> None:
    bad: list[dict[str, Any]] = [
        {"command": "delete", "path": "/memories"},
        {"command": "rename", "old_path": "/memories", "new_path": "/memories/a"},
        {"command": "format", "path": "/memories"},
        {"command": "clear"},
        {"command": "view"},
        {"path": "/memories"},
    ]
    for command in bad:
        with pytest.raises(InvalidInput):
            files.run(command)


def test_a_secret_in_a_file_does_not_reach_it(files: Files) -> None:
    files.create("/memories/a", "password: hunter2hunter2")
    assert "hunter2" not in files.view("/memories/a")


TEXT = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=60)


@given(TEXT)
def test_any_text_comes_back_letter_by_letter(text: str) -> None:
    with Memory(":memory:", embedder=None) as memory:
        files = Files(memory)
        files.create("/memories/a", text)
        shown = files.view("/memories/a").split("\n")[1:]
        assert "\n".join(line.split("\t", 1)[1] for line in shown) == text


COMMAND = st.fixed_dictionaries(
    {"command": st.sampled_from(["view", "create", "str_replace", "insert", "delete", "rename", "run", "x"])},
    optional={
        "path": TEXT | st.just("/memories/a") | st.just("/memories"),
        "old_path": TEXT | st.just("/memories/a"),
        "new_path": TEXT | st.just("/memories/b"),
        "file_text": TEXT,
        "old_str": TEXT,
        "new_str": TEXT,
        "insert_line": st.integers(-2, 3),
        "insert_text": TEXT,
        "view_range": st.lists(st.integers(-2, 4), max_size=3),
    },
)


@given(st.lists(COMMAND, max_size=6))
def test_any_command_is_answered_or_refused_with_reason(commands: list[dict[str, Any]]) -> None:
    with Memory(":memory:", embedder=None) as memory:
        files = Files(memory)
        for command in commands:
            with suppress(OmoideError):  # anything else is a failure of ours
                assert files.run(command)
