"""Summaries of sessions, days and weeks; a weekly summary lists open questions and plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from omoide.clock import DAY, to_micros
from omoide.domain import Draft, Node
from omoide.domain.entity import entities_named_in
from omoide.domain.kinds import Episode
from omoide.domain.node import least_trusted, validate_attributes
from omoide.language import tokens
from omoide.language.extractive_summary import SpokenTurn, parse_summary
from omoide.language.registry import language_pattern
from omoide.language.sentences import is_filler, is_question, split_sentences
from omoide.language.text import shorten
from omoide.learn.quote_matching import supported_share
from omoide.maintain.compress import summary_key, token_budget
from omoide.maintain.daemon import LocalCalendar, iso_week, monday_of
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob, for_each
from omoide.maintain.summary_text import (
    BY_RULES,
    PrivacyLabel,
    WordedSummary,
    as_said,
    by_label,
    label_of,
    lowest_origin,
    summarised_text,
)
from omoide.store import SummaryDraft
from omoide.store.ageing.compression import DAILY_TAG, WEEKLY_TAG

_MOST_ITEMS = 20  # open and done items kept per day
_LONGEST_TEXT = 160  # characters
_SAME_PLAN_SHARE = 0.5  # share of a plan's words that a report must contain to close it


@dataclass(frozen=True, slots=True)
class OpenItem:
    """An open question or plan, or a report that something is done, in the words of a turn."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class OpenItems:
    """What is open after a day, and what was reported done: reports also close items of earlier days."""

    open: tuple[OpenItem, ...] = ()
    done: tuple[OpenItem, ...] = ()


def find_open_items(turns: Sequence[Node]) -> OpenItems:
    """Finds open and done items in turns ordered by time, of one or more sessions."""
    done = _done_reports(turns)
    plans = [each for each in _plans(turns) if not is_closed(each, done)]
    return OpenItems(tuple([*_unanswered_questions(turns), *plans][-_MOST_ITEMS:]), tuple(done[-_MOST_ITEMS:]))


def is_closed(item: OpenItem, done: Iterable[OpenItem]) -> bool:
    """Whether a later report says what the plan says."""
    core = (
        language_pattern("plan_details")
        .sub(" ", language_pattern("commitments").sub(" ", item.text, count=1))
        .strip(" .!,:")
    )
    return bool(core) and any(
        each.turn > item.turn and supported_share(core, each.text) >= _SAME_PLAN_SHARE for each in done
    )


def _unanswered_questions(turns: Sequence[Node]) -> list[OpenItem]:
    """The last question of each turn that got no reply in its session, or only "I don't know"."""
    found: list[OpenItem] = []
    for number, turn in enumerate(turns):
        asked = [each for each in split_sentences(turn.text) if is_question(each) and not is_filler(each)]
        if not asked or (turn.role or "").startswith("tool:"):
            continue
        replies = [each for each in turns[number + 1 :] if each.session == turn.session and each.role != turn.role]
        if not replies or (language_pattern("uncertainty").search(replies[0].text) and len(replies) == 1):
            found.append(OpenItem(turn.id, shorten(asked[-1], _LONGEST_TEXT)))
    return found


def _plans(turns: Sequence[Node]) -> list[OpenItem]:
    return [
        OpenItem(turn.id, shorten(each, _LONGEST_TEXT))
        for turn in turns
        if turn.role in {"user", "agent"}
        for each in split_sentences(turn.text)
        if language_pattern("commitments").search(each)
        and not is_question(each)
        and not language_pattern("uncertainty").search(each)
    ]


def _done_reports(turns: Sequence[Node]) -> list[OpenItem]:
    return [
        OpenItem(turn.id, shorten(each, _LONGEST_TEXT))
        for turn in turns
        for each in split_sentences(turn.text)
        if language_pattern("completions").search(each)
        and not is_question(each)
        and not language_pattern("commitments").search(each)
    ]


SESSION_TOKENS, _DAY_TOKENS, _WEEK_TOKENS = 60, 150, 200
_SUMMARY_CURSOR = "summaries"  # every turn up to it is in the summary of its day
_DAYS_BACK = 70  # a weekly summary may be written or changed for this long
_OPEN_PER_WEEK = 10
_STILL_OPEN = "\nStill open:\n"
_SUMMARY_IMPORTANCE = 5


