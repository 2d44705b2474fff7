"""Decides what a new statement does to stored statements of the same subject. Pure functions.

Two statements meet if they fill the same slot or are about the same matter. The new one then confirms, replaces or ends
the old one, was true at an earlier time, or contradicts it; otherwise both stand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from omoide.clock import DAY, date_precision, to_micros
from omoide.domain import Draft, Node
from omoide.domain.entity import name_key
from omoide.domain.node import trust_of
from omoide.domain.slots import PER_MATTER, RESUMABLE, competing_slots, ended_slots, is_single_valued, is_unchanging
from omoide.language.registry import language_pattern
from omoide.language.text import stem
from omoide.learn.proposal import USER, ChangeKind
from omoide.learn.quote_matching import NUMBER, announcing_words, labels_in, limits_in, stems, weekdays_in

Verdict = Literal["confirms", "replaces", "ends", "past", "contradicts"]

_AUTHORITY = {"corrected": 3, "stated": 2, "observed": 1}
_TWO_YEARS = 2 * 366 * DAY  # "last year" can begin two years ago
_LIKELY = 0.5  # a less certain statement does not end a more certain one
CHOICE = " or "  # in a matter, "npm or pnpm": the value is the one that is chosen
_DAY_LENGTH = len("2026-10-24")
_PLACES = ("lives_in", "born_in")  # slots whose value is a place
_IMPLIED_SLOTS = {("partner", "spouse")}  # a new statement says less than the stored one: "my partner" of one's wife


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedContent:
    """What a statement says, by which it is compared with others of its subject. Times are in microseconds."""

    kind: str
    subject: str  # like the value; empty if nobody knows whom it is about
    slot: str | None
    value: str  # without case, accents and punctuation; the parts of a place are separated by commas
    matter: frozenset[str]
    head: str  # the first word of the matter
    words: frozenset[str]  # stems of the content words, without the names of the subject
    numbers: frozenset[str]
    limits: frozenset[str]  # words that negate, restrict or weaken it
    spoken: str  # all words, without case and punctuation
    details: tuple[Any, ...]  # steps of a procedure, scope and exceptions of an instruction
    said_at: int
    affirmed_at: int  # when it was last said
    since: int | None
    until: int | None
    origin: str
    source_type: str
    confidence: float
    named: bool = False  # the caller named it, so that another statement of this name replaces it
    own_word: bool = True  # the subject said it, not somebody else
    labels: frozenset[str] = frozenset()  # numbers that tell things apart: "note 2", "boat number 5"

    @property
    def known_since(self) -> int:
        """The first time at which it is known to be true."""
        return self.since if self.since is not None else min(self.said_at, self.until or self.said_at)

    @property
    def has_stated_start(self) -> bool:
        """Whether its start was stated; otherwise only its first mention is known."""
        return self.since is not None and self.since != self.said_at

    @property
    def authority(self) -> tuple[int, int]:
        """The user's word ranks above an agent's, and that above data; then corrected > stated > observed."""
        return trust_of(self.origin), authority(self.source_type)


def authority(source_type: str) -> int:
    """corrected > stated > observed > anything else."""
    return _AUTHORITY.get(source_type, 0)


def content_of(item: Draft | Node, names: Sequence[str] = ()) -> StatedContent:
    """The comparable content of a draft or node. `names` are the names of its subject."""
    given: Mapping[str, Any] = item.attributes
    own = frozenset(part for name in names for part in name_key(name).split())
    value = given.get("object") if item.kind == "fact" else given.get("value")
    matter = given.get("matter") or given.get("name") or given.get("about") or ""
    slot = given.get("predicate")
    said_at = _micros(item.event_at) or 0
    return StatedContent(
        kind=item.kind,
        subject=name_key(subject_of(item) or ""),
        slot=slot,
        value="" if value is None else _value_key(str(value), place=slot in _PLACES),
        matter=_matter(str(matter), own, "" if value is None else str(value)),
        head=stem(str(matter).partition(" ")[0]),
        words=stems(item.text, own),
        numbers=frozenset(NUMBER.findall(item.text)),
        limits=limits_in(item.text),
        spoken=f" {name_key(item.text)} ",
        details=tuple(given.get(name) or None for name in ("steps", "scope", "exceptions")),
        said_at=said_at,
        affirmed_at=max(said_at, _micros(getattr(item, "confirmed_at", None)) or 0),
        since=_micros(item.valid_from),
        until=_micros(item.valid_until),
        origin="user" if isinstance(item, Node) and item.is_confirmed else item.origin,
        source_type=item.source_type,
        confidence=item.confidence,
        labels=labels_in(item.text, own),
    )


def subject_of(item: Draft | Node) -> str | None:
    """Whom or what a statement is about; preferences and procedures without a subject are the user's."""
    found = item.attributes.get("subject") or item.attributes.get("holder")
    return found if found or item.kind == "fact" else USER


