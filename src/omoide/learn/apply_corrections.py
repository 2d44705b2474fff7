"""Applies statements and corrections: stores, rewrites, ends or takes back what was learned."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from omoide.clock import DAY, to_micros
from omoide.domain import Draft, Node, Preference, Procedure
from omoide.domain.entity import name_key
from omoide.domain.kinds import step_text
from omoide.domain.node import MentionedTime, mentioned_times, said_at
from omoide.domain.slots import SLOTS
from omoide.language.sentences import may_have_date
from omoide.learn import learning_context
from omoide.learn.learning_context import HIGH_IMPORTANCE, NORMAL_IMPORTANCE, LearningContext
from omoide.learn.proposal import USER, Statement, UserCorrection
from omoide.learn.statement_writer import NewStatement, StatementWriter
from omoide.learn.statements.restate import dates_in, with_dates
from omoide.learn.statements.statement_extractor import statement_language

_CORRECTION_STRENGTH = 0.9
_CALENDAR_DATE = re.compile(r" \(\d{4}(?:-\d\d){0,2}(?: \d\d:\d\d)?(?: to [\d-]+)?\)")


def _rewrite_procedures(
    context: LearningContext, wrong: str, right: str, source: tuple[int, str], episode: Node
) -> bool:
    """Supersede procedures that mention `wrong` with versions that say `right`. Returns whether there were any."""
    rewritten = False
    for held in context.transaction.procedures(mentioning=wrong):
        steps = [replace_word(step, wrong, right) for step in held.steps]
        text = replace_word(held.text, wrong, right)
        if any(contains_word(each, wrong) for each in (text, *map(step_text, steps))):
            words = f"{_title(held)!r} says {wrong!r}, and not as what {right!r} replaces: left as it is"
            context.report.notes.append(f"{words} [id:{held.id}]")
        if (steps, text) == (list(held.steps), held.text):
            continue
        kept = {name: value for name, value in held.attributes.items() if value not in (None, ())}
        attributes = kept | {"steps": steps}
        for name in ("name", "trigger", "context"):
            if isinstance(kept.get(name), str):
                attributes[name] = replace_word(kept[name], wrong, right)
        draft = _corrected(context, "procedure", text, episode, attributes, held)
        node = context.transaction.supersede(held.id, draft, source, to_micros(episode.event_at))
        _copy_evidence(context, held, node)
        context.report.add("superseded", "procedure", f"{_title(held)}: {wrong} → {right}", node.id, source[1])
        rewritten = True
    return rewritten


def _corrected(
    context: LearningContext, kind: str, text: str, episode: Node, attributes: Mapping[str, Any], held: Node
) -> Draft:
    """The draft of a corrected version: as sure and as important as the one that it replaces."""
    sure, importance = held.confidence, held.importance
    return context.draft(kind, text, episode, attributes, sure, "corrected", importance=importance, also=(held,))


def _rewrite_used(context: LearningContext, wrong: str, right: str, source: tuple[int, str], episode: Node) -> None:
    """Supersede procedures and instructions that use `wrong` with versions that use `right`."""
    _rewrite_procedures(context, wrong, right, source, episode)
    for held in context.transaction.instructions(mentioning=wrong):
        text = replace_word(held.text, wrong, right)
        if text == held.text or held.event_at >= episode.event_at:
            continue
        attributes = {name: value for name, value in held.attributes.items() if value not in (None, ())}
        attributes |= {
            name: replace_word(attributes[name], wrong, right) for name in ("name", "value") if name in attributes
        }
        draft = _corrected(context, "preference", text, episode, attributes, held)
        context.supersede(held, draft, source, to_micros(episode.event_at))


def _copy_evidence(context: LearningContext, held: Node, rewritten: Node) -> None:
    """A rewritten node keeps the evidence of the original."""
    for each in context.transaction.evidence(held.id):
        context.transaction.add_evidence(rewritten.id, each)


def apply_correction(context: LearningContext, item: UserCorrection, *, elsewhere: bool = False) -> None:
    """Supersede or end the nodes that say the wrong thing.

    If there are none, the report notes it, unless the same words take effect `elsewhere`, as a preference or claim.
    """
    episode, source = context.source(item.quote)
    if item.lasting and item.wrong and item.right:
        _rewrite_used(context, item.wrong, item.right, source, episode)
        return
    corrected = _nodes_to_correct(context, item)
    if not corrected and item.wrong and item.right and " " in item.wrong:  # "don't push to main, push to release"
        elsewhere = _rewrite_procedures(context, item.wrong, item.right, source, episode) or elsewhere
    if item.right and any(contains_word(held.text, item.right) for held in corrected):  # it was already right
        _confirm_again(context, item, corrected, elsewhere=elsewhere)
        return
    if not corrected and not elsewhere:
        context.report.notes.append(f"a correction found nothing to correct: {item.quote.words!r} [id:{episode.id}]")
    for held in corrected:
        if item.right is None:
            context.end(held, to_micros(episode.event_at), item.quote.words)
            continue
        attributes = {
            name: replace_word(value, item.wrong or "", item.right)
            for name, value in held.attributes.items()
            if value not in (None, ())
        }
        at = said_at(held, "", context.transaction.mentioned_times(held.id))
        text = _dated_again(replace_word(held.text, item.wrong or "", item.right), at)
        draft = context.draft(
            held.kind,
            text,
            episode,
            attributes,
            1.0,
            "corrected",
            importance=HIGH_IMPORTANCE,
            since=to_micros(held.valid_from or held.event_at),  # the wrong version was never true
            until=None if held.valid_until is None else to_micros(held.valid_until),
            also=(held,),
        )
        draft = replace(draft, times=tuple(mentioned_times(text, at)))
        node = context.supersede(held, draft, source, to_micros(episode.event_at))
        if held.kind == "procedure":
            _copy_evidence(context, held, node)
        if held.attributes.get("predicate") == NAME_PREDICATE:
            continue  # whose name was wrong is renamed
        corrected_statement = NewStatement(draft=draft, words=item.quote.words, sources=(source,))
        StatementWriter(context.transaction, context).take_place(node, corrected_statement, held)


def _dated_again(text: str, at: datetime) -> str:
    """A corrected text with the calendar dates of its new words."""
    bare = _CALENDAR_DATE.sub("", text)
    return text if bare == text else with_dates(bare, dates_in(bare, at, statement_language(bare)), at)


def _confirm_again(context: LearningContext, item: UserCorrection, held: list[Node], *, elsewhere: bool) -> None:
    """Confirm nodes that already say the right thing, unless the words were applied `elsewhere`."""
    _, source = context.source(item.quote)
    for each in held if not elsewhere else ():
        if isinstance(each, Preference):
            again = each.attributes_if_restated(each.value, each.text, _CORRECTION_STRENGTH)
            context.transaction.strengthen(each, again or each.attributes, source)
            context.report.add("confirmed", each.kind, each.text, each.id, item.quote.words)
        elif context.transaction.reaffirm(each, source, each.confidence):
            context.report.add("confirmed", each.kind, each.text, each.id, item.quote.words)


def _nodes_to_correct(context: LearningContext, item: UserCorrection) -> list[Node]:
    """The nodes that say the wrong thing, learned from the corrected turn or else from the nearest earlier one.

    Usually an agent's turn, from which nothing is learned, lies between a statement and its correction.
    """
    if not item.wrong:
        return []
    earlier = [id for id in sorted(context.episodes, reverse=True) if id < item.quote.episode]
    for id in dict.fromkeys([*([item.about] if item.about is not None else []), *earlier]):
        found = [
            held
            for held in context.transaction.learned_from_episode(id)
            if replace_word(held.text, item.wrong, "") != held.text
        ]
        if found:
            return found
    return []


def _title(held: Procedure) -> str:
    """What it is for, as it was said; the name of a learned procedure is the key of its matter."""
    return held.text.partition(": ")[0]


# ── retractions: "ignore that", "just kidding" ──


def retract_turn(context: LearningContext, item: UserCorrection) -> None:
    """End everything that was learned from the retracted turn and has no other source."""
    episode, _ = context.source(item.quote)
    until = to_micros(episode.event_at)
    turns = _retracted_turns(context, item.about)
    derived = {held.id: held for turn in turns for held in context.transaction.learned_from_episode(turn)}
    ended = [held for held in derived.values() if set(context.transaction.sources(held.id)) <= turns]
    for held in ended:
        learning_context.end_fact(context, held, until, item.quote.words)
    if not ended:
        context.report.notes.append(
            f"nothing was learned that could be taken back: {item.quote.words!r} [id:{episode.id}]"
        )


def _retracted_turns(context: LearningContext, about: int | None) -> set[int]:
    """The turn, and the agent's question before it: a confirmed question is the source of what it asked."""
    earlier = [id for id in sorted(context.episodes) if about is not None and id < about]
    asked = earlier[-1:] if earlier and context.episodes[earlier[-1]].role == "agent" else []
    return {*asked, *(() if about is None else (about,))}


