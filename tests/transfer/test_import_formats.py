"""Imports from other systems: kinds, times and origins of the imported memories."""

from __future__ import annotations

import asyncio
import json
import os
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from omoide import AsyncMemory, Memory
from omoide.domain import Node
from omoide.errors import InvalidInput, NotFound
from omoide.interfaces.verbs import BY_METHOD
from omoide.settings import load_settings
from omoide.transfer import import_source
from omoide.transfer.formats import FORMATS
from omoide.transfer.import_source import json_elements
from tests.conftest import Open, contents, unsound
from tests.transfer import samples


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    return samples.everything(tmp_path / "given")


def nodes(memory: Memory) -> list[Node]:
    """All nodes, by id from 1."""
    found: list[Node] = []
    with suppress(NotFound):
        while True:
            found.append(memory.get(len(found) + 1))
    return found


def texts(memory: Memory) -> list[str]:
    return [node.text for node in nodes(memory)]


@pytest.mark.parametrize("format", FORMATS)
def test_a_format_is_known_by_its_content(memory: Memory, places: dict[str, Path], format: str) -> None:
    taken = memory.admin.import_from(places[format])
    assert taken.format == format
    assert taken.total("added") > 0
    assert unsound(memory) == []


@pytest.mark.parametrize("format", FORMATS)
def test_importing_twice_changes_nothing(memory: Memory, path: str, places: dict[str, Path], format: str) -> None:
    first = memory.admin.import_from(places[format])
    before = contents(path)
    again = memory.admin.import_from(places[format])
    assert again.total("added") == 0
    assert again.total("same") == first.total("added") + first.total("same")
    assert contents(path) == before


@pytest.mark.parametrize("format", FORMATS)
def test_a_dry_run_reports_and_imports_nothing(memory: Memory, path: str, places: dict[str, Path], format: str) -> None:
    before = contents(path)
    foreseen = memory.admin.import_from(places[format], dry_run=True)
    assert contents(path) == before
    came = memory.admin.import_from(places[format])
    assert foreseen.skipped.items() <= came.skipped.items()
    assert {kind for kind in foreseen.counts if kind != "link"} == {kind for kind in came.counts if kind != "link"}
    assert foreseen.examples[0] == came.examples[0]


@pytest.mark.parametrize("format", FORMATS)
def test_imported_memories_are_private_data(memory: Memory, places: dict[str, Path], format: str) -> None:
    memory.admin.import_from(places[format])
    for node in nodes(memory):
        assert node.origin == "import"
        assert node.audience == "private"
        assert node.kind == "episode" or not node.protected
        assert node.kind in ("episode", "fact", "note")


def test_nothing_is_learned_from_an_imported_conversation_unless_it_is_the_owners(opened: Open, tmp_path: Path) -> None:
    line = {"role": "user", "content": "I live in Berlin.", "session": "s", "at": "2026-02-01T08:00:00Z"}
    given = samples.laid(tmp_path, {"talk.jsonl": samples.lines([line])}) / "talk.jsonl"
    memory = opened()
    memory.admin.import_from(given)
    memory.learn()
    assert [node.kind for node in nodes(memory)] == ["episode"]


def test_the_owner_may_declare_conversations_as_their_own(memory: Memory, tmp_path: Path) -> None:
    line = {"role": "user", "content": "I live in Berlin.", "session": "s", "at": "2026-02-01T08:00:00Z"}
    given = samples.laid(tmp_path, {"talk.jsonl": samples.lines([line])}) / "talk.jsonl"
    memory.admin.import_from(given, mine=True)
    memory.learn()
    assert "fact" in {node.kind for node in nodes(memory)}


def test_chatgpt_imports_the_current_branch_with_its_times(memory: Memory, places: dict[str, Path]) -> None:
    taken = memory.admin.import_from(places["chatgpt"])
    assert texts(memory) == [
        "I prefer night trains. How do I get to Rome?",
        'search("night train")',
        "Nightjet 40233",
        "Take the Nightjet.",
    ]
    asked, acted, found, _ = nodes(memory)
    assert asked.event_at == datetime(2024, 4, 5, 19, 34, 39, tzinfo=UTC)
    assert (asked.role, found.role, asked.tags) == ("user", "tool:browser", ("Trip to Rome",))
    assert acted.attributes["type"] == "action"
    assert taken.skipped == {"hidden message": 1, "in an abandoned branch": 1}
    session = memory.session("chatgpt:c1")
    assert session.ended_at == session.last_at == datetime(2024, 4, 5, 19, 34, 43, tzinfo=UTC)


