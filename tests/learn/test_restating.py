"""How what is learned reads: whole statements that can be understood alone, with the right dates."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from omoide import Memory
from omoide.learn.proposal import ConversationTurn, LearningConversation, Statement
from omoide.learn.statements import StatementExtractor

AT = datetime(2026, 2, 11, 9, 30, tzinfo=UTC)  # a Wednesday


def read(said: str, threshold: float = 0.0) -> list[Statement]:
    turn = ConversationTurn(id=1, text=said, role="user", at=AT)
    conversation = LearningConversation(session="s", turns=(turn,), owner="Otto")
    return list(StatementExtractor(threshold=threshold).extract(conversation).statements)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Oh, and always use pnpm, not npm.", "Always use pnpm, not npm"),
        ("Can you always answer me in German?", "Always answer Otto in German"),
        ("From now on, never ask me to paste patient rows", "Never ask Otto to paste patient rows"),
        ("I hate Docker, never suggest it.", "Otto hates Docker; never suggest it"),
        ("also please keep answers short, no bullet lists", "Keep answers short, no bullet lists"),
        ("You don't have to ask before committing", "You don't have to ask before committing"),
    ],
)
def test_an_instruction_reads_as_a_rule(said: str, text: str) -> None:
    assert text in [each.text for each in read(said)]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Mum needs a hip. Surgery in Viana, then physio.", "Mum needs a hip. Surgery in Viana, then physio"),
        ("Carla and I moved to Braga", "Carla and Otto moved to Braga"),
        ("I live in Lisbon and I'm allergic to penicillin", "Otto is allergic to penicillin"),
        ("just got a new job in Porto", "Otto just got a new job in Porto"),
        ("I need my coffee when I work", "Otto needs their coffee when they work"),
        ("Maisie, my niece, Travis's girl, she's seven", "Maisie is Otto's niece"),
        ("Gemeente, water, all done and I'm keeping my GP", "Otto is keeping their GP"),
        ("I lost my keys when I moved my bike", "Otto lost their keys when they moved their bike"),
        ("Me and Carla are painting the hall", "Otto and Carla are painting the hall"),
        ("Deb's knee got moved. Got a bad tooth, poor thing", "Deb's knee got moved. Got a bad tooth, poor thing"),
        ("Since I'm up at 8:30 on Saturdays", "Otto is up at 8:30 on Saturdays"),
        ("Coffee: I drink it without sugar", "Coffee: Otto drinks it without sugar"),
        (
            "my sister slipped on ice. ankle broken, six weeks in plaster",
            "Otto's sister slipped on ice. ankle broken, six weeks in plaster",
        ),
        ("greenhouse. 4 beds, tomatoes in two", 'Otto: "greenhouse. 4 beds, tomatoes in two"'),
        ("We row on Sundays", 'Otto: "We row on Sundays"'),
        ("My uncle Ivo is deaf. So never call him, only text", "Otto's uncle Ivo is deaf; never call him, only text"),
        ("The choir sings in Ghent. Nadia comes too", "The choir sings in Ghent; Nadia comes too"),
        ("From now on any how-do-I is about Blender", "Any how-do-I is about Blender"),
    ],
)
def test_a_statement_is_whole(said: str, text: str) -> None:
    assert text in [each.text for each in read(said)]


@pytest.mark.parametrize(
    "said",
    [
        "Rent. She wanted nine hundred",  # nobody is known whom "she" means
        "tent 3 or 4 persons",  # asks, without a question mark
        "checklist for moving house",
        "mail to the landlord, heating is broken",
    ],
)
def test_what_cannot_be_understood_or_is_a_task_is_not_learned(said: str) -> None:
    assert all(each.confidence < 0.5 for each in read(said))


@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("He lands Saturday 7 March and stays till the 28th", "till the 28th (2026-03-28)"),
        ("She is on leave from the 28th, back in January", "back in January (2027-01)"),
        ("For Easter my parents come, on the 4th", "on the 4th (2026-04-04)"),
        ("We broke up. On Sunday", "On Sunday (2026-02-08)"),
        ("They gave me March eleventh", "March eleventh (2026-03-11)"),
        ("It's 20 April now, was 10 March", "was 10 March (2026-03-10)"),
        ("Elias can't come on the 24th, he's coming on May 31 instead", "on the 24th (2026-05-24)"),
        ("The fair is in April and I land on the 24th", "on the 24th (2026-04-24)"),
        ("I helped raise over $2,000 for a shelter on January 20th", "on January 20th (2026-01-20)"),
        ("My parents visit on the 17th and 18th of April", "on the 17th (2026-04-17)"),
        ("The bill was due on the 29th of January and it isn't paid", "29th of January (2026-01-29)"),
        ("The yard called, four weeks there, start 1 June", "1 June (2026-06-01)"),
        ("First chapter by 30 May, the rest 1 December as planned", "1 December (2026-12-01)"),
        ("The bathroom has to be done before the 20th of March", "before the 20th of March (2026-03-20)"),
    ],
)
def test_a_date_follows_the_one_before_it_and_its_verb(said: str, date: str) -> None:
    assert any(date in each.text for each in read(said))


@pytest.mark.parametrize(
    "said", ["Rehab is Monday, Wednesday, Friday", "Keep Thursday evenings free", "It was a 2012, 240,000 km on it"]
)
def test_a_habit_has_no_date(said: str) -> None:
    assert not any("(20" in each.text for each in read(said))


@pytest.mark.parametrize(
    ("said", "never"),
    [
        ("My boss said one more failed night and she's replacing us with a macro", "macro"),
        ("I'm so tired I could sleep till Easter", "Easter"),
        ("The gate code is 4471. Lose that one.", "4471"),
        ("Lou retired. There's a Denise Walz now and she has no fax", "Lou has"),
    ],
)
def test_what_is_reported_exaggerated_or_unclear_is_not_learned(said: str, never: str) -> None:
    assert not any(never in each.text for each in read(said))


def test_what_was_sold_is_no_longer_owned(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        memory.observe("I own a Volvo.", session="a", at="2026-01-02T10:00:00+00:00")
        memory.observe("I sold my old Volvo to Ana.", session="b", at="2026-02-02T10:00:00+00:00")
        memory.end("a")
        memory.end("b")
        memory.learn()
        assert "owns a Volvo" not in " ".join(each.text for each in memory.list(kinds=["fact"]))


def test_a_relation_learned_from_words_with_a_date_is_no_event(memory: Memory) -> None:
    memory.observe("My brother Elias comes to Lisbon on February 24.", session="s", at=AT)
    memory.end("s")
    memory.learn()
    assert "Elias is User's brother" in [each.text for each in memory.list(kinds=["fact"])]
    assert ["February 24" in each.text for each in memory.agenda(AT).entries] == [True]


@pytest.mark.parametrize(
    "said",
    [
        "I was wondering if you could recommend some good restaurants",
        "Can you give me an example of when you would use a tuple instead of a list?",
        "Help me make a schedule that works for me",
        "I'm hoping you know a good book",
        "My pin number for the bank is 8830, I'm changing it tomorrow",
        "The man on the bus was saying that they cut a third of the trees",
    ],
)
def test_a_task_a_secret_or_hearsay_is_no_statement(said: str) -> None:
    assert read(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "The neighbour plays the trumpet at seven on a saturday",
        "Call him the next day",
        "I ended up scoring 8/10 there",
        "I got a 1/24 scale kit",
    ],
)
def test_what_names_no_day_has_no_date(said: str) -> None:
    assert [each.text for each in read(said) if "(20" in each.text] == []


def test_what_is_unclear_alone_is_less_likely_to_be_kept() -> None:
    alone, clear = read("I want you to hold me to it"), read("I want you to hold me to the diet")
    assert alone[0].confidence < clear[0].confidence
