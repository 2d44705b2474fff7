"""In and out: everything a memory holds, as lines of JSON, and a backup put in a file's place."""

from omoide.transfer.jsonl import Exported, Imported, export, import_

__all__ = ["Exported", "Imported", "export", "import_"]