def test_chatgpt_keeps_custom_instructions_and_drops_citation_marks(memory: Memory, tmp_path: Path) -> None:
    def message(id: str, role: str, content: dict[str, Any], **metadata: Any) -> dict[str, Any]:
        return {"id": id, "author": {"role": role}, "content": content, "create_time": 1712345678, "metadata": metadata}

    own = {
        "content_type": "user_editable_context",
        "user_profile": "I live in Berlin.",
        "user_instructions": "Be short.",
    }
    hidden = message("m1", "user", own, is_visually_hidden_from_conversation=True)
    words = "Take the Nightjet \ue200cite\ue202turn0search0\ue201. It is cheap【4†timetable】."
    said = message("m2", "assistant", {"content_type": "text", "parts": [words]})
    tree = {"a": {"message": hidden, "parent": None}, "b": {"message": said, "parent": "a"}}
    talks = [{"id": f"c{number}", "mapping": tree, "current_node": "b"} for number in range(2)]
    (tmp_path / "conversations.json").write_text(json.dumps(talks))
    memory.admin.import_from(tmp_path / "conversations.json")
    assert sorted(texts(memory)) == ["I live in Berlin.\nBe short.", "Take the Nightjet. It is cheap."]


def test_a_zip_archive_is_read_as_it_is(memory: Memory, places: dict[str, Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(samples.CHATGPT))
        archive.writestr("user.json", "{}")
    assert memory.admin.import_from(tmp_path / "export.zip").format == "chatgpt"
    assert memory.admin.import_from(places["chatgpt"]).total("added") == 0


def test_claude_imports_turns_and_tool_calls_in_order(memory: Memory, places: dict[str, Path]) -> None:
    taken = memory.admin.import_from(places["claude"])
    asked = ["Which tea has no caffeine?", "Green 30 mg, rooibos none"]
    assert texts(memory) == [*asked, "Let me look.", 'web_search {"query": "tea"}', "rooibos", "Rooibos."]
    first, brought, *_ = nodes(memory)
    assert first.details == {"attachments": ["list.txt"]}
    assert (brought.kind, brought.attributes["title"], brought.details["session"]) == ("note", "list.txt", "claude:u1")
    assert taken.skipped == {"no text": 1}


def test_claude_imports_memories_and_projects(memory: Memory, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(samples.CLAUDE))
        archive.writestr("memories.json", json.dumps(samples.CLAUDE_MEMORIES))
        archive.writestr("projects.json", json.dumps(samples.CLAUDE_PROJECTS))
        archive.writestr("users.json", json.dumps([{"uuid": "x", "email_address": "otto@example.com"}]))
    taken = memory.admin.import_from(tmp_path / "export.zip")
    kept = {node.text: node for node in nodes(memory)}
    assert kept["Otto keeps bees."].attributes["category"] == "Personal context"
    assert kept["Glaze with ash."].tags == ("Pottery",)
    assert [node.text for node in memory.graph.timeline("Pottery")] == [
        "Cone 6 is 1222 °C",
        "Be brief.",
        "Glaze with ash.",
    ]
    assert kept["Cone 6 is 1222 °C"].attributes["title"] == "cones.md"
    assert memory.graph.entity("Pottery").description == "Pots and kilns"
    assert taken.skipped == {"no text": 2, "account data": 1}
    assert memory.admin.import_from(tmp_path / "export.zip").total("added") == 0


@pytest.mark.parametrize("file", ["CLAUDE_MEMORIES", "CLAUDE_PROJECTS"])
def test_each_file_of_a_claude_export_is_detected(memory: Memory, tmp_path: Path, file: str) -> None:
    samples.laid(tmp_path, {"some.json": json.dumps(getattr(samples, file))})
    assert memory.admin.import_from(tmp_path / "some.json").format == "claude"


def test_mem0_imports_facts_with_times_and_relations(memory: Memory, places: dict[str, Path]) -> None:
    memory.admin.import_from(places["mem0"])
    (fact,) = nodes(memory)
    assert (fact.kind, fact.text, fact.source_type) == ("fact", "Likes hiking in the Alps", "migration")
    assert fact.event_at == datetime(2025, 1, 5, 17, tzinfo=UTC)
    assert fact.tags == ("hobbies",)
    assert [(each.source, each.type, each.target) for each in memory.graph.relations("otto")] == [
        ("otto", "likes", "alps")
    ]


@pytest.mark.parametrize(
    ("name", "rows", "reason", "words"),
    [
        ("m.json", [{"id": "1", "memory": "kept"}, {"id": "2", "note": "green door"}], "no memory text", "green door"),
        ("memory.jsonl", [{"type": "entity", "name": "A"}, {"type": "plan", "say": "row"}], "neither an entity", "row"),
        ("t.jsonl", [{"role": "user", "content": "hi"}, "a loose sentence"], "not an object", "a loose sentence"),
    ],
)
def test_what_has_no_place_is_reported_and_its_words_are_kept(
    memory: Memory, tmp_path: Path, name: str, rows: list[Any], reason: str, words: str
) -> None:
    text = samples.lines(rows) if name.endswith("l") else json.dumps(rows)
    taken = memory.admin.import_from(samples.laid(tmp_path, {name: text}) / name)
    assert [each for each in taken.unplaced if each.startswith(reason)] == list(taken.skipped)
    (note,) = [node for node in nodes(memory) if node.attributes.get("category") == "unplaced"]
    assert words in note.text
    assert reason in note.details["unplaced"]
    assert memory.admin.import_from(tmp_path / name).total("added") == 0


def test_a_memory_that_is_too_long_and_a_broken_line_are_kept_in_notes(opened: Open, tmp_path: Path) -> None:
    memory = opened(settings=load_settings(max_text_bytes=100))
    rows = samples.lines([{"role": "user", "content": "hi"}, {"role": "user", "content": "word " * 40}])
    samples.laid(tmp_path, {"t.jsonl": rows + '{"role": "user", "content": "cut'})
    taken = memory.admin.import_from(tmp_path / "t.jsonl")
    assert sum(taken.unplaced.values()) == 2
    kept = [node.text for node in nodes(memory) if node.attributes.get("category") == "unplaced"]
    assert " ".join(kept).count("word") == 40
    assert any("cut" in text for text in kept)


def test_other_files_of_a_folder_are_reported(memory: Memory, places: dict[str, Path]) -> None:
    taken = memory.admin.import_from(places["openclaw"])
    assert ("file of another kind", "memory/README.txt") in taken.left_out


def test_memory_service_is_read_from_its_export_and_its_file(
    memory: Memory, places: dict[str, Path], tmp_path: Path
) -> None:
    db = apsw.Connection(str(tmp_path / "sqlite_vec.db"))
    db.execute(samples.MEMORY_SERVICE_SQL)
    db.close()
    memory.admin.import_from(places["memory-service"])
    deploy, bees = nodes(memory)
    assert (bees.text, bees.tags) == ("Otto keeps bees in Bari.", ("bees", "person:otto"))
    assert (deploy.attributes["category"], bees.details["metadata"]) == ("decision", {"source": "chat"})
    taken = memory.admin.import_from(tmp_path / "sqlite_vec.db")
    assert (taken.format, taken.counts) == ("memory-service", {"note": {"same": 2}, "link": {"added": 1}})
    assert taken.skipped == {"deleted there": 1}
    assert ("causes", deploy.id) in {(each.predicate, each.target_id) for each in memory.graph.links(bees.id)}


def test_letta_imports_blocks_and_passages_as_notes_and_messages_as_turns(
    memory: Memory, places: dict[str, Path]
) -> None:
    taken = memory.admin.import_from(places["letta"])
    assert texts(memory) == [
        "The human is called Chad.",
        "I keep bees.",
        "How many hives?",
        "Hive two swarmed in May.",
    ]
    assert taken.skipped == {"text added by the program": 2, "model reasoning": 1, "empty tool result": 1}
    assert memory.session("letta:Sam").episode_count == 2


@pytest.mark.parametrize("name", ["sam.af", "sam.json"])
def test_letta_imports_json_in_a_string_and_the_files_of_the_agent(memory: Memory, tmp_path: Path, name: str) -> None:
    agent = {
        **samples.LETTA,
        "files": [{"id": "file-0", "file_name": "hives.md", "content": "Hive one is blue."}],
        "skills": [{"name": "smoke", "files": {"SKILL.md": "Smoke gently."}}],
        "tools": [{"id": "tool-0", "name": "send_message"}],
    }
    samples.laid(tmp_path, {name: json.dumps(json.dumps(agent))})
    taken = memory.admin.import_from(tmp_path / name)
    assert taken.format == "letta"
    assert {"I keep bees.", "Hive one is blue.", "Smoke gently."} <= set(texts(memory))
    assert taken.skipped["tool of the agent"] == 1


def test_the_graph_of_the_reference_server_is_unchanged_after_import(memory: Memory, places: dict[str, Path]) -> None:
    memory.admin.import_from(places["mcp"])
    otto = memory.graph.entity("Otto")
    assert (otto.type, memory.graph.entity("Kaiser GmbH").type) == ("person", "organization")
    told = [node for node in memory.graph.timeline("Otto") if node.kind == "fact"]
    assert [(node.text, node.attributes["subject"]) for node in told] == [
        ("Speaks Portuguese", "Otto"),
        ("Otto rows", "Otto"),
    ]
    (relation,) = memory.graph.relations("Otto")
    assert (relation.source, relation.type, relation.target) == ("Otto", "works_at", "Kaiser GmbH")
    graph = {
        "entities": [
            {key: row[key] for key in ("name", "entityType", "observations")} for row in samples.REFERENCE[:2]
        ],
        "relations": samples.REFERENCE[2:],
    }
    one = samples.laid(places["mcp"].parent, {"graph.json": json.dumps(graph, indent=2)}) / "graph.json"
    assert memory.admin.import_from(one).total("added") == 0


def test_claude_code_imports_turns_and_actions_with_outcomes(memory: Memory, places: dict[str, Path]) -> None:
    taken = memory.admin.import_from(places["claude-code"])
    assert texts(memory) == ["Fix the build", "I run the tests.", 'Bash {"command": "make test"}']
    action = nodes(memory)[2]
    assert (action.role, action.attributes["outcome"]) == ("tool:Bash", "failure")
    assert action.details == {"output": "exit 2"}
    assert taken.skipped["subagent conversation"] == 1
    assert taken.skipped["terminal command"] == 1


def test_turns_recorded_by_hooks_are_not_imported_twice(memory: Memory, places: dict[str, Path]) -> None:
    memory.observe("Fix the build", role="user", session="claude-code:s9", channel="claude-code")
    memory.observe("I run the tests.", role="agent", session="claude-code:s9", key="claude:p2")
    memory.admin.import_from(places["claude-code"])
    assert texts(memory) == ["Fix the build", "I run the tests.", 'Bash {"command": "make test"}']


def test_codex_imports_turns_and_actions(memory: Memory, places: dict[str, Path]) -> None:
    taken = memory.admin.import_from(places["codex"])
    assert texts(memory) == ["List the files", 'shell {"command":["ls"]}', "a.txt"]
    assert nodes(memory)[1].attributes["outcome"] == "success"
    assert memory.session("codex:r1").episode_count == 3
    assert taken.skipped["text added by the program"] == 1


def test_plain_turns_accept_chat_messages(memory: Memory, places: dict[str, Path]) -> None:
    memory.admin.import_from(places["turns"])
    assert texts(memory) == ["The shed key hangs behind the door", "Noted.", "Ahoy", "static"]
    assert nodes(memory)[1].event_at == datetime(2026, 2, 1, 8, 0, 1, tzinfo=UTC)
    assert nodes(memory)[3].role == "tool:radio"


def test_openclaw_pages_become_single_memories(memory: Memory, places: dict[str, Path]) -> None:
    memory.admin.import_from(places["openclaw"])
    first, vercel, fridays, code, sqlite = nodes(memory)
    assert first.text == "Otto's assistant keeps this file."
    assert vercel.text == "The app runs on Vercel's hobby plan\n  - the staging one too"
    assert fridays.tags == ("Memory", "Deploy")
    assert vercel.event_at == datetime(2026, 2, 11, 12, tzinfo=UTC)
    assert code.text.startswith("```sh")
    assert sqlite.event_at == datetime(2026, 2, 12, 14, 30, tzinfo=UTC)
    assert sqlite.tags == ("Standup",)
    assert {node.source_type for node in nodes(memory)} == {"migration"}


def test_notes_keep_their_observations_and_links(memory: Memory, places: dict[str, Path]) -> None:
    taken = memory.admin.import_from(places["markdown"])
    page, observed, water, forward = nodes(memory)
    assert forward.text == "Coffee: likes Nothing Here"
    assert page.attributes["title"] == "Coffee"
    assert page.event_at == datetime(2025, 4, 1, tzinfo=UTC)
    assert observed.text == "Coffee: Pour over gives clarity"
    assert observed.tags == ("brewing", "drinks", "morning")
    assert observed.details == {"context": "tried twice"}
    assert "buy filters" in page.text
    links = {(each.source_id, each.type, each.target_id) for each in memory.graph.links(page.id)}
    assert {(observed.id, "part_of", page.id), (page.id, "related_to", water.id)} <= links
    assert taken.skipped == {"link to a missing page": 1}


BASIC_MEMORY_NOTE = """---
title: Pour Over
type: note
permalink: brewing/pour-over
status: draft
summary: |
  Slow water,
  clear taste.
tags:
- coffee
---

- requires [[Soft Water]] (below 100 ppm)
- improves [[Morning]]
"""


def test_basic_memory_keeps_front_matter_relation_context_and_forward_relations(memory: Memory, tmp_path: Path) -> None:
    vault = samples.laid(
        tmp_path / "vault", {"Pour Over.md": BASIC_MEMORY_NOTE, "Soft Water.md": "Rain. See [[brewing/pour-over]]."}
    )
    taken = memory.admin.import_from(vault, "markdown")
    page = next(node for node in nodes(memory) if node.attributes["title"] == "Pour Over")
    assert page.details["front_matter"] == {
        "permalink": "brewing/pour-over",
        "status": "draft",
        "summary": "Slow water,\nclear taste.",
        "type": "note",
    }
    assert {"Pour Over: requires Soft Water (below 100 ppm)", "Pour Over: improves Morning"} <= set(texts(memory))
    assert taken.skipped == {"link to a missing page": 1}
    samples.laid(vault, {"Morning.md": "Early."})
    again = memory.admin.import_from(vault, "markdown")
    assert (again.skipped, again.counts["link"]["added"]) == ({}, 1)


def test_forgotten_memories_do_not_return_by_import(memory: Memory, places: dict[str, Path]) -> None:
    memory.admin.import_from(places["mem0"])
    memory.forget(1)
    assert memory.admin.import_from(places["mem0"]).counts["fact"] == {"forgotten": 1}


def test_secrets_are_redacted(memory: Memory, tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    given = samples.laid(tmp_path, {"m.json": json.dumps([{"id": "1", "memory": f"the token is {token}"}])})
    memory.admin.import_from(given / "m.json", "mem0")
    assert token not in texts(memory)[0]


def test_an_imported_old_conversation_does_not_expire_at_once(memory: Memory, places: dict[str, Path]) -> None:
    memory.admin.import_from(places["chatgpt"])
    for node in nodes(memory):
        assert node.expires_at is None or node.expires_at > node.recorded_at


def test_a_broken_list_names_the_element_and_keeps_earlier_ones(memory: Memory, tmp_path: Path) -> None:
    rows = [{"id": str(number), "memory": f"word{number}"} for number in range(700)]
    cut = json.dumps(rows)[:-20]
    given = samples.laid(tmp_path, {"cut.json": cut}) / "cut.json"
    with pytest.raises(InvalidInput, match=r"cut.json, element 700.*500 are imported"):
        memory.admin.import_from(given)
    given.write_text(json.dumps(rows))
    assert memory.admin.import_from(given).counts["fact"] == {"same": 500, "added": 200}


def test_an_unknown_format_is_named(memory: Memory, tmp_path: Path) -> None:
    given = samples.laid(tmp_path, {"x.bin": "hello"}) / "x.bin"
    with pytest.raises(InvalidInput, match="unknown format"):
        memory.admin.import_from(given)
    with pytest.raises(InvalidInput, match="did you mean chatgpt"):
        memory.admin.import_from(given, "chatgtp")
    with pytest.raises(NotFound, match="there is no file"):
        memory.admin.import_from(tmp_path / "nowhere.json")


def test_an_omoide_export_is_refused_with_the_right_method(memory: Memory, tmp_path: Path) -> None:
    memory.admin.export(tmp_path / "all.jsonl")
    with pytest.raises(InvalidInput, match="import_"):
        memory.admin.import_from(tmp_path / "all.jsonl")


def test_a_file_whose_name_is_not_utf8_is_imported(memory: Memory, tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path / "note") + b"\xff.md")).write_text("# Tea\n\nOtto likes green tea.")
    assert memory.admin.import_from(tmp_path, "markdown").total("added") == 1
    assert "Otto likes green tea" in memory.recall("tea").texts[0]