@dataclass(frozen=True, slots=True)
class Comparison:
    """A new statement, whether its words announce a change, and its quote, which may name what it replaces."""

    new: StatedContent
    change: ChangeKind | None = None
    words: str = ""
    names: frozenset[str] = frozenset()  # of its subject, as keys
    rarity: Mapping[str, float] = field(default_factory=dict)  # of its words: 1 for a word that nothing else contains
    closeness: Mapping[int, float] = field(default_factory=dict)  # similarity of vectors, by place; may be empty

    def decide(self, held: Sequence[StatedContent]) -> dict[int, Verdict]:
        """Verdicts by place in `held`; what stands beside the new statement is left out.

        Of several that an announced change may mean, it means the most likely."""
        found: dict[int, Verdict] = {}
        likely: list[tuple[float, int]] = []
        for place, old in enumerate(held):
            if not self._is_over and old.until is not None and old.until <= self.new.said_at:
                continue  # it had ended by then: one may move back
            verdict = self._certain(old) if self.is_about_same(old) or not (self.names and old.subject) else None
            if verdict is not None:
                found[place] = verdict
            elif self.change is not None and not self._is_over and self._may_mean(old):
                likely.append((same_matter(self, old, self.closeness.get(place)), place))
        if likely and not {"replaces", "ends"} & set(found.values()):
            found |= self._announced(held, *max(likely, key=lambda each: (each[0], held[each[1]].said_at)))
        return {place: self._permitted(verdict, held[place]) for place, verdict in found.items()}

    def _permitted(self, verdict: Verdict, old: StatedContent) -> Verdict:
        """A word of lower origin never ends or replaces one of higher origin: it contradicts it."""
        outranked = self.new.authority[0] < old.authority[0]
        return "contradicts" if outranked and verdict in ("replaces", "ends") else verdict

    def is_about_same(self, old: StatedContent) -> bool:
        """Whether both are about the same person or thing."""
        return bool(old.subject) and old.subject in self.names

    @property
    def _is_over(self) -> bool:
        return self.new.until is not None and self.new.until <= self.new.said_at and self.change != "ends"

    def _certain(self, old: StatedContent) -> Verdict | None:
        """The verdict on a statement that has the same slot or matter."""
        if self.change == "ends":
            meant = (
                self._is_meant(old)
                or self._is_of_that_day(old)
                or (self._has_same_matter(old) and not self._ends_another_value(old))
            )
            verdict: Verdict | None = "ends" if meant else "contradicts" if self._is_part_of(old) else None
            return verdict if self._ends_by_then(old) else None
        if _says_the_same(self.new, old):
            if self._is_over:
                return self._repeated_as_past(old)
            return "confirms" if self.new.authority[0] <= old.authority[0] else "replaces"
        changed = self.change is not None and (self._has_same_matter(old) or self._leaves_behind(old))
        return self._settled(old) if changed or _excludes(self.new, old) else None

    def _has_same_matter(self, old: StatedContent) -> bool:
        """Whether an announced change is about the matter of an old statement, by its key and its slot."""
        new = self.new
        return bool(new.matter) and new.matter == old.matter and (None in (new.slot, old.slot) or new.slot == old.slot)

    def _is_of_that_day(self, old: StatedContent) -> bool:
        """Whether an end says nothing but the day: "Elias can't make it on the 24th" means what he does that day."""
        new = self.new
        days = {each for each in new.numbers & old.numbers if len(each) == _DAY_LENGTH}
        return bool(days) and not new.matter and not new.value and new.slot is None and old.slot is None

    def _leaves_behind(self, old: StatedContent) -> bool:
        """Whether the words name the value of an old statement as what is left: "I switched from Vim to Helix"."""
        if self.new.slot is None or self.new.slot != old.slot or not old.value:
            return False
        before, found, _ = f" {name_key(self.words)} ".partition(f" {old.value} ")
        return bool(found) and language_pattern("left_behind").search(f"{before} ") is not None

    def _repeated_as_past(self, old: StatedContent) -> Verdict | None:
        """The verdict on a statement that the new one says was true until some time: "I worked there until 2019"."""
        until = self.new.until or self.new.said_at
        if old.until is None and old.known_since < until and old.affirmed_at < until:
            return "ends"
        covered = old.known_since <= (self.new.since or until) and (old.until is None or old.until >= until)
        return "confirms" if covered else None

    def _is_meant(self, old: StatedContent) -> bool:
        """Whether "no longer" is said of this statement: by its slot and value, or by its slot alone."""
        slot = self.new.slot or ""
        if self.new.value:
            return old.slot in competing_slots(slot) and same_value(old, self.new)
        along = old.said_at >= self.new.said_at  # what is said along with the end is what comes after it
        return old.slot in ended_slots(slot) and is_single_valued(slot) and not along

    def _is_part_of(self, old: StatedContent) -> bool:
        """Whether a part of a value has ended and the rest may still hold: "no longer allergic to sesame"."""
        several = self.new.slot == old.slot and old.slot is not None and not is_single_valued(old.slot)
        return several and bool(self.new.value) and f" {self.new.value} " in f" {old.value} "

    def _ends_another_value(self, old: StatedContent) -> bool:
        """Whether "no longer at Initech" is compared with a job at Acme, or "no job" with one that began with it."""
        new = self.new
        if new.value:
            other = bool(old.value) and new.slot is not None and new.slot == old.slot and not same_value(new, old)
        else:
            other = old.slot in ended_slots(new.slot or "") and not self._is_meant(old)
        return self.change == "ends" and other

    def _may_mean(self, old: StatedContent) -> bool:
        """Whether an announced change may be about a statement: a dinner moves, the birthday of that day does not."""
        lasts = self.change != "corrects" and self.new.slot != old.slot and is_unchanging(old.slot or "")
        return not lasts and not self._ends_another_value(old)

    def _announced(self, held: Sequence[StatedContent], likelihood: float, place: int) -> dict[int, Verdict]:
        """The verdict on the statement that an announced change most likely means."""
        old = held[place]
        if likelihood < UNSURE:
            return {}
        if likelihood < SURE:
            return {place: "contradicts"}
        if self.change == "ends":
            return {place: "ends"} if self._ends_by_then(old) else {}
        return {place: self._settled(old)}

    def _settled(self, old: StatedContent) -> Verdict:
        """Which of two statements that exclude each other holds: by authority, then by time."""
        new = self.new
        corrects = self.change == "corrects" or new.source_type == "corrected"
        by_rank = new.authority[0] < old.authority[0] or (new.authority < old.authority and not corrects)
        if by_rank or (old.own_word and not new.own_word):
            return "contradicts"
        if is_unchanging(new.slot or "") and self.change is None and new.authority == old.authority:
            return "contradicts" if new.source_type != "corrected" else "replaces"
        if (self._is_over or new.said_at < old.known_since) and not corrects:
            return "past"
        unsure = new.confidence < _LIKELY and new.confidence < old.confidence and self.change is None
        return "contradicts" if unsure and new.authority == old.authority else "replaces"

    def _ends_by_then(self, old: StatedContent) -> bool:
        """Whether "no longer, since then" ends a statement. It does not end what began or was stated later.

        When something was first mentioned does not say when it began: one may stop in 2023 and mention it in 2026. Only
        for slots that one may return to, an end that is years ago means that it began again.
        """
        new = self.new
        if old.said_at > new.said_at:
            return False
        until = end_of(new)
        began = old.known_since <= until + date_precision(until)
        resumed = new.slot in RESUMABLE and new.said_at - until > _TWO_YEARS
        return began or not (old.has_stated_start or resumed)


