"""Archiving at the command line."""

from __future__ import annotations

from tests.interfaces.terminal import Terminal


def test_a_memory_is_archived_found_and_unarchived(terminal: Terminal) -> None:
    terminal.run("remember", "The old server stood in Lisbon", "--kind", "note")
    assert terminal.json("admin", "archive", "1")["state"] == "archived"
    assert terminal.json("recall", "old server", "--archive", "false", "--no-embedder")["hits"] == []
    assert len(terminal.json("recall", "old server", "--archive", "only", "--no-embedder")["hits"]) == 1
    assert terminal.run("recall", "old server", "--archive", "maybe", "--no-embedder").code == 2
    hit = terminal.json("recall", "old server", "--no-embedder")["hits"][0]
    assert (hit["text"], hit["archived"]) == ("The old server stood in Lisbon", True)
    assert terminal.json("admin", "unarchive", "1")["state"] == "live"
    assert terminal.run("admin", "unarchive", "1").code == 2