class DailySummary(NamedTuple):
    """The summary of a day; in a dry run it is not written yet."""

    day: str
    label: PrivacyLabel
    origin: str
    text: str
    upto: int
    items: OpenItems
    at: int
    id: int | None


def _write_summaries(context: JobContext) -> Iterator[JobStep]:
    yield from _summarise_sessions(context)
    calendar = LocalCalendar.of(context.settings.time_zone)
    fresh: list[DailySummary] = []
    yield from _summarise_days(context, calendar, fresh)
    yield from _summarise_weeks(context, calendar, fresh)


SUMMARIES_JOB = MaintenanceJob(
    "summaries", "summarises sessions, days and weeks, with open questions", _write_summaries
)


def _summarise_sessions(context: JobContext) -> Iterator[JobStep]:
    """Sensitive turns are left out: session summaries appear in lists without asking for consent."""

    def summarise(session: tuple[str, Sequence[int]]) -> Iterator[JobStep]:
        words = summarise_session(context, *session)
        if words is not None:
            yield JobStep("summarised", "session", shorten(words.text, 120), None, f"{session[0]}, {words.by}")

    waiting = context.store.summaries.unsummarised_sessions(_reworded(context))
    return for_each(context, SUMMARIES_JOB.name, waiting, lambda each: f"session {each[0]}", summarise)


def summarise_session(context: JobContext, name: str, ids: Sequence[int]) -> WordedSummary | None:
    """Gives a session its summary; None if it says nothing or has one."""
    return context.store.derive(lambda: _summarise_session(context, name, ids))


def _summarise_session(context: JobContext, name: str, ids: Sequence[int]) -> WordedSummary | None:
    found = context.store.nodes.fetch(ids)
    turns = [found[id] for id in ids if id in found and not found[id].sensitive]
    words, _ = summarised_text(context, as_said(turns), SESSION_TOKENS, "a session", at_most=2 * SESSION_TOKENS)
    if not words.text:
        if not context.dry_run:
            context.store.summaries.set_session_summary(name, None)  # not read again until something is said
        return None
    by = words.by.partition(" since ")[0]  # without the error of a model
    write = context.store.summaries.set_session_summary
    return words if context.dry_run or write(name, words.text, by, _reworded(context)) else None


def _reworded(context: JobContext) -> str | None:
    """Whose summaries are made again: those by rules, once there is a model."""
    return None if context.language_model is None else BY_RULES


def _summarise_days(context: JobContext, calendar: LocalCalendar, fresh: list[DailySummary]) -> Iterator[JobStep]:
    """Summarises past days with new turns, then moves the cursor to the first turn of today."""
    cursor = context.store.maintenance.job_cursor(_SUMMARY_CURSOR)
    today = calendar.day(context.now)
    waiting = [(id, calendar.day(at)) for id, at in context.store.summaries.turn_times(cursor)]

    def summarise(day: date) -> Iterator[JobStep]:
        since, until = calendar.span(day)
        ids = context.store.summaries.turns_between(since, until)
        found = context.store.nodes.fetch(ids)
        for group in by_label([found[id] for id in ids if id in found]):
            if (made := _summarise_day(context, day.isoformat(), group)) is not None:
                fresh.append(made[0])
                yield made[1]

    aside = [each.item.partition(" ") for each in context.store.maintenance.list_set_aside(SUMMARIES_JOB.name)]
    failed = {date.fromisoformat(rest) for kind, _, rest in aside if kind == "day"}
    days = sorted(failed | {day for _, day in waiting if day < today})
    yield from for_each(context, SUMMARIES_JOB.name, days, "day {}".format, summarise)
    unfinished = [id for id, day in waiting if day >= today]
    upto = min(unfinished) - 1 if unfinished else max((id for id, _ in waiting), default=cursor)
    if upto > cursor and not context.dry_run:
        context.store.maintenance.set_job_cursor(_SUMMARY_CURSOR, upto)


