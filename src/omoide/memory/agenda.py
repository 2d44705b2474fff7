"""Builds an agenda from the times that memories speak of. A statement stands for the turns it was learned from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from omoide.clock import DAY, to_local, to_micros
from omoide.domain import Agenda, AgendaEntry, AgendaState, Node
from omoide.domain.node import MentionedTime
from omoide.domain.trust import Viewer
from omoide.language.registry import compiled_pattern
from omoide.language.sentences import split_verbatim
from omoide.language.time.rescheduling import announcement_in, clause_with, event_of
from omoide.learn.statements.kinds import change_in
from omoide.learn.statements.statement_extractor import statement_language
from omoide.memory.core import Core
from omoide.recall.search.dates import Change, Planned, changes_of

DEFAULT_DAYS = 30
_LONGER = 31 * DAY  # an entry may last this much longer than the span asked for; "this year" is no entry of a week
_MOST_ROWS = 10_000
_SAME_SUBJECT = 0.5  # share of the words of the shorter text by which two turns about one time say the same


@dataclass(frozen=True, slots=True)
class _Mention:
    """A node that speaks of a time in the span."""

    node: Node
    time: MentionedTime

    def __hash__(self) -> int:  # the details of a node may hold lists
        return hash((self.node.id, self.time))

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """Statements before turns, the user's turns before the agent's, later before earlier."""
        return self.node.kind != "episode", self.node.role != "agent", self.node.id


def agenda_of(core: Core, since: datetime, until: datetime, viewer: Viewer) -> Agenda:
    """The entries between two moments. `since` gives the zone of the entries."""
    begin, end = to_micros(since), to_micros(until)
    rows = core.seen.times.between(begin, end, end - begin + _LONGER, _MOST_ROWS)
    nodes = core.seen.nodes.fetch({id for id, _ in rows})
    mentions = [
        _Mention(nodes[id], time)
        for id, time in rows
        if id in nodes and nodes[id].state != "withdrawn" and viewer.allows(nodes[id])
    ]
    kept = _distinct(_without_learned_turns(core, mentions))
    planned = {Planned(each.node, each.time): each for each in kept if each.node.state != "superseded"}
    changes = changes_of(core.seen, list(planned))
    changed = {planned[each]: change for each, change in changes.items() if viewer.allows(change.node)}
    entries = _Entries(core, since, changed)
    found = [entry for each in kept if (entry := entries.of(each))]
    listed = {each.replaced_by for each in found if each.state == "cancelled"}  # and not once more as what cancels it
    found = [each for each in found if each.state != "cancelled" or each.id not in listed]
    return Agenda(since, until, tuple(sorted(found, key=lambda each: (each.begins, each.ends, each.id))))


def _without_learned_turns(core: Core, mentions: Sequence[_Mention]) -> list[_Mention]:
    """Leave out turns from which a statement about the same time was learned."""
    turns = [each.node.id for each in mentions if each.node.kind == "episode"]
    learned = core.seen.times.learned_from(turns)
    return [each for each in mentions if not any(map(each.time.overlaps, learned.get(each.node.id, ())))]


def _distinct(mentions: Sequence[_Mention]) -> list[_Mention]:
    """Of several mentions of one time that say the same, the best."""
    kept: dict[tuple[int, int], list[_Mention]] = {}
    for each in sorted(mentions, key=lambda each: each.rank, reverse=True):
        same = kept.setdefault((each.time.begins, each.time.ends), [])
        if not any(_says_same(each, other) for other in same):
            same.append(each)
    return [each for found in kept.values() for each in found]


def _says_same(one: _Mention, other: _Mention) -> bool:
    if one.node.role == "agent" and one.node.session == other.node.session:
        return True  # an agent repeats what it was told
    if one.node.kind != "episode" and one.node.state != other.node.state:
        return False
    if _sentence(one) == _sentence(other):
        return True
    words, others = (event_of(each.node.text, each.time.words).words for each in (one, other))
    return len(words & others) >= _SAME_SUBJECT * max(1, min(len(words), len(others)))


def _sentence(mention: _Mention) -> str:
    """The sentence of a turn that names the time; a statement is one sentence."""
    if mention.node.kind != "episode":
        return mention.node.text
    sentences = split_verbatim(mention.node.text)
    return next((each.strip() for each in sentences if mention.time.words in each), mention.node.text)


@dataclass(frozen=True, slots=True)
class _Entries:
    """Makes entries of mentions; `now` and the zone are those of the reader."""

    core: Core
    since: datetime
    changed: Mapping[_Mention, Change]

    def of(self, mention: _Mention) -> AgendaEntry | None:
        node, time = mention.node, mention.time
        zone = self.since.tzinfo
        state, successor, moved_to = self._state(mention)
        if state is None:
            return None
        sources = self.core.seen.nodes.grounds(node.id).sources if node.kind != "episode" else ()
        return AgendaEntry(
            id=node.id,
            begins=to_local(time.begins, "").astimezone(zone),
            ends=to_local(time.ends, "").astimezone(zone),
            text=_sentence(mention),
            words=time.words,
            state=state,
            kind=node.kind,
            said_at=node.event_at,
            session=node.session,
            sources=tuple(id for id, _ in sources),
            replaced_by=successor,
            moved_to=None if moved_to is None else to_local(moved_to, "").astimezone(zone),
        )

    def _state(self, mention: _Mention) -> tuple[AgendaState | None, int | None, int | None]:
        """The state, the memory that replaced it and the new time. None: a later version tells the same time."""
        node = mention.node
        if node.state == "superseded":
            latest = self.core.seen.nodes.versions(node.id)[-1]
            times = self.core.seen.times.of_nodes([latest]).get(latest, [])
            if any(each.begins == mention.time.begins for each in times):
                return None, None, None
            told = announcement_in(self.core.seen.nodes.require(latest).text)
            over = told is not None and told.change == "cancelled" and all(map(mention.time.overlaps, times))
            if over or not times:
                return "cancelled", latest, None
            new = next((each for each in times if not mention.time.overlaps(each)), times[0])
            return "moved", latest, _new_begin(mention.time, new, self.core.seen.nodes.require(latest).text)
        if change := self.changed.get(mention):
            if change.is_move:
                after = change.new
                moved_to = None if after is None else _new_begin(mention.time, after, change.node.text)
                return "moved", change.node.id, moved_to
            return "cancelled", change.node.id, None
        if _is_called_off(mention):
            return "cancelled", None, None
        return ("past" if mention.time.ends <= self.core.clock() else "coming"), None, None


def _new_begin(old: MentionedTime, new: MentionedTime, text: str) -> int:
    """When the new time begins: "moved to the 22nd, same time" keeps the time of day."""
    new_is_day, old_is_day = (each.ends - each.begins >= DAY for each in (new, old))
    if new_is_day and not old_is_day and "same time" in text.lower():
        return new.begins + (old.begins - new.begins) % DAY
    return new.begins


def _is_called_off(mention: _Mention) -> bool:
    """Whether the clause of a time, or what follows it, calls it off. "I quit, new job on 4 May" does not."""
    language = statement_language(mention.node.text)
    clause, rest = clause_with(mention.node.text, mention.time.words)
    if language.statements is not None and change_in(clause, language.statements) == "ends":
        return True
    return compiled_pattern(language.date_words.cancelled).search(clause + rest) is not None
