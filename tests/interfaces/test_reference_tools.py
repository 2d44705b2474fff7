"""The tool set `reference`: the tools of the MCP reference memory server."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import InvalidInput, NotFound
from omoide.interfaces.tools import chosen
from omoide.interfaces.tools.reference_server import import_reference_file
from tests.conftest import Open, unsound

TOOLS = {each.name: each for each in chosen("reference")}
OTTO = {"name": "Otto_K", "entityType": "Human being", "observations": ["Speaks fluent Spanish", "Likes Acme"]}
ACME = {"name": "Acme", "entityType": "company", "observations": []}
WORKS = {"from": "Otto_K", "to": "Acme", "relationType": "works_at"}


def call(memory: Memory, name: str, /, **arguments: Any) -> dict[str, Any]:
    answer = TOOLS[name](memory, arguments)
    if answer.text.startswith(("{", "[")):
        shown = json.loads(answer.text)
        assert shown in (answer.data, *answer.data.values())
    return answer.data


@pytest.fixture
def known(memory: Memory) -> Memory:
    call(memory, "create_entities", entities=[OTTO, ACME])
    call(memory, "create_relations", relations=[WORKS])
    return memory


def test_created_entities_are_read_back_unchanged(known: Memory) -> None:
    assert call(known, "read_graph") == {"entities": [OTTO, ACME], "relations": [WORKS]}
    assert unsound(known) == []


def test_known_names_are_skipped_and_new_ones_returned(known: Memory) -> None:
    other = {"name": "Ada", "entityType": "person", "observations": ["Writes programs"]}
    assert call(known, "create_entities", entities=[{**OTTO, "observations": ["x"]}, other]) == {"entities": [other]}
    assert call(known, "create_relations", relations=[WORKS]) == {"relations": []}


def test_observations_are_added_once_to_existing_entities(known: Memory) -> None:
    added = call(known, "add_observations", observations=[{"entityName": "Acme", "contents": ["Old", "Old", "Big"]}])
    assert added == {"results": [{"entityName": "Acme", "addedObservations": ["Old", "Big"]}]}
    again = [{"entityName": "Acme", "contents": ["Old"]}, {"entityName": "Nobody", "contents": ["x"]}]
    with pytest.raises(NotFound, match="Entity with name Nobody not found"):
        call(known, "add_observations", observations=again)


def test_search_and_open_return_the_relations_of_the_result(known: Memory) -> None:
    whole = {"entities": [ACME], "relations": [WORKS]}
    assert call(known, "search_nodes", query="COMPANY") == whole
    assert call(known, "open_nodes", names=["Acme", "Nobody"]) == whole
    assert call(known, "open_nodes", names=[]) == {"entities": [], "relations": []}


def test_several_words_that_stand_nowhere_are_recalled(known: Memory) -> None:
    assert call(known, "search_nodes", query="who speaks Spanish fluently?")["entities"] == [OTTO]
    assert call(known, "search_nodes", query="spoke")["entities"] == []


def test_a_deletion_hides_and_can_be_undone(known: Memory) -> None:
    (spanish,) = [node.id for node in known.graph.read("Otto_K").entities[0].observations if "Spanish" in node.text]
    gone = [{"entityName": "Otto_K", "observations": ["Speaks fluent Spanish"]}]
    done = call(known, "delete_observations", deletions=gone)
    assert done == {"success": True, "message": "Observations deleted successfully"}
    assert known.recall("speaks fluent Spanish").texts == []
    known.admin.unarchive(spanish)
    assert "Speaks fluent Spanish" in known.graph.read("Otto_K").entities[0].texts


def test_deleting_an_entity_removes_its_relations_and_frees_its_name(known: Memory) -> None:
    call(known, "delete_entities", entityNames=["Otto_K", "Nobody"])
    assert call(known, "read_graph") == {"entities": [ACME], "relations": []}
    again = {"name": "Otto_K", "entityType": "cat", "observations": ["Purrs"]}
    assert call(known, "create_entities", entities=[again]) == {"entities": [again]}
    assert unsound(known) == []


def test_deleting_what_is_missing_is_told_as_in_the_reference_server(known: Memory) -> None:
    def told(name: str, **arguments: Any) -> str:
        return str(call(known, name, **arguments)["message"])

    gone = [{"entityName": "Acme", "observations": ["x"]}, {"entityName": "Nobody", "observations": ["y"]}]
    assert told("delete_observations", deletions=gone) == "Observations deleted successfully"
    assert told("delete_relations", relations=[WORKS, {**WORKS, "to": "Nobody"}]) == "Relations deleted successfully"
    assert told("delete_entities", entityNames=["Acme", "Nobody", ""]) == "Entities deleted successfully"
    assert call(known, "read_graph") == {"entities": [OTTO], "relations": []}


def test_a_repeated_name_is_created_once(memory: Memory) -> None:
    again = {**OTTO, "observations": ["Something else"]}
    assert call(memory, "create_entities", entities=[OTTO, ACME, again]) == {"entities": [OTTO, ACME]}
    assert call(memory, "read_graph")["entities"] == [OTTO, ACME]


def test_a_relation_to_an_unknown_entity_does_not_create_it(known: Memory) -> None:
    owns = {**WORKS, "to": "Nobody"}
    assert call(known, "create_relations", relations=[owns]) == {"relations": [owns]}
    assert call(known, "read_graph") == {"entities": [OTTO, ACME], "relations": [WORKS, owns]}
    assert call(known, "open_nodes", names=["Nobody"]) == {"entities": [], "relations": []}
    with pytest.raises(NotFound, match="Entity with name Nobody not found"):
        call(known, "add_observations", observations=[{"entityName": "Nobody", "contents": ["x"]}])
    nobody = {"name": "Nobody", "entityType": "person", "observations": []}
    assert call(known, "create_entities", entities=[nobody]) == {"entities": [nobody]}
    call(known, "delete_entities", entityNames=["Nobody"])
    assert call(known, "read_graph") == {"entities": [OTTO, ACME], "relations": [WORKS]}


def test_what_was_deleted_and_created_again_comes_last(known: Memory) -> None:
    call(known, "delete_entities", entityNames=["Otto_K"])
    call(known, "create_entities", entities=[{**ACME, "name": "Ada"}, OTTO])
    assert [each["name"] for each in call(known, "open_nodes", names=["Otto_K", "Acme"])["entities"]] == [
        "Acme",
        "Otto_K",
    ]
    assert [each["name"] for each in call(known, "read_graph")["entities"]] == ["Acme", "Ada", "Otto_K"]


def test_an_entity_that_is_named_twice_is_told_twice(known: Memory) -> None:
    told = [{"entityName": "Acme", "contents": ["Old"]}, {"entityName": "Acme", "contents": ["Old", "Big"]}]
    assert call(known, "add_observations", observations=told)["results"] == [
        {"entityName": "Acme", "addedObservations": ["Old"]},
        {"entityName": "Acme", "addedObservations": ["Big"]},
    ]


def test_an_entity_may_be_related_to_itself(known: Memory) -> None:
    knows = {"from": "Otto_K", "to": "Otto_K", "relationType": "knows"}
    assert call(known, "create_relations", relations=[knows, knows]) == {"relations": [knows]}
    assert call(known, "read_graph")["relations"] == [WORKS, knows]
    assert call(known, "delete_relations", relations=[knows])["message"] == "Relations deleted successfully"
    assert unsound(known) == []


def test_unknown_fields_are_ignored_as_in_the_reference_server(memory: Memory) -> None:
    row = {"type": "entity", "id": 7, **OTTO, "observations": ["", "Rows", " "]}
    kept = {**OTTO, "observations": ["Rows"]}
    assert call(memory, "create_entities", entities=[row], note="from a file") == {"entities": [kept]}
    added = call(memory, "add_observations", observations=[{"entityName": "Otto_K", "contents": ["", "Sings"], "x": 1}])
    assert added == {"results": [{"entityName": "Otto_K", "addedObservations": ["Sings"]}]}


def test_a_learned_relation_is_shown_with_both_its_ends(memory: Memory) -> None:
    memory.graph.relate("Ada", "works_at", "Acme")
    graph = call(memory, "read_graph")
    assert [each["name"] for each in graph["entities"]] == ["Ada", "Acme"]
    assert graph["relations"] == [{"from": "Ada", "to": "Acme", "relationType": "works_at"}]


def test_a_bad_call_writes_nothing_and_says_what_is_wrong(memory: Memory) -> None:
    long = {"name": "Ada", "entityType": "person", "observations": ["x" * 2_000_000]}
    with pytest.raises(InvalidInput, match="an observation of 'Ada': text is 2,000,000 bytes long"):
        call(memory, "create_entities", entities=[OTTO, long])
    with pytest.raises(InvalidInput, match="entityType"):
        call(memory, "create_entities", entities=[{"name": "Ada"}])
    assert memory.stats().nodes == 0
    assert memory.stats().entities == 0


def test_what_was_learned_shows_in_the_graph_too(memory: Memory) -> None:
    memory.observe("Hi, I'm Otto. I live in Berlin.", session="s1")
    memory.learn("s1")
    (otto,) = call(memory, "open_nodes", names=["Otto"])["entities"]
    assert otto["entityType"] == "person"
    assert any("Berlin" in text for text in otto["observations"])


def test_observations_do_not_decay_and_are_not_deduplicated(known: Memory, clock: Any) -> None:
    call(known, "add_observations", observations=[{"entityName": "Otto_K", "contents": ["Likes old Acme"]}])
    before = call(known, "read_graph")
    clock.advance(days=2_000)
    known.maintain()
    assert call(known, "read_graph") == before


def test_the_reference_file_is_imported_once(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    rows = [{"type": "entity", **OTTO}, {"type": "entity", **ACME}, {"type": "relation", **WORKS}]
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    memory = opened()
    import_reference_file(memory, file)
    assert call(memory, "read_graph") == {"entities": [OTTO, ACME], "relations": [WORKS]}
    call(memory, "delete_entities", entityNames=["Acme"])
    import_reference_file(opened(), file)
    assert call(memory, "read_graph")["entities"] == [OTTO]


def written(file: Path, *rows: Any) -> Path:
    """As the reference writes it: one document a line, and nothing escaped."""
    lines = (each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in rows)
    file.write_bytes("\n".join(lines).encode())
    return file


def entity(**given: Any) -> dict[str, Any]:
    return {"type": "entity", **given}


def test_invalid_lines_of_the_reference_file_are_counted(memory: Memory, tmp_path: Path) -> None:
    torn = '{"type":"entity","name":"Ad'
    long = entity(name="Long", entityType="text", observations=["x" * 2_000_000, "short"])
    rows = [entity(**OTTO), torn, {"hello": "world"}, '"a text"', long, {"type": "relation", "from": "Otto_K"}]
    taken = import_reference_file(memory, written(tmp_path / "memory.jsonl", *rows))
    assert [each["name"] for each in call(memory, "read_graph")["entities"]] == ["Otto_K", "Long"]
    assert call(memory, "open_nodes", names=["Long"])["entities"][0]["observations"] == ["short"]
    assert sum(taken.left_out.values()) == 5
    assert taken.left_out["line is not JSON"] == 1


def test_a_line_separator_in_an_observation_ends_no_line(memory: Memory, tmp_path: Path) -> None:
    row = {"name": "Ada", "entityType": "poet", "observations": ["one\u2028two\x85three"]}
    import_reference_file(memory, written(tmp_path / "memory.jsonl", entity(**row)))
    assert call(memory, "read_graph")["entities"] == [row]


def test_import_from_gives_the_same_graph_as_the_server(memory: Memory, tmp_path: Path) -> None:
    knows = {"from": "Otto_K", "to": "Otto_K", "relationType": "knows"}
    rows = [entity(**OTTO), entity(**ACME), *({"type": "relation", **each} for each in (WORKS, knows))]
    file = written(tmp_path / "memory.jsonl", *rows)
    graph = {"entities": [OTTO, ACME], "relations": [WORKS, knows]}
    with Memory(tmp_path / "imported.db", embedder=None) as imported:
        assert imported.admin.import_from(file).total("added") == 6
        assert call(imported, "read_graph") == graph
        import_reference_file(imported, file)
        assert call(imported, "read_graph") == graph
        assert unsound(imported) == []
    import_reference_file(memory, file)
    assert memory.admin.import_from(file).counts["fact"] == {"same": 2}
    assert call(memory, "read_graph") == graph
    assert unsound(memory) == []


words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)
letters = st.text("abcdefgh", min_size=1, max_size=8)


@settings(max_examples=25)
@given(st.dictionaries(letters, st.tuples(words, st.lists(words, unique=True, max_size=4)), min_size=1, max_size=5))
def test_any_text_is_read_back_unchanged(things: dict[str, tuple[str, list[str]]]) -> None:
    entities = [
        {"name": name, "entityType": type, "observations": [text for text in told if text.strip()]}
        for name, (type, told) in things.items()
        if type.strip()
    ]
    with Memory(":memory:", embedder=None) as memory:
        call(memory, "create_entities", entities=entities)
        assert call(memory, "read_graph")["entities"] == entities
    with Memory(":memory:", embedder=None) as memory, TemporaryDirectory() as folder:
        if entities:
            memory.admin.import_from(
                written(Path(folder) / "memory.jsonl", *(entity(**each) for each in entities)), "mcp"
            )
        assert call(memory, "read_graph")["entities"] == entities
