"""Applies statements of a proposal: each becomes a draft that the statement writer compares and stores."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

from omoide.clock import to_micros
from omoide.domain import Draft, Node
from omoide.domain.entity import name_key
from omoide.domain.node import MentionedTime
from omoide.domain.slots import SLOTS
from omoide.language.date_words import may_have_date
from omoide.learn import learning_context
from omoide.learn.learning_context import HIGH_IMPORTANCE, NORMAL_IMPORTANCE, LearningContext
from omoide.learn.proposal import USER, Statement
from omoide.learn.statement_writer import NewStatement, StatementWriter

NAME_PREDICATE = "name"  # states what the user is called
_USER_WORD = re.compile(r"\b(?:The user|the user|User)\b(?!\w)")


def apply_statement(context: LearningContext, item: Statement) -> None:
    """Store a statement; what it confirms, replaces, ends or contradicts is decided by the writer."""
    episode, source = context.source(item.quote)
    if item.slot != NAME_PREDICATE:
        item = replace(item, text=with_user_name(context, item.text))
    if item.slot == NAME_PREDICATE and item.value and item.subject in (USER, context.segment.owner):
        if context.owner is not None and (
            item.change == "corrects" or _name_is_denied(context.owner.name, episode.text)
        ):
            item = replace(item, source_type="corrected")
        else:
            learning_context.introduce_user(context, item.value or "", episode)
    if (subject := context.find_entity(item.subject)) is not None:  # "I" also mentions the user
        context.transaction.mention(episode.id, [subject.id])
    new = NewStatement(
        draft=draft_of(context, item, episode),
        change=item.change,
        words=item.quote.words,
        sources=(source,),
        own_word=_is_own_word(context, item.subject, episode),
    )
    writer = StatementWriter(context.transaction, context)
    if item.text:
        context.report_outcome(writer.write(new), item.quote.words)
        return
    ended = writer.end(new)
    for old in ended:
        context.report.add("ended", old.kind, old.text, old.id, item.quote.words)
    if not ended:
        context.report.add("refused", item.kind, item.quote.words, None, "nothing of the kind was known")


def with_user_name(context: LearningContext, text: str) -> str:
    """Replace "User" in a text with the user's name once it is known."""
    owner = context.owner
    return text if owner is None else _USER_WORD.sub(lambda _: owner.name, text)


def draft_of(context: LearningContext, item: Statement, episode: Node) -> Draft:
    subject = context.find_entity(item.subject)
    name = subject.name if subject else item.subject
    match item.kind:
        case "opinion":
            attributes: dict[str, Any] = {"holder": name, "about": item.matter or item.value or item.subject}
        case "procedure":
            attributes = {"name": item.matter, "trigger": item.trigger, "steps": item.steps, "context": item.scope}
        case "preference":
            attributes = {"name": item.matter, "value": item.value, "strength": item.confidence, "form": item.form}
            attributes |= {"scope": item.scope, "exceptions": item.exceptions}
            attributes |= {"subject": None if item.subject == USER or subject == context.owner else name}
        case _:
            attributes = {"subject": name, "predicate": item.slot, "object": item.value}
            attributes |= {"form": item.form, "matter": item.matter}
    weighty = item.kind in ("preference", "procedure") or "corrected" in (item.source_type, item.change)
    is_constraint = item.slot in SLOTS and SLOTS[item.slot].group == "constraint"
    draft = context.draft(
        item.kind,
        item.text,
        episode,
        attributes,
        item.confidence,
        "corrected" if item.change == "corrects" else item.source_type,
        importance=HIGH_IMPORTANCE if weighty or is_constraint else NORMAL_IMPORTANCE,
        since=None if item.valid_from is None else to_micros(item.valid_from),
        until=None if item.valid_until is None else to_micros(item.valid_until),
    )
    return replace(draft, times=_times_of(context, item))


def _times_of(context: LearningContext, item: Statement) -> tuple[MentionedTime, ...]:
    """The times of its turn that it quotes, if it names one, and when it takes place: "Ruth is my sister" has none."""
    turn = context.transaction.mentioned_times(item.quote.episode) if may_have_date(item.text) else ()
    quoted = tuple(each for each in turn if each.words in item.quote.words)
    if item.begins is None:
        return quoted
    ends = item.ends or item.begins + timedelta(days=1)
    own = MentionedTime(to_micros(item.begins), to_micros(ends), item.quote.words)
    if len(quoted) == 1 and f"{item.begins:%Y-%m-%d}" in item.text:
        return quoted if own.overlaps(quoted[0]) else (replace(own, words=quoted[0].words),)  # as the text says
    return quoted if any(map(own.overlaps, quoted)) else (*quoted, own)


def _is_own_word(context: LearningContext, subject: str, episode: Node) -> bool:
    """Whether the subject says it, not somebody else about them."""
    names = {name_key(name) for name in context.names_of(subject)}
    if episode.speaker is not None:
        return name_key(episode.speaker) in names
    return name_key(USER) in names


def _name_is_denied(name: str, text: str) -> bool:
    """Whether the text takes a name back ("Tim, not Tom"); "call me Tim" only adds one."""
    return re.search(rf"\b(?:not|isn't|no longer)\s+(?:\w+\s+)?{re.escape(name)}\b", text, re.IGNORECASE) is not None
