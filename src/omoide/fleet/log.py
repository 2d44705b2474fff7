"""Structured logs of a server: one JSON object per line."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

_LOG = logging.getLogger("omoide.fleet")


def log(event: str, **fields: Any) -> None:
    """Logs an event. Fields never hold words of memories or tokens."""
    _LOG.info(event, extra={"fields": fields})


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = getattr(record, "fields", {})
        return json.dumps({"at": at, "level": record.levelname.lower(), "event": record.getMessage(), **fields})


def log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    _LOG.addHandler(handler)
    _LOG.setLevel(logging.INFO)
