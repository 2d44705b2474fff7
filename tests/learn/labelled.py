"""The labelled sentences: how a line is read, and how far what the rules find agrees with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from omoide.learn.proposal import USER, Claim, ConversationTurn, Extractor, LearningConversation, Proposal

HERE = Path(__file__).parent
AT = datetime(2026, 2, 11, 9, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Sample:
    group: str
    conversation: LearningConversation
    expected: frozenset[str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """`wrong` was proposed and should not be, `missed` the other way round; each with its sentence."""

    right: int
    wrong: tuple[str, ...]
    missed: tuple[str, ...]

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + len(self.wrong))

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + len(self.missed))


def samples(name: str) -> Iterator[Sample]:
    group = ""
    for line in (HERE / name).read_text("utf-8").splitlines():
        if line.startswith("# "):
            group = line[2:]
        elif " => " in line and not line.startswith(";"):
            text, _, items = line.rpartition(" => ")
            turns = tuple(_turn(number, part) for number, part in enumerate(text.split(" || ")))
            found = frozenset(_folded(item) for item in items.split(" ; ") if item.strip() != "-")
            yield Sample(group, LearningConversation(session="s", turns=turns, fresh=len(turns) - 1), found)


def _turn(number: int, text: str) -> ConversationTurn:
    by = re.match(r"\[(agent|system|document|tool:\w+)\] ", text)
    role = by[1] if by and by[1] != "document" else "user"
    words = text[by.end() if by else 0 :].replace("\\n", "\n")
    return ConversationTurn(
        id=number + 1, text=words, role=role, at=AT + timedelta(minutes=number), origin=by[1] if by else "user"
    )


def items(proposal: Proposal, *, names: bool) -> frozenset[str]:
    """A proposal in the words of the labels. Names are judged only where the labels tell them."""
    found = [
        f"{_tense(c)}{'' if c.subject == USER else c.subject + '.'}{c.predicate}: {c.object}" for c in proposal.claims
    ]
    found += [f"wish {w.category}/{w.name}: {w.value if w.strength else 'any'}" for w in proposal.preferences]
    found += [f"opinion: {j.about}" for j in proposal.opinions]
    found += [
        "takes back" if c.whole else f"corrects: {c.wrong or '?'} -> {c.right or '?'}" for c in proposal.corrections
    ]
    found += [f"howto {h.name}: {len(h.steps)}" for h in proposal.procedures]
    found += ["cause" for _ in proposal.causes]
    if names:
        found += [f"name {e.name}: {e.type}" for e in proposal.entities if not e.existing_only]
    return frozenset(map(_folded, found))


def _tense(claim: Claim) -> str:
    return "!" if claim.negated else "past " if claim.valid_until else ""


def compare(extractor: Extractor, judged: list[Sample]) -> Agreement:
    right, wrong, missed = 0, [], []
    for sample in judged:
        found = items(extractor.extract(sample.conversation), names=sample.group.startswith("names"))
        said = " || ".join(turn.text for turn in sample.conversation.turns)
        right += len(found & sample.expected)
        wrong += [f"{item}  ←  {said}" for item in sorted(found - sample.expected)]
        missed += [f"{item}  ←  {said}" for item in sorted(sample.expected - found)]
    return Agreement(right, tuple(wrong), tuple(missed))


def _folded(item: str) -> str:
    return " ".join(item.split()).casefold()
