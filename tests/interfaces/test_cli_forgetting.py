"""`omoide forget` and its receipts."""

from __future__ import annotations

import os
import pty
import sqlite3
from contextlib import closing

import pytest

from tests.interfaces.terminal import Terminal


@pytest.fixture
def told(terminal: Terminal) -> Terminal:
    terminal.run("observe", "A zyxomat hums.", "--session", "s1", "--at", "2026-05-03T09:00:00Z")
    terminal.run("observe", "The garden is green.", "--session", "s2", "--at", "2026-05-04T09:00:00Z")
    return terminal


def test_a_preview_shows_what_would_be_erased(told: Terminal) -> None:
    shown = told.run("forget", "--session", "s1", "--preview").out
    assert shown.splitlines() == [
        "1 memory would be erased",
        "[id:1] episode  A zyxomat hums.",
        "left empty: session s1",
    ]
    assert told.json("forget", "1", "--preview")["nodes"][0]["text"] == "A zyxomat hums."
    assert told.json("stats")["nodes"] == 2


def test_without_a_terminal_yes_is_required(told: Terminal) -> None:
    refused = told.run("forget", "1")
    assert refused.code == 2
    assert "--yes" in refused.err
    assert told.run("forget", "1", "--json").code == 2
    assert told.json("stats")["nodes"] == 2


def test_what_is_to_be_forgotten_is_checked_before_the_question_whether_it_is_meant(told: Terminal) -> None:
    assert "ID" in told.run("forget").err
    assert "--entity" in told.run("forget").err
    assert told.run("forget").err == told.run("forget", "--yes").err
    assert "no entity is called 'Nobody'" in told.run("forget", "--entity", "Nobody").err
    assert "got ID and --session" in told.run("forget", "1", "--session", "s1").err


def test_a_preview_shows_a_memory_that_keeps_a_word_by_its_id_and_text(terminal: Terminal) -> None:
    terminal.run("observe", "The quombat is my notice period.", "--session", "s1")
    terminal.run(
        "remember", "She left early", "--kind", "fact", "--field", "subject=quombat", "--field", "predicate=is"
    )
    shown = terminal.run("forget", "1", "--preview").out
    assert "Contains a word of it, and stays" in shown
    assert "[id:2]  She left early  (the word quombat)" in shown
    assert "{" not in shown


@pytest.mark.parametrize(
    "way", [["1"], ["--session", "s1"], ["--query", "zyxomat"], ["--before", "2026-05-03T12:00:00Z"]]
)
def test_every_target_erases_and_returns_a_receipt(told: Terminal, way: list[str]) -> None:
    receipt = told.json("forget", *way, "--yes")
    assert receipt["ids"] == [1]
    assert receipt["clean"] is True
    assert b"zyxomat" not in told.path.read_bytes().lower()
    assert told.run("get", "1").code == 3
    found = told.json("admin", "receipts")
    assert [each["ids"] for each in found["receipts"]] == [[1]]
    assert found["id_states"]["erased"] == 1


def test_people_read_the_receipt(told: Terminal) -> None:
    said = told.run("forget", "1", "--yes").out
    assert said.startswith("1 memory erased")
    assert "clean: " in said
    assert "1 live, 1 erased" in told.run("admin", "receipts").out


def test_repeated_and_remaining_mentions_are_shown(told: Terminal) -> None:
    told.run("graph", "entity", "Berlin", "--description", "A garden in the middle")
    told.run("graph", "entity", "Hum", "--description", "Every zyxomat does it")
    shown = told.run("forget", "1", "2", "--preview").out
    assert "Erased too, because it repeats it\nentity.description 2  Every zyxomat does it" in shown
    assert "Contains a word of it, and stays\nentity.description 1  A garden in the middle" in shown
    said = told.run("forget", "1", "2", "--yes").out
    assert "emptied, because it repeated it: entity.description 2\n" in said
    assert "a word of it stays in: entity.description 1\n" in said
    assert told.json("admin", "receipts")["receipts"][0]["mentions"] == [
        {"column": "entity.description", "row": 1, "text": None, "word": None}
    ]


def test_a_statement_that_was_not_learned_is_shown_in_plain_words(told: Terminal) -> None:
    with closing(sqlite3.connect(told.path)) as db, db:
        db.execute("INSERT INTO refusal (node_id, kind, text, reason, at) VALUES (2, 'fact', 'A zyxomat', 'dull', 0)")
    shown = told.run("forget", "1", "--preview").out
    assert "Erased too, because it repeats it\na statement that was found and not learned  A zyxomat" in shown


def test_wrong_and_missing_targets_have_exit_codes(told: Terminal) -> None:
    assert told.run("forget", "--yes").code == 2
    assert told.run("forget", "1", "--session", "s1", "--yes").code == 2
    assert told.run("forget", "99", "--yes").code == 3
    assert told.run("forget", "--entity", "Nobody", "--yes").code == 3


def test_an_erased_turn_is_not_observed_again(told: Terminal) -> None:
    told.run("forget", "1", "--yes")
    line = b'{"text": "A zyxomat hums.", "at": "2026-05-03T09:00:00+00:00"}\n{"text": "new"}\n'
    said = told.run("observe", "--jsonl", "-", stdin=line).out
    assert said == "1 observed, 1 left out: erased on request\n"


@pytest.mark.parametrize(("answer", "left"), [("n", 2), ("y", 1)])
def test_a_person_is_asked(told: Terminal, answer: str, left: int) -> None:
    ours, theirs = pty.openpty()
    process = told.start("--no-embedder", "forget", "1", stdin=theirs)
    os.write(ours, f"{answer}\n".encode())
    out, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 0, err
    assert "A zyxomat hums." in out.decode()
    assert told.json("stats")["nodes"] == left


def test_the_role_of_other_turns_is_no_mention(terminal: Terminal) -> None:
    terminal.run("observe", "Every user hums.", "--session", "s1")
    terminal.run("observe", "The garden is green.", "--session", "s2")
    assert terminal.json("forget", "1", "--yes")["mentions"] == []
