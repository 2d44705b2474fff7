"""What a session, a day and a week came to; a week also tells what is still open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from omoide import tokens
from omoide.clock import DAY, micros
from omoide.gist import Said, lines
from omoide.layers import Draft, Node
from omoide.layers.attribute import validated
from omoide.layers.episodic import Episode
from omoide.layers.names import named_in
from omoide.maintain.compress import budget, key
from omoide.maintain.days import Calendar, monday, week
from omoide.maintain.job import Job, Step, Upkeep
from omoide.maintain.talk import Label, by_label, label, lowest, origin, said
from omoide.maintain.threads import Thread, Threads, closed, threads
from omoide.maintain.words import Worded, summed_up
from omoide.store import Condensed
from omoide.store.condensing import DAILY, WEEKLY
from omoide.text import shorten

_SESSION, _DAY, _WEEK = 60, 150, 200  # tokens
_MARK = "summaries"  # every turn up to it is in the summary of its day
_BACK = 70  # days in which a week may still get or change its summary
_OPEN = 10  # threads of a week
_STILL = "\nStill open:\n"
_WEIGHT = 5  # Kira-R: of what is summed up automatically


class Daily(NamedTuple):
    """The summary of a day, written or, in a dry run, to be written."""

    day: str
    label: Label
    origin: str
    text: str
    upto: int
    threads: Threads
    at: int
    id: int | None


def run(upkeep: Upkeep) -> Iterator[Step]:
    yield from _sessions(upkeep)
    calendar = Calendar.of(upkeep.settings.time_zone)
    fresh: list[Daily] = []
    for daily, step in _days(upkeep, calendar):
        fresh.append(daily)
        yield step
    yield from _weeks(upkeep, calendar, fresh)


JOB = Job("summaries", "sessions, days and weeks get a summary; a week tells what is still open", run)


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _sessions(upkeep: Upkeep) -> Iterator[Step]:
    """Of what is not sensitive: the summary of a session stands in lists, where nobody is asked for consent."""
    for name, ids in upkeep.store.unsummed_sessions():
        found = upkeep.store.nodes(ids)
        turns = [found[id] for id in ids if id in found and not found[id].sensitive]
        words, _ = summed_up(upkeep, said(turns), _SESSION, "a session")
        if words.text and (upkeep.dry_run or upkeep.store.sum_up_session(name, words.text)):
            yield Step("summed up", "session", shorten(words.text, 120), None, f"{name}, {words.by}")


# ── days ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _days(upkeep: Upkeep, calendar: Calendar) -> Iterator[tuple[Daily, Step]]:
    """Every day that is over and has turns that no summary knows of; then the mark moves up to the first of today."""
    mark = upkeep.store.mark(_MARK)
    today = calendar.day(upkeep.now)
    waiting = [(id, calendar.day(at)) for id, at in upkeep.store.turn_moments(mark)]
    for day in sorted({day for _, day in waiting if day < today}):
        since, until = calendar.span(day)
        ids = upkeep.store.turns_between(since, until)
        found = upkeep.store.nodes(ids)
        for group in by_label([found[id] for id in ids if id in found]):
            if (made := _day(upkeep, day.isoformat(), group)) is not None:
                yield made
    unfinished = [id for id, day in waiting if day >= today]
    upto = min(unfinished) - 1 if unfinished else max((id for id, _ in waiting), default=mark)
    if upto > mark and not upkeep.dry_run:
        upkeep.store.set_mark(_MARK, upto)


def _day(upkeep: Upkeep, day: str, turns: list[Node]) -> tuple[Daily, Step] | None:
    of = label(turns[0])
    held = upkeep.store.summary_of(_key("daily", day, of))
    known = dict(held.details) if held is not None and isinstance(held.details, dict) else {}
    upto = max(node.id for node in turns)
    if known.get("upto", 0) >= upto:
        return None
    new = [node for node in turns if node.id > known.get("upto", 0)]
    whole = len(turns) == known.get("turns", 0) + len(new)  # else some were archived: their summary speaks for them
    read = turns if whole else new
    before = [] if whole or held is None else lines(held.text)
    words, places = summed_up(upkeep, [*before, *said(read)], min(_DAY, budget(turns)), f"the day {day}")
    open = threads(read)
    if not whole:
        open = _joined(_threads(known), open)
    if not words.text:
        return None
    chosen = {read[place - len(before)].id for place in places if place >= len(before)}
    chosen |= {each.turn for each in (*open.open, *open.done) if each.turn in {node.id for node in read}}
    daily = Daily(day, of, origin(turns), words.text, upto, open, micros(turns[0].event_at), held.id if held else None)
    if not upkeep.dry_run:
        count = known.get("turns", 0) + len(new)
        node = upkeep.store.write_summary(_daily(upkeep, daily, words, count, tuple(sorted(chosen))))
        daily = daily._replace(id=node.id)
    verb = "summed up" if held is None else "summed up anew"
    return daily, Step(verb, "day", shorten(words.text, 120), daily.id, f"{day}, {len(turns)} turns, {words.by}")


def _daily(upkeep: Upkeep, daily: Daily, words: Worded, count: int, sources: tuple[int, ...]) -> Condensed:
    details = {
        "day": daily.day,
        "turns": count,
        "upto": daily.upto,
        "open": [[each.turn, each.text] for each in daily.threads.open],
        "done": [[each.turn, each.text] for each in daily.threads.done],
        "worded": words.by,
    }
    draft = Draft(
        kind="episode",
        text=daily.text,
        details=details,
        event_at=daily.at,
        importance=_WEIGHT,
        origin=daily.origin,
        role="system",
        source_type="consolidation",
        attributes=validated(Episode, {"type": "observation", "compression": "compressed"}),
        tags=(DAILY,),
        token_count=words.tokens,
        sensitive=daily.label.sensitive,
        audience=daily.label.audience,
        key=_key("daily", daily.day, daily.label),
    )
    return Condensed(draft, sources, named_in(daily.text, upkeep.store.entity_names()))


def _joined(before: Threads, after: Threads) -> Threads:
    still = tuple(each for each in before.open if not closed(each, after.done))
    return Threads((*still, *after.open), (*before.done, *after.done))


def _threads(details: dict[str, object]) -> Threads:
    def read(name: str) -> tuple[Thread, ...]:
        listed = details.get(name)
        return tuple(Thread(int(turn), str(text)) for turn, text in listed) if isinstance(listed, list) else ()

    return Threads(read("open"), read("done"))


# ── weeks ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _weeks(upkeep: Upkeep, calendar: Calendar, fresh: list[Daily]) -> Iterator[Step]:
    """Weeks that are over, out of the summaries of their days."""
    this = monday(calendar.day(upkeep.now))
    since = calendar.span(monday(calendar.day(upkeep.now - _BACK * DAY)))[0]  # whole weeks: half a one is another
    held = [_read(node) for node in upkeep.store.condensed_between(DAILY, since, upkeep.now)]
    dailies = {(each.day, each.label): each for each in (*held, *fresh)}
    weeks: dict[tuple[str, Label], list[Daily]] = {}
    for each in sorted(dailies.values(), key=lambda each: each.day):
        day = calendar.day(each.at)
        if monday(day) < this and each.at >= since:
            weeks.setdefault((week(day), each.label), []).append(each)
    for name, of in sorted(weeks, key=lambda each: (each[0], each[1].audience, each[1].sensitive)):
        done = [thread for each in dailies.values() if each.label == of for thread in each.threads.done]
        if (step := _week(upkeep, name, of, weeks[name, of], done)) is not None:
            yield step


def _week(upkeep: Upkeep, name: str, of: Label, days: list[Daily], done: list[Thread]) -> Step | None:
    """Written once its days are over, and anew when more came to them or what it calls open was done since."""
    held = upkeep.store.summary_of(_key("weekly", name, of))
    told = held.details if held is not None and isinstance(held.details, dict) else {}
    open = _still_open(days, done)
    same = told.get("of") == {each.day: each.upto for each in days}
    if same and told.get("open") == [each.turn for each in open]:
        return None
    if held is not None and same:
        words = Worded(held.text.partition(_STILL)[0], str(told.get("worded")))
    else:
        talk: list[Said] = [each for day in days for each in lines(day.text)]
        words, _ = summed_up(upkeep, talk, _within(talk), f"the week {name}")
    text = words.text + (f"{_STILL}{_listed(open)}" if open else "")
    worded = Worded(text, words.by)
    id = held.id if held else None
    if not upkeep.dry_run:
        id = upkeep.store.write_summary(_weekly(upkeep, name, of, days, worded, open)).id
    verb = "summed up" if held is None else "summed up anew"
    return Step(verb, "week", shorten(text, 120), id, f"{name}, {len(days)} days, {len(open)} still open, {words.by}")


def _within(talk: list[Said]) -> int:
    """Half of what its days say, and never much."""
    return min(_WEEK, max(_SESSION, sum(tokens.estimate(each.text) for each in talk) // 2))


def _still_open(days: list[Daily], done: list[Thread]) -> list[Thread]:
    """The latest that nothing reported later closes."""
    found = [each for day in days for each in day.threads.open if not closed(each, done)]
    distinct = {each.text.casefold(): each for each in found}
    return list(distinct.values())[-_OPEN:]


def _listed(open: list[Thread]) -> str:
    return "\n".join(f"- {each.text} [id:{each.turn}]" for each in open)


def _weekly(upkeep: Upkeep, name: str, of: Label, days: list[Daily], words: Worded, open: list[Thread]) -> Condensed:
    sources = [day.id for day in days if day.id is not None] + [each.turn for each in open]
    draft = Draft(
        kind="episode",
        text=words.text,
        details={
            "week": name,
            "of": {each.day: each.upto for each in days},
            "open": [each.turn for each in open],
            "worded": words.by,
        },
        event_at=days[-1].at,
        importance=_WEIGHT,
        origin=lowest(each.origin for each in days),
        role="system",
        source_type="consolidation",
        attributes=validated(Episode, {"type": "observation", "compression": "compressed"}),
        tags=(WEEKLY,),
        token_count=words.tokens,
        sensitive=of.sensitive,
        audience=of.audience,
        key=_key("weekly", name, of),
    )
    return Condensed(draft, tuple(dict.fromkeys(sources)), named_in(words.text, upkeep.store.entity_names()))


def _read(node: Node) -> Daily:
    details = node.details if isinstance(node.details, dict) else {}
    upto = int(details.get("upto", 0))
    at = micros(node.event_at)
    return Daily(str(details.get("day", "")), label(node), node.origin, node.text, upto, _threads(details), at, node.id)


def _key(of: str, name: str, under: Label) -> bytes:
    return key(of, name, under.audience, str(under.sensitive))
