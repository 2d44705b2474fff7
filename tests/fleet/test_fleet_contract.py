"""A file of its own and a space of a fleet answer alike, verb by verb, also when the server changes halfway."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from omoide import Memory
from omoide.errors import OmoideError
from omoide.fleet import Fleet
from omoide.ids import UlidFactory, encode_ulid
from omoide.interfaces.documents import as_json, document_of
from omoide.interfaces.verbs import BY_METHOD, VERBS
from tests.conftest import SECOND, START

T = "2026-03-0{}T12:00:00+00:00"
FIRST: tuple[tuple[str, dict[str, Any]], ...] = (
    ("observe", {"text": "Hi, I'm Otto. I live in Berlin.", "role": "user", "session": "a", "at": T.format(2)}),
    ("observe_many", {"turns": [{"text": "My sister is called Ilse.", "session": "a", "at": T.format(3)}]}),
    ("observe", {"text": "I never eat peanuts.", "role": "user", "session": "b", "at": T.format(4), "key": "k1"}),
    ("observe", {"text": "I never eat peanuts.", "role": "user", "session": "b", "at": T.format(4), "key": "k1"}),
    ("end", {"session": "a"}),
    ("learn", {}),
    ("remember", {"text": "The boat is moored in Kiel", "subject": "boat", "tags": ["boat"]}),
    ("remember", {"text": "The boat is moored in Flensburg", "subject": "boat"}),
    ("recall", {"query": "Where is the boat?"}),
    ("context", {"query": "dinner for Otto", "budget": 300}),
    ("agenda", {"since": T.format(1), "until": T.format(9)}),
    ("graph.entity", {"name": "Ilse", "type": "person"}),
    ("graph.relate", {"source": "Otto", "type": "sibling_of", "target": "Ilse"}),
    ("graph.add", {"entities": [{"name": "Kiel", "type": "place", "observations": ["a harbour"]}]}),
    ("graph.read", {}),
    ("graph.entities", {}),
    ("graph.relations", {"name": "Otto"}),
    ("graph.timeline", {"name": "Otto"}),
    ("graph.link", {"source": 1, "target": 2, "type": "related_to"}),
    ("graph.links", {"id": 1}),
    ("graph.neighbours", {"id": 1}),
    ("graph.backlinks", {"id": 2}),
    ("graph.suggest_links", {"id": 1}),
    ("graph.unlink", {"source": 1, "target": 2, "type": "related_to"}),
    ("graph.entity", {"name": "Otto K.", "type": "person"}),
    ("graph.merge", {"name": "Otto K.", "into": "Otto"}),
    ("tasks.start", {"goal": "deploy the app", "session": "t"}),
    ("tasks.record", {"goal": "bake bread", "outcome": "success", "session": "t2"}),
    ("tasks.list", {}),
    ("tasks.checkpoint", {"agent": "eng-1", "task": "deploy", "state": {"step": 1}}),
    ("tasks.handoff", {"what_was_done": "half of it", "from_": "eng-1", "to": "eng-2"}),
    ("documents.save", {"collection": "notes", "name": "plan", "text": "buy sails"}),
    ("narrative.write", {"text": "The boat is being repaired", "topic": "boat"}),
    ("admin.maintain", {}),
)
THEN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("stats", {}),
    ("list", {"limit": 100}),
    ("get", {"id": 1}),
    ("history", {"id": 4}),
    ("explain", {"id": 4}),
    ("sessions", {}),
    ("session", {"session": "a"}),
    ("recall", {"query": "Where does Otto live?"}),
    ("context", {"query": "Where is the boat?", "budget": 300}),
    ("correct", {"id": 1, "text": "Hi, I'm Otto. I live in Porto."}),
    ("graph.split", {"name": "Otto", "alias": "Otto K."}),
    ("graph.unrelate", {"source": "Otto", "type": "sibling_of", "target": "Ilse"}),
    ("graph.remove", {"names": ["Kiel"]}),
    ("tasks.before", {"goal": "deploy the app"}),
    ("tasks.resume", {"id": 1}),
    ("tasks.learn", {}),
    ("tasks.credit", {}),
    ("tasks.efficiency", {}),
    ("tasks.lessons", {"tool": "oven"}),
    ("tasks.bindings", {}),
    ("tasks.bind", {"id": 1, "tool": "oven"}),
    ("tasks.unbind", {"id": 1}),
    ("tasks.checkpoints", {"agent": "eng-1"}),
    ("tasks.ledger", {"agent": "eng-1"}),
    ("tasks.ledgers", {}),
    ("tasks.handoffs", {}),
    ("tasks.accept_handoff", {"id": 1, "agent": "eng-2"}),
    ("tasks.skills", {}),
    ("tasks.skill_markdown", {"id": 1}),
    ("tasks.outcome", {"id": 1, "outcome": "success"}),
    ("documents.get", {"collection": "notes", "name": "plan"}),
    ("documents.list", {"collection": "notes"}),
    ("narrative.get", {"id": 1}),
    ("narrative.list", {}),
    ("narrative.recap", {}),
    ("review.uncertain", {}),
    ("review.contradictions", {}),
    ("review.confirm", {"id": 3}),
    ("review.reinforce", {"id": 3}),
    ("review.demote", {"id": 3}),
    ("review.update", {"id": 3, "text": "I never eat any nuts."}),
    ("review.resolve", {"keep": 1, "over": 2}),
    ("review.proposals", {}),
    ("review.accept", {"proposal": 1}),
    ("review.refuse", {"proposal": 1}),
    ("trust.grant_consent", {"session": "a", "reason": "a test"}),
    ("trust.consents", {}),
    ("trust.revoke_consent", {"session": "a"}),
    ("admin.jobs", {}),
    ("admin.last_maintenance", {}),
    ("admin.nights", {}),
    ("admin.undo", {}),
    ("admin.archive", {"id": 3}),
    ("recall", {"query": "peanuts nuts"}),
    ("admin.unarchive", {"id": 3}),
    ("admin.redact", {}),
    ("admin.doctor", {}),
    ("admin.id_states", {}),
    ("admin.pending_embeddings", {}),
    ("admin.preload", {}),
    ("admin.live_sessions", {}),
    ("admin.live_state", {"session": "a"}),
    ("flush", {}),
    ("forget", {"id": 1}),
    ("admin.receipts", {}),
    ("list", {"limit": 100}),
)
# Files and pages of this machine, which a fleet does not change; and verbs that later interfaces added are named here.
NOT_COMPARED = frozenset(
    """
    admin.backup admin.export admin.import_ admin.import_from admin.export_markdown admin.export_sqlite
    admin.import_loki admin.export_loki tasks.import_skills tasks.export_skills
    narrative.export_continuity narrative.import_continuity trust.audit
    """.split()
)
_OF_THE_MACHINE = {"bytes", "scan", "copies", "seconds", "millis", "detail", "used_bytes", "path"}

Call = Callable[[str, dict[str, Any]], Any]


class Still:
    """A clock that stands still during a verb."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


