"""Past facts, ended facts and corrected facts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from omoide import Memory
from omoide.domain import Node
from omoide.learn.learning_context import LearningReport
from tests.conftest import NOW, Open


def told(memory: Memory, *turns: str, days_ago: float = 0.0) -> LearningReport:
    """A conversation that is over, and learned from; "agent: …" is the agent's."""
    session = f"{days_ago} days ago: {turns[0]}"
    for number, text in enumerate(turns):
        role = "agent" if text.startswith("agent: ") else "user"
        at = NOW - timedelta(days=days_ago) + timedelta(minutes=number)
        memory.observe(text.removeprefix("agent: "), role=role, session=session, at=at)
    memory.end(session)
    return memory.learn()


def held(memory: Memory, *kinds: str) -> list[Node]:
    nodes = memory.list(state="all", order="added")
    return [node for node in nodes if node.kind in kinds and node.state == "live"]


def now(memory: Memory) -> set[tuple[str, str, str]]:
    """Subject, predicate and object of what holds today."""
    return {
        (node.attributes["subject"], node.attributes["predicate"], node.attributes["object"])
        for node in held(memory, "fact")
        if node.valid_until is None or node.valid_until > NOW + timedelta(days=1)
    }


def about(memory: Memory, object: str) -> Node:
    (found,) = [node for node in held(memory, "fact") if node.attributes["object"] == object]
    return found


def years(node: Node) -> tuple[int | None, int | None]:
    return node.valid_from.year if node.valid_from else None, node.valid_until.year if node.valid_until else None


# ── the past ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_where_somebody_lived_then_is_a_fact_of_that_time(opened: Open) -> None:
    memory = opened()
    told(memory, "I lived in Rome in 2019.")
    fact = about(memory, "Rome")
    assert fact.text == "User lived in Rome in 2019"
    assert (fact.valid_from, fact.valid_until) == (datetime(2019, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC))
    assert now(memory) == set()


def test_the_past_never_takes_the_place_of_what_is_so_now(opened: Open) -> None:
    memory = opened()
    told(memory, "I live in Berlin. I work at Mozilla.", days_ago=5)
    told(memory, "No, I live in Hamburg.", days_ago=4)
    told(memory, "I lived in Rome in 2019. From 2015 to 2018 I worked at Bosch.")
    assert now(memory) == {("user", "lives_in", "Hamburg"), ("user", "works_at", "Mozilla")}
    assert years(about(memory, "Bosch")) == (2015, 2019)
    assert not memory.explain(about(memory, "Rome").id).contradicts


def test_what_was_said_of_the_past_is_no_rival_of_what_is_said_today(opened: Open) -> None:
    memory = opened()
    told(memory, "I lived in Rome in 2019.", days_ago=3)
    report = told(memory, "I live in Berlin.")
    assert report.count("superseded") == 0
    assert now(memory) == {("user", "lives_in", "Berlin")}


def test_living_there_again_is_not_the_same_as_having_lived_there(opened: Open) -> None:
    memory = opened()
    told(memory, "I live in Rome.", days_ago=3)
    told(memory, "I lived in Rome in 2019.")
    assert len(held(memory, "fact")) == 2
    assert now(memory) == {("user", "lives_in", "Rome")}


def test_the_past_said_twice_is_confirmed(opened: Open) -> None:
    memory = opened()
    told(memory, "I lived in Rome in 2019.", days_ago=3)
    assert told(memory, "I lived in Rome in 2019.").count("confirmed") == 1
    assert len(held(memory, "fact")) == 1


def test_a_job_that_lasted_until_a_year_ends_with_it_whether_it_was_known_or_not(opened: Open) -> None:
    memory = opened()
    told(memory, "I used to work at Acme until 2021.")
    assert years(about(memory, "Acme")) == (None, 2022)
    assert now(memory) == set()


@pytest.mark.parametrize("text", ["In 2019 I moved to Rome.", "In 2019, I moved to Rome.", "I moved to Rome in 2019."])
def test_a_move_in_a_year_began_in_that_year_wherever_the_year_stands(opened: Open, text: str) -> None:
    memory = opened()
    told(memory, text)
    assert years(about(memory, "Rome")) == (2019, None), text