def end_of(new: StatedContent) -> int:
    """When a statement that ends another one became true."""
    return new.until if new.until is not None else new.since if new.since is not None else new.said_at


def _says_the_same(new: StatedContent, old: StatedContent) -> bool:
    """The same slot with the same value, or the same content words."""
    if new.kind != old.kind or new.details != old.details:
        return False
    if (new.slot, old.slot) in _IMPLIED_SLOTS and new.value and same_value(new, old):
        return True
    if new.slot != old.slot or not same_value(new, old):
        return False
    filled = new.slot is not None and bool(new.value)
    named = (new.named or any(CHOICE in each for each in new.matter)) and new.matter == old.matter and bool(new.value)
    return filled or named or (bool(new.words) and _wording(new) == _wording(old))


def _wording(content: StatedContent) -> tuple[frozenset[str], ...]:
    return content.words, content.numbers, content.limits


def _excludes(new: StatedContent, old: StatedContent) -> bool:
    """Whether both cannot be true, judged by slot and matter alone."""
    if new.kind != old.kind:
        return False
    if new.slot is not None and old.slot is not None:
        return _slots_exclude(new, old)
    if not new.matter or new.matter != old.matter:
        return False
    if new.kind == "procedure" or new.named:
        return True
    if new.labels != old.labels:
        return False
    other_value = bool(new.value and old.value) and new.value != old.value
    other_number = bool(new.numbers and old.numbers) and new.numbers != old.numbers
    turned = new.limits != old.limits and new.words == old.words
    return other_value or other_number or turned


