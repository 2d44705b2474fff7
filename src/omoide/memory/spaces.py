"""A folder of spaces: one memory file per owner, and the tokens that open them. Tokens are stored as hashes."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from omoide.clock import DAY, Clock, system_clock, to_datetime
from omoide.errors import CannotWrite, Conflict, Damaged, InvalidInput, NotFound
from omoide.store.engine.gate import Gate

Right = Literal["read", "write", "admin"]

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_LONGEST_NOTE = 200  # characters
_MOST_DAYS = 36_500
_PATIENCE = 10.0  # seconds to wait for another process that changes the folder
_NO_HASH = hashlib.sha256(b"").hexdigest()  # compared with when a token is unknown
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SpaceToken:
    """What is kept of a token. `read` and `write` open one space; `admin` manages spaces and opens none."""

    id: str
    space: str | None
    right: Right
    created: str
    expires: str | None
    note: str


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token. Its text is shown once and cannot be read again."""

    token: str
    about: SpaceToken


@dataclass(frozen=True, slots=True)
class SpaceInfo:
    """A space, how large its folder is, and how many tokens open it."""

    name: str
    created: str
    bytes: int
    tokens: int


@dataclass(frozen=True, slots=True)
class SpaceUsage:
    """What a space holds."""

    name: str
    memories: int
    sessions: int
    bytes: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Opening:
    """What a valid token opens. A space that was deleted and made again has another `uid`."""

    token: SpaceToken
    file: Path | None
    uid: str


@dataclass(slots=True)
class _Registry:
    spaces: dict[str, dict[str, str]]
    tokens: dict[str, dict[str, Any]]


class SpaceRegistry(Protocol):
    """Creates, rotates and deletes spaces and tokens; see `SpaceFolder` for what each does."""

    def list(self) -> list_of[SpaceInfo]: ...
    def create(self, name: str) -> SpaceInfo: ...
    def delete(self, name: str) -> SpaceInfo: ...
    def file(self, name: str) -> Path: ...
    def usage(self) -> list_of[SpaceUsage]: ...
    def export(self, name: str, target: Path, *, unencrypted: bool = False) -> None: ...
    def tokens(self, space: str | None = None) -> list_of[SpaceToken]: ...
    def issue(
        self, space: str | None, right: Right = "write", *, note: str = "", days: float | None = None
    ) -> IssuedToken: ...
    def rotate(self, id: str) -> IssuedToken: ...
    def revoke(self, id: str) -> SpaceToken: ...
    def find(self, given: str) -> Opening | None: ...


