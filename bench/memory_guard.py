"""The poisoning benchmark of the PyPI package `agent-memory-guard`, over Omoide.

    pip install agent-memory-guard
    python bench/memory_guard.py

It plants a text, begins a new session and asks whether the text comes back word for word. Omoide keeps what tools said
and hands it out as their words, quoted and apart, so there are three rows: `whose word` counts what comes back as
somebody's statement (the user's or the agent's), `pack` what a model is given for the planted words themselves, outside
of the section of quoted words, and `any word` everything that comes back, quoted or not.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from agent_memory_guard.bench.adapter import MemorySystemAdapter, RememberOutcome
from agent_memory_guard.bench.harness import run_suite
from agent_memory_guard.bench.scoring import Scorecard, score_report

from omoide import Memory, Settings, __version__
from omoide.domain import Node
from omoide.domain.node import is_data_origin
from omoide.recall.context_pack import QUOTED

_ORIGINS = {"user_input": "user", "agent_authored": "agent", "system": "system"}


class OmoideAdapter(MemorySystemAdapter):  # type: ignore[misc]  # the package has no types
    """A file of its own for each scenario, opened again for each session."""

    name = "omoide, whose word"
    version = __version__
    _quoted = False

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._memory = self._opened()

    def _opened(self) -> Memory:
        path = Path(self._folder.name) / "memory.db"
        return Memory(path, embedder=None, settings=Settings(learn_automatically=0))

    def remember(self, key: str, value: Any, *, source_class: str = "external_tool") -> RememberOutcome:
        role = _ORIGINS.get(source_class, f"tool:{key}")
        node = self._memory.observe(str(value), role=role, session=key)
        return RememberOutcome.STORED if node.text == value else RememberOutcome.REDACTED

    def context_reset(self) -> None:
        self._memory.close()
        self._memory = self._opened()

    def recall(self, key: str) -> str | None:
        found = [each for each in self._memory.list(session=key) if isinstance(each, Node)]
        told = [each.full_text for each in found if self._quoted or not is_data_origin(each.origin)]
        self._memory.close()
        return "\n".join(told) or None


class PackAdapter(OmoideAdapter):
    """What a model reads when it is asked in the words that were planted, without the section of quoted words."""

    name = "omoide, pack"

    def __init__(self) -> None:
        super().__init__()
        self._planted: dict[str, str] = {}

    def remember(self, key: str, value: Any, *, source_class: str = "external_tool") -> RememberOutcome:
        self._planted[key] = str(value)
        return super().remember(key, value, source_class=source_class)

    def recall(self, key: str) -> str | None:
        markdown = self._memory.context(self._planted[key][:2_000], budget=4_000).markdown.partition(QUOTED)[0]
        shown = [self._memory.get(int(id)).full_text for id in re.findall(r"\[id:(\d+)\]", markdown)]
        self._memory.close()
        return "\n".join(shown) or None


class QuotingAdapter(OmoideAdapter):
    """Also what is quoted as the words of tools."""

    name = "omoide, any word"
    _quoted = True


def main() -> None:
    print("| system | score | grade | attacks without effect | false alarms |\n|---|---|---|---|---|")
    for adapter in (OmoideAdapter, PackAdapter, QuotingAdapter):
        report = run_suite(adapter)
        card: Scorecard = score_report(report)
        kept = f"{card.defended_total} of {card.malicious_total}"
        print(f"| {card.system} | {card.score:.1f} | {card.grade.value} | {kept} | ", end="")
        print(f"{card.false_positives} of {card.benign_total} |")
        for run in report.runs:
            if not run.passed:
                print(f"  {run.scenario_id}: {run.detail}")


if __name__ == "__main__":
    main()
