"""Looking after the file."""

from __future__ import annotations

from omoide.store import doctor, stats
from omoide.store.door.opened import Opened


class Keeping(Opened):
    """That the file is sound, and what is in it."""

    def examine(self, repair: bool) -> list[doctor.Finding]:
        """The longest check only reads. The others run as a writer even to look: full text can only be checked so."""
        structure = self._read(doctor.structure)
        if not structure.ok:
            return [structure]
        return [structure, *self._write(lambda db: doctor.examine(db, repair))]

    def stats(self) -> stats.Stats:
        return self._read(stats.count)
