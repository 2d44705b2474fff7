"""What was answered and how long it took, in the words of Prometheus."""

from __future__ import annotations

from collections import Counter
from typing import Any

_HELD = {
    "nodes": "Memories in the file.",
    "edges": "Links between memories.",
    "entities": "Who and what is known.",
    "sessions": "Conversations.",
    "bytes": "Size of the file.",
}


class Metrics:
    """Counted for all spaces together, since the server started."""

    def __init__(self) -> None:
        self._answered: Counter[tuple[str, int]] = Counter()
        self._calls: Counter[tuple[str, str]] = Counter()
        self._seconds: Counter[tuple[str, str]] = Counter()

    def answered(self, method: str, status: int) -> None:
        self._answered[method, status] += 1

    def took(self, method: str, route: str, seconds: float) -> None:
        """By the route's own path: as many lines as there are routes, whatever is asked for."""
        self._calls[method, route] += 1
        self._seconds[method, route] += seconds  # type: ignore[assignment]

    def page(self, stats: Any) -> str:
        lines = []
        for name, about in _HELD.items():
            lines += [f"# HELP omoide_{name} {about}", f"# TYPE omoide_{name} gauge"]
            lines.append(f"omoide_{name} {getattr(stats, name)}")
        lines += ["# HELP omoide_requests_total Requests answered.", "# TYPE omoide_requests_total counter"]
        for (method, status), count in sorted(self._answered.items()):
            lines.append(f'omoide_requests_total{{method="{method}",status="{status}"}} {count}')
        lines += [
            "# HELP omoide_request_seconds Until the last byte was sent.",
            "# TYPE omoide_request_seconds summary",
        ]
        for (method, route), count in sorted(self._calls.items()):
            labels = f'{{method="{method}",route="{route}"}}'
            lines.append(f"omoide_request_seconds_sum{labels} {self._seconds[method, route]:.6f}")
            lines.append(f"omoide_request_seconds_count{labels} {count}")
        return "\n".join(lines) + "\n"
