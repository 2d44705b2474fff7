"""What is still open: questions that nobody answered, plans and promises that nobody reported done."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from omoide.clock import DAY, to_micros
from omoide.domain import Draft, Node
from omoide.domain.entity import entities_named_in
from omoide.domain.kinds import Episode
from omoide.domain.node import validate_attributes
from omoide.language import tokens
from omoide.language.extractive_summary import SpokenTurn, parse_summary
from omoide.language.sentences import is_filler, is_question, split_sentences
from omoide.language.text import shorten
from omoide.learn.quote_matching import supported_share
from omoide.maintain.calendar import LocalCalendar, iso_week, monday_of
from omoide.maintain.compress import summary_key, token_budget
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob
from omoide.maintain.summary_text import (
    PrivacyLabel,
    WordedSummary,
    as_said,
    by_label,
    label_of,
    lowest_of,
    lowest_origin,
    summarised_text,
)
from omoide.store import SummaryDraft
from omoide.store.ageing.compression import DAILY_TAG, WEEKLY_TAG

_MOST_QUESTIONS = 20  # of either in one day; more are a list, not threads
_LONGEST_TEXT = 160  # characters
_SAME_PLAN_SHARE = 0.5  # of what a plan says must stand in a report for it to be the same thing

_PLAN = re.compile(
    r"\b(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to| need to| have to| must"
    r"| should| want to"
    r"| plan to| promise to| promised to)\s+(?!be\b|see\b|know\b|think\b|say\b|admit\b|let you know\b)"
    r"|\b(?:to-?do|remind me|don'?t forget|remember to|next step)\b:?\s*|\bich (?:werde|muss|will)\s+"
    r"|\bje vais\s+|\bvoy a\s+"
    r"|\bvou\s+(?=\w+r\b)|我(?:要|会|打算|需要)",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:done|finished|completed?|fixed|solved|resolved|sent|booked|bought|paid|called|wrote|shipped"
    r"|deployed|merged|passed|submitted"
    r"|delivered|cancelled|canceled|works now|it works|did (?:it|that)|i did|we did|taken care of"
    r"|erledigt|fertig|terminé|listo|hecho)\b"
    r"|完成|做完|搞定|終わ",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:tomorrow|today|tonight|later|soon|now|next (?:week|month|year)|this (?:week|weekend|evening)"
    r"|on (?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)day|in the morning|morgen|heute|demain|mañana|to|the|a|an|my|our)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:i don'?t know|not sure|let me (?:check|find out|look)|i'?ll (?:check|find out|get back)|no idea)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class OpenItem:
    """Words of a turn."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class OpenItems:
    """What is open after a day, and what was reported done on it: some of that closes what was open before."""

    open: tuple[OpenItem, ...] = ()
    done: tuple[OpenItem, ...] = ()


def find_open_items(turns: Sequence[Node]) -> OpenItems:
    """Of turns in order of time, of one session or several."""
    done = _done_reports(turns)
    plans = [each for each in _plans(turns) if not is_closed(each, done)]
    return OpenItems(tuple([*_unanswered_questions(turns), *plans][-_MOST_QUESTIONS:]), tuple(done[-_MOST_QUESTIONS:]))


def is_closed(thread: OpenItem, done: Iterable[OpenItem]) -> bool:
    """Whether some later report says what the plan says."""
    core = _WHEN.sub(" ", _PLAN.sub(" ", thread.text, count=1)).strip(" .!,:")
    return bool(core) and any(
        each.turn > thread.turn and supported_share(core, each.text) >= _SAME_PLAN_SHARE for each in done
    )


