"""What is written belongs to its owner alone; what is read stays within its folder and its bounds."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from omoide import Memory
from omoide.errors import CannotWrite, InvalidInput


def modes(folder: Path) -> set[str]:
    return {oct(each.stat().st_mode & 0o777) for each in (folder, *folder.rglob("*")) if not each.is_symlink()}


def test_exports_of_skills_and_folders_belong_to_their_owner_alone(memory: Memory, tmp_path: Path) -> None:
    memory.remember("Deploy", kind="skill", name="deploy", steps=["push"])
    memory.remember("The shop runs on Vercel")
    memory.tasks.export_skills(tmp_path / "skills")
    memory.admin.export_loki(tmp_path / "loki")
    assert modes(tmp_path / "skills") | modes(tmp_path / "loki") == {"0o700", "0o600"}


def test_a_skill_is_neither_read_nor_written_through_a_link(memory: Memory, tmp_path: Path) -> None:
    secret, folder = tmp_path / "secret", tmp_path / "skills"
    secret.write_text("# Skill: not yours")
    folder.mkdir()
    (folder / "deploy.md").symlink_to(secret)
    with pytest.raises(InvalidInput, match="no skill file"):
        memory.tasks.import_skills(folder)
    memory.remember("Deploy", kind="skill", name="deploy", steps=["push"])
    memory.tasks.export_skills(folder)
    assert secret.read_text() == "# Skill: not yours"


def test_a_folder_that_links_out_is_not_written_through(memory: Memory, tmp_path: Path) -> None:
    memory.remember("The shop runs on Vercel")
    (tmp_path / "loki").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "loki" / "semantic").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CannotWrite, match="is a link out of"):
        memory.admin.export_loki(tmp_path / "loki")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_devices_and_pipes_are_no_imports(memory: Memory, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(InvalidInput, match="a device or a pipe"):
            memory.admin.import_from(place, "markdown")


def test_an_archive_that_would_fill_the_memory_is_refused(memory: Memory, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("note.md", b"0" * 120_000_000)
    with pytest.raises(InvalidInput, match="would unpack to"):
        memory.admin.import_from(tmp_path / "bomb.zip", "markdown")


def test_a_folder_of_another_program_is_no_loki_memory(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    for name in (".git/config", ".env", "main.py"):
        (folder / name).write_text("KEY=1")
    with pytest.raises(InvalidInput, match="nothing that Loki Mode writes"):
        memory.admin.import_loki(folder)
    (folder / "ledgers").mkdir()
    (folder / "ledgers" / "a.json").write_text("{}")
    left = {name for name, why in memory.admin.import_loki(folder).skipped if "left where it is" in why}
    assert left == {".git/config", ".env", "main.py"}
