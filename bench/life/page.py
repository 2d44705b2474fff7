"""docs/years.md."""
from typing import Any

def write(result: dict[str, Any]) -> None: ...