def ids() -> UlidFactory:
    numbers = count(1)
    return lambda at: encode_ulid(next(numbers))


def answered(memory: Memory, verb: str, given: dict[str, Any], clock: Still) -> Any:
    """What a verb returns, without what is about the machine; or the error that it raises."""
    clock.now += SECOND
    try:
        called = BY_METHOD[verb]
        found = json.loads(as_json(document_of(called, memory, called.call(memory, given))))
    except OmoideError as error:
        return f"{type(error).__name__}: {error}"
    return _compared(found)


def _compared(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _compared(each) for name, each in value.items() if name not in _OF_THE_MACHINE}
    return [_compared(each) for each in value] if isinstance(value, list) else value


def test_every_verb_is_compared() -> None:
    compared = {verb for verb, _ in (*FIRST, *THEN)} | NOT_COMPARED
    assert {verb.method for verb in VERBS} - compared == set()


def test_a_file_and_a_fleet_answer_alike(server: Callable[[str], Fleet], tmp_path: Path, dsn: str) -> None:
    parts: dict[str, Any] = {"embedder": None, "clock": Still(), "ids": ids()}
    alone = []
    for calls in (FIRST, THEN):
        with Memory(tmp_path / "own.db", **parts) as own:
            alone += [answered(own, verb, given, parts["clock"]) for verb, given in calls]
    parts = {"embedder": None, "clock": Still(), "ids": ids()}
    together = []
    for name, calls in (("one", FIRST), ("two", THEN)):
        with Fleet(dsn, tmp_path / name, background=False, **parts) as fleet:
            if name == "one":
                fleet.spaces.create("otto")
            with fleet.using("otto") as memory:
                together += [answered(memory, verb, given, parts["clock"]) for verb, given in calls]
            fleet.release("otto")
            assert fleet.verify("otto") == []
    for (verb, given), mine, theirs in zip((*FIRST, *THEN), alone, together, strict=True):
        assert theirs == mine, (verb, given)