class SpaceFolder:
    """Creates, rotates and deletes spaces and tokens. Every process that serves the folder sees a change at once."""

    def __init__(self, folder: str | Path, clock: Clock = system_clock) -> None:
        self.folder = Path(folder)
        self._clock = clock
        self._register = self.folder / "spaces.json"
        self._read_at: tuple[int, int, int] | None = None
        self._cached = _Registry({}, {})

    # ── spaces ────────────────────────────────────────────────────────────────────────────────────────────────

    def list(self) -> list[SpaceInfo]:
        """Returns every space, by name."""
        found = self._registry()
        opened = [each["space"] for each in found.tokens.values()]
        return [
            SpaceInfo(name, space["created"], _size(self.folder / name), opened.count(name))
            for name, space in sorted(found.spaces.items())
        ]

    def create(self, name: str) -> SpaceInfo:
        """Creates an empty space. Raises InvalidInput for a name that is taken or cannot be used."""
        check_space_name(name)

        def change(registry: _Registry) -> SpaceInfo:
            if name in registry.spaces or (self.folder / name).exists():
                raise Conflict(f"there is a space {name} already; choose another name, or delete it first")
            (self.folder / name).mkdir(mode=0o700)
            registry.spaces[name] = {"uid": secrets.token_hex(8), "created": self._now()}
            return SpaceInfo(name, registry.spaces[name]["created"], 0, 0)

        return self._change(change)

    def delete(self, name: str) -> SpaceInfo:
        """Deletes a space: its tokens first, then every file of it. Raises NotFound."""
        info = next((each for each in self.list() if each.name == name), None)

        def change(registry: _Registry) -> None:
            self._require(registry, name)
            del registry.spaces[name]
            registry.tokens = {id: each for id, each in registry.tokens.items() if each["space"] != name}

        self._change(change)
        shutil.rmtree(self.folder / name, ignore_errors=True)
        assert info is not None
        return info

    def file(self, name: str) -> Path:
        """Returns the memory file of a space. Raises NotFound."""
        self._require(self._registry(), name)
        return self.folder / name / "memory.db"

    def usage(self) -> list_of[SpaceUsage]:
        """Returns what every space holds, by name. Opens each of them."""
        from omoide.memory.memory import Memory

        found = []
        for each in self.list():
            memories = sessions = 0
            if (file := self.file(each.name)).exists():
                with Memory(file, embedder=None) as memory:
                    stats = memory.stats()
                memories, sessions = stats.nodes, stats.sessions
            found.append(SpaceUsage(each.name, memories, sessions, each.bytes, each.tokens))
        return found

    def export(self, name: str, target: Path, *, unencrypted: bool = False) -> None:
        """Writes a space as lines of JSON. Raises NotFound."""
        from omoide.memory.memory import Memory

        with Memory(self.file(name), embedder=None) as memory:
            memory.admin.export(target, unencrypted=unencrypted)

    # ── tokens ────────────────────────────────────────────────────────────────────────────────────────────────

    def tokens(self, space: str | None = None) -> list_of[SpaceToken]:
        """Returns the tokens of a space, or all of them; never their text."""
        found = self._registry()
        if space is not None:
            self._require(found, space)
        return [_about(id, each) for id, each in found.tokens.items() if space in (None, each["space"])]

    def issue(
        self, space: str | None, right: Right = "write", *, note: str = "", days: float | None = None
    ) -> IssuedToken:
        """Makes a token.

        Args:
            space: The space that it opens; None for an admin token.
            right: read, write, or admin, which manages spaces and opens none.
            note: What it is for.
            days: How long it is valid; without it, until it is deleted.
        """
        check_token(space, right, note, days)

        def change(registry: _Registry) -> IssuedToken:
            if space is not None:
                self._require(registry, space)
            return _issued(registry, new_token(space, right, note, days, self._clock()))

        return self._change(change)

    def rotate(self, id: str) -> IssuedToken:
        """Replaces a token by a new one with the same right and expiry; the old one stops at once. Raises NotFound."""

        def change(registry: _Registry) -> IssuedToken:
            old = _about(id, self._removed(registry, id))
            return _issued(registry, replace(old, id=secrets.token_hex(4), created=self._now()))

        return self._change(change)

    def revoke(self, id: str) -> SpaceToken:
        """Deletes a token: it stops at once. Raises NotFound."""
        return self._change(lambda registry: _about(id, self._removed(registry, id)))

    def find(self, given: str) -> Opening | None:
        """Returns what a token opens, or None if it is unknown or expired."""
        registry = self._registry()
        id = token_id(given)
        kept = registry.tokens.get(id)
        if not is_token(given, kept["hash"] if kept else None) or kept is None:
            return None
        token = _about(id, kept)
        if token.expires is not None and token.expires <= self._now():
            return None
        if token.space is None:
            return Opening(token, None, "")
        return Opening(token, self.folder / token.space / "memory.db", registry.spaces[token.space]["uid"])

    @property
    def uids(self) -> set[str]:
        return {each["uid"] for each in self._registry().spaces.values()}

    # ── the register ──────────────────────────────────────────────────────────────────────────────────────────

    def _now(self) -> str:
        return to_datetime(self._clock()).isoformat(timespec="microseconds")

    def _require(self, registry: _Registry, name: str) -> None:
        if name not in registry.spaces:
            raise NotFound(f"there is no space {name}; `omoide spaces list` shows all")

    def _removed(self, registry: _Registry, id: str) -> dict[str, Any]:
        if id not in registry.tokens:
            raise NotFound(f"there is no token {id}; `omoide spaces tokens` shows all")
        return registry.tokens.pop(id)

    def _registry(self) -> _Registry:
        """The register as it is now; read again when the file has changed."""
        try:
            found = os.stat(self._register)
        except FileNotFoundError:
            return _Registry({}, {})
        seen = (found.st_mtime_ns, found.st_ino, found.st_size)
        if seen != self._read_at:
            self._cached, self._read_at = self._load(), seen
        return self._cached

    def _load(self) -> _Registry:
        try:
            found = json.loads(self._register.read_text("utf-8"))
            return _Registry(dict(found["spaces"]), dict(found["tokens"]))
        except FileNotFoundError:
            return _Registry({}, {})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Damaged(f"{self._register} cannot be read ({error}); restore it from a backup") from error

    def _change(self, work: Callable[[_Registry], T]) -> T:
        """Changes the register while no other process does, and puts the new one in place whole."""
        with self._locked():
            registry = self._load()
            result = work(registry)
            beside = self._register.with_suffix(".new")
            file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(file, "w", encoding="utf-8") as page:
                json.dump(asdict(registry), page, indent=1)
                page.flush()
                os.fsync(page.fileno())
            os.replace(beside, self._register)
            return result

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise CannotWrite(f"the folder {self.folder} cannot be created: {error.strerror}") from error
        gate = Gate(str(self.folder / "spaces.lock"), _PATIENCE)
        try:
            with gate.held():
                yield
        finally:
            gate.close()


