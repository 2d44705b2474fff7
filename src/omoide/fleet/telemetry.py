"""What a server tells its operators: structured logs, counts for Prometheus, spans for OpenTelemetry."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

_LOG = logging.getLogger("omoide.fleet")


def log(event: str, **fields: Any) -> None:
    """Logs an event. Fields never hold words of memories or tokens."""
    _LOG.info(event, extra={"fields": fields})


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = getattr(record, "fields", {})
        return json.dumps({"at": at, "level": record.levelname.lower(), "event": record.getMessage(), **fields})


def log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    _LOG.addHandler(handler)
    _LOG.setLevel(logging.INFO)


@contextmanager
def span(name: str, **attributes: Any) -> Iterator[None]:
    """A span of OpenTelemetry, if its API is installed; it does nothing unless the program configures it."""
    with suppress(ImportError):
        from opentelemetry import trace

        with trace.get_tracer("omoide").start_as_current_span(f"omoide.{name}", attributes=attributes):
            yield
            return
    yield


def _count(about: str, start: float = 0) -> Any:
    """A count of a server, with what it says to Prometheus."""
    return field(default=start, metadata={"help": about})


@dataclass(slots=True)
class FleetCounts:
    """What a server did since it started."""

    opened: int = _count("Spaces that were opened.")
    rebuilt: int = _count("Copies that were built anew from PostgreSQL.")
    rows_caught_up: int = _count("Rows that were copied from PostgreSQL.")
    hits: int = _count("Requests whose space was open.")
    lost: int = _count("Leases that were lost.")
    evicted: int = _count("Spaces that were closed to save room.")
    forwarded: int = _count("Requests that were passed on to the holder.")
    limited: int = _count("Requests that were refused by the limits of a space.")
    maintenance: int = _count("Maintenance runs.")
    maintenance_failed: int = _count("Maintenance runs that failed.")
    commits: int = _count("Transactions that PostgreSQL took.")
    commit_seconds: float = _count("Seconds that they took.", 0.0)
    errors: dict[str, str] = field(default_factory=dict)  # the last error of a background part

    def committed(self, seconds: float) -> None:
        self.commits += 1
        self.commit_seconds += seconds

    def page(self, held: int, lag: int) -> str:
        """The counts in the format of Prometheus."""
        lines = ["# HELP omoide_fleet_leases Spaces held.", "# TYPE omoide_fleet_leases gauge"]
        lines.append(f"omoide_fleet_leases {held}")
        lines += ["# HELP omoide_fleet_sequence_lag Transactions that copies for reading are behind."]
        lines += ["# TYPE omoide_fleet_sequence_lag gauge", f"omoide_fleet_sequence_lag {lag}"]
        for each in (each for each in fields(self) if each.metadata):
            name = f"omoide_fleet_{each.name}_total"
            lines += [f"# HELP {name} {each.metadata['help']}", f"# TYPE {name} counter"]
            lines.append(f"{name} {getattr(self, each.name)}")
        lines += [
            "# HELP omoide_fleet_failing Background parts whose last run failed.",
            "# TYPE omoide_fleet_failing gauge",
        ]
        lines.append(f"omoide_fleet_failing {len(self.errors)}")
        return "\n".join(lines) + "\n"
