"""Trains the judge from the labelled conversations in data/ and writes its weights, the same bytes each time.

    python models/judge/train.py              the weights, and the figures on the sessions that were held out
    python models/judge/train.py --choose     the mean figures of five folds instead, for choosing settings
    python models/judge/train.py --errors     also what the judge gets wrong in the sessions it was trained on

It needs numpy and the package. A session is a line of JSON:
`turns` with a role and a text; those of a user have `statements` (quote, kind) and `not` (quote, why: what must not be
kept although it looks like a statement). Everything else in a user's turn is not worth keeping.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omoide.learn.proposal import ConversationTurn
from omoide.learn.statements.judge import BUCKETS, cue_matrix, word_buckets
from omoide.learn.statements.modality import ClauseFeatures
from omoide.learn.statements.statement_extractor import ConversationReader

Array = NDArray[np.float64]
HERE = Path(__file__).parent
WEIGHTS = HERE.parents[1] / "src/omoide/learn/statements/judge.npz"
FOLDS = 5
KEPT = ("asserted", "instructed")
MOSTLY, PARTLY, WHOLLY = 0.5, 0.3, 0.8  # shares of a clause, and of a quote, that overlap
# Of the inputs: larger ones get their weight sooner under the same penalty.
CUE_SCALE, WORD_SCALE = 2.0, 16.0
PENALTY = 0.01
STEPS = 250
TRAP = 3.0  # what something false counts: learning it costs more than missing something true
TRAPS = frozenset(
    {"joke", "sarcasm", "fiction", "role-play", "hypothetical", "wish", "hearsay", "quote", "pasted", "code"}
)
ALONE = 0.5  # what a clause counts a second time, without the turns of the agent: they are not always there
UNREAD = 0.3  # what a clause counts that the reader refuses anyway
THRESHOLDS = (0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Example:
    """A clause with its label, and the quotes of statements that it holds."""

    session: str
    clause: ClauseFeatures
    kind: str | None  # None: not worth keeping
    why: str | None  # of something that must not be kept
    quotes: tuple[tuple[str, int, int], ...]  # session, turn and number of each statement that it states
    alone: bool = False  # read without the turns of the agent


@dataclass(frozen=True, slots=True)
class Fitted:
    weights: Array
    scale: float = 1.0
    offset: float = 0.0


def read_examples(sessions: Sequence[dict[str, Any]]) -> Iterator[Example]:
    for session in sessions:
        reader, reply, at = ConversationReader(None), "", datetime.fromisoformat(session["at"])
        for number, turn in enumerate(session["turns"]):
            if turn["role"] != "user":
                reply = turn["text"]
                continue
            after = session["turns"][number + 1 : number + 2]
            answer = after[0]["text"] if after and after[0]["role"] != "user" else ""
            said = ConversationTurn(id=number, text=turn["text"], role="user", at=at + timedelta(minutes=number))
            for candidate in reader.candidates(said, reply, answer):
                place = candidate.unit.start, candidate.unit.end
                yield _labelled(session["id"], number, turn, place, candidate.features)
            reply = ""


def without_agent(examples: Sequence[Example]) -> list[Example]:
    return [replace(each, clause=replace(each.clause, reply="", answer=""), alone=True) for each in examples]


def _labelled(
    session: str, number: int, turn: dict[str, Any], place: tuple[int, int], clause: ClauseFeatures
) -> Example:
    shares = [_overlap(turn["text"], each["quote"], *place) for each in turn["statements"]]
    covered = sum(of_clause for of_clause, _ in shares)
    stated = [
        (of_clause, index, turn["statements"][index]["kind"])
        for index, (of_clause, of_quote) in enumerate(shares)
        if of_clause >= MOSTLY or (of_quote >= WHOLLY and covered >= PARTLY)
    ]
    kind = max(stated)[2] if stated else None
    denied = [each["why"] for each in turn["not"] if _overlap(turn["text"], each["quote"], *place)[0] >= MOSTLY]
    quotes = tuple((session, number, index) for _, index, _ in stated)
    return Example(session, clause, kind, denied[0] if denied and not kind else None, quotes)


def _overlap(text: str, quote: str, start: int, end: int) -> tuple[float, float]:
    """The share of the clause that the quote covers, and of the quote that lies in the clause."""
    first = text.index(quote)
    common = max(0, min(end, first + len(quote)) - max(start, first))
    return common / max(1, end - start), common / len(quote)


@dataclass(frozen=True, slots=True)
class Inputs:
    """One row per clause: hashed words, few of many columns, then cues."""

    dense: NDArray[np.float32]
    rows: NDArray[np.int64]  # of each word
    columns: NDArray[np.int64]
    values: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.dense)

    def times(self, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        words = np.bincount(self.rows, self.values * weights[self.columns], minlength=len(self.dense))
        return np.asarray(words + self.dense @ weights[BUCKETS:], np.float32)

    def across(self, amounts: NDArray[np.float32]) -> NDArray[np.float32]:
        """The sum over all rows of each column, multiplied by the amount of its row."""
        words = np.bincount(self.columns, self.values * amounts[self.rows], minlength=BUCKETS)
        return np.concatenate([words.astype(np.float32), self.dense.T @ amounts])

    def of(self, chosen: NDArray[np.bool_]) -> Inputs:
        place = np.cumsum(chosen) - 1
        here = chosen[self.rows]
        return Inputs(self.dense[chosen], place[self.rows[here]], self.columns[here], self.values[here])


def inputs(examples: Sequence[Example]) -> Inputs:
    """The inputs of the clauses, each group scaled."""
    clauses = [each.clause for each in examples]
    words = [
        (row, bucket, weight) for row, clause in enumerate(clauses) for bucket, weight in word_buckets(clause).items()
    ]
    rows, columns, values = zip(*words, strict=True)
    cues = cue_matrix(clauses) * np.float32(CUE_SCALE)
    return Inputs(cues, np.array(rows), np.array(columns), np.float32(values) * np.float32(WORD_SCALE))


def fit(held: Inputs, targets: Array, counts: Array) -> Array:
    """Weights of a logistic regression, by accelerated gradient descent; words of only one clause are left out."""
    size = BUCKETS + held.dense.shape[1]
    often = np.ones(size, np.float32)
    often[:BUCKETS] = np.bincount(held.columns, minlength=BUCKETS) > 1
    probe = often / np.linalg.norm(often)
    for _ in range(20):  # the largest eigenvalue, for the step
        probe = often * held.across(held.times(probe))
        probe /= np.linalg.norm(probe)
    step = 1 / (0.5 * float(counts.max()) * float(np.linalg.norm(held.times(probe))) ** 2 / len(held) + PENALTY)
    share = counts / len(held)
    weights = np.zeros(size, np.float32)
    ahead = weights.copy()
    for number in range(STEPS):
        missed = (1 / (1 + np.exp(-held.times(ahead))) - targets) * share
        following = ahead - np.float32(step) * (
            often * held.across(missed.astype(np.float32)) + np.float32(PENALTY) * ahead
        )
        ahead = following + np.float32(number / (number + 3)) * (following - weights)
        weights = following
    return weights.astype(float)


def calibrate(scores: Array, kept: Array) -> tuple[float, float]:
    """Platt scaling: the scale and offset that make scores of unseen sessions probabilities."""
    scale, offset = 1.0, 0.0
    for _ in range(50):  # Newton
        chance = 1 / (1 + np.exp(-(scale * scores + offset)))
        spread = chance * (1 - chance)
        slope = np.array([((chance - kept) * scores).sum(), (chance - kept).sum()])
        both = (spread * scores).sum()
        bend = np.array([[(spread * scores**2).sum(), both], [both, spread.sum()]])
        scale, offset = np.array([scale, offset]) - np.linalg.solve(bend + 1e-6 * np.eye(2), slope)
    return float(scale), float(offset)


def train(examples: Sequence[Example], rows: Inputs) -> tuple[Fitted, Array]:
    """The weights, calibrated on five folds, and the calibrated scores that the folds gave."""
    kept = np.array([each.kind is not None for each in examples], float)
    alone = np.array([each.alone for each in examples])
    readable = np.array([each.clause.modality in KEPT for each in examples])
    tempting = np.array([each.why in TRAPS for each in examples])
    counts = np.where(readable, 1.0, UNREAD) * np.where(tempting, TRAP, 1.0) * np.where(alone, ALONE, 1.0)
    unseen = unseen_scores(examples, rows, kept, counts)
    scale, offset = calibrate(unseen[readable & ~alone], kept[readable & ~alone])
    return Fitted(fit(rows, kept, counts), scale, offset), unseen * scale + offset


def unseen_scores(examples: Sequence[Example], rows: Inputs, kept: Array, counts: Array) -> Array:
    folds = np.array([zlib.crc32(f"fold {each.session}".encode()) % FOLDS for each in examples])
    scores = np.zeros(len(examples))
    for fold in range(FOLDS):
        here = folds == fold
        scores[here] = rows.of(here).times(fit(rows.of(~here), kept[~here], counts[~here]).astype(np.float32))
    return scores


def save(fitted: Fitted) -> None:
    weights = {"cues": fitted.weights[BUCKETS:] * CUE_SCALE, "words": fitted.weights[:BUCKETS] * WORD_SCALE}
    halves = {name: values.astype(np.float16) for name, values in weights.items()}
    np.savez(WEIGHTS, **halves, calibration=np.array([fitted.scale, fitted.offset]))
    checksum = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    WEIGHTS.with_suffix(".sha256").write_text(f"{checksum}  {WEIGHTS.name}\n", encoding="utf-8")


def report(name: str, examples: Sequence[Example], scores: Array, statements: int) -> None:
    """Precision of kept clauses, recall of labelled statements, and the share of tempting clauses that were kept."""
    readable = np.array([each.clause.modality in KEPT for each in examples])
    chance = np.where(readable, 1 / (1 + np.exp(-scores)), 0)
    right = np.array([each.kind is not None for each in examples])
    tempting = np.array([each.why is not None for each in examples])
    order = scores.argsort().argsort()
    area = (order[right].mean() - (right.sum() - 1) / 2) / (~right).sum()
    print(f"{name}: {len(examples)} clauses, {right.sum()} worth keeping, {statements} statements, area {area:.3f}")
    print("threshold  precision  recall  clauses  tempting kept")
    for threshold in THRESHOLDS:
        kept = chance >= threshold
        held = {quote for each, keep in zip(examples, kept, strict=True) if keep for quote in each.quotes}
        print(
            f"{threshold:9.2f}  {right[kept].mean() if kept.any() else 1:9.3f}  {len(held) / statements:6.3f}"
            f"  {(right & kept).sum() / right.sum():7.3f}  {tempting[kept].sum() / tempting.sum():.3f}"
        )


def count_statements(sessions: Sequence[dict[str, Any]]) -> int:
    return sum(len(turn.get("statements", ())) for each in sessions for turn in each["turns"])


def read_sessions() -> list[dict[str, Any]]:
    files = sorted((HERE / "data").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def is_held_out(session: str) -> bool:
    return zlib.crc32(session.encode()) % FOLDS == 0


def show_errors(examples: Sequence[Example], scores: Array, most: int = 60) -> None:
    order = scores.argsort()
    wrong = [row for row in order[::-1] if examples[row].kind is None][:most]
    missed = [row for row in order if examples[row].kind is not None][:most]
    for title, found in (("kept and should not be", wrong), ("missed", missed)):
        print(title)
        for row in found:
            each = examples[row]
            print(f"  {scores[row]:5.1f} {each.clause.modality:9} {each.clause.text!r} {each.kind or each.why or ''}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--choose", action="store_true", help="five folds of the training sessions; writes nothing")
    parser.add_argument("--errors", action="store_true", help="what is wrong in the folds")
    args = parser.parse_args()
    sessions = read_sessions()
    seen = [each for each in sessions if not is_held_out(each["id"])]
    rest = [each for each in sessions if is_held_out(each["id"])]
    examples, held_out = list(read_examples(seen)), list(read_examples(rest))
    doubled = [*examples, *without_agent(examples)]
    fitted, unseen = train(doubled, inputs(doubled))
    if args.choose or args.errors:
        report("five folds", examples, unseen[: len(examples)], count_statements(seen))
    if args.errors:
        show_errors(examples, unseen[: len(examples)])
    if not args.choose:
        scores = inputs(held_out).times(fitted.weights.astype(np.float32))
        report("held out", held_out, scores * fitted.scale + fitted.offset, count_statements(rest))
        save(fitted)


if __name__ == "__main__":
    main()
