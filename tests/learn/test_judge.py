"""The trained judge: its weights are the ones that were checked in, and clear cases come out right."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

from omoide.learn.proposal import ConversationTurn
from omoide.learn.statements import judge as judge_module
from omoide.learn.statements.judge import Judge
from omoide.learn.statements.statement_extractor import ConversationReader

KEEP = [
    "my sister Hanna lives in Ghent with her two kids",
    "I'm allergic to walnuts",
    "we moved to Leipzig in March",
    "Dele's my boss now",
    "I hate long answers, keep them short from now on",
    "my flight to Chennai is on the 26th",
    "our staging database runs Postgres 15",
]
DROP = [
    "thanks, that looks great",
    "ok let's try the second one",
    "the weather is awful today",
    "that sounds about right",
    "I see what you mean",
]


def scores(texts: list[str], judge: Judge) -> list[float]:
    found = []
    for text in texts:
        turn = ConversationTurn(id=1, text=text, role="user", at=datetime(2026, 3, 2, tzinfo=UTC))
        read = ConversationReader(None).candidates(turn, "")
        found.append(max(judge.score([each.features for each in read])))
    return found


def test_the_word_weights_are_those_of_their_checksum() -> None:
    path = Path(judge_module.__file__).with_name("judge.npz")
    wanted, _ = path.with_suffix(".sha256").read_text("utf-8").split()
    assert hashlib.sha256(path.read_bytes()).hexdigest() == wanted


def test_the_weights_stay_below_two_megabytes() -> None:
    assert Path(judge_module.__file__).with_name("judge.npz").stat().st_size < 2_000_000


def test_clear_statements_are_worth_more_than_small_talk() -> None:
    judge = Judge()
    kept, dropped = (sorted(scores(texts, judge)) for texts in (KEEP, DROP))
    assert kept[0] > dropped[-1]


def test_no_clauses_have_no_scores() -> None:
    assert Judge().score([]) == []
