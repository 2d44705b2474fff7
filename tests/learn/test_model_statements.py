"""With a language model never less is learned, and nothing is invented."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from omoide.learn.model import summaries
from omoide.learn.model.extractor import ModelExtractor, find_causes
from omoide.learn.model.statement_check import CombinedExtractor
from omoide.learn.proposal import Proposal
from omoide.learn.statements import StatementExtractor
from tests.conftest import Open
from tests.learn.test_model_and_background import by, nothing, said
from tests.learn.test_model_extractor import lists, model, statement, talk, turn
from tests.providers.server import Server, answer, serving

DOG = talk(turn(1, "The dog, Bruno, got sick"), turn(2, "Sorry to hear that", "agent"))
KEMAL = talk(turn(1, "my partner Kemal bakes sourdough for the Tuesday market in Ghent"))


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def extracted(server: Server, conversation: Any, *statements: dict[str, Any]) -> Proposal:
    server.say(answer(lists(statements=list(statements))))
    return ModelExtractor(model=model(server), causes=False, repairs=0).extract(conversation)


@pytest.mark.parametrize(
    ("conversation", "text", "more"),
    [
        (DOG, "The user has a cat called Bruno", {"slot": "pet", "value": "Bruno"}),
        (DOG, "The user got sick", {}),
        (KEMAL, "Kemal dislikes the Tuesday market", {"subject": "Kemal", "slot": "dislikes", "value": "market"}),
        (KEMAL, "Kemal lives in Ghent", {"subject": "Kemal", "slot": "lives_in", "value": "Ghent"}),
        (KEMAL, "The user bakes sourdough for the Tuesday market in Ghent", {}),
        (talk(turn(1, "I don't eat fish")), "The user eats fish", {"slot": "diet", "value": "fish"}),
        (talk(turn(1, "I eat fish")), "The user does not eat fish", {}),
        (talk(turn(1, "I love Rome but I hate Paris")), "The user loves Paris", {"slot": "likes", "value": "Paris"}),
        (talk(turn(1, "I used to live in Porto")), "The user lives in Porto", {"slot": "lives_in", "value": "Porto"}),
        (talk(turn(1, "My flight leaves on Friday")), "The user's flight leaves on 2026-07-30", {"form": "plan"}),
    ],
)
def test_what_the_quoted_turn_does_not_say_is_replaced_by_what_it_says(
    server: Server, conversation: Any, text: str, more: dict[str, Any]
) -> None:
    quote = conversation.turns[0].text
    found = extracted(server, conversation, statement(1, quote, text, **more))
    assert text not in [each.text for each in found.statements]
    assert len(found.notes) == 1
    assert found.notes[0].startswith("extract: 1 statements re")
    for each in found.statements:
        assert each.quote.words in quote
        assert each.slot is None or each.slot != more.get("slot") or each.value != more.get("value")


def test_a_slot_that_its_words_do_not_bear_out_is_left_out(server: Server) -> None:
    text = "Kemal bakes sourdough for the Tuesday market in Ghent"
    given = statement(1, "bakes sourdough", text, subject="Kemal", slot="lives_in", value="Ghent")
    [found] = extracted(server, KEMAL, given).statements
    assert (found.text, found.slot, found.value) == (text, None, None)


def test_what_is_said_is_taken_as_the_model_says_it(server: Server) -> None:
    conversation = talk(turn(1, "My sister is called Anna"), turn(2, "She flies to Oslo on Friday"), owner="Priya")
    text = "Anna flies to Oslo on Friday (2026-05-08)"
    found = extracted(server, conversation, statement(2, "flies to Oslo", text, subject="Anna", form="plan"))
    assert [each.text for each in found.statements] == [text]
    assert found.notes == ()


@pytest.mark.parametrize(
    "said", ["Do I live in Berlin?", "If I lived in Berlin, I'd cycle", "Just kidding, as if I lived in Berlin lol"]
)
def test_what_is_not_asserted_is_refused(server: Server, said: str) -> None:
    found = extracted(server, talk(turn(1, said)), statement(1, "in Berlin", "The user lives in Berlin"))
    assert found.statements == ()
    assert len(found.notes) == 1


def test_what_an_agent_says_about_the_user_is_refused(server: Server) -> None:
    conversation = talk(turn(1, "You live in Berlin", "agent"), turn(2, "Where is the station?"))
    found = extracted(server, conversation, statement(1, "live in Berlin", "The user lives in Berlin"))
    assert found.statements == ()


def test_a_cause_must_be_said(server: Server) -> None:
    link = {"cause": 1, "effect": 2, "turn": 2, "quote": "Sorry to hear that"}
    server.say(answer({"links": [link]}))
    assert find_causes(model(server), DOG, repairs=0).accepted == ()


def test_a_summary_of_somebody_adds_no_word_of_weight(server: Server) -> None:
    server.say(answer({"summaries": [{"summary": "Bruno is a famous astronaut"}]}))
    assert summaries.describe_entity(model(server), "Bruno", "other", ["The dog, Bruno, got sick"], repairs=0) is None


LIFE = talk(
    turn(1, "I'm allergic to penicillin. I work at Siemens and my sister Anna lives in Oslo"),
    turn(2, "Please never use emojis when you write to me"),
)


@pytest.mark.parametrize("size", [0, 1, 2])
def test_with_a_model_never_less_is_learned(server: Server, size: int) -> None:
    given = [
        statement(1, "I work at Siemens", "The user works at Siemens", slot="works_at", value="Siemens"),
        statement(2, "Please never use emojis", "The user lives on Mars"),
    ]
    server.say(answer(lists(statements=given[:size])))
    reading = StatementExtractor()
    both = CombinedExtractor(reading, ModelExtractor(model=model(server), causes=False, repairs=0))
    alone, together = reading.extract(LIFE).statements, both.extract(LIFE).statements
    assert set(alone) <= set(together)
    assert len({each.text for each in together}) == len(together) == len(alone)


def test_the_model_adds_what_reading_does_not_keep(server: Server) -> None:
    conversation = talk(turn(1, "I work at Siemens. The boiler makes a clanking noise"))
    given = statement(1, "The boiler makes a clanking noise", "The boiler makes a clanking noise", subject="boiler")
    server.say(answer(lists(statements=[given])))
    read = StatementExtractor(lambda each: [1.0 if "Siemens" in one.text else 0.0 for one in each])
    both = CombinedExtractor(read, ModelExtractor(model=model(server), causes=False, repairs=0))
    assert len(both.extract(conversation).statements) == 2


# One session is sent once


def test_three_learners_send_a_session_once(opened: Open, server: Server, path: str) -> None:
    with opened(settings=by(server)) as memory:
        said(memory, "I moved to Berlin", "Nice")
    server.say(answer(lists()), answer(nothing()))
    script = (
        "import sys; from omoide import Memory; from omoide.settings import make_settings\n"
        "settings = make_settings(llm_provider='vllm', llm_model='m', llm_base_url=sys.argv[2], llm_retries=0)\n"
        "with Memory(sys.argv[1], settings=settings) as memory: memory.learn()"
    )
    command = [sys.executable, "-c", script, path, server.openai]
    learners = [subprocess.Popen(command) for _ in range(3)]
    assert [each.wait(120) for each in learners] == [0, 0, 0]
    assert len(server.asked) == 2  # what is stated, and what caused what
    with opened() as memory:
        assert memory.session("s1").learning == "learned"


def test_three_threads_send_a_session_once(opened: Open, server: Server) -> None:
    memory = opened(settings=by(server))
    said(memory, "I moved to Berlin", "Nice")
    server.say(answer(lists()), answer(nothing()))
    threads = [threading.Thread(target=memory.learn) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(server.asked) == 2


def test_a_learner_that_died_holds_no_claim(opened: Open, server: Server, path: str) -> None:
    with opened(settings=by(server)) as memory:
        said(memory, "I moved to Berlin", "Nice")
    script = (
        "import os, sys; from omoide.store.engine.gate import claimed\nwith claimed(sys.argv[1], 1, 1.0): os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", script, path]).returncode == 9
    server.say(answer(lists()), answer(nothing()))
    with opened(settings=by(server)) as memory:
        memory.learn()
        assert memory.session("s1").learning == "learned"
