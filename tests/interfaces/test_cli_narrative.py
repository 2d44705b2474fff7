"""`omoide narrative`: writing, listing, the recap and the continuity page."""

from __future__ import annotations

from pathlib import Path

from tests.interfaces.terminal import Terminal


def spoken(terminal: Terminal) -> Terminal:
    terminal.run("observe", "I decided to move the billing database to Postgres.", "--session", "s1")
    terminal.run("observe", "I will prepare the billing migration.", "--role", "agent", "--session", "s1")
    return terminal


def test_a_narrative_is_written_listed_and_read(terminal: Terminal) -> None:
    spoken(terminal)
    told = terminal.json("narrative", "write")["narrative"]
    assert told["text"].startswith("User: I decided to move the billing database")
    after = terminal.json("narrative", "write", "The move waits for Otto", "--topic", "move")["narrative"]
    assert [each["id"] for each in terminal.json("narrative", "list")["narratives"]] == [after["id"], told["id"]]
    assert [each["id"] for each in terminal.json("narrative", "list", "--topic", "move")["narratives"]] == [after["id"]]
    passage = terminal.json("narrative", "get", "1")["passage"]
    assert (passage["narrative"]["id"], passage["next"]["id"]) == (told["id"], after["id"])
    assert "The move waits for Otto" in terminal.run("narrative", "get", "1").out
    assert "The move waits for Otto" in terminal.run("narrative", "list").out


def test_recap_shows_the_last_session_and_open_questions(terminal: Terminal) -> None:
    seen = spoken(terminal).run("narrative", "recap").out
    assert seen.startswith("Where you were: s1, ")
    assert "Still open\n- I will prepare the billing migration. [id:2]" in seen
    found = terminal.json("narrative", "recap")
    assert (found["session"]["name"], found["open"][0]["id"]) == ("s1", 2)


def test_the_continuity_page_is_written_updated_and_read_back(terminal: Terminal, tmp_path: Path) -> None:
    spoken(terminal)
    page = tmp_path / "CONTINUITY.md"
    page.write_text("# Ours\n\n- Deploys need two people\n", "utf-8")
    first = terminal.json("narrative", "export-continuity", str(page), "--goal", "billing")
    assert [each["text"] for each in first["memories"]] == ["Deploys need two people"]
    written = page.read_text("utf-8")
    assert written.startswith("# Ours\n\n- Deploys need two people\n\n<!-- omoide:begin")
    again = terminal.json("narrative", "export-continuity", str(page), "--goal", "billing")
    assert (again["changed"], again["memories"], page.read_text("utf-8")) == (False, [], written)
    page.write_text(f"{written}\n## Open threads\n- Call Anna\n", "utf-8")
    read = terminal.json("narrative", "import-continuity", str(page))
    assert [(each["kind"], each["tags"]) for each in read["memories"]] == [("note", ["continuity", "open-thread"])]
    assert "Call Anna" in terminal.run("narrative", "recap").out
    assert terminal.run("narrative", "import-continuity").code == 2
    assert terminal.run("narrative", "import-continuity", str(tmp_path / "none.md")).code != 0
