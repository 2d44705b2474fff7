"""Questions, tasks, suppositions, jokes, fiction and hearsay state nothing, so nothing is learned from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide.learn.learner import ReadingExtractor
from omoide.learn.proposal import Statement
from omoide.learn.statements import StatementExtractor
from tests.learn.test_model_extractor import talk, turn

SENTENCES = Path(__file__).with_name("not_asserted.txt").read_text(encoding="utf-8").splitlines()
KEEPS_ALL = ReadingExtractor(StatementExtractor(lambda clauses: [1.0] * len(clauses)), most_causes=0)


def is_presupposed(item: Statement) -> bool:
    """ "I wish my dog Rex were here" does not assert, but takes for granted, that Rex is the dog."""
    return item.form == "relation"


@pytest.mark.parametrize("start", range(0, len(SENTENCES), 40))
def test_what_nobody_asserts_is_not_learned_however_well_it_is_judged(start: int) -> None:
    learned = {
        sentence: [
            each.text for each in KEEPS_ALL.extract(talk(turn(1, sentence))).statements if not is_presupposed(each)
        ]
        for sentence in SENTENCES[start : start + 40]
    }
    assert {sentence: texts for sentence, texts in learned.items() if texts} == {}