# ── the name of a tool or branch is replaced where it names what is used, and nowhere else ──

# Names of tools that are also ordinary English words.
_EVERYDAY_WORDS = frozenset(
    """
    act add air all also and any apply apt ask at back be black bold bottle break brew bright build bun burn but by call
    can case catch chart check chef clean clear click clip close code come consul const copy crystal cut dark dart dash
    deep deploy direct do draft drive early echo else end even every express fast fetch find fine fish flash flat flow
    fly for force format free fresh get give go good grunt gulp hard have helix help here hide high hold home hot how if
    in ink install into is it jest join jump just keep key kind large lead leave less let light like link lint list
    little live load lock long look loop low make map match may mean merge might mix more most move much name need never
    new next node not note now null of off old on once one only open or order other out over pack pass past phoenix pick
    plain play plot plus post press print pull pure push put quick raise rake rank react read ready rebase record red
    release relay remix render rest right ring roll round ruby run rush rust safe salt same save scratch script see self
    send serve set shape share sharp ship short show shut sign simple single sit size skip slack slim slow small smart
    so solid some sort spark speak spin split spring stack stage stand start static stay step still stop strict strong
    such swift switch table take talk tell test that the then there thin this throw tidy tie time to too touch track try
    turn type under until up use var very vite wait walk want warp watch way wet when while will wire with word work
    write yarn yield you zed zip zoom
    """.split()
)
_COMMAND_LEAD = (
    r"(?:run|runs|running|execute|executing|invoke|invoking|call|use|uses|using|via|with|by|install|installing|need"
    r"|needs|in|prefers|likes|over|sudo|npx|wants?:?)"
)
_BRANCH_LEAD = r"(?:to|on|into|from|onto|off|origin|checkout|branch)"
_BRANCHES = frozenset("release main master stage dev develop".split())
# What follows a command: nothing, a flag, a path, or the name of a target.
_COMMAND_END = r"(?=\s*(?:$|[,;:.!?)`]|(?:and|then|in|on|for|before|after|from|&&|\|)\s))"
_COMMAND_ARGUMENT = (
    r"(?=\s+(?:-{1,2}\w|[\w.-]*[/=.][\w.]"
    r"|(?:build|test|tests|run|install|clean|lint|fmt|mod|get|deploy|dist|check|ci|start|release|all|format|docs|vet"
    r"|dev|serve|publish|generate|up|down)"
    r"\s*(?:$|[,;:.!?)`]|(?:and|then|in|on)\s|-{1,2}\w|[\w.-]*/)))"
)
_BACKTICKS = re.compile(r"`[^`\n]+`")
_STEP_START = r"(?:^|\d[.)] |[;\n] ?)"