list_of = list  # `list` is a method above


# What is the same wherever spaces and tokens are kept.


def check_space_name(name: str) -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInput(f"space {name!r}: use a–z, 0–9, - and _, at most 64 characters, a letter or digit first")


def check_token(space: str | None, right: Right, note: str, days: float | None) -> None:
    if right not in ("read", "write", "admin") or (right == "admin") != (space is None):
        raise InvalidInput(f"right {right!r}: a space takes read or write; admin belongs to no space")
    if len(note) > _LONGEST_NOTE or not note.isprintable():
        raise InvalidInput(f"note: at most {_LONGEST_NOTE} printable characters")
    if days is not None and not 0 < days <= _MOST_DAYS:
        raise InvalidInput(f"days: expected more than 0 and at most {_MOST_DAYS:,}, got {days!r}")


def new_token(space: str | None, right: Right, note: str, days: float | None, now: int) -> SpaceToken:
    created = to_datetime(now).isoformat(timespec="microseconds")
    expires = None if days is None else to_datetime(now + int(days * DAY)).isoformat()
    return SpaceToken(secrets.token_hex(4), space, right, created, expires, note)


def token_text(id: str) -> str:
    """A new text for a token: 256 random bits cannot be guessed, so a plain hash protects them at rest well enough."""
    return f"omoide_{id}_{secrets.token_urlsafe(32)}"


def token_id(given: str) -> str:
    """The id that a token's text names, or nothing."""
    return given.split("_", 2)[1] if given.startswith("omoide_") and given.count("_") >= 2 else ""


def token_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_token(given: str, kept: str | None) -> bool:
    """Compares a token with a kept hash, in constant time also when there is none."""
    return hmac.compare_digest(token_hash(given), kept or _NO_HASH) and kept is not None


def _issued(registry: _Registry, about: SpaceToken) -> IssuedToken:
    text = token_text(about.id)
    kept = asdict(about)
    del kept["id"]
    registry.tokens[about.id] = {**kept, "hash": token_hash(text)}
    return IssuedToken(text, about)


def _about(id: str, kept: dict[str, Any]) -> SpaceToken:
    return SpaceToken(id, **{name: value for name, value in kept.items() if name != "hash"})


def _size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.glob("*") if each.is_file())
