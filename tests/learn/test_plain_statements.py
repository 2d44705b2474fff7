"""Plain statements are learned end to end, including grounding."""

from __future__ import annotations

import pytest

from omoide import Memory


def learned(memory: Memory, *turns: str) -> set[str]:
    """The sentences that are learned of one conversation; a turn that begins with ">" is the agent's."""
    for number, said in enumerate(turns):
        role = "agent" if said.startswith(">") else "user"
        memory.observe(said.lstrip("> "), role=role, session="s", at=f"2026-05-14T12:{number:02}:00+00:00")
    memory.end("s")
    return {entry.text for entry in memory.learn().entries if entry.verb == "learned" and entry.kind != "entity"}


@pytest.mark.parametrize(
    ("turns", "fact"),
    [
        ((">Where do you live?", "Bari"), "User lives in Bari"),
        ((">Do you have any allergies?", "peanuts"), "User is allergic to peanuts"),
        (("My wife is Carla.",), "Carla is User's wife"),
        (("i'm allergic to shellfish btw so keep that in mind for the recipes",), "User is allergic to shellfish"),
        (("Moved to Utrecht last month for my girlfriend",), "User lives in Utrecht"),
        (("My cousin Rosa, who lives in Quito, is a vet",), "Rosa lives in Quito"),
        (("I was born in Lagos but grew up mostly in Leeds",), "User grew up in Leeds"),
        (("a bit about me:\n- based in Cork\n- love trail running",), "User lives in Cork"),
        (("j'habite à Nantes depuis 2019",), "User lives in Nantes"),
        (("ich wohne seit drei Jahren in Leipzig und arbeite bei der Sparkasse",), "User works at Sparkasse"),
        (("i'd rather you didn't use bullet points all the time",), "User does not want bullet points"),
        (("Please don't use the word 'delve' ever again.",), "User does not want word delve"),
        (("My husband is allergic to shellfish, so no prawns",), "User's husband is allergic to shellfish"),
        (("Vivo en Donostia, ¿qué hago hoy?",), "User lives in Donostia"),
        (("Never use emojis in commit messages",), "User does not want emoji in commit messages"),
        (("do not touch anything under vendor/",), "User wants: do not touch anything under vendor/"),
    ],
)
def test_the_statement_is_learned(memory: Memory, turns: tuple[str, ...], fact: str) -> None:
    assert fact in learned(memory, *turns)


def test_a_short_answer_is_what_is_quoted(memory: Memory) -> None:
    learned(memory, ">Where do you live?", "Bari")
    [fact] = memory.recall("Where does the user live?", kinds=["fact"]).hits
    [source] = memory.explain(fact.id).evidence
    assert (source.words, source.episode.role) == ("Bari", "user")


@pytest.mark.parametrize(
    "turns",
    [
        (">Where does Anna live?", "Bari"),
        (">Where do you live?", "no idea"),
        (">What happened to your brother?", "Moved to Berlin last month"),
        ("Est-ce que j'habite à Nantes ?",),
        ("He thinks my wife is Carla.",),
    ],
)
def test_the_statement_is_not_learned(memory: Memory, turns: tuple[str, ...]) -> None:
    assert learned(memory, *turns) == set()


@pytest.mark.parametrize(
    ("turns", "held"),
    [
        (("My sister Aoife is a vet.", ">Lovely!", "No wait: she's a vet nurse"), "Aoife works as a vet nurse"),
        (("I'm vegetarian.", ">Noted.", "actually i eat fish too, so pescatarian"), "User is pescatarian"),
        (("I live in Malmö.", ">Nice.", "scratch that, we moved to Lund in March"), "User lives in Lund"),
        (("My mum lives in Galway.", ">Nice.", "My mum lives in Cork now."), "User's mother lives in Cork"),
    ],
)
def test_what_is_set_right_takes_the_place_of_what_was_said(memory: Memory, turns: tuple[str, ...], held: str) -> None:
    learned(memory, *turns)
    told = {hit.text for hit in memory.recall(" ".join(turns), kinds=["fact"]).hits}
    assert told - {"Aoife is User's sister"} == {held}


def test_an_unnamed_relative_creates_no_entity(memory: Memory) -> None:
    learned(memory, "My husband is allergic to shellfish", "My wife works at Bosch")
    assert not [entity for entity in memory.graph.entities() if entity.type == "person" and entity.name != "User"]