def replace_word(value: Any, wrong: str, right: str) -> Any:
    """Replace whole words in strings, also inside lists and dictionaries."""
    if isinstance(value, str):
        return _replace_in_text(value, wrong, right)
    if isinstance(value, list | tuple):
        return [replace_word(each, wrong, right) for each in value]
    if isinstance(value, dict):
        return {name: replace_word(each, wrong, right) for name, each in value.items()}
    return value


def contains_word(text: str, word: str) -> bool:
    """Whether a text contains a whole word, in any meaning."""
    return _word_pattern(word).search(text) is not None


def _word_pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


# A word inside a link, a path, a package or a version is a part of another name.
_PART_BEFORE = re.compile(r"(?:[\w.-]*[@/]|://\S*|[\w]-|[\w]\.)$")
_PART_AFTER = re.compile(r"-?\w|[-/@]\w|\.\w|://")
# What is forbidden, or only compared with, is not what is done.
_RULED_OUT = re.compile(
    r"(?:\b(?:not|never|no|without|stop|avoid|than|instead of|over|from|nicht|kein\w*|statt|pas|jamais|no usar?|nunca"
    r"|sem|em vez de)|n't|n’t)"
    r"(?: (?:to|ever|use|using|run|running|call|the|install|verwenden|utiliser|usar?))*[ `\"']*$",
    re.IGNORECASE,
)
_PACKAGE_LEAD = re.compile(
    r"\b(?:npx|dlx|bunx|uvx|pipx run|add|install(?: -g| --global| -D)?)\s+[`\"']?$", re.IGNORECASE
)


