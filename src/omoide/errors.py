"""Everything Omoide raises, in one tree, divided by what the caller can do about it.

OmoideError
├── InvalidInput        fix the input; nothing was written
├── NotFound            there is no such thing
├── Busy                another process holds the file; try again
├── Closed              the memory was closed; open it again
├── MissingExtra        install the part that is named
├── ModelFailed         the language model brought no usable answer; the session stays pending, try again
│   └── LimitReached    the spending limit stopped before the next call; raise it or wait
├── EmbedderFailed      the embedder raised or answered nonsense; stored text is safe, recall goes on without vectors
└── FileProblem         the file cannot be used as it is
    ├── NotAMemory      the path holds something else; choose another path
    ├── NewerFile       written by a newer Omoide; upgrade
    ├── CannotWrite     read-only place or full disk; make room or move the file
    └── Damaged         integrity is lost; run `omoide doctor`, or restore a backup
"""

from __future__ import annotations


class OmoideError(Exception):
    """The root: catch this to catch everything that Omoide raises on purpose."""

    index: int | None = None  # which of many it was, counted from 0, where many were given


class InvalidInput(OmoideError, ValueError):
    """The input cannot be stored or searched as it is. Nothing was written."""


class NotFound(OmoideError, LookupError):
    """No node, entity or session goes by that id or name."""


class Busy(OmoideError):
    """Another process held the file for longer than we were told to wait. Trying again is safe."""


class Closed(OmoideError):
    """A verb was called after close(), or in a forked child of the process that opened the file."""


class MissingExtra(OmoideError, ImportError):
    """An optional part is not installed; the message names the extra that brings it."""


class EmbedderFailed(OmoideError):
    """The embedder raised, or its answer has the wrong shape."""


class ModelFailed(OmoideError):
    """The language model could not be reached, or its answers would not do. Nothing was learned, nothing is lost."""


class LimitReached(ModelFailed):
    """The next call to the language model would go past the spending limit. It was not made."""


class FileProblem(OmoideError):
    """The file cannot be used as it is."""


class NotAMemory(FileProblem):
    """The path holds something that is not an Omoide file. It was left untouched."""


class NewerFile(FileProblem):
    """The file was written by a newer Omoide. It was left untouched; upgrade to open it."""


class CannotWrite(FileProblem):
    """The place is read-only or the disk is full. What was acknowledged before is safe."""


class Damaged(FileProblem):
    """SQLite says that the file is corrupt."""
