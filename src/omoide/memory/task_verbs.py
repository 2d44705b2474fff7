"""The verbs of `memory.tasks` for lessons, skills, ledgers and handoffs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omoide.clock import to_micros
from omoide.domain import Node
from omoide.domain.task import Ledger, LedgerCheckpoint
from omoide.domain.trigger import Binding, normalize_trigger, trigger_event
from omoide.errors import Conflict, InvalidInput
from omoide.memory.core import Core, positive
from omoide.memory.read import search
from omoide.memory.write import store_statement
from omoide.observe import validate
from omoide.observe.task_trace import completed_count, handoff_statement, json_object
from omoide.store import LedgerUpdate, NodeFilter, Reminder

if TYPE_CHECKING:
    from omoide.memory.tasks import TasksNamespace
    from omoide.recall.results import Hit
    from omoide.transfer.skill_files import ImportedSkill, SkillFolder


_MAX_TEXT = 100_000  # bytes of an error or a command that are looked at


def bind(
    self: TasksNamespace,
    id: int,
    *,
    path: str | None = None,
    command: str | None = None,
    tool: str | None = None,
    error: str | None = None,
) -> Binding:
    """Bind a memory to a situation in which `lessons` returns it. All given conditions must hold.

    Args:
        id: Id of the memory.
        path: Glob of file paths, such as `src/**/*.ts`.
        command: First words of a command, such as `git push --force`.
        tool: Name of a tool.
        error: Part of an error message; its numbers, paths and addresses are ignored.

    Returns:
        The binding.

    Raises:
        InvalidInput: No condition was given.
    """
    if path is command is tool is error is None:
        raise Conflict("bind needs a path, a command, a tool or an error to bind the memory to")
    trigger = normalize_trigger(
        validate.name(tool, "tool"),
        validate.name(path, "path"),
        validate.name(command, "command", _MAX_TEXT),
        validate.name(error, "error", _MAX_TEXT),
    )
    return self._core.store.lessons.bind(id, trigger)


def unbind(self: TasksNamespace, id: int, binding: int | None = None) -> int:
    """Remove bindings of a memory.

    Args:
        id: Id of the memory.
        binding: Id of the binding to remove; all if not given.

    Returns:
        The number of removed bindings.
    """
    return self._core.store.lessons.unbind(id, binding)


def bindings(self: TasksNamespace, id: int | None = None) -> list[Binding]:
    """List the bindings of a memory, or all bindings.

    Args:
        id: Id of the memory; all memories if not given.

    Returns:
        The bindings.
    """
    if id is not None:
        self._core.require(id)
    return self._core.seen.lessons.bindings_of(id)


def lessons(
    self: TasksNamespace,
    *,
    tool: str | None = None,
    path: str | None = None,
    command: str | None = None,
    error: str | None = None,
    limit: int = 3,
    consent: str | None = None,
    audience: str = "private",
) -> list[Reminder]:
    """Return the memories that are bound to a situation. Fast enough to call before every tool use.

    Args:
        tool: Name of the tool that is used.
        path: Path of the file that is used.
        command: Command that is run.
        error: Error message that occurred.
        limit: Greatest number of lessons.
        consent: Session for which the user consented to show sensitive memories.
        audience: Who reads the result: `private`, or `shared` to leave out private memories.

    Returns:
        The lessons, the most specific first, each with the reason.
    """
    for field, given in (("tool", tool), ("path", path), ("command", command), ("error", error)):
        if given is not None and not isinstance(given, str):
            raise InvalidInput(f"{field}: expected a text, got {type(given).__name__}")
    situation = trigger_event(tool, path, command and command[:_MAX_TEXT], error)
    core = self._core.as_viewer(audience, consent)
    return core.seen.lessons.triggered_lessons(situation, positive(limit, "limit"), core.viewer.consent, core.audience)


def skills(self: TasksNamespace, goal: str | None = None, limit: int = 5) -> list[Hit]:
    """Find skills and procedures for a goal, or list the latest.

    Args:
        goal: What is to be done; without it, the latest skills are listed.
        limit: Greatest number of skills.

    Returns:
        The skills and procedures, best first.
    """
    from omoide.recall.results import Hit

    core = self._core
    limit = positive(limit, "limit")
    keep = NodeFilter(kinds=("skill", "procedure"), valid_at=to_micros(core.local_time(None)))
    if goal is not None:
        return list(search(core, goal, None, limit, keep, "before_task").hits)
    ids = core.seen.search.matching(NodeFilter(kinds=("skill", "procedure")), limit)
    held = core.seen.nodes.fetch(ids)
    return [Hit(held[id], held[id].confidence, "the latest", ()) for id in ids if id in held]


def skill_markdown(self: TasksNamespace, id: int) -> str:
    """Return a skill or a learned procedure as the text of a skill file.

    Args:
        id: Id of the skill or procedure.

    Returns:
        The Markdown text.

    Raises:
        InvalidInput: The memory is neither a skill nor a procedure.
    """
    return _skill_folder(self._core).markdown(id)


def import_skills(
    self: TasksNamespace, paths: str | Path | Collection[str | Path], *, origin: str = "import"
) -> list[ImportedSkill]:
    """Import skill files. A changed file becomes a new version; an unchanged one changes nothing.

    Args:
        paths: Skill files, or folders with `*.md` files.
        origin: Whose word it is.

    Returns:
        What happened to each file.
    """
    several = (paths,) if isinstance(paths, str | Path) else paths
    imported = _skill_folder(self._core).import_files(several, origin)
    self._core.background.wake()
    return imported


def export_skills(
    self: TasksNamespace, folder: str | Path, ids: Collection[int] = (), *, unencrypted: bool = False
) -> list[Path]:
    """Write skills and procedures as skill files into a folder.

    Args:
        folder: The folder; it is created if it does not exist.
        ids: Ids of the skills to write; all live ones if not given.
        unencrypted: Write them although the memory is encrypted and they are not.

    Returns:
        The paths of the written files.
    """
    self._core.require_exportable(unencrypted)
    return _skill_folder(self._core).export(folder, ids)


def lessons_markdown(reminders: Sequence[Reminder]) -> str:
    """Returns lessons as Markdown for a prompt, quoted as data, each with the reason; an empty text without any."""
    from omoide.domain.quotation import Fence, labelled, one_line

    if not reminders:
        return ""
    lines = [
        f"- {labelled(each.node, each.node.full_text)} ({one_line(each.why)}) [id:{each.node.id}]" for each in reminders
    ]
    return Fence.new().around("\n".join(("### Lessons for this", *lines)))


def _skill_folder(core: Core) -> SkillFolder:
    from omoide.transfer.skill_files import SkillFolder

    return SkillFolder(core.store, core.draft)


# The verbs of `memory.tasks` for ledgers and handoffs: where each agent stands, and work passed to another agent.


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
    """Save the state of an agent's work. What is not given stays as it was.

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
    """Return the latest state of an agent's work.

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
