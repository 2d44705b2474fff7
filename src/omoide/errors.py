"""All errors of Omoide in one tree, divided by what the caller can do.

OmoideError
├── InvalidInput        fix the input; nothing was written
│   ├── Conflict        each part may be so, but not together, or not with what the memory holds now
│   └── NotAllowed      the user has not consented, or another reader asks
├── NotFound            no such node, entity, session or file
├── Busy                another process holds the file; try again
├── Closed              the memory was closed; open it again
├── MissingExtra        install the extra that the message names
├── ModelFailed         the language model gave no usable answer; the session stays pending, try again
│   └── LimitReached    the spending limit stopped the next call; raise it or wait
├── EmbedderFailed      the embedder raised or returned unusable vectors; stored text is safe, recall works without
└── FileProblem         the file cannot be used as it is
    ├── NotAMemory      the path holds another kind of file; choose another path
    ├── KeyRefused      encrypted, and the key is missing or another one; name the right key
    ├── NewerFile       written by a newer Omoide; upgrade
    ├── CannotWrite     read-only folder or full disk; make room or move the file
    └── Damaged         the file is corrupt; restore a backup, or `omoide admin salvage` it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class OmoideError(Exception):
    """Base class of every error that Omoide raises on purpose."""

    index: int | None = None  # position of the failing item, from 0, where a list was passed


class InvalidInput(OmoideError, ValueError):
    """The input cannot be stored or searched. Nothing was written."""


class Conflict(InvalidInput):
    """The parts of the input contradict each other, or what the memory holds now. Nothing was written."""


class NotAllowed(InvalidInput):
    """The user has not consented to this, or whoever asks is not the user. Nothing was read or written."""


class NotFound(OmoideError, LookupError):
    """No node, entity or session has this id or name."""


class Busy(OmoideError):
    """Another process held the file for longer than `busy_timeout`. Trying again is safe."""


class Closed(OmoideError):
    """A method was called after close(), or in a forked child of the process that opened the file."""


class MissingExtra(OmoideError, ImportError):
    """An optional dependency is not installed. The message names the extra to install."""


@contextmanager
def needs_extra(message: str, extra: str = "") -> Iterator[None]:
    """Imports inside it that fail raise MissingExtra with this message, and with the `extra` to install if named."""
    try:
        yield
    except MissingExtra:
        raise
    except ImportError as error:
        raise MissingExtra(f'{message}; `pip install "omoide[{extra}]"` brings it' if extra else message) from error


class EmbedderFailed(OmoideError):
    """The embedder raised, or returned vectors of the wrong shape."""


class ModelFailed(OmoideError):
    """The language model could not be reached, or its answers were unusable. Nothing was learned or lost."""


class LimitReached(ModelFailed):
    """The next call to the language model would exceed the spending limit. It was not made."""


class FileProblem(OmoideError):
    """The file cannot be used as it is."""


class NotAMemory(FileProblem):
    """The path holds a file that is not an Omoide memory. It was left untouched."""


class KeyRefused(FileProblem):
    """The file is encrypted and the key is missing or wrong, or it is not encrypted and a key was given."""


class NewerFile(FileProblem):
    """A newer Omoide wrote the file. It was left untouched; upgrade to open it."""


class CannotWrite(FileProblem):
    """The folder is read-only or the disk is full. Data acknowledged earlier is safe."""


class Damaged(FileProblem):
    """SQLite reports that the file is corrupt."""


def error_text(error: Exception) -> str:
    """What a report says of it."""
    return str(error) if isinstance(error, OmoideError) else f"{type(error).__name__}: {error}"


def unknown_name(what: str, name: object, known: Iterable[str]) -> InvalidInput:
    """The error for an unknown name of a recipe, a kind and the like. It suggests the nearest, or lists all of them."""
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(str(name), names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known {what}s are {', '.join(names)}"
    return InvalidInput(f"unknown {what} {name!r}; {hint}")
