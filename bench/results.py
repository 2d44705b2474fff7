"""Reads and writes the figures of docs/explanation/benchmarks.md: one JSON file for all scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parent / "results.json"


def load(file: Path = FILE) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return found


def save(file: Path = FILE, **parts: Any) -> None:
    """Replaces these parts and keeps the others."""
    kept = load(file) | parts
    file.write_text(json.dumps(_rounded(kept), indent=1, ensure_ascii=False) + "\n", "utf-8")


def _rounded(value: Any) -> Any:
    """Rounds to four digits, which is enough and keeps diffs readable."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value