def test_links_out_of_a_folder_are_not_followed(memory: Memory, tmp_path: Path) -> None:
    samples.laid(tmp_path, {"secret/key.md": "the key", "vault/a.md": "a page"})
    (tmp_path / "vault" / "b.md").symlink_to(tmp_path / "secret" / "key.md")
    (tmp_path / "vault" / "c").symlink_to(tmp_path / "secret")
    memory.admin.import_from(tmp_path / "vault")
    assert texts(memory) == ["a: a page"] or texts(memory) == ["a page"]


def test_the_command_line_names_every_format() -> None:
    (help,) = [each.help for each in BY_METHOD["admin.import_from"].signature.parameters if each.name == "format"]
    assert sorted(help.split(";")[0].split(", ")) == sorted(FORMATS)


def test_a_long_list_is_read_one_element_after_the_other(tmp_path: Path) -> None:
    rows = [{"id": str(number), "memory": "word " * 2000} for number in range(100)]
    given = import_source.open_source(samples.laid(tmp_path, {"m.json": json.dumps(rows)}) / "m.json")
    reading = json_elements(given.files[0])
    assert next(reading) == (1, rows[0])
    assert given.done < given.size / 4
    assert [number for number, _ in reading] == list(range(2, 101))
    assert given.done == given.size


