"""Translates SQLite errors into ours: what happened, to which file, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from omoide.errors import Busy, CannotWrite, Closed, Damaged, InvalidInput, NotAMemory, OmoideError


@contextmanager
def translate_errors(path: str) -> Iterator[None]:
    """Translates SQLite errors raised in the block; the original is the cause."""
    try:
        yield
    except apsw.Error as error:
        raise translate_error(error, path) from error


def translate_error(error: apsw.Error, path: str) -> OmoideError:
    """The matching error of our error tree."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return Busy(f"{path} is being written by another process; try again, or raise busy_timeout")
        case apsw.ConnectionClosedError():
            return Closed(f"{path} was closed; open it again with Memory({path!r})")
        case apsw.FullError():
            return CannotWrite(f"the disk that holds {path} is full; this write was not kept, make room and retry")
        case apsw.ReadOnlyError() | apsw.PermissionsError() | apsw.AuthError():
            return CannotWrite(f"{path} cannot be written; check the permissions of the file and its folder")
        case apsw.CantOpenError():
            return CannotWrite(f"{path} cannot be opened; check that its folder exists and may be written")
        case apsw.NotADBError():
            return NotAMemory(f"{path} is not an Omoide file; it was left untouched, choose another path")
        case apsw.CorruptError():
            return Damaged(f"{path} is damaged ({error}); run `omoide admin doctor`, or restore a backup")
        case apsw.TooBigError():
            return InvalidInput("the text is too large for a SQLite file; split it")
        case apsw.ConstraintError() | apsw.MismatchError():
            return InvalidInput(f"a constraint of the file failed ({error}); nothing was written")
        case apsw.IOError():
            return CannotWrite(f"{path}: reading or writing failed ({error}); check the disk")
        case _:
            return Damaged(f"{path}: unexpected SQLite error ({type(error).__name__}: {error})")