def _unanswered_questions(turns: Sequence[Node]) -> list[OpenItem]:
    """The last question of a turn after which nobody else spoke in its session, or only to say they do not know."""
    found: list[OpenItem] = []
    for number, turn in enumerate(turns):
        asked = [each for each in split_sentences(turn.text) if is_question(each) and not is_filler(each)]
        if not asked or (turn.role or "").startswith("tool:"):
            continue
        replies = [each for each in turns[number + 1 :] if each.session == turn.session and each.role != turn.role]
        if not replies or (_UNSURE.search(replies[0].text) and len(replies) == 1):
            found.append(OpenItem(turn.id, shorten(asked[-1], _LONGEST_TEXT)))
    return found


def _plans(turns: Sequence[Node]) -> list[OpenItem]:
    return [
        OpenItem(turn.id, shorten(each, _LONGEST_TEXT))
        for turn in turns
        if turn.role in {"user", "agent"}
        for each in split_sentences(turn.text)
        if _PLAN.search(each) and not is_question(each) and not _UNSURE.search(each)
    ]


def _done_reports(turns: Sequence[Node]) -> list[OpenItem]:
    return [
        OpenItem(turn.id, shorten(each, _LONGEST_TEXT))
        for turn in turns
        for each in split_sentences(turn.text)
        if _DONE.search(each) and not is_question(each) and not _PLAN.search(each)
    ]


# What a session, a day and a week came to; a week also tells what is still open.


_SESSION_TOKENS, _DAY_TOKENS, _WEEK_TOKENS = 60, 150, 200  # tokens
_SUMMARY_CURSOR = "summaries"  # every turn up to it is in the summary of its day
_DAYS_BACK = 70  # days in which a week may still get or change its summary
_OPEN_HEADING = 10  # threads of a week
_STILL_OPEN = "\nStill open:\n"
_SUMMARY_IMPORTANCE = 5  # Kira-R: of what is summed up automatically


class DailySummary(NamedTuple):
    """The summary of a day, written or, in a dry run, to be written."""

    day: str
    label: PrivacyLabel
    origin: str
    text: str
    upto: int
    threads: OpenItems
    at: int
    id: int | None


def _write_summaries(upkeep: JobContext) -> Iterator[JobStep]:
    yield from _summarise_sessions(upkeep)
    calendar = LocalCalendar.of(upkeep.settings.time_zone)
    fresh: list[DailySummary] = []
    for daily, step in _summarise_days(upkeep, calendar):
        fresh.append(daily)
        yield step
    yield from _summarise_weeks(upkeep, calendar, fresh)


SUMMARIES_JOB = MaintenanceJob(
    "summaries", "sessions, days and weeks get a summary; a week tells what is still open", _write_summaries
)


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _summarise_sessions(upkeep: JobContext) -> Iterator[JobStep]:
    """Of what is not sensitive: the summary of a session stands in lists, where nobody is asked for consent."""
    for name, ids in upkeep.store.unsummed_sessions():
        found = upkeep.store.nodes(ids)
        turns = [found[id] for id in ids if id in found and not found[id].sensitive]
        words, _ = summarised_text(upkeep, as_said(turns), _SESSION_TOKENS, "a session")
        if words.text and (upkeep.dry_run or upkeep.store.sum_up_session(name, words.text)):
            yield JobStep("summed up", "session", shorten(words.text, 120), None, f"{name}, {words.by}")


# ── days ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _summarise_days(upkeep: JobContext, calendar: LocalCalendar) -> Iterator[tuple[DailySummary, JobStep]]:
    """Every day that is over and has turns that no summary knows of; then the mark moves up to the first of today."""
    mark = upkeep.store.mark(_SUMMARY_CURSOR)
    today = calendar.day(upkeep.now)
    waiting = [(id, calendar.day(at)) for id, at in upkeep.store.turn_moments(mark)]
    for day in sorted({day for _, day in waiting if day < today}):
        since, until = calendar.span(day)
        ids = upkeep.store.turns_between(since, until)
        found = upkeep.store.nodes(ids)
        for group in by_label([found[id] for id in ids if id in found]):
            if (made := _summarise_day(upkeep, day.isoformat(), group)) is not None:
                yield made
    unfinished = [id for id, day in waiting if day >= today]
    upto = min(unfinished) - 1 if unfinished else max((id for id, _ in waiting), default=mark)
    if upto > mark and not upkeep.dry_run:
        upkeep.store.set_mark(_SUMMARY_CURSOR, upto)