@pytest.mark.parametrize("content", [b"[" * 100_000, b'{"results":' * 100_000, b"[" + b"9" * 5000 + b"]"])
def test_json_that_is_too_deep_or_invalid_is_refused(memory: Memory, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "m.json").write_bytes(content)
    with pytest.raises(InvalidInput):
        memory.admin.import_from(tmp_path / "m.json", "mem0")


def test_async_memory_imports_and_exports(memory: Memory, places: dict[str, Path], tmp_path: Path) -> None:
    async def work() -> tuple[int, int]:
        verbs = AsyncMemory(memory)
        taken = await verbs.admin.import_from(places["mem0"])
        await verbs.admin.export_markdown(tmp_path / "pages")
        return taken.total("added"), (await verbs.admin.export_sqlite(tmp_path / "plain.db")).counts["facts"]

    assert asyncio.run(work()) == (2, 1)


def test_a_stopped_import_continues(memory: Memory, tmp_path: Path) -> None:
    rows = [{"id": str(number), "memory": f"word{number}"} for number in range(1200)]
    given = samples.laid(tmp_path, {"m.json": json.dumps(rows)}) / "m.json"

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.admin.import_from(given, progress=stop)
    assert memory.admin.import_from(given).counts["fact"] == {"same": 500, "added": 700}
