"""Decides whether a turn may be archived: only if live memories that were made from it state its content, or if it has
none. The decision is made once for each turn, and again when another memory is made from it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from omoide.language.common_words import is_everyday_word, is_function_word
from omoide.language.registry import words_of
from omoide.language.sentences import asks_to_keep, holds_content
from omoide.language.text import index_text
from omoide.store.ageing import archive
from omoide.store.ageing.archive import ArchiveRequest
from omoide.store.engine.connection import Connection
from omoide.store.search import words

_WORD = re.compile(r"\w+(?:[.,:/'’-]\w+)*")  # "4.51", "don't" and "10:30" are one word each
_STARTS_SENTENCE = re.compile(r"(?:^|[.!?…:\n\"“])\s*\Z")
_CONTRACTION = re.compile(r"(?:n['’]t|['’]\w+)\Z")
_EVERYDAY_WORDS = 1_000  # the most frequent English words: what they say is seldom the point of a turn
_WORDS_SHOWN = 5  # in a reason
_TEXT_SHOWN = 200  # characters of a text in the report


@dataclass(frozen=True, slots=True)
class RetentionDecision:
    """What happens to a turn that is past its retention date, and why."""

    id: int
    text: str
    archived: bool
    reason: str
    for_ever: bool = False  # a person asked to keep it


@dataclass(frozen=True, slots=True)
class _DueTurn:
    id: int
    session: int | None
    role: str | None
    text: str


def decide_due_turns(
    db: Connection, now: int, after: int, limit: int, among: Sequence[int] | None = None
) -> list[RetentionDecision]:
    """Decisions about the next turns past their retention date, ordered by id. Turns that were not learned from yet
    are not due."""
    due = _due_turns(db, now, after, limit, among)
    carriers = _live_carriers(db, [turn.id for turn in due])
    vocabulary = _Vocabulary(db)
    return [_decide(db, turn, carriers.get(turn.id, {}), vocabulary) for turn in due]


def apply_decisions(db: Connection, decisions: Sequence[RetentionDecision], now: int) -> None:
    """Archives what is carried and marks what stays."""
    archive.archive_nodes(db, [ArchiveRequest(each.id, each.reason) for each in decisions if each.archived], now)
    db.executemany(
        "UPDATE node SET stays_since = ?, expires_at = iif(?, NULL, expires_at) WHERE id = ?",
        [(now, each.for_ever, each.id) for each in decisions if not each.archived],
    )


def _due_turns(db: Connection, now: int, after: int, limit: int, among: Sequence[int] | None) -> list[_DueTurn]:
    which = "" if among is None else "AND node.id IN (SELECT value FROM json_each(:among))"
    found = db.execute(
        f"""
        SELECT node.id, node.session_id, node.role, node.text
        FROM node INDEXED BY node_expiring
        LEFT JOIN session ON session.id = node.session_id
        WHERE
            node.state = 'live' AND node.expires_at IS NOT NULL AND node.stays_since IS NULL
            AND node.expires_at <= :now AND node.id > :after
            AND node.kind = 'episode' AND node.attributes ->> 'compression' IS NULL
            AND (session.id IS NULL OR session.learned_upto >= node.id)
            AND NOT EXISTS (SELECT 1 FROM change WHERE change.node_id = node.id AND change.verb = 'restored')
            {which}
        ORDER BY node.id
        LIMIT :limit
        """,
        {"now": now, "after": after, "limit": limit} | ({} if among is None else {"among": json.dumps(list(among))}),
    )
    return [_DueTurn(*row) for row in found]


def _live_carriers(db: Connection, ids: Sequence[int]) -> dict[int, dict[int, str]]:
    """The words of live memories that were made from each turn. A summary counts in its final form only."""
    found = db.execute(
        """
        SELECT edge.target_id, node.id, node.text || ' ' || coalesce(node.attributes, '')
        FROM edge
        JOIN node ON node.id = edge.source_id
        WHERE
            edge.type = 'derived_from' AND edge.target_id IN (SELECT value FROM json_each(?))
            AND node.state = 'live' AND coalesce(node.attributes ->> 'compression', 'distilled') = 'distilled'
        ORDER BY node.id
        """,
        (json.dumps(list(ids)),),
    )
    carriers: dict[int, dict[int, str]] = defaultdict(dict)
    for turn, id, text in found:
        carriers[turn][id] = text
    return carriers


def _decide(db: Connection, turn: _DueTurn, carriers: Mapping[int, str], vocabulary: _Vocabulary) -> RetentionDecision:
    shown = turn.text[:_TEXT_SHOWN]
    if _was_asked_to_keep(db, turn):
        return RetentionDecision(turn.id, shown, False, "a person asked to keep it", for_ever=True)
    if not holds_content(turn.text, by_agent=turn.role != "user"):
        return RetentionDecision(turn.id, shown, True, "it holds no content: a greeting, thanks or an acknowledgement")
    if not carriers:
        return RetentionDecision(turn.id, shown, False, "no live memory was made from it")
    missing = vocabulary.missing(turn.text, carriers.values())
    if missing:
        more = f" and {len(missing) - _WORDS_SHOWN} more" if len(missing) > _WORDS_SHOWN else ""
        return RetentionDecision(
            turn.id, shown, False, f"no live memory made from it states: {', '.join(missing[:_WORDS_SHOWN])}{more}"
        )
    stated = ", ".join(f"[id:{id}]" for id in list(carriers)[:_WORDS_SHOWN])
    return RetentionDecision(turn.id, shown, True, f"its content is stated by {stated}")


def _was_asked_to_keep(db: Connection, turn: _DueTurn) -> bool:
    """By itself, or by what the user said next: "Put that somewhere safe." """
    if turn.role == "user" and asks_to_keep(turn.text):
        return True
    following = db.execute(
        """
        SELECT text
        FROM node
        WHERE
            session_id = ? AND id > ? AND kind = 'episode' AND role = 'user' AND attributes ->> 'compression' IS NULL
        ORDER BY id
        LIMIT 1
        """,
        (turn.session, turn.id),
    ).get
    return bool(following) and asks_to_keep(following)


class _Vocabulary:
    """Tells which words of a text are its content: names, numbers, dates and words that are not everyday."""

    def __init__(self, db: Connection) -> None:
        self._cut = words.make_tokenizer(db)
        self._minor = words_of("stop_words", "minor_words")

    def missing(self, text: str, others: Iterable[str]) -> list[str]:
        """The content words of a text that occur in none of the others, as written."""
        known = {stem for other in others for stem in self._stems(other)}
        content = list(self._content(text))
        telling = [word for word in content if self._is_telling(word)] or content
        return list(dict.fromkeys(word for word in telling if not known.issuperset(self._stems(word))))

    def _content(self, text: str) -> Iterator[str]:
        """Words as written, but in lower case at the beginning of a sentence, where a capital does not make a name."""
        for found in _WORD.finditer(text):
            word = found[0].lower() if _STARTS_SENTENCE.search(text[: found.start()]) else found[0]
            plain = _CONTRACTION.sub("", word.lower())
            minor = plain in self._minor or all(map(is_function_word, self._stems(plain)))
            if _has_digit(word) or not minor:
                yield word

    def _is_telling(self, word: str) -> bool:
        """A name, a number, or a word that is not everyday."""
        everyday = all(is_everyday_word(stem, _EVERYDAY_WORDS) for stem in self._stems(word))
        return _has_digit(word) or not word.islower() or not everyday

    def _stems(self, text: str) -> list[str]:
        return self._cut(index_text(text) or text)


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))
