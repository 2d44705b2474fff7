"""Looking after the file."""

from __future__ import annotations

from omoide.store.door.upkeep import Upkeep
from omoide.store.engine import doctor, stats
from omoide.store.engine.consistency import Finding


class Keeping(Upkeep):
    """That the file is sound, and what is in it."""

    def examine(self, repair: bool) -> list[Finding]:
        """The longest check only reads. The others run as a writer even to look: full text can only be checked so."""
        structure = self._read(doctor.check_structure)
        if not structure.ok:
            return [structure]
        found = [structure, *self._write(lambda db: doctor.run_checks(db, repair))]
        if removed := self.clear_parts():
            told = f"{len(removed)} that a crash had left half written were removed"
            found.append(Finding("copies", True, told, repaired=True))
        return found

    def stats(self) -> stats.Stats:
        return self._read(stats.count_all)
