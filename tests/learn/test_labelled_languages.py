"""A small labelled set of each language that was added as data alone: what must be learned, and what must not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from omoide.learn.proposal import ConversationTurn, LearningConversation, Statement, UserCorrection
from omoide.learn.statements import StatementExtractor
from omoide.learn.statements.corrections import replacements_in
from omoide.learn.statements.judge import Judge
from omoide.settings import Settings

AT = datetime(2026, 9, 8, 10, 0, tzinfo=UTC)
ITALIAN = {
    "Abito a Bologna da tre anni": "Bologna",
    "mia sorella Giulia è allergica alle noci": "noci",
    "lavoro alla Ferrero come chimico": "Ferrero",
    "il mio capo si chiama Ettore": "Ettore",
    "non mangio carne": "carne",
    "mi piace il caffè senza zucchero": "caffè",
    "mi sono trasferita a Torino a marzo": "Torino",
    "mio figlio Luca compie otto anni il 3 ottobre": "2026-10-03",
    "non usare mai le emoji": "emoji",
}
NOT_ITALIAN = [
    "dove abito?",
    "puoi scrivermi una mail?",
    "se fossi ricco vivrei a Capri",
    "scherzo, sono il re di Napoli",
    "scrivi una storia in cui mia zia vive su Marte",
    "mio cugino dice che la terra è piatta",
    "grazie mille!",
    "magari vivessi al mare",
    "immagina che io lavori alla NASA",
]
JAPANESE = {
    "私は京都に住んでいます": "京都",
    "妹はそばアレルギーです": "そば",
    "トヨタで働いています": "トヨタ",
    "上司は佐藤さんです": "佐藤",
    "コーヒーが好きです": "コーヒー",
    "返事はいつも短くしてください": "短く",
    "犬の名前はハチです": "ハチ",
    "絵文字は絶対に使わないでください": "絵文字",
    "会議は毎週火曜日の10時です": "火曜日",
}
NOT_JAPANESE = [
    "どこに住んでいますか？",
    "メールを書いてください",
    "もし金持ちならハワイに住みたい",
    "冗談ですよ、私は王様です",
    "物語を書いて：私は火星に住んでいる",
    "ありがとうございます",
    "友達によると地球は平らだそうです",
]


def read(said: str) -> list[Statement]:
    turn = ConversationTurn(id=1, text=said, role="user", at=AT)
    conversation = LearningConversation(session="s", turns=(turn,), owner="Ada")
    return list(StatementExtractor(Judge().score, Settings().learn_threshold).extract(conversation).statements)


@pytest.mark.parametrize("labelled", [ITALIAN, JAPANESE], ids=["Italian", "Japanese"])
def test_most_of_what_is_stated_is_learned(labelled: dict[str, str]) -> None:
    missed = [said for said, part in labelled.items() if not any(part in each.text for each in read(said))]
    assert len(missed) <= 2, missed


@pytest.mark.parametrize("said", [*NOT_ITALIAN, *NOT_JAPANESE])
def test_what_is_not_stated_is_not_learned(said: str) -> None:
    assert read(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "nutze immer pnpm, nicht npm",
        "Usa pnpm en vez de npm por favor",
        "no uses npm, usa pnpm",
        "Utilise pnpm au lieu de npm s'il te plaît",
        "Usa pnpm em vez de npm por favor",
        "Usa pnpm invece di npm per favore",
        "npmの代わりにpnpmを使ってください",
    ],
)
def test_what_to_use_instead_is_understood(said: str) -> None:
    turn = ConversationTurn(id=1, text=said, role="user", at=AT)
    found = replacements_in(LearningConversation(session="s", turns=(turn,)))
    assert [(each.wrong, each.right) for each in found if isinstance(each, UserCorrection)] == [("npm", "pnpm")]
