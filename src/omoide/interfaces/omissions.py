"""The one table of what an interface leaves out: verb, interface, parameter, reason.

`*` stands for any text. A parameter `*` means that the interface does not offer the verb at all. Interfaces are cli,
http and tool. A parameter that is missing at an interface and not listed here is a mistake, and a test finds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache


@dataclass(frozen=True, slots=True)
class Omission:
    verb: str
    interface: str
    parameter: str
    reason: str


_SERVER_FILES = "It reads or writes files of the machine that the server runs on"
_OPERATOR = "The operator decides this, not a model"
_PEOPLE = "People and programs do this, not a model"
_USER = "Only the user decides on changes of their words"
_FEW = "A model reads every argument with every message, so tools have few"


def _several(verbs: str, interface: str, parameters: str, reason: str) -> list[Omission]:
    """What several verbs leave out, or several parameters of a verb."""
    return [Omission(verb, interface, each, reason) for verb in verbs.split() for each in parameters.split()]


# Methods of Memory that no interface offers.
PYTHON_ONLY = ("live", "close", "viewed", "task", "before_task", "maintain")

OMISSIONS: tuple[Omission, ...] = (
    # Only in Python.
    Omission("live", "*", "*", "A Python agent loop drives it"),
    Omission("close", "*", "*", "A command closes the file itself; a server closes it when it stops"),
    Omission("task", "*", "*", "The same as tasks.start"),
    Omission("before_task", "*", "*", "The same as tasks.before"),
    Omission("maintain", "*", "*", "The same as admin.maintain"),
    Omission("viewed", "*", "*", "Every interface offers audience and consent instead"),
    Omission("*", "*", "progress", "A Python callback; the CLI shows a bar, HTTP streams events"),
    Omission("graph.add", "*", "on_skip", "A Python callback"),
    Omission("tasks.start", "*", "detached", "Always set: a task outlives the command or request that starts it"),
    # Not at the command line.
    Omission("observe_many", "cli", "*", "`omoide observe --jsonl FILE` does it"),
    Omission("admin.preload", "cli", "*", "A command ends before preloading could help"),
    # Not over HTTP.
    *_several(
        "admin.backup admin.import_from admin.export_* admin.import_loki tasks.import_skills tasks.export_skills",
        "http",
        "*",
        _SERVER_FILES,
    ),
    *_several("admin.export", "http", "path overwrite", "The route returns the export as its body"),
    Omission("admin.import_", "http", "path", "The route takes the export as its body"),
    # Not for models.
    Omission("admin.*", "tool", "*", _PEOPLE),
    Omission("trust.*", "tool", "*", _USER),
    Omission("documents.*", "tool", "*", "Frameworks store documents through their adapters"),
    Omission("flush", "tool", "*", _PEOPLE),
    Omission("list", "tool", "*", "A model searches; reading everything would cost too many tokens"),
    Omission("history", "tool", "*", "explain_fact shows the versions of a memory"),
    Omission("session*", "tool", "*", "MCP offers sessions as resources"),
    Omission("end", "tool", "*", _PEOPLE),
    Omission("observe_many", "tool", "*", "record_turn stores one turn"),
    Omission("graph.entities", "tool", "*", "The reference tools read the graph"),
    Omission("graph.relat*", "tool", "*", "The reference tools write relations; get_entity_info shows them"),
    Omission("graph.unrelate", "tool", "*", "The reference tools delete relations"),
    *_several("graph.*link* graph.neighbours graph.merge graph.split", "tool", "*", _PEOPLE),
    Omission("graph.add", "tool", "*", "The reference tools add entities and relations"),
    Omission("graph.remove", "tool", "*", "The reference tools delete entities"),
    Omission("graph.read", "tool", "*", "The reference tools read the graph"),
    Omission("tasks.record", "tool", "*", "before_task and report_outcome record a task"),
    Omission("tasks.list", "tool", "*", _PEOPLE),
    Omission("tasks.before", "tool", "*", "The tool before_task starts the task as well"),
    Omission("tasks.learn", "tool", "*", "learn_now learns from tasks as well"),
    *_several("tasks.credit tasks.efficiency", "tool", "*", _PEOPLE),
    Omission("tasks.outcome", "tool", "*", "report_outcome says which procedures were used"),
    Omission("tasks.*bind*", "tool", "*", _PEOPLE),
    Omission("tasks.checkpoints", "tool", "*", "ledger_read shows the latest state"),
    Omission("tasks.ledgers", "tool", "*", "ledger_read without an agent lists all"),
    Omission("tasks.*skill*", "tool", "*", "before_task returns the skills that fit"),
    *_several("narrative.get narrative.list", "tool", "*", "narrative_search finds narratives"),
    Omission("narrative.*_continuity", "tool", "*", _PEOPLE),
    Omission("review.contradictions", "tool", "*", "weak_facts lists what contradicts something else"),
    *_several("review.proposals review.accept review.refuse", "tool", "*", _USER),
    Omission("review.resolve", "tool", "*", "correct_fact replaces the wrong one of two"),
    # Parameters that tools leave out.
    *_several("*", "tool", "audience consent recipe sensitive", _OPERATOR),
    Omission("*", "tool", "origin", "Set to agent: what a model says is its own word"),
    Omission("*", "tool", "key", "A model has no stable key for an event"),
    *_several("*", "tool", "details attributes importance", _FEW),
    Omission("*", "tool", "at", "It happens now"),
    *_several(
        "observe", "tool", "speaker channel type tags outcome parent task", "A turn of the conversation has none"
    ),
    *_several("remember", "tool", "kind session task valid_from valid_until sources", _FEW),
    Omission("remember", "tool", "source_type", "Follows from the confidence"),
    *_several("recall", "tool", "session tags as_of", _FEW),
    Omission("recall", "tool", "why_not", _PEOPLE),
    *_several("context", "tool", "limit session as_of task", _FEW),
    Omission("context", "tool", "reader", "A model does not know the name of its session"),
    Omission("*", "tool", "archive", "A model searches everything"),
    *_several("forget", "tool", "before sources limit", "A model erases what the user points at, and no more"),
    *_several(
        "graph.entity", "tool", "type aliases description summary", "The tool only reads; create_entities writes"
    ),
    *_several("tasks.start", "tool", "phase constraints name session tags", _FEW),
    Omission("tasks.lessons", "tool", "limit", _FEW),
    Omission("tasks.handoff", "tool", "relevant_patterns", _FEW),
    *_several("tasks.handoffs", "tool", "open limit", "A model asks for what waits"),
    Omission("narrative.write", "tool", "previous", "It follows the latest narrative"),
    *_several("narrative.recap", "tool", "session channel budget", _FEW),
    Omission("review.uncertain", "tool", "below", _FEW),
)


def omitted(verb: str, interface: str, parameter: str) -> Omission | None:
    """The entry that says why an interface lacks a parameter of a verb, if there is one."""
    for each in OMISSIONS:
        if matches(each.verb, verb) and matches(each.interface, interface) and each.parameter in ("*", parameter):
            return each
    return None


def matches(pattern: str, name: str) -> bool:
    return fnmatchcase(name, pattern)


@cache
def lacks(verb: str, interface: str) -> Omission | None:
    """The entry that says why an interface does not offer a verb, if there is one."""
    return omitted(verb, interface, "*")
