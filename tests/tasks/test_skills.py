"""Skill files are imported and exported without loss, each change as a new version."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import InvalidInput
from omoide.transfer.skill_files import parse_skill, render_skill

API = """# Skill: API Endpoint Implementation

## Prerequisites
- OpenAPI spec exists at .loki/specs/openapi.yaml
- Database schema defined

## Steps
1. Read endpoint spec from openapi.yaml
2. Create route handler in src/routes/{resource}.ts
   and keep it small
3. Run tests, verify passing

## Common Errors & Fixes
- Missing return type: Add `: void` to handler
- Schema mismatch: Regenerate types from spec

## Notes of mine
Nothing that we know of.

```sh
## not a heading
```

## Exit Criteria
- All contract tests pass
- No TypeScript errors
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "api-implementation.md"
    path.write_text(API)
    return path


def test_a_file_is_read_into_fields_and_written_back_unchanged(memory: Memory, file: Path, tmp_path: Path) -> None:
    (read,) = memory.tasks.import_skills(file)
    held = read.node.attributes
    assert held["name"] == "API Endpoint Implementation"
    assert held["prerequisites"][1] == "Database schema defined"
    assert held["steps"][1] == "Create route handler in src/routes/{resource}.ts\n   and keep it small"
    assert held["common_errors"][0] == "Missing return type: Add `: void` to handler"
    assert held["exit_criteria"] == ("All contract tests pass", "No TypeScript errors")
    (written,) = memory.tasks.export_skills(tmp_path / "out")
    assert written.name == file.name
    assert written.read_text() == API


def test_the_same_file_changes_nothing_and_a_changed_one_is_a_new_version(memory: Memory, file: Path) -> None:
    (first,) = memory.tasks.import_skills(file)
    memory.tasks.outcome(first.node.id, "success")
    assert memory.tasks.import_skills(file)[0].status == "unchanged"
    file.write_text(API.replace("Run tests", "Run all tests"))
    (second,) = memory.tasks.import_skills(file)
    assert second.status == "new version"
    assert memory.get(first.node.id).state == "superseded"
    assert memory.get(second.node.id).attributes["success_count"] == 1
    assert [version.node.id for version in memory.history(second.node.id)] == [first.node.id, second.node.id]


def test_changed_fields_are_written_and_the_rest_stays(memory: Memory, file: Path) -> None:
    (read,) = memory.tasks.import_skills(file)
    memory.review.update(read.node.id, exit_criteria=["All tests pass"])
    written = memory.tasks.skill_markdown(read.node.id)
    assert "## Exit Criteria\n- All tests pass\n" in written
    assert "## Notes of mine\nNothing that we know of.\n" in written
    assert "   and keep it small" in written


def test_a_skill_is_found_for_a_goal_and_success_raises_its_confidence(memory: Memory, file: Path) -> None:
    other = file.with_name("baking.md")
    other.write_text("# Skill: Baking bread\n\n## Steps\n1. Knead the dough\n")
    memory.tasks.import_skills(file.parent)
    found = memory.tasks.skills("implement an API endpoint from the openapi spec")
    assert found[0].node.attributes["name"] == "API Endpoint Implementation"
    assert len(memory.tasks.skills()) == 2
    failed = memory.tasks.outcome(memory.tasks.skills("knead dough")[0].id, "failure")
    assert failed.confidence < 1


def test_a_learned_procedure_becomes_a_skill_file(memory: Memory) -> None:
    learned = memory.remember("Deploy", kind="procedure", name="Deploy the shop", steps=["build", {"action": "push"}])
    assert memory.tasks.skill_markdown(learned.id) == "# Skill: Deploy the shop\n\n## Steps\n1. build\n2. push\n"
    with pytest.raises(InvalidInput):
        memory.tasks.skill_markdown(memory.remember("a fact").id)


def test_a_missing_skill_file_is_an_error(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "missing.md", tmp_path / "bad.md"):
        with pytest.raises(InvalidInput):
            memory.tasks.import_skills(path)


def test_two_files_with_one_title_are_two_skills(memory: Memory, tmp_path: Path) -> None:
    for name, step in (("a.md", "build"), ("b.md", "push")):
        (tmp_path / name).write_text(f"# Skill: Deploy\n\n## Steps\n1. {step}\n")
    assert [each.status for each in memory.tasks.import_skills(tmp_path)] == ["new", "new"]
    assert [each.status for each in memory.tasks.import_skills(tmp_path)] == ["unchanged", "unchanged"]
    written = memory.tasks.export_skills(tmp_path / "out")
    assert sorted((each.name, each.read_text()) for each in written) == [
        (name, (tmp_path / name).read_text()) for name in ("a.md", "b.md")
    ]


def test_two_files_with_one_name_are_two_skills(memory: Memory, tmp_path: Path) -> None:
    files = [tmp_path / folder / "SKILL.md" for folder in ("a", "b")]
    for file in files:
        file.parent.mkdir()
        file.write_text(f"# Skill: Deploy\n\n## Steps\n1. {file.parent.name}\n")
    assert [each.status for each in memory.tasks.import_skills(files)] == ["new", "new"]
    assert [each.status for each in memory.tasks.import_skills(files)] == ["unchanged", "unchanged"]
    assert sorted(each.name for each in memory.tasks.export_skills(tmp_path / "out")) == ["a-SKILL.md", "b-SKILL.md"]


def test_a_file_with_windows_line_ends_is_written_back_unchanged(memory: Memory, tmp_path: Path) -> None:
    page = API.replace("\n", "\r\n").encode()
    (tmp_path / "api.md").write_bytes(page)
    (read,) = memory.tasks.import_skills(tmp_path / "api.md")
    assert read.node.attributes["name"] == "API Endpoint Implementation"
    assert memory.tasks.export_skills(tmp_path / "out")[0].read_bytes() == page
    assert memory.tasks.import_skills(tmp_path / "api.md")[0].status == "unchanged"


def test_an_empty_file_is_skipped_and_reported(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text("\n")
    (read,) = memory.tasks.import_skills(tmp_path)
    assert (read.status, read.node) == ("skipped: the file is empty", None)
    assert memory.tasks.skills() == []


@given(st.text(alphabet=st.sampled_from("#- 1.ab`\n\r\t:Stepskil"), max_size=200))
def test_any_skill_file_is_written_back_unchanged(page: str) -> None:
    skill = parse_skill(page)
    again = render_skill(skill.name, skill.fields, skill.front, skill.sections)
    if skill.front and skill.sections:
        assert again == page


def test_front_matter_of_other_programs_is_not_part_of_the_text(memory: Memory, tmp_path: Path) -> None:
    page = "---\nname: release\ndescription: Ships a version\nallowed-tools: Bash\n---\n\n## Steps\n1. Tag it\n"
    (tmp_path / "x.md").write_text(page)
    (imported,) = memory.tasks.import_skills(tmp_path / "x.md")
    assert imported.node.attributes["name"] == "release"
    assert imported.node.full_text == "release: Tag it. Ships a version."
    assert memory.tasks.skill_markdown(imported.node.id) == page