def test_other_peoples_past_is_theirs(opened: Open) -> None:
    memory = opened()
    told(memory, "Anna lives in Graz. Anna lived in Oslo in 2018.")
    assert now(memory) == {("Anna", "lives_in", "Graz")}
    assert about(memory, "Oslo").text == "Anna lived in Oslo in 2018"


def test_the_past_makes_no_link_that_holds_today(opened: Open) -> None:
    memory = opened()
    report = told(memory, "Hi, I'm Otto. I worked at Bosch from 2015 to 2018.")
    assert report.count("linked") == 0


# ── endings ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        "I left Acme.",
        "I was fired from Acme.",
        "I got laid off from Acme",
        "I quit my job at Acme!",
        "I don't work at Acme anymore.",
        "I no longer work for Acme.",
    ],
)
def test_every_way_to_leave_a_job_ends_it(opened: Open, text: str) -> None:
    memory = opened()
    told(memory, "I work at Acme.", days_ago=50)
    told(memory, text)
    assert now(memory) == set(), text


def test_an_ending_is_dated_as_it_was_told(opened: Open) -> None:
    memory = opened()
    told(memory, "I work at Acme.", days_ago=200)
    report = told(memory, "I left Acme last month.")
    (entry,) = [entry for entry in report.entries if entry.verb == "ended"]
    assert entry.id is not None
    ended = memory.get(entry.id).valid_until
    assert ended is not None
    assert NOW - timedelta(days=62) < ended < NOW - timedelta(days=27)


def test_leaving_last_month_ends_a_job_that_was_told_of_within_that_month(opened: Open) -> None:
    memory = opened()
    told(memory, "I work at Acme.", days_ago=NOW.day + 3)
    told(memory, "I left Acme last month.")
    assert now(memory) == set()


def test_having_left_long_ago_does_not_end_what_began_again(opened: Open) -> None:
    memory = opened()
    told(memory, "I work at Acme.", days_ago=3)
    told(memory, "I left Acme in 2019.")
    assert now(memory) == {("user", "works_at", "Acme")}


def test_what_is_used_no_more_is_wished_for_no_more(opened: Open) -> None:
    memory = opened()
    told(memory, "I use npm. Always use npm.", days_ago=5)
    assert held(memory, "preference")
    report = told(memory, "I don't use npm anymore.")
    assert {(entry.verb, entry.kind) for entry in report.entries} >= {("ended", "fact"), ("ended", "preference")}
    assert held(memory, "fact", "preference") == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I use Docker.", "I stopped using Docker."),
        ("I own a car.", "I sold my car."),
        ("I live in Rome.", "I no longer live in Rome."),
        ("Ich benutze Docker.", "Ich benutze Docker nicht mehr."),
        ("Uso Docker.", "Dejé de usar Docker."),
        ("Trabalho na Vale.", "Não trabalho mais na Vale."),
        ("我住在广州", "我不再住在广州"),
    ],
)
def test_what_is_stopped_or_sold_or_left_behind_ends(opened: Open, before: str, after: str) -> None:
    memory = opened()
    told(memory, before, days_ago=5)
    assert now(memory), before
    told(memory, after)
    assert now(memory) == set(), after


def test_we_broke_up_ends_the_one_partner_there_is(opened: Open) -> None:
    memory = opened()
    told(memory, "My girlfriend Lena lives in Graz. My sister Anna plays chess.", days_ago=9)
    told(memory, "We broke up last week.")
    assert now(memory) == {
        ("Lena", "lives_in", "Graz"),
        ("Anna", "sister_of", "user"),
        ("Anna", "plays", "chess"),
    }


def test_breaking_up_with_somebody_unknown_is_said_in_the_report(opened: Open) -> None:
    memory = opened()
    report = told(memory, "Tom and I broke up.")
    assert [(entry.verb, entry.why) for entry in report.entries if entry.verb == "refused"] == [
        ("refused", "nothing of the kind was known")
    ]


def test_a_dog_that_died_was_theirs(opened: Open) -> None:
    memory = opened()
    told(memory, "My dog Rex loves the park.", days_ago=9)
    assert now(memory) >= {("user", "has_pet", "Rex")}
    told(memory, "My dog Rex died.")
    assert ("user", "has_pet", "Rex") not in now(memory)


