"""Which token opens which memory. A request without a known token reaches none."""

from __future__ import annotations

import hmac
import threading
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omoide.errors import InvalidInput
from omoide.memory import Memory


class Spaces:
    """Opens a file when its token is first used; closes all of them together."""

    def __init__(self, files: Mapping[str, str | None], **options: Any) -> None:
        if not files or not all(files):
            raise InvalidInput("HTTP needs a token; give --token, $OMOIDE_TOKEN or --spaces FILE")
        self._files = dict(files)
        self._options = options
        self._open: dict[str, Memory] = {}
        self._lock = threading.Lock()

    def find(self, given: str) -> Memory | None:
        """The memory of a token. Every token is compared in constant time, so that timing reveals nothing."""
        known = [token for token in self._files if hmac.compare_digest(token.encode(), given.encode())]
        if not known:
            return None
        with self._lock:
            if known[0] not in self._open:
                self._open[known[0]] = Memory(self._files[known[0]], **self._options)
            return self._open[known[0]]

    def close(self) -> None:
        with self._lock:
            for memory in self._open.values():
                memory.close()
            self._open.clear()


def from_file(path: Path) -> dict[str, str | None]:
    """Reads `[spaces.NAME]` tables, each with `token` and `file`."""
    try:
        found = tomllib.loads(path.read_text("utf-8"))["spaces"]
        spaces: dict[str, str | None] = {each["token"]: each["file"] for each in found.values()}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput(f"spaces file {path}: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(
            f"spaces file {path}: expected [spaces.NAME] tables, each with `token` and `file`"
        ) from error
    if len(spaces) < len(found):
        raise InvalidInput(f"spaces file {path}: two spaces share a token; each needs its own")
    return spaces
