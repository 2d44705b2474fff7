"""The verbs of `memory.tasks` for ledgers and handoffs: where each agent stands, and work passed to another agent."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omoide.clock import to_micros
from omoide.domain import Node
from omoide.domain.task import Ledger, LedgerCheckpoint
from omoide.memory.core import positive
from omoide.memory.write import store_statement
from omoide.observe import validate
from omoide.observe.task_trace import completed_count, handoff_statement, json_object
from omoide.store import LedgerUpdate

if TYPE_CHECKING:
    from omoide.memory.tasks import TasksNamespace


def checkpoint(
    self: TasksNamespace,
    agent: str,
    *,
    task: str | None = None,
    state: Mapping[str, Any] | None = None,
    context: Mapping[str, Any] | None = None,
    completed: int = 0,
    at: datetime | str | None = None,
) -> Ledger:
    """Save where an agent stands. What is not given stays as it was.

    Args:
        agent: Name of the agent.
        task: Task it works on; an empty text for none.
        state: State of the work, as a dictionary.
        context: What the agent needs to know to continue, as a dictionary.
        completed: Number of tasks completed since the last checkpoint; it is added to the total.
        at: When it was; now if not given.

    Returns:
        The agent's ledger.
    """
    standing = LedgerUpdate(
        agent=validate.required_name(agent, "agent"),
        task=task if task in (None, "") else validate.name(task, "task"),
        state=json_object(state, "state"),
        context=json_object(context, "context"),
        completed=completed_count(completed),
        at=None if at is None else to_micros(at),
    )
    held = self._core.store.agents.add_checkpoint(standing, self._core.entity_finder())
    self._core.background.wake()
    return held


def checkpoints(self: TasksNamespace, agent: str, limit: int = 20) -> list[LedgerCheckpoint]:
    """List the checkpoints of an agent, the latest first.

    Args:
        agent: Name of the agent.
        limit: Greatest number of checkpoints.

    Returns:
        The checkpoints.
    """
    return self._core.seen.agents.list_checkpoints(validate.required_name(agent, "agent"), positive(limit, "limit"))


def ledger(self: TasksNamespace, agent: str) -> Ledger:
    """Return where an agent stands.

    Args:
        agent: Name of the agent.

    Returns:
        Its ledger.

    Raises:
        NotFound: The agent has no ledger.
    """
    return self._core.seen.agents.require_ledger(validate.required_name(agent, "agent"))


def ledgers(self: TasksNamespace) -> list[Ledger]:
    """List the ledgers of all agents, the latest checkpoint first.

    Returns:
        The ledgers.
    """
    return self._core.seen.agents.list_ledgers()


def handoff(
    self: TasksNamespace,
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
    """Pass work on to another agent.

    Args:
        what_was_done: What was done so far.
        to: Name of the agent, or a pattern such as `qa-*`; anyone if not given.
        from_: Name of the agent that passes it on.
        artifacts: Files that were produced.
        git_state: Branch or commit.
        needs_testing: What still has to be tested.
        known_issues: Problems that are known.
        relevant_patterns: Patterns that apply, by id or text.
        at: When it was; now if not given.
        details: Further data that JSON can hold.
        key: Your own key, so that sending it again stores nothing.

    Returns:
        The handoff.
    """
    given = {
        "what_was_done": what_was_done,
        "to": to,
        "from_": from_,
        "artifacts": artifacts,
        "git_state": git_state,
        "needs_testing": needs_testing,
        "known_issues": known_issues,
        "relevant_patterns": relevant_patterns,
    }
    return store_statement(self._core, handoff_statement(given, at, details, key))


def handoffs(self: TasksNamespace, agent: str | None = None, *, open: bool = True, limit: int = 20) -> list[Node]:
    """List handoffs, the latest first.

    Args:
        agent: Only those that this agent may accept.
        open: Only those that nobody has accepted.
        limit: Greatest number of handoffs.

    Returns:
        The handoffs.
    """
    only_open = validate.boolean(open, "open")
    return self._core.seen.agents.list_handoffs(validate.name(agent, "agent"), only_open, positive(limit, "limit"))


def accept_handoff(self: TasksNamespace, id: int, agent: str) -> Node:
    """Accept a handoff. If two agents accept it at once, exactly one of them gets it.

    Args:
        id: Id of the handoff.
        agent: Name of the agent that continues the work.

    Returns:
        The accepted handoff.

    Raises:
        InvalidInput: Another agent has accepted it.
    """
    self._core.require(id)
    return self._core.store.agents.accept_handoff(id, validate.required_name(agent, "agent"))
