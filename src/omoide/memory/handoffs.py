"""Ledgers and handoffs: where each agent stands, and work passed from one to another."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from omoide.clock import to_micros
from omoide.domain import Node
from omoide.domain.entity import entities_named_in
from omoide.domain.task import Ledger, LedgerCheckpoint
from omoide.errors import InvalidInput
from omoide.memory.rooms import Rooms, positive
from omoide.memory.writing import Writing
from omoide.observe import validate
from omoide.observe.task_trace import unique_names
from omoide.store import LedgerUpdate

_LONGEST = 10_000  # bytes of an account of what was done


class Handoffs(Writing, Rooms):
    """Any number of agents may write at once: what one counts or accepts, another does not undo."""

    def checkpoint(
        self,
        agent: str,
        *,
        task: str | None = None,
        state: Mapping[str, Any] | None = None,
        context: Mapping[str, Any] | None = None,
        completed: int = 0,
        at: datetime | str | None = None,
    ) -> Ledger:
        """Writes down where an agent stands. What is not given stays, `completed` is added, `task=""` means none.

        Every checkpoint stays in the history (`checkpoints`), and a search finds the latest.
        """
        told = LedgerUpdate(
            agent=validate.required_name(agent, "agent"),
            task=task if task in (None, "") else validate.name(task, "task"),
            state=_document(state, "state"),
            context=_document(context, "context"),
            completed=_count(completed),
            at=None if at is None else to_micros(at),
        )
        return self._checkpoint(told)

    def ledger(self, agent: str) -> Ledger:
        """Where an agent stands."""
        return self._store.ledger(validate.required_name(agent, "agent"))

    def ledgers(self) -> list[Ledger]:
        """Every agent's, the latest checkpoint first."""
        return self._store.ledgers()

    def checkpoints(self, agent: str, limit: int = 20) -> list[LedgerCheckpoint]:
        """Where an agent stood, the latest first."""
        return self._store.checkpoints(validate.required_name(agent, "agent"), positive(limit, "limit"))

    def handoff(
        self,
        *,
        what_was_done: str,
        to: str | None = None,
        from_: str | None = None,
        artifacts: Collection[str] = (),
        git_state: str | None = None,
        needs_testing: Collection[str] = (),
        known_issues: Collection[str] = (),
        relevant_patterns: Collection[Any] = (),
        at: datetime | str | None = None,
        details: Any = None,
        key: str | None = None,
    ) -> Node:
        """Passes work on: to an agent, to agents of such names (`qa-*`), or, without `to`, to whoever accepts it."""
        done = validate.description(what_was_done, "what_was_done") or ""
        fields: dict[str, Any] = {
            "from_agent": validate.name(from_, "from_"),
            "to_agent": validate.name(to, "to"),
            "what_was_done": done,
            "artifacts": unique_names(artifacts, "artifacts"),
            "git_state": validate.name(git_state, "git_state"),
            "needs_testing": _accounts(needs_testing, "needs_testing"),
            "known_issues": _accounts(known_issues, "known_issues"),
            "relevant_patterns": list(relevant_patterns),
        }
        return self.remember(
            _worded(fields),
            kind="handoff",
            origin="agent",
            source_type="agent",
            at=at,
            details=details,
            key=key,
            **fields,
        )

    def handoffs(self, agent: str | None = None, *, open: bool = True, limit: int = 20) -> list[Node]:
        """Those that wait to be accepted, by anybody or by this agent, the latest first; with `open=False` all."""
        only = validate.boolean(open, "open")
        return self._store.handoffs(validate.name(agent, "agent"), only, positive(limit, "limit"))

    def accept_handoff(self, id: int, agent: str) -> Node:
        """This agent goes on with it. Of two at once exactly one has it, the other is told who; again is no error."""
        return self._store.accept_handoff(id, validate.required_name(agent, "agent"))

    def _checkpoint(self, told: LedgerUpdate) -> Ledger:
        names = self._store.entity_names()  # read before: inside the transaction there is no reading
        held = self._store.checkpoint(told, lambda text: entities_named_in(text, names))
        self._background.wake()
        return held


def _document(given: Mapping[str, Any] | None, field: str) -> dict[str, Any] | None:
    if given is not None and not isinstance(given, Mapping):
        raise InvalidInput(f"{field}: expected a dictionary, got {type(given).__name__}")
    found: dict[str, Any] | None = None if given is None else validate.details(dict(given), field)
    return found


def _count(given: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise InvalidInput(f"completed: expected how many tasks more are done, got {given!r}")
    return given


def _accounts(given: Collection[str] | str, field: str) -> list[str]:
    several = (given,) if isinstance(given, str) else given
    if not isinstance(several, Collection):
        raise InvalidInput(f"{field}: expected a list of texts, got {type(given).__name__}")
    return [said for each in several if (said := validate.name(each, field, _LONGEST))]


def _worded(fields: Mapping[str, Any]) -> str:
    """A handoff in words that can be found."""
    ends = [f"{word} {fields[name]}" for word, name in (("from", "from_agent"), ("to", "to_agent")) if fields[name]]
    parts = [f"{' '.join(['Handoff', *ends])}: {fields['what_was_done'].rstrip('.')}"]
    for title, name in (
        ("Artifacts", "artifacts"),
        ("Needs testing", "needs_testing"),
        ("Known issues", "known_issues"),
    ):
        if fields[name]:
            parts.append(f"{title}: {', '.join(map(str, fields[name]))}")
    if fields["git_state"]:
        parts.append(f"Git: {fields['git_state']}")
    return ". ".join(parts) + "."