def _summarise_day(context: JobContext, day: str, turns: list[Node]) -> tuple[DailySummary, JobStep] | None:
    label = label_of(turns[0])
    existing = context.store.summaries.summary_by_key(_period_key(DAILY_TAG, day, label))
    known = dict(existing.details) if existing is not None and isinstance(existing.details, dict) else {}
    upto = max(node.id for node in turns)
    if known.get("upto", 0) >= upto:
        return None
    new = [node for node in turns if node.id > known.get("upto", 0)]
    whole = len(turns) == known.get("turns", 0) + len(new)  # else some turns were archived: reuse the old summary
    read = turns if whole else new
    before = [] if whole or existing is None else parse_summary(existing.text)
    words, places = summarised_text(
        context, [*before, *as_said(read)], min(_DAY_TOKENS, token_budget(turns)), f"the day {day}"
    )
    open = find_open_items(read)
    if not whole:
        open = _joined(_items_of(known), open)
    if not words.text:
        return None
    chosen = {read[place - len(before)].id for place in places if place >= len(before)}
    chosen |= {each.turn for each in (*open.open, *open.done) if each.turn in {node.id for node in read}}
    daily = DailySummary(
        day,
        label,
        lowest_origin(turns),
        words.text,
        upto,
        open,
        to_micros(turns[0].event_at),
        existing.id if existing else None,
    )
    if not context.dry_run:
        count = known.get("turns", 0) + len(new)
        details: dict[str, object] = {
            "day": day,
            "turns": count,
            "upto": upto,
            "open": [[each.turn, each.text] for each in open.open],
            "done": [[each.turn, each.text] for each in open.done],
        }
        draft = _period_draft(context, DAILY_TAG, day, label, words, daily.at, daily.origin, details, sorted(chosen))
        daily = daily._replace(id=context.store.summaries.write_summary(draft).id)
    verb = "summarised" if existing is None else "summarised again"
    return daily, JobStep(verb, "day", shorten(words.text, 120), daily.id, f"{day}, {len(turns)} turns, {words.by}")


def _period_draft(
    context: JobContext,
    period: str,
    name: str,
    label: PrivacyLabel,
    words: WordedSummary,
    at: int,
    origin: str,
    details: dict[str, object],
    sources: Iterable[int],
) -> SummaryDraft:
    draft = Draft(
        kind="episode",
        text=words.text,
        details=details | {"worded": words.by},
        event_at=at,
        importance=_SUMMARY_IMPORTANCE,
        origin=origin,
        role="system",
        source_type="consolidation",
        attributes=validate_attributes(Episode, {"type": "observation", "compression": "compressed"}),
        tags=(period,),
        token_count=words.tokens,
        sensitive=label.sensitive,
        audience=label.audience,
        key=_period_key(period, name, label),
    )
    entities = entities_named_in(words.text, context.store.entities.name_index())
    return SummaryDraft(draft, tuple(dict.fromkeys(sources)), entities)


def _joined(before: OpenItems, after: OpenItems) -> OpenItems:
    still = tuple(each for each in before.open if not is_closed(each, after.done))
    return OpenItems((*still, *after.open), (*before.done, *after.done))


def _items_of(details: dict[str, object]) -> OpenItems:
    def read(name: str) -> tuple[OpenItem, ...]:
        listed = details.get(name)
        return tuple(OpenItem(int(turn), str(text)) for turn, text in listed) if isinstance(listed, list) else ()

    return OpenItems(read("open"), read("done"))


@dataclass(frozen=True, slots=True)
class _PastWeek:
    """A week that is over: its days, the reports of all days, and of those the ones that are new tonight."""

    name: str
    label: PrivacyLabel
    days: list[DailySummary]
    done: list[OpenItem]
    new: list[OpenItem]

    @property
    def item(self) -> str:
        return f"week {self.name} {self.label.audience}{' sensitive' if self.label.sensitive else ''}"


def _summarise_weeks(context: JobContext, calendar: LocalCalendar, fresh: list[DailySummary]) -> Iterator[JobStep]:
    """Summarises past weeks from the summaries of their days.

    Those are read again for each week: something may have been erased since they were written.
    """
    aside = {each.item for each in context.store.maintenance.list_set_aside(SUMMARIES_JOB.name)}

    def summarise(item: str) -> Iterator[JobStep]:
        week = _past_weeks(context, calendar, fresh).get(item)
        if week is not None and (step := _summarise_week(context, week, week.done if item in aside else week.new)):
            yield step

    yield from for_each(context, SUMMARIES_JOB.name, sorted(_past_weeks(context, calendar, fresh)), str, summarise)


