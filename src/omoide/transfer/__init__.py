"""In and out: everything a memory holds as lines of JSON, a backup in a file's place, and the formats of others."""

from omoide.transfer.jsonl import Exported, Imported, export, import_

__all__ = ["Exported", "Imported", "export", "import_"]