def _slots_exclude(new: StatedContent, old: StatedContent) -> bool:
    if new.slot != old.slot:
        if old.slot not in competing_slots(new.slot or ""):
            return False
        return is_single_valued(new.slot or "") or same_value(new, old)
    same_matter = bool(new.matter) and new.matter == old.matter
    if new.slot in PER_MATTER:
        return bool(new.matter & old.matter) or not (new.matter and old.matter)
    if is_single_valued(new.slot or ""):
        return True
    other_amount = bool(new.numbers and old.numbers) and new.numbers != old.numbers  # "15 mg", no longer "7.5 mg"
    other_thing = new.labels != old.labels
    return same_matter and other_amount and not other_thing and _letters(new.value) == _letters(old.value)


def same_value(one: StatedContent, other: StatedContent) -> bool:
    """Equal values. "Berlin, Germany" is the same place as "Berlin"."""
    if one.value == other.value:
        return True
    parts = [each.value.split(",") for each in (one, other)]
    return one.slot in _PLACES and parts[0][0] == parts[1][0] and min(map(len, parts)) == 1


def _value_key(value: str, *, place: bool) -> str:
    return ",".join(filter(None, map(name_key, value.split(",")))) if place else name_key(value)


def _letters(value: str) -> list[str]:
    return [word for word in value.split() if not any(map(str.isdigit, word))]


def _matter(matter: str, own: frozenset[str], value: str) -> frozenset[str]:
    """The words of a matter without those of the value, unless it has no others. A choice is one matter."""
    if CHOICE in matter:
        return frozenset({matter})
    words = stems(matter.replace("_", " "), own)
    return words - stems(value, own) or words