# ── corrections ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("turns", "kind", "right"),
    [
        (("From now on use npm.", "agent: Ok, npm.", "No, I meant pnpm."), "preference", "pnpm"),
        (("From now on use npm.", "No, I meant pnpm"), "preference", "pnpm"),
        (("I live in Graz.", "agent: Graz is lovely.", "Sorry, I meant Linz"), "fact", "Linz"),
        (("I work at Google.", "that's wrong, it is Mozilla"), "fact", "Mozilla"),
        (("Ich wohne in Graz.", "Nein, ich meinte Linz"), "fact", "Linz"),
    ],
)
def test_what_was_meant_takes_the_place_of_what_was_said(
    opened: Open, turns: tuple[str, ...], kind: str, right: str
) -> None:
    memory = opened()
    told(memory, *turns)
    (node,) = held(memory, kind)
    assert right in node.text, turns
    assert node.source_type == "corrected"


def test_a_correction_moves_a_fact_to_the_person_meant(opened: Open) -> None:
    memory = opened()
    told(memory, "My brother Tom lives in Oslo.", "agent: Nice!", "Sorry, I meant Tim, not Tom.")
    assert now(memory) == {("Tim", "brother_of", "user"), ("Tim", "lives_in", "Oslo")}


def test_a_correction_holds_from_when_the_wrong_thing_was_said_to_hold(opened: Open) -> None:
    memory = opened()
    told(memory, "In 2019 I moved to Graz.", "Sorry, I meant Linz.")
    assert years(about(memory, "Linz")) == (2019, None)


def test_a_corrected_user_name_replaces_the_wrong_one(opened: Open) -> None:
    memory = opened()
    told(memory, "My name is Tom.", days_ago=3)
    told(memory, "My name is Tim, not Tom.")
    names = [node for node in held(memory, "fact") if node.attributes["predicate"] == "name"]
    assert [(node.attributes["object"], node.source_type) for node in names] == [("Tim", "corrected")]


def test_a_correction_that_finds_nothing_says_so(opened: Open) -> None:
    memory = opened()
    report = told(memory, "Book the table for Monday.", "agent: Done.", "I meant Tuesday.")
    assert any("nothing to correct" in note and "I meant Tuesday" in note for note in report.notes)


def test_where_two_could_be_meant_none_is_corrected(opened: Open) -> None:
    memory = opened()
    report = told(memory, "My brother Tom lives in Oslo. My sister Anna lives in Graz.", "I meant Bergen.")
    assert ("Tom", "lives_in", "Oslo") in now(memory)
    assert ("Anna", "lives_in", "Graz") in now(memory)
    assert any("nothing to correct" in note for note in report.notes)


def test_a_correction_that_is_a_preference_has_its_effect_as_one(opened: Open) -> None:
    memory = opened()
    assert told(memory, "Always use pnpm, not npm.").notes == []


# ── said again, and only named ────────────────────────────────────────────────────────────────────────────────────


def test_what_is_thought_or_liked_stays_one_thing_when_its_holder_gets_a_name(opened: Open) -> None:
    memory = opened()
    told(memory, "I love Rust. I think Jira is terrible.", days_ago=3)
    told(memory, "Hi, I'm Otto.", days_ago=2)
    report = told(memory, "I love Rust. I think Jira is terrible.")
    assert report.counts == {"confirmed": 2}
    assert len(held(memory, "opinion")) == 1


def test_a_name_that_is_only_asked_about_or_supposed_creates_no_entity(opened: Open) -> None:
    memory = opened()
    for days, text in enumerate(
        (
            "If I worked at a company called Hooli I would move to Porto.",
            "Should I move to Porto?",
            "In the novel, Dr. Strange lives in Lisbon.",
            'She wrote: "I met Dr. Weber in Zurich".',
            "Pretend that my friend Zoe lives in Rome.",
        )
    ):
        told(memory, text, days_ago=days)
    assert not list(memory._store.entities.name_index())


def test_a_name_that_is_known_is_mentioned_also_in_a_question(opened: Open) -> None:
    memory = opened()
    told(memory, "I flew to Porto.", days_ago=3)
    told(memory, "Should I move to Porto?")
    assert memory.graph.entity("Porto").mention_count == 2


def test_a_new_favourite_takes_the_place_of_the_old_one(memory: Memory) -> None:
    for number, band in enumerate(("Low", "Wilco")):
        memory.observe(f"My favourite band is {band}.", session=f"s{number}")
        memory.learn(f"s{number}")
    assert memory.recall("favorite band", kinds=["fact"]).texts == ["User's favorite band is Wilco"]
