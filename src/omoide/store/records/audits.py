"""Reading the audit."""

from __future__ import annotations

from omoide.store.engine import audit
from omoide.store.engine.file import Table, reads


class AuditTable(Table):
    latest = reads(audit.latest)
