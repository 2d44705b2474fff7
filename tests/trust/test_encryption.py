"""An encrypted memory is unreadable without its key, wherever it is written, and the key shows itself nowhere."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest
from starlette.testclient import TestClient

from omoide import Memory
from omoide.domain import Node
from omoide.errors import Busy, InvalidInput, KeyRefused, MissingExtra, OmoideError
from omoide.fleet import Fleet
from omoide.interfaces.http.spaces import Spaces
from omoide.memory.spaces import SpaceFolder
from omoide.settings import Settings
from omoide.store.engine.connection import Connection
from omoide.store.engine.encryption import FileKey, KeySource, is_encrypted, new_key, read_key
from omoide.store.erasure import byte_scan
from omoide.transfer import sqlite_files
from tests.conftest import Open, run, start, unsound
from tests.interfaces.shared_application import application_of
from tests.store.migrated import leave_migration_copy

WORD = "zanzibar"
SECRET = "correct horse battery staple"


@pytest.fixture(autouse=True)
def plain_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMOIDE_KEY_FROM", raising=False)


@pytest.fixture
def key(tmp_path: Path) -> str:
    """A key file of its own folder, so that a folder of memories can be searched for it."""
    folder = tmp_path / "keys"
    folder.mkdir()
    (folder / "key").write_text(SECRET + "\n")
    (folder / "key").chmod(0o600)
    return f"file:{folder / 'key'}"


def opened_with(path: str, key: KeySource | None) -> Memory:
    return Memory(path, embedder=None, key=key)


@pytest.fixture
def encrypted(path: str, key: str) -> Iterator[Memory]:
    with opened_with(path, key) as memory:
        memory.remember(f"Otto moved to {WORD}")
        yield memory


@pytest.fixture
def closed(encrypted: Memory, path: str) -> str:
    encrypted.close()
    return path


@pytest.fixture
def plain(path: str) -> str:
    with opened_with(path, None) as memory:
        memory.remember(f"Otto moved to {WORD}")
    return path


def readable_files(folder: Path, *words: str) -> list[str]:
    """The files of a folder that hold one of the words."""
    found = [each for each in folder.iterdir() if each.is_file()]
    assert found
    return [each.name for each in found if any(word.encode() in each.read_bytes().lower() for word in words)]


def texts(memory: Memory) -> list[str]:
    return [each.text for each in memory.list() if isinstance(each, Node)]


def test_nothing_beside_an_open_memory_can_be_read(encrypted: Memory, tmp_path: Path) -> None:
    encrypted.admin.backup(tmp_path / "copy.db")
    assert readable_files(tmp_path, WORD, SECRET, "create table") == []
    assert encrypted.recall("where is Otto?").texts == [f"Otto moved to {WORD}"]


def test_a_missing_or_wrong_key_is_refused_and_says_what_to_do(closed: str, key: str) -> None:
    before = Path(closed).read_bytes()
    with pytest.raises(KeyRefused, match="is encrypted; name where its key is: --key-from"):
        opened_with(closed, None)
    with pytest.raises(KeyRefused, match="cannot be opened with this key"):
        opened_with(closed, lambda: "another key of some length")
    assert Path(closed).read_bytes() == before
    with opened_with(closed, key) as memory:
        assert len(texts(memory)) == 1


def test_a_key_for_a_file_that_is_not_encrypted_is_refused(plain: str, key: str) -> None:
    with pytest.raises(KeyRefused, match="is not encrypted, and a key was given"):
        opened_with(plain, key)


def test_a_file_of_random_bytes_is_no_encrypted_memory(path: str, key: str) -> None:
    Path(path).write_bytes(os.urandom(8192))
    with pytest.raises(OmoideError, match="not an Omoide file"):
        opened_with(path, key)


def test_other_programs_open_it_with_the_passphrase(closed: str) -> None:
    db = apsw.Connection(closed)
    db.pragma("cipher", "chacha20")
    db.pragma("kdf_iter", 600_000)
    db.pragma("key", SECRET)
    assert db.execute("SELECT count(*) FROM node").get == 1
    db.close()


def test_a_key_shows_itself_nowhere(closed: str) -> None:
    secret = "never to be seen anywhere"
    held = FileKey(secret)
    assert secret not in repr(held)
    with pytest.raises(TypeError):
        pickle.dumps(held)
    with pytest.raises(KeyRefused) as refused:
        opened_with(closed, lambda: secret)
    assert secret not in "".join(traceback.format_exception(refused.value))


def test_a_failing_change_of_key_does_not_name_it(closed: str, key: str) -> None:
    seen = run(
        """
        import resource, signal, sys
        from omoide.transfer.sqlite_files import change_key
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        try:
            change_key(sys.argv[1], sys.argv[2], lambda: "ab" * 32)
        except Exception as error:
            import traceback
            print("".join(traceback.format_exception(error)))
        """,
        closed,
        key,
    )
    assert "CannotWrite" in seen
    assert "abab" not in seen
    assert "61626162" not in seen
    with opened_with(closed, key) as memory:
        assert len(texts(memory)) == 1


@pytest.mark.parametrize("given", ["hunter2hunter2", "file:", "keyring:", "FILE:x", ""])
def test_what_is_no_source_is_refused_and_not_repeated(path: str, given: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_key(given, path)
    assert "hunter2" not in str(refused.value)


def test_a_key_file_that_others_can_read_is_refused(key: str, path: str) -> None:
    os.chmod(key.removeprefix("file:"), 0o644)
    with pytest.raises(KeyRefused, match="can be read by others; run `chmod 600"):
        opened_with(path, key)


@pytest.mark.parametrize("secret", ["", "short", "two\nlines of a key file"])
def test_an_empty_short_or_broken_key_is_refused(path: str, secret: str) -> None:
    with pytest.raises((KeyRefused, InvalidInput)):
        opened_with(path, lambda: secret)
    assert not os.path.exists(path)


def test_nobody_is_asked_where_there_is_no_terminal(path: str) -> None:
    with pytest.raises(KeyRefused, match="at a terminal and this is none"):
        opened_with(path, "prompt")


def test_a_memory_without_a_file_has_no_key(key: str) -> None:
    with pytest.raises(InvalidInput, match="nothing to encrypt"):
        opened_with(":memory:", key)


def test_a_new_key_is_made_in_the_keyring_and_found_there() -> None:
    pytest.importorskip("keyring")
    seen = run(
        """
        import keyring
        from keyring.backend import KeyringBackend
        from omoide.store.engine.encryption import new_key, read_key

        class Ring(KeyringBackend):
            priority = 1
            held = {}
            def get_password(self, service, name): return self.held.get((service, name))
            def set_password(self, service, name, password): self.held[service, name] = password

        keyring.set_keyring(Ring())
        made = new_key("keyring", "a file").with_salt(bytes(16))
        print(made == read_key("keyring:memory", "a file").with_salt(bytes(16)), *Ring.held)
        """
    )
    assert seen == "True ('omoide', 'memory')"


def test_a_missing_keyring_names_the_extra(path: str) -> None:
    seen = run(
        """
        import sys
        sys.modules["keyring"] = None
        from omoide.store.engine.encryption import read_key
        try:
            read_key("keyring", "a file")
        except Exception as error:
            print(type(error).__name__, error)
        """
    )
    assert seen.startswith(MissingExtra.__name__)
    assert "omoide[keyring]" in seen


def test_an_existing_memory_is_encrypted_and_its_old_bytes_are_overwritten(plain: str, tmp_path: Path) -> None:
    os.link(plain, tmp_path / "old")  # the same bytes under another name
    change = sqlite_files.encrypt(plain, f"file:{tmp_path / 'new.key'}")
    assert (change.encrypted, change.nodes) == (True, 1)
    assert set((tmp_path / "old").read_bytes()) == {0}
    (tmp_path / "old").unlink()
    assert readable_files(tmp_path, WORD) == []
    with opened_with(plain, f"file:{tmp_path / 'new.key'}") as memory:
        assert texts(memory) == [f"Otto moved to {WORD}"]
        assert unsound(memory) == []


def test_a_new_key_opens_and_the_old_one_no_longer(closed: str, key: str, tmp_path: Path) -> None:
    other = f"file:{tmp_path / 'other.key'}"
    sqlite_files.change_key(closed, key, other)
    with pytest.raises(KeyRefused):
        opened_with(closed, key)
    with opened_with(closed, other) as memory:
        assert len(texts(memory)) == 1


def test_a_decrypted_memory_opens_without_a_key(closed: str, key: str) -> None:
    assert not sqlite_files.decrypt(closed, key).encrypted
    with opened_with(closed, None) as memory:
        assert texts(memory) == [f"Otto moved to {WORD}"]


def test_a_file_that_is_open_is_not_encrypted(plain: str, tmp_path: Path) -> None:
    with opened_with(plain, None) as memory:
        with pytest.raises(Busy, match="is open elsewhere"):
            sqlite_files.encrypt(plain, f"file:{tmp_path / 'key'}")
        assert memory.remember("still there").id


def test_copies_that_stay_readable_are_named(plain: str, tmp_path: Path) -> None:
    with opened_with(plain, None) as memory:
        copy = memory.admin.backup(tmp_path / "copy.db").path
    assert sqlite_files.encrypt(plain, f"file:{tmp_path / 'key'}").other_copies == (copy,)


def test_a_backup_is_encrypted_and_restored_with_the_same_key(
    encrypted: Memory, path: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = encrypted.admin.backup(tmp_path / "copy.db").path
    encrypted.close()
    with pytest.raises(KeyRefused):
        sqlite_files.restore_backup(copy, path, force=True)
    monkeypatch.setenv("OMOIDE_KEY_FROM", key)
    sqlite_files.restore_backup(copy, path, force=True)
    assert readable_files(tmp_path, WORD) == []
    with Memory(path, embedder=None) as memory:
        assert len(texts(memory)) == 1


def test_the_copy_of_a_migration_is_encrypted(
    closed: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMOIDE_KEY_FROM", key)
    leave_migration_copy(closed)
    (copy,) = tmp_path.glob("memory.db.before-*")
    assert is_encrypted(copy.read_bytes()[:100])
    assert readable_files(tmp_path, WORD) == []


def test_what_is_salvaged_is_encrypted(closed: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open(closed, "r+b") as file:
        file.seek(os.path.getsize(closed) // 2)
        file.write(bytes(64))
    monkeypatch.setenv("OMOIDE_KEY_FROM", key)
    report, _ = sqlite_files.salvage(closed, tmp_path / "saved.db")
    assert report.kept["node"] == 1
    assert readable_files(tmp_path, WORD) == []


def test_exports_of_an_encrypted_memory_must_be_allowed(encrypted: Memory, tmp_path: Path) -> None:
    exports: dict[Callable[..., object], str] = {
        encrypted.admin.export: "a.jsonl",
        encrypted.admin.export_sqlite: "a.db",
        encrypted.admin.export_markdown: "pages",
        encrypted.admin.export_loki: "loki",
        encrypted.tasks.export_skills: "skills",
    }
    for export, name in exports.items():
        with pytest.raises(InvalidInput, match="the memory is encrypted and an export is not"):
            export(tmp_path / name)
        assert not (tmp_path / name).exists()
        export(tmp_path / name, unencrypted=True)


def test_an_erasure_reads_the_encrypted_pages(encrypted: Memory, key: str, tmp_path: Path) -> None:
    copy = encrypted.admin.backup(tmp_path / "copy.db").path
    receipt = encrypted.forget(encrypted.recall(WORD).hits[0].id)
    assert receipt.scan.clean
    assert [(each.path, each.holds) for each in receipt.copies] == [(copy, True)]
    assert not list(tmp_path.glob("copy.db-*"))


def test_a_copy_with_another_key_is_reported_as_not_searched(
    encrypted: Memory, path: str, key: str, tmp_path: Path
) -> None:
    copy = encrypted.admin.backup(tmp_path / "copy.db").path
    sqlite_files.change_key(copy, key, f"file:{tmp_path / 'other.key'}")
    receipt = encrypted.forget(encrypted.recall(WORD).hits[0].id)
    assert [(each.path, each.holds) for each in receipt.copies] == [(copy, None)]


def test_a_fleet_refuses_a_key(key: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="a fleet cannot be encrypted"):
        Fleet("postgresql://nowhere", tmp_path / "copies", settings=Settings(key_from=key))


def test_every_program_takes_the_key_from_the_setting(closed: str, key: str) -> None:
    surroundings = {**os.environ, "OMOIDE_KEY_FROM": key, "OMOIDE_DB": closed}
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    search = {"name": "search_memory", "arguments": {"query": "otto"}}
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": given}) + "\n"
        for number, (method, given) in enumerate([("initialize", client), ("tools/call", search)])
    ]
    programs = {
        ("list",): "",
        ("mcp", "--no-embedder"): "".join(lines),
        ("context", "where is Otto?", "--no-embedder"): "",
        ("hook", "--limit", "300"): json.dumps(
            {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": "/home/otto", "prompt": "where is Otto?"}
        ),
    }
    for words, given in programs.items():
        done = subprocess.run(
            [sys.executable, "-m", "omoide", *words],
            input=given,
            capture_output=True,
            text=True,
            env=surroundings,
            check=False,
        )
        assert WORD in done.stdout, (words, done.stderr)


def test_a_command_makes_the_key_and_uses_it(plain: str, tmp_path: Path, opened: Open) -> None:
    def omoide(*words: str) -> str:
        return run("import sys\nfrom omoide.interfaces.cli import main\nmain()", *words, "--db", plain)

    source = f"file:{tmp_path / 'made.key'}"
    assert "is encrypted · 1 memories" in omoide("admin", "encrypt", "--key-from", source)
    assert WORD in omoide("list", "--key-from", source)
    assert "no longer encrypted" in omoide("admin", "decrypt", "--key-from", source)
    assert WORD in omoide("list")


def test_the_same_key_is_read_as_it_was_made(tmp_path: Path) -> None:
    source = f"file:{tmp_path / 'made.key'}"
    assert new_key(source, "x").with_salt(bytes(16)) == read_key(source, "x").with_salt(bytes(16))
    assert os.stat(tmp_path / "made.key").st_mode & 0o777 == 0o600


@pytest.mark.parametrize("moment", ["open", "os.rename"])
def test_a_change_of_key_that_is_killed_leaves_a_whole_file(plain: str, tmp_path: Path, moment: str) -> None:
    source = f"file:{tmp_path / 'new.key'}"
    new_key(source, plain)
    killed = start(
        """
        import os, signal, sys
        from omoide.transfer.sqlite_files import encrypt

        def kill(event, given):
            if event == sys.argv[3] and ".part" in str(given[0]):
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(kill)
        encrypt(sys.argv[1], sys.argv[2])
        """,
        plain,
        source,
        moment,
    )
    killed.communicate()
    assert killed.returncode == -9
    with opened_with(plain, None) as memory:
        assert texts(memory) == [f"Otto moved to {WORD}"]
        memory.admin.doctor(repair=True)
    assert list(tmp_path.glob("*.part*")) == []
    assert sqlite_files.encrypt(plain, source).encrypted


def test_the_http_server_opens_encrypted_spaces(tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMOIDE_KEY_FROM", key)
    folder = SpaceFolder(tmp_path / "spaces")
    folder.create("otto")
    head = {"Authorization": f"Bearer {folder.issue('otto').token}"}
    with TestClient(application_of(Spaces(folder, embedder=None)), base_url="http://127.0.0.1:8378") as client:
        client.post("/v1/remember", json={"text": f"Otto moved to {WORD}"}, headers=head)
        assert WORD in client.post("/v1/recall", json={"query": "where is Otto?"}, headers=head).text
        assert client.get("/v1/admin/export", headers=head).status_code == 409
        assert WORD in client.get("/v1/admin/export", params={"unencrypted": True}, headers=head).text
    assert readable_files(folder.file("otto").parent, WORD) == []


def test_the_noise_of_an_encrypted_log_is_not_taken_for_words(encrypted: Memory, path: str) -> None:
    log = Path(f"{path}-wal").read_bytes()

    def found(db: Connection) -> bool:
        whole = db.serialize("main")
        noise = next(log[at : at + 4] for at in range(5_000, len(log)) if log[at : at + 4] not in whole)
        return bool(byte_scan.scan_files(db, path, [noise]).found_in)

    assert not encrypted._store.nodes._file.read(found)