def _past_weeks(context: JobContext, calendar: LocalCalendar, fresh: list[DailySummary]) -> dict[str, _PastWeek]:
    this = monday_of(calendar.day(context.now))
    since = calendar.span(monday_of(calendar.day(context.now - _DAYS_BACK * DAY)))[0]  # whole weeks only
    existing = [_read_daily(node) for node in context.store.summaries.tagged_summaries(DAILY_TAG, since, context.now)]
    changed = {(each.day, each.label) for each in fresh}
    if not context.dry_run:
        fresh = [each for each in existing if (each.day, each.label) in changed]
    dailies = {(each.day, each.label): each for each in (*existing, *fresh)}
    weeks: dict[tuple[str, PrivacyLabel], list[DailySummary]] = {}
    for each in sorted(dailies.values(), key=lambda each: each.day):
        day = calendar.day(each.at)
        if monday_of(day) < this and each.at >= since:
            weeks.setdefault((iso_week(day), each.label), []).append(each)
    found = []
    for (name, label), days in weeks.items():
        done = [item for each in dailies.values() if each.label == label for item in each.items.done]
        new = [item for each in fresh if each.label == label for item in each.items.done]
        found.append(_PastWeek(name, label, days, done, new))
    return {each.item: each for each in found}


def _summarise_week(context: JobContext, week: _PastWeek, new: list[OpenItem]) -> JobStep | None:
    """Writes the summary once the week is over, and again when its days or open items change.

    Only what is `new` can close what was still open.
    """
    name, label, days = week.name, week.label, week.days
    existing = context.store.summaries.summary_by_key(_period_key(WEEKLY_TAG, name, label))
    known = existing.details if existing is not None and isinstance(existing.details, dict) else {}
    same = known.get("of") == {each.day: each.upto for each in days}
    if same and not any(is_closed(each, new) for each in _still_open(days, known)):
        return None
    open = _open_at_end(days, week.done)
    if same and known.get("open") == [each.turn for each in open]:
        return None
    if existing is not None and same:
        words = WordedSummary(existing.text.partition(_STILL_OPEN)[0], str(known.get("worded")))
    else:
        talk: list[SpokenTurn] = [each for day in days for each in parse_summary(day.text)]
        words, _ = summarised_text(context, talk, _week_budget(talk), f"the week {name}")
    text = words.text + (_STILL_OPEN + "\n".join(f"- {each.text} [id:{each.turn}]" for each in open) if open else "")
    words = WordedSummary(text, words.by)
    id = existing.id if existing else None
    if not context.dry_run:
        details: dict[str, object] = {
            "week": name,
            "of": {each.day: each.upto for each in days},
            "open": [each.turn for each in open],
        }
        sources = [day.id for day in days if day.id is not None] + [each.turn for each in open]
        origin = least_trusted(each.origin for each in days)
        draft = _period_draft(context, WEEKLY_TAG, name, label, words, days[-1].at, origin, details, sources)
        id = context.store.summaries.write_summary(draft).id
    verb = "summarised" if existing is None else "summarised again"
    why = f"{name}, {len(days)} days, {len(open)} still open, {words.by}"
    return JobStep(verb, "week", shorten(text, 120), id, why)


def _week_budget(talk: list[SpokenTurn]) -> int:
    """Half of the tokens of its days, within limits."""
    return min(_WEEK_TOKENS, max(SESSION_TOKENS, sum(tokens.estimate(each.text) for each in talk) // 2))


def _open_at_end(days: list[DailySummary], done: list[OpenItem]) -> list[OpenItem]:
    """The latest items that no report closes."""
    found = [each for day in days for each in day.items.open if not is_closed(each, done)]
    distinct = {each.text.casefold(): each for each in found}
    return list(distinct.values())[-_OPEN_PER_WEEK:]


def _still_open(days: list[DailySummary], known: dict[str, object]) -> list[OpenItem]:
    """The items that the summary of the week lists as open."""
    listed = known.get("open")
    turns = frozenset(listed) if isinstance(listed, list) else frozenset()
    return [each for day in days for each in day.items.open if each.turn in turns]


def _read_daily(node: Node) -> DailySummary:
    details = node.details if isinstance(node.details, dict) else {}
    upto = int(details.get("upto", 0))
    at = to_micros(node.event_at)
    return DailySummary(
        str(details.get("day", "")), label_of(node), node.origin, node.text, upto, _items_of(details), at, node.id
    )


def _period_key(period: str, name: str, label: PrivacyLabel) -> bytes:
    return summary_key(period, name, label.audience, str(label.sensitive))
