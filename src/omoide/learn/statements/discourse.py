"""What stands around a clause: frames that other clauses open, and how the assistant took the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from omoide.learn.statements.masking import GAP
from omoide.learn.statements.modality import ReadClause
from omoide.learn.statements.units import Unit

_RECENT = 3  # user turns over which a story or a joke is likely to go on
_UNREAL = frozenset({"supposed", "wished"})
_TRAILS = ("…", "..")


@dataclass(slots=True)
class Discourse:
    """The frames of a conversation. A turn is read before the ones that follow it."""

    turn: int = 0
    staged: int = -_RECENT  # the latest turn with something staged
    joked: int = -_RECENT
    read: Sequence[ReadClause] = field(default_factory=tuple)

    def enter(self, read: Sequence[ReadClause]) -> None:
        """Begin a turn, whose clauses are all given, also those that are staged."""
        self.turn += 1
        self.read = read

    def leave(self) -> None:
        modalities = {each.modality for each in self.read}
        self.staged = self.turn if "staged" in modalities else self.staged
        self.joked = self.turn if "joking" in modalities else self.joked

    @property
    def in_story(self) -> bool:
        """Whether something staged was said in this turn or a little before."""
        return self.turn - self.staged < _RECENT or any(each.modality == "staged" for each in self.read)

    def flags(self, unit: Unit, text: str) -> Iterator[str]:
        """The cues that a unit of the turn has from what stands around it; `text` is the masked turn."""
        before = [each for each in self.read if each.start < unit.start]
        after = [each for each in self.read if each.start >= unit.end]
        others = {each.modality for each in (*before, *after)}
        nearest = before[-1] if before else None
        tests = {
            "told_on": nearest is not None and nearest.modality == "reported",
            "unreal_before": any(each.modality in _UNREAL for each in before),
            "unreal_after": bool(after) and after[0].modality in _UNREAL,
            "staged_beside": "staged" in others,
            "staged_lately": self.turn - self.staged < _RECENT,
            "joke_beside": "joking" in others,
            "joked_lately": self.turn - self.joked < _RECENT,
            "laugh_beside": any(each.laughs for each in (*before[-1:], *after[:1])),
            "task_beside": "requested" in others,
            "question_beside": "asked" in others,
            "instructed_beside": "instructed" in others,
            "opens": not before,
            "closes": not after,
            "exclaims": "!" in unit.clauses[-1].clause.mark,
            "trails": unit.clauses[-1].clause.mark.startswith(_TRAILS),
            "quotes": GAP in unit.text or any(mark in unit.text for mark in '"“„«「'),
            "introduced": text[: unit.start].rstrip().endswith(":"),
            "bracketed": text[: unit.start].rstrip().endswith("("),
            "bare_end": not unit.clauses[-1].clause.mark,
        }
        return (name for name, holds in tests.items() if holds)
