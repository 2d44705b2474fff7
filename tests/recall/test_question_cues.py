"""The cues of a question: intent, complexity, speaker and explicit recall."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from omoide.language.registry import detect_language
from omoide.providers.hashing import HashingEmbedder
from omoide.recall.question import Query, RecallQuestion, all_words, understand
from omoide.recall.question_cues import (
    COMPLEX,
    SIMPLE,
    IntentExemplars,
    asked_part,
    intent_by_exemplar,
    intent_by_rule,
    intent_exemplars,
)
from omoide.recall.recipes import RECIPES
from omoide.store import NodeFilter
from tests.conftest import NOW

LABELLED = [
    line.split("\t") for line in (Path(__file__).parent / "intents.txt").read_text("utf-8").splitlines() if "\t" in line
]


def read(text: str, **names: tuple[int, ...]) -> Query:
    return understand(
        RecallQuestion(text=text, at=NOW, limit=10, filter=NodeFilter(), recipe=RECIPES["everyday"]), names
    )


def test_rules_tell_the_intent_of_nearly_every_question_in_nine_languages() -> None:
    right = [kind for kind, text in LABELLED if intent_by_rule(text, detect_language(text)).kind == kind]
    assert len(LABELLED) > 120
    assert len(right) / len(LABELLED) > 0.97


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Why did we drop Redis?", "why (by rule 'Why')"),
        ("What time does it start?", "when (by rule 'What time')"),
        ("I was in Rome. Who was with me?", "who (by rule 'Who')"),
        ("Remember when we got lost?", "general (no cue)"),
        ("Was war der Grund?", "why (by rule 'Was war der Grund')"),
    ],
)
def test_an_intent_names_the_words_that_told_it(question: str, told: str) -> None:
    assert str(read(question).intent) == told


def test_without_a_rule_the_nearest_exemplar_tells_the_intent() -> None:
    exemplars = IntentExemplars((("how", "Walk me through it"), ("general", "Hello")), np.eye(2, dtype=np.float32))
    walk = np.array([0.9, 0.1], dtype=np.float32)
    nearest = intent_by_exemplar(walk, exemplars)
    assert nearest is not None
    assert nearest.kind == "how"
    assert intent_by_exemplar(walk, exemplars, threshold=0.95) is None


def test_exemplars_are_embedded_once_for_each_embedder() -> None:
    class Counting(HashingEmbedder):
        asked = 0

        def embed(self, texts):  # type: ignore[no-untyped-def]
            self.asked += 1
            return super().embed(texts)

    embedder = Counting(37)
    assert intent_exemplars(embedder).vectors is intent_exemplars(embedder).vectors
    assert embedder.asked == 1


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("List all the books I read", "gathers: 'List'"),
        ("How many trips did I make?", "gathers: 'How many'"),
        ("Compare Vercel with Netlify", "compares: 'Compare'"),
        ("What did we do between May and August?", "a time range: 'between May and August'"),
        ("Deploy it like we did last time", "asks to remember"),
        ("Wie viele Bücher habe ich gelesen?", "gathers: 'Wie viele'"),
        ("我有多少本书？", "gathers: '多少'"),
    ],
)
def test_a_question_with_strong_signs_is_complex_and_says_why(question: str, reason: str) -> None:
    found = read(question).complexity
    assert (found.name, found.depth, found.limit, found.budget) == ("complex", 4, 20, 3000)
    assert reason in found.reasons


@pytest.mark.parametrize(
    "question", ["Where do I live?", "What is Anna's phone number?", "Docker", "", "Wo wohne ich?"]
)
def test_a_question_for_one_thing_is_simple(question: str) -> None:
    found = read(question).complexity
    assert (found.name, found.depth, found.limit, found.budget) == ("simple", 2, 5, 1000)


def test_many_names_make_a_question_complex() -> None:
    names = {"anna": (1,), "otto": (2,), "rome": (3,)}
    assert read("Did Anna meet Otto in Rome?", **names).complexity.name == COMPLEX.name
    assert read("Did Anna go to Rome?", **names).complexity.name == SIMPLE.name


@pytest.mark.parametrize(
    "question",
    [
        "Do you remember the name of the hotel?",
        "Remember when we got lost in Porto?",
        "Can you deploy the Kira app like we did last time?",
        "What did we say about the budget?",
        "Set it up the way I told you",
        "Remind me what the plan was",
        "Weißt du noch, wie das Hotel hieß?",
        "Mach es wie letztes Mal",
        "Tu te souviens de cet hôtel ?",
        "¿Te acuerdas del hotel?",
        "Você se lembra do hotel?",
        "Ti ricordi l'albergo?",
        "Помнишь тот отель?",
        "你还记得那家酒店吗？",
        "前回のようにデプロイして",
    ],
)
def test_a_question_that_asks_to_remember_is_known(question: str) -> None:
    assert read(question).recall_cue


@pytest.mark.parametrize("question", ["Where do I live?", "I like trains", "What is the time?", "Wie geht es dir?"])
def test_not_every_question_asks_to_remember(question: str) -> None:
    assert read(question).recall_cue is None


@pytest.mark.parametrize(
    ("question", "by", "name"),
    [
        ("What did I say about the car?", "user", None),
        ("What was it that I told you on Monday?", "user", None),
        ("What did you suggest for dinner?", "agent", None),
        ("Which book have you recommended?", "agent", None),
        ("What was your advice on taxes?", "agent", None),
        ("What did Anna say about it?", "named", "Anna"),
        ("According to Otto, is it safe?", "named", "Otto"),
        ("Was habe ich über das Auto gesagt?", "user", None),
        ("Was hast du mir empfohlen?", "agent", None),
        ("Was hat Anna dazu gesagt?", "named", "Anna"),
        ("Qu'est-ce que tu as recommandé ?", "agent", None),
        ("¿Qué me recomendaste?", "agent", None),
        ("O que eu disse sobre o carro?", "user", None),
        ("Che cosa ha detto Anna?", "named", "Anna"),
        ("Что ты советовал?", "agent", None),
        ("Что сказала Анна?", "named", "Анна"),
        ("我说过什么？", "user", None),
        ("你推荐了什么书？", "agent", None),
        ("あなたが勧めた本は何ですか？", "agent", None),
    ],
)
def test_whose_words_are_asked_for(question: str, by: str, name: str | None) -> None:
    said = read(question).speaker
    assert said is not None
    assert (said.by, said.name) == (by, name)


@pytest.mark.parametrize(
    "question", ["Can you tell me where I live?", "Could you suggest a film?", "Where is Anna?", "What is said here?"]
)
def test_the_addressee_of_a_question_is_not_its_speaker(question: str) -> None:
    assert read(question).speaker is None


def test_all_words_of_a_question_for_the_koshi_recipe() -> None:
    question = 'See https://x.io/a?b=c: a "well-known" API\'s col:umn x* OR NOT'
    assert all_words(question) == ('"See"', '"well"', '"known"', '"API"', '"col"', '"umn"', '"OR"', '"NOT"')


def test_a_pasted_document_is_read_at_both_ends_only() -> None:
    query = read("Why did it fail? " + "We talked about all of it. " * 20_000 + "Thanks")
    assert query.intent.kind == "why"


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("What's our street number, for the tax form?", "What's our street number,"),
        ("filling in the school application: which day is Ida's jab?", "which day is Ida's jab?"),
        ("Who is our vet? They're asking on the phone.", "Who is our vet?"),
        ("which pump did we buy, I need it for the guarantee", "which pump did we buy,"),
        ("what did we write in the tax form?", "what did we write in the tax form?"),
        ("For the tax form.", "For the tax form."),
        ("we need flour, for the bread", "we need flour, for the bread"),
    ],
)
def test_why_something_is_asked_is_no_part_of_what_is_asked(message: str, asked: str) -> None:
    assert asked_part(message) == asked


def test_the_reason_for_asking_gives_no_search_terms() -> None:
    assert read("What's our street number, for the tax form?").terms == read("What's our street number?").terms
