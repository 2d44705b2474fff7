"""Words that ask for privacy make memories private, and what speaks of a sensitive topic is marked so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from omoide import Memory
from omoide.errors import InvalidInput
from omoide.interfaces.http.spaces import Spaces
from omoide.language.registry import languages
from omoide.language.statement_words import TOPICS, asks_for_privacy, sensitive_topics
from omoide.settings import Settings
from tests.conftest import Open
from tests.interfaces.shared_application import application_of
from tests.interfaces.terminal import run_here


@pytest.mark.parametrize(
    "text",
    [
        "Priya is pregnant. Nobody at work knows.",
        "Between us, Sam wants to quit.",
        "Don't tell Mara, but the party is on Friday.",
        "I got the offer, please keep this private.",
        "No one at the office knows yet.",
        "This is strictly confidential.",
        "Das bleibt bitte unter uns.",
        "No se lo digas a nadie.",
        "Никому не говори.",
        "别告诉任何人",
        "ここだけの話、転職します",
        "아무한테도 말하지 마",
    ],
)
def test_what_is_asked_to_be_kept_is_private_although_the_program_shares_it(memory: Memory, text: str) -> None:
    assert memory.observe(text, audience="shared").audience == "private"


SHARED: dict[str, Any] = {"audience": "shared"}
ASKED, SENSITIVE = "Between us, Sam wants to quit.", "Otto is gay"
DOORS: dict[str, Callable[[Path, str], object]] = {
    "observe": lambda file, said: written(file, lambda memory: memory.observe(said, audience="shared")),
    "observe_many": lambda file, said: written(
        file, lambda memory: memory.observe_many([{"text": said, "audience": "shared"}])
    ),
    "remember": lambda file, said: written(file, lambda memory: memory.remember(said, audience="shared")),
    "HTTP observe": lambda file, said: posted(file, "observe", SHARED | {"text": said}),
    "HTTP observe many": lambda file, said: posted(file, "observe/many", {"turns": [SHARED | {"text": said}]}),
    "HTTP remember": lambda file, said: posted(file, "remember", SHARED | {"text": said}),
    "command line": lambda file, said: run_here(
        ["--db", str(file), "observe", said, "--audience", "shared"], file.parent, {"HOME": str(file.parent)}
    ),
}


def written(file: Path, write: Callable[[Memory], object]) -> None:
    with Memory(file, embedder=None) as memory:
        write(memory)


def posted(file: Path, path: str, body: dict[str, Any]) -> None:
    application = application_of(Spaces({"token": str(file)}, embedder=None))
    with TestClient(application, base_url="http://127.0.0.1:8378") as client:
        answer = client.post(f"/v1/{path}", json=body, headers={"Authorization": "Bearer token"})
    assert answer.is_success, answer.text


@pytest.mark.parametrize("door", DOORS)
def test_privacy_and_topics_are_recognised_at_every_door(tmp_path: Path, door: str) -> None:
    for said in (ASKED, SENSITIVE):
        DOORS[door](tmp_path / "memory.db", said)
    with Memory(tmp_path / "memory.db", embedder=None) as memory:
        assert list(memory.viewed(audience="shared").list()) == []
        assert ASKED in [each.text for each in memory.list()]
        assert SENSITIVE not in [each.text for each in memory.list()]


@pytest.mark.parametrize(
    "text",
    [
        "The difference between us and them is price.",
        "Nobody knows the answer to this riddle.",
        "Don't tell me what to do.",
        "Keep the private key in the vault.",
        "It's a secret ingredient.",
        "Clone the private repository first.",
    ],
)
def test_everyday_words_ask_for_no_privacy(memory: Memory, text: str) -> None:
    assert memory.observe(text, audience="shared").audience == "shared"


def test_a_request_hides_what_was_said_before_it_and_what_was_learned_from_that(memory: Memory) -> None:
    memory.observe("The shop runs on Vercel.", session="team", audience="shared")
    memory.observe("Priya Quillfeather is pregnant.", session="team", audience="shared")
    memory.observe("Congratulations to Priya!", role="agent", session="team", audience="shared")
    fact = memory.remember("Priya Quillfeather is pregnant", audience="shared", sources=[2])
    memory.observe("Nobody at work knows.", session="team", audience="shared")
    others = memory.viewed(audience="shared")
    assert others.recall("Priya").texts == []
    assert memory.get(fact.id).audience == "private"
    assert others.recall("Where does the shop run?").texts == ["The shop runs on Vercel."]


def test_what_another_session_said_stays_shared(memory: Memory) -> None:
    said = memory.observe("The shop runs on Vercel.", session="team", audience="shared")
    memory.observe("Keep that between us.", session="diary")
    assert memory.get(said.id).audience == "shared"


def test_a_sensitive_topic_needs_consent(memory: Memory) -> None:
    assert memory.observe("My passport number is X1234567.").sensitive
    assert memory.remember("Otto is gay").sensitive
    assert not memory.remember("Otto is allergic to nuts").sensitive
    assert memory.recall("passport").texts == []


def test_topics_are_chosen_by_a_setting(opened: Open) -> None:
    memory = opened(settings=Settings(sensitive_topics="health"))
    assert memory.observe("I was diagnosed with HIV.").sensitive
    assert not memory.observe("My salary is 82k.").sensitive
    assert not opened(settings=Settings(sensitive_topics="")).observe("I was diagnosed with HIV.").sensitive
    with pytest.raises(InvalidInput, match="unknown sensitive topic 'helth'; did you mean 'health'"):
        Settings(sensitive_topics="helth")


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("She had a miscarriage in May.", "health"),
        ("My salary is 82k.", "money"),
        ("He cheated on her.", "intimacy"),
        ("My BSN is 123456782.", "identity"),
        ("Our custody hearing is on Monday.", "minors"),
        ("Ich bin schwanger.", "health"),
        ("Mon salaire est de 3000 euros.", "money"),
        ("Soy gay.", "intimacy"),
        ("彼は離婚して親権を失った", "minors"),
    ],
)
def test_topics_are_recognised(text: str, topic: str) -> None:
    assert sensitive_topics(text, TOPICS) == (topic,)


SENTENCES = Path(__file__).with_name("private_sentences.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "pt", "it"])
def test_requests_and_topics_are_recognised(language: str) -> None:
    told = [line.split(" ", 2)[1:] for line in SENTENCES if line.startswith(f"{language} ")]
    wrong = [
        text
        for label, text in told
        if asks_for_privacy(text) != (label == "request")
        or (label == "-" and sensitive_topics(text, TOPICS))
        or (label in TOPICS and label not in sensitive_topics(text, TOPICS))
    ]
    assert (wrong, len(told) >= 60) == ([], True)


def test_what_people_say_every_day_is_no_sensitive_topic() -> None:
    everyday = [
        "I take insulin.",
        "Lunch costs 12 euros.",
        "My son likes chess.",
        "Call me on 0171 2345678.",
        "I'm tired.",
    ]
    assert [text for text in everyday if sensitive_topics(text, TOPICS)] == []


def test_every_language_asks_for_privacy_in_its_own_words() -> None:
    assert [each.name for each in languages() if each.privacy is None] == []
    assert not asks_for_privacy("")
