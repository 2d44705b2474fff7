"""Which token opens which memory, and what it may do there. A request without a valid token reaches none."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from omoide.errors import InvalidInput
from omoide.memory import Memory
from omoide.memory.spaces import Opening, Right, SpaceFolder, SpaceToken

_CONSENT_HOURS = 12


@dataclass(frozen=True, slots=True)
class Access:
    """What a request may reach: one memory, or the administration of the spaces."""

    memory: Memory | None
    right: Right
    space: str | None = None
    token: SpaceToken | None = None


class Spaces:
    """Opens a file when its token is first used; closes it when its space is deleted, and all of them at the end."""

    def __init__(
        self, source: Mapping[str, str | None] | SpaceFolder, *, consent: str | None = None, **options: Any
    ) -> None:
        """
        Args:
            source: A folder of spaces, or files by token, which stay the same while the server runs.
            consent: Name under which the user, who reads alone, consents to see what is sensitive, for twelve hours.
            options: Of each memory.
        """
        self.folder = source if isinstance(source, SpaceFolder) else None
        self._files = {} if isinstance(source, SpaceFolder) else dict(source)
        if self.folder is None and (not self._files or not all(self._files)):
            raise InvalidInput("HTTP needs a token; give --token, $OMOIDE_TOKEN or --spaces FOLDER")
        self._consent = consent
        self._options = options
        self._open: dict[str, Memory] = {}
        self._lock = threading.Lock()

    def find(self, given: str) -> Access | None:
        """What a token may reach. Tokens are compared in constant time, so that timing reveals nothing."""
        if self.folder is None:
            known = [token for token in self._files if hmac.compare_digest(token.encode(), given.encode())]
            return Access(self._memory(known[0], self._files[known[0]]), "write") if known else None
        found = self.folder.find(given)
        return self._access(found) if found is not None else None

    def close_deleted(self) -> None:
        """Closes the memories of spaces that are no more."""
        if self.folder is None:
            return
        left = self.folder.uids
        with self._lock:
            gone = [self._open.pop(uid) for uid in list(self._open) if uid not in left]
        for memory in gone:
            memory.close()

    def close(self) -> None:
        with self._lock:
            for memory in self._open.values():
                memory.close()
            self._open.clear()

    def _access(self, found: Opening) -> Access:
        memory = self._memory(found.uid, str(found.file)) if found.file is not None else None
        return Access(memory, found.token.right, found.token.space, found.token)

    def _memory(self, key: str, file: str | None) -> Memory:
        self.close_deleted()
        with self._lock:
            if key not in self._open:
                self._open[key] = self._consented(Memory(file, **self._options))
            return self._open[key]

    def _consented(self, memory: Memory) -> Memory:
        if self._consent is None:
            return memory
        memory.trust.grant_consent(self._consent, "the user opened it", hours=_CONSENT_HOURS)
        return memory.viewed(consent=self._consent)