def _replace_in_text(text: str, wrong: str, right: str) -> str:
    everyday = wrong.casefold() in _EVERYDAY_WORDS | _BRANCHES and text.strip().casefold() != wrong.casefold()
    ticked = [found.span() for found in _BACKTICKS.finditer(text)] if everyday else []

    def replaced(found: re.Match[str]) -> str:
        before, after = text[: found.start()], text[found.end() :]
        if _PART_BEFORE.search(before) or _PART_AFTER.match(after):
            return found[0]
        if _RULED_OUT.search(before) or (_PACKAGE_LEAD.search(before) and " " not in wrong):
            return found[0]
        return right if not everyday or _is_named_thing(found, text, ticked) else found[0]

    return _word_pattern(wrong).sub(replaced, text)


def _is_named_thing(found: re.Match[str], text: str, ticked: list[tuple[int, int]]) -> bool:
    """Whether an ordinary word is used as the name of a tool or branch."""
    start, end = found.span()
    if any(left < start < after for left, after in ticked):
        return True
    before, after = text[:start], text[end:]
    opens = re.search(rf"{_STEP_START}$", before) is not None
    if found[0][:1].isupper() and not opens and not re.search(r"[.!?:] $", before):
        return True
    if found[0].casefold() in _BRANCHES and re.search(rf"\b{_BRANCH_LEAD} (?:the )?$", before, re.IGNORECASE):
        return re.match(r"\s*(?:$|[,;:.!?)`]|branch\b|and\b|then\b)", after) is not None
    if re.search(rf"\b{_COMMAND_LEAD} $", before, re.IGNORECASE):
        return re.match(_COMMAND_END, after) is not None or re.match(_COMMAND_ARGUMENT, after) is not None
    return opens and re.match(_COMMAND_ARGUMENT, after) is not None


# Applies statements of a proposal: each becomes a draft that the statement writer compares and stores.


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
    if any(own.overlaps(each) or abs(own.begins - each.begins) < DAY for each in quoted):
        return quoted  # in the zone in which the turn was read
    if len(quoted) == 1 and f"{item.begins:%Y-%m-%d}" in item.text:
        return (replace(own, words=quoted[0].words),)  # as the text says
    return (*quoted, own)


def _is_own_word(context: LearningContext, subject: str, episode: Node) -> bool:
    """Whether the subject says it, not somebody else about them."""
    names = {name_key(name) for name in context.names_of(subject)}
    if episode.speaker is not None:
        return name_key(episode.speaker) in names
    return name_key(USER) in names


def _name_is_denied(name: str, text: str) -> bool:
    """Whether the text takes a name back ("Tim, not Tom"); "call me Tim" only adds one."""
    return re.search(rf"\b(?:not|isn't|no longer)\s+(?:\w+\s+)?{re.escape(name)}\b", text, re.IGNORECASE) is not None