def _summarise_day(upkeep: JobContext, day: str, turns: list[Node]) -> tuple[DailySummary, JobStep] | None:
    of = label_of(turns[0])
    held = upkeep.store.summary_of(_label_key("daily", day, of))
    known = dict(held.details) if held is not None and isinstance(held.details, dict) else {}
    upto = max(node.id for node in turns)
    if known.get("upto", 0) >= upto:
        return None
    new = [node for node in turns if node.id > known.get("upto", 0)]
    whole = len(turns) == known.get("turns", 0) + len(new)  # else some were archived: their summary speaks for them
    read = turns if whole else new
    before = [] if whole or held is None else parse_summary(held.text)
    words, places = summarised_text(
        upkeep, [*before, *as_said(read)], min(_DAY_TOKENS, token_budget(turns)), f"the day {day}"
    )
    open = find_open_items(read)
    if not whole:
        open = _joined_text(_questions_of(known), open)
    if not words.text:
        return None
    chosen = {read[place - len(before)].id for place in places if place >= len(before)}
    chosen |= {each.turn for each in (*open.open, *open.done) if each.turn in {node.id for node in read}}
    daily = DailySummary(
        day, of, lowest_origin(turns), words.text, upto, open, to_micros(turns[0].event_at), held.id if held else None
    )
    if not upkeep.dry_run:
        count = known.get("turns", 0) + len(new)
        node = upkeep.store.write_summary(_daily_draft(upkeep, daily, words, count, tuple(sorted(chosen))))
        daily = daily._replace(id=node.id)
    verb = "summed up" if held is None else "summed up anew"
    return daily, JobStep(verb, "day", shorten(words.text, 120), daily.id, f"{day}, {len(turns)} turns, {words.by}")


def _daily_draft(
    upkeep: JobContext, daily: DailySummary, words: WordedSummary, count: int, sources: tuple[int, ...]
) -> SummaryDraft:
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
        importance=_SUMMARY_IMPORTANCE,
        origin=daily.origin,
        role="system",
        source_type="consolidation",
        attributes=validate_attributes(Episode, {"type": "observation", "compression": "compressed"}),
        tags=(DAILY_TAG,),
        token_count=words.tokens,
        sensitive=daily.label.sensitive,
        audience=daily.label.audience,
        key=_label_key("daily", daily.day, daily.label),
    )
    return SummaryDraft(draft, sources, entities_named_in(daily.text, upkeep.store.entity_names()))


def _joined_text(before: OpenItems, after: OpenItems) -> OpenItems:
    still = tuple(each for each in before.open if not is_closed(each, after.done))
    return OpenItems((*still, *after.open), (*before.done, *after.done))


def _questions_of(details: dict[str, object]) -> OpenItems:
    def read(name: str) -> tuple[OpenItem, ...]:
        listed = details.get(name)
        return tuple(OpenItem(int(turn), str(text)) for turn, text in listed) if isinstance(listed, list) else ()

    return OpenItems(read("open"), read("done"))


# ── weeks ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _summarise_weeks(upkeep: JobContext, calendar: LocalCalendar, fresh: list[DailySummary]) -> Iterator[JobStep]:
    """Weeks that are over, out of the summaries of their days."""
    this = monday_of(calendar.day(upkeep.now))
    since = calendar.span(monday_of(calendar.day(upkeep.now - _DAYS_BACK * DAY)))[
        0
    ]  # whole weeks: half a one is another
    held = [_read_daily(node) for node in upkeep.store.condensed_between(DAILY_TAG, since, upkeep.now)]
    dailies = {(each.day, each.label): each for each in (*held, *fresh)}
    weeks: dict[tuple[str, PrivacyLabel], list[DailySummary]] = {}
    for each in sorted(dailies.values(), key=lambda each: each.day):
        day = calendar.day(each.at)
        if monday_of(day) < this and each.at >= since:
            weeks.setdefault((iso_week(day), each.label), []).append(each)
    for name, of in sorted(weeks, key=lambda each: (each[0], each[1].audience, each[1].sensitive)):
        done = [thread for each in dailies.values() if each.label == of for thread in each.threads.done]
        if (step := _summarise_week(upkeep, name, of, weeks[name, of], done)) is not None:
            yield step