def _micros(at: int | datetime | None) -> int | None:
    return at if at is None or isinstance(at, int) else to_micros(at)


# ── which statement an announced change means ──

SURE, UNSURE = 0.6, 0.2  # from SURE on it is replaced, from UNSURE on it is a contradiction
# Fitted by bench/change_pairs.py, without and with vectors.
_WEIGHTS = {
    "bias": -7.4,
    "slot": 2.5,  # the same slot
    "other_slot": -1.3,
    "matter": 1.3,  # share of common words of the matters
    "rare": 6.6,  # common words, by their rarity
    "cover": -0.4,  # their share in the new statement
    "head": 1.5,  # the first word of the new matter is in the old statement, by its rarity
    "old_head": 1.0,
    "heads": 1.8,  # both matters begin with the same word
    "old_number": 1.7,  # the words of the change name a number of the old statement
    "number": 0.7,  # both have numbers, and other ones
    "kind": 1.5,
    "subject": 2.1,
    "names_subject": 1.9,  # the subject of one is named in the other
}
_WEIGHTS_WITH_VECTORS = {
    "bias": -8.1, "slot": 1.5, "other_slot": -1.8, "matter": 0.5, "rare": 4.9, "cover": -1.5, "head": 1.4,
    "old_head": 0.6, "heads": 1.5, "old_number": 1.4, "number": 0.3, "kind": 1.1, "subject": 1.7,
    "names_subject": 1.2, "closeness": 6.0,
}  # fmt: skip


def same_matter(comparison: Comparison, old: StatedContent, closeness: float | None = None) -> float:
    """The probability that an announced change is about an old statement."""
    found = features(comparison, old, closeness)
    weights = _WEIGHTS if closeness is None else _WEIGHTS_WITH_VECTORS
    likely = 1 / (1 + math.exp(-weights["bias"] - sum(weights[name] * value for name, value in found.items())))
    return max(likely, SURE) if _moves_to_other_days(comparison.new, old) else likely


def _moves_to_other_days(new: StatedContent, old: StatedContent) -> bool:
    """Whether a part of the old matter is said of other weekdays: "swimming", of "Nina's swimming lessons"."""
    days = [weekdays_in(each.spoken) for each in (new, old)]
    return bool(new.matter) and new.matter <= old.matter and all(days) and days[0] != days[1]


def features(comparison: Comparison, old: StatedContent, closeness: float | None = None) -> dict[str, float]:
    new = comparison.new
    spoken = frozenset(NUMBER.findall(comparison.words)) | new.numbers
    same_subject = comparison.is_about_same(old)
    shared = (new.words & old.words) - announcing_words()

    def rarity(word: str) -> float:
        return comparison.rarity.get(word, 1.0)

    found = {
        "slot": float(new.slot is not None and new.slot == old.slot),
        "other_slot": float(None not in (new.slot, old.slot) and new.slot != old.slot),
        "matter": _common(new.matter, old.matter),
        "rare": min(3.0, sum(rarity(word) ** 3 for word in shared)) / 3,
        "cover": sum(map(rarity, shared)) / (sum(map(rarity, new.words)) or 1.0),
        "head": rarity(new.head) ** 2 * (new.head in old.words),
        "old_head": rarity(old.head) ** 2 * (old.head in new.words),
        "heads": rarity(new.head) * (bool(new.head) and new.head == old.head),
        "old_number": float(bool(spoken & old.numbers)),
        "number": float(bool(new.numbers and old.numbers) and new.numbers != old.numbers),
        "kind": float(new.kind == old.kind),
        "subject": float(same_subject),
        "names_subject": float(not same_subject and _names_subject(comparison, old)),
    }
    return found if closeness is None else found | {"closeness": closeness}


def _names_subject(comparison: Comparison, old: StatedContent) -> bool:
    in_new = bool(old.subject) and f" {old.subject} " in comparison.new.spoken
    return in_new or any(f" {name} " in old.spoken for name in comparison.names)


def _common(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0