def _summarise_week(
    upkeep: JobContext, name: str, of: PrivacyLabel, days: list[DailySummary], done: list[OpenItem]
) -> JobStep | None:
    """Written once its days are over, and anew when more came to them or what it calls open was done since."""
    held = upkeep.store.summary_of(_label_key("weekly", name, of))
    told = held.details if held is not None and isinstance(held.details, dict) else {}
    open = _open_at_end(days, done)
    same = told.get("of") == {each.day: each.upto for each in days}
    if same and told.get("open") == [each.turn for each in open]:
        return None
    if held is not None and same:
        words = WordedSummary(held.text.partition(_STILL_OPEN)[0], str(told.get("worded")))
    else:
        talk: list[SpokenTurn] = [each for day in days for each in parse_summary(day.text)]
        words, _ = summarised_text(upkeep, talk, _week_budget(talk), f"the week {name}")
    text = words.text + (f"{_STILL_OPEN}{_question_list(open)}" if open else "")
    worded = WordedSummary(text, words.by)
    id = held.id if held else None
    if not upkeep.dry_run:
        id = upkeep.store.write_summary(_weekly_draft(upkeep, name, of, days, worded, open)).id
    verb = "summed up" if held is None else "summed up anew"
    return JobStep(
        verb, "week", shorten(text, 120), id, f"{name}, {len(days)} days, {len(open)} still open, {words.by}"
    )


def _week_budget(talk: list[SpokenTurn]) -> int:
    """Half of what its days say, and never much."""
    return min(_WEEK_TOKENS, max(_SESSION_TOKENS, sum(tokens.estimate(each.text) for each in talk) // 2))


def _open_at_end(days: list[DailySummary], done: list[OpenItem]) -> list[OpenItem]:
    """The latest that nothing reported later closes."""
    found = [each for day in days for each in day.threads.open if not is_closed(each, done)]
    distinct = {each.text.casefold(): each for each in found}
    return list(distinct.values())[-_OPEN_HEADING:]


def _question_list(open: list[OpenItem]) -> str:
    return "\n".join(f"- {each.text} [id:{each.turn}]" for each in open)


def _weekly_draft(
    upkeep: JobContext,
    name: str,
    of: PrivacyLabel,
    days: list[DailySummary],
    words: WordedSummary,
    open: list[OpenItem],
) -> SummaryDraft:
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
        importance=_SUMMARY_IMPORTANCE,
        origin=lowest_of(each.origin for each in days),
        role="system",
        source_type="consolidation",
        attributes=validate_attributes(Episode, {"type": "observation", "compression": "compressed"}),
        tags=(WEEKLY_TAG,),
        token_count=words.tokens,
        sensitive=of.sensitive,
        audience=of.audience,
        key=_label_key("weekly", name, of),
    )
    return SummaryDraft(
        draft, tuple(dict.fromkeys(sources)), entities_named_in(words.text, upkeep.store.entity_names())
    )


def _read_daily(node: Node) -> DailySummary:
    details = node.details if isinstance(node.details, dict) else {}
    upto = int(details.get("upto", 0))
    at = to_micros(node.event_at)
    return DailySummary(
        str(details.get("day", "")), label_of(node), node.origin, node.text, upto, _questions_of(details), at, node.id
    )


def _label_key(of: str, name: str, under: PrivacyLabel) -> bytes:
    return summary_key(of, name, under.audience, str(under.sensitive))
