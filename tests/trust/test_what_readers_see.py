"""What is private or sensitive leaves the store through no verb and no door, unless the user consented."""

from __future__ import annotations

import random
from typing import Any

import pytest

from omoide import Memory
from omoide.errors import InvalidInput, NotFound, OmoideError
from omoide.interfaces import omissions
from omoide.interfaces.documents import as_json, document_of
from omoide.interfaces.tools import chosen
from omoide.interfaces.verbs import VERBS, Verb
from omoide.store.engine.visible_rows import INDEXES, visible_tables
from omoide.store.erasure.erasable_columns import ERASABLE
from tests.conftest import Ticking, consented

PRIVATE = ("pregnant",)  # no question says these words
SENSITIVE = ("Zopiclone",)
WORDS = ("Otto", "Mara", "Priya Quillfeather", "insomnia", "card", "who is ill?", "diary", "team", "planner")
READING = [verb for verb in VERBS if verb.reads and not verb.method.startswith(("admin.", "trust."))]


def fill(memory: Memory) -> None:
    """Turns, facts, relations, tasks and narratives of three kinds: shared, private and sensitive."""
    memory.observe("Otto deploys the shop on Vercel with Mara.", audience="shared", session="team")
    memory.observe("Only for me: Priya Quillfeather is pregnant.", session="diary", speaker="Otto")
    memory.observe("I take Zopiclone for my insomnia.", session="diary", sensitive=True)
    memory.observe("Mara's printer is slow.", session="diary")
    memory.remember("Mara leads the shop", subject="Mara", audience="shared")
    memory.remember("Priya Quillfeather is pregnant", subject="Priya Quillfeather")
    memory.remember("Otto takes Zopiclone for insomnia", subject="Otto", sensitive=True)
    memory.remember("Never mention Zopiclone", kind="preference", category="communication", sensitive=True)
    memory.graph.entity("Priya Quillfeather", type="person", description="pregnant since May", aliases=["Pri"])
    memory.graph.relate("Priya Quillfeather", "colleague_of", "Mara")
    memory.narrative.write("Otto worries about Priya Quillfeather, who is pregnant.", session="diary", topic="pregnant")
    memory.tasks.record("Buy Zopiclone", "success", sensitive=True)
    memory.tasks.checkpoint("planner", task="Card for the pregnant Quillfeather")
    memory.end("diary")
    memory.learn()


def arguments(verb: Verb, random: random.Random) -> dict[str, Any]:
    """Values for every parameter that a verb requires, and for some that it does not."""
    ids: list[Any] = list(range(1, 30))
    found: dict[str, Any] = {}
    for each in verb.signature.parameters:
        if each.name in ("audience", "consent", "task") or not (each.required or each.name in ("id", "name", "goal")):
            continue
        match each.kind.base:
            case "integer":
                found[each.name] = random.choice(ids)
            case "id_or_name":
                found[each.name] = random.choice([*ids, *WORDS])
            case _:
                found[each.name] = random.choice(WORDS)
    return found


def answers(memory: Memory, count: int, seed: int) -> list[str]:
    """What random calls of all reading verbs and tools return, as text."""
    made, texts = random.Random(seed), []
    tools = [tool for tool in chosen("all,reference") if tool.reads]
    for _ in range(count):
        try:
            verb = made.choice(READING)
            given = arguments(verb, made)
            texts.append(as_json(document_of(verb, memory, verb.call(memory, given))))
            tool = made.choice(tools)
            needs = tool.schema.get("required", ())
            values: dict[str, Any] = {
                name: made.choice(["Otto", "insomnia", "what news?", "Priya Quillfeather"]) for name in needs
            }
            numbers = {"id": made.randint(1, 29), "limit": 20, "names": ["Otto"]}
            values |= {name: value for name, value in numbers.items() if name in needs}
            answer = tool(memory, values)
            texts.append(answer.text + as_json(answer.data))
        except OmoideError as error:
            texts.append(str(error))
    return texts


def leaks(texts: list[str], words: tuple[str, ...]) -> list[str]:
    return [text for text in texts if any(word in text for word in words)]


SEEDS = [pytest.param(0), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 25))]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_reading_verb_or_tool_shows_what_the_reader_must_not_see(memory: Memory, seed: int) -> None:
    fill(memory)
    calls = 1_050 if seed else 60  # 100,800 with `make test-long`
    assert leaks(answers(memory.viewed(audience="shared"), calls, seed), PRIVATE + SENSITIVE) == []
    assert leaks(answers(memory, calls, seed), SENSITIVE) == []
    assert any("Zopiclone" in text for text in answers(memory.viewed(consent=consented(memory)), 60, seed))


def test_every_table_with_words_is_hidden_from_readers(memory: Memory) -> None:
    tables = {table for group in ERASABLE for table in group.columns}
    views = memory._core.store._file.read(visible_tables, True)
    assert tables - views.keys() - set(INDEXES) == set()


def test_a_sensitive_memory_is_read_with_consent_alone(memory: Memory, clock: Ticking) -> None:
    node = memory.remember("Otto takes insulin", sensitive=True)
    with pytest.raises(NotFound, match="sensitive and needs consent"):
        memory.get(node.id)
    assert memory.recall("insulin").texts == []
    memory.trust.grant_consent("monday", "Otto asked about his diet", hours=2)
    assert memory.recall("insulin", consent="monday").texts == ["Otto takes insulin"]
    assert memory.viewed(consent="monday").get(node.id) == node
    clock.advance(days=1)
    with pytest.raises(InvalidInput, match="no consent is in force for the session 'monday'"):
        memory.recall("insulin", consent="monday")


def test_a_view_with_consent_ends_with_the_consent(memory: Memory) -> None:
    memory.remember("Otto takes insulin", sensitive=True)
    seen = memory.viewed(consent=consented(memory, "monday"))
    assert seen.recall("insulin").texts == ["Otto takes insulin"]
    (ended,) = memory.trust.revoke_consent("monday")
    assert (ended.reason, ended.revoked_at is not None) == ("the user asked", True)
    assert seen.recall("insulin").texts == []
    assert memory.trust.consents() == [ended]


def test_consent_shows_nothing_sensitive_to_others(memory: Memory) -> None:
    memory.remember("Otto takes insulin", sensitive=True, audience="shared")
    assert memory.recall("insulin", audience="shared", consent=consented(memory)).texts == []


def test_others_neither_administer_nor_erase(memory: Memory) -> None:
    seen = memory.viewed(audience="shared")
    for refused in (seen.admin.doctor, seen.trust.consents, lambda: seen.forget(1), lambda: seen.admin.export("x")):
        with pytest.raises(InvalidInput, match="only the user may do this"):
            refused()
    assert seen.viewed(audience="private").recall("anything") is not None
    assert seen.viewed(audience="private")._core.audience == "shared"


def test_a_write_through_a_view_returns_nothing_hidden(memory: Memory) -> None:
    node = memory.remember("Otto takes insulin", sensitive=True)
    for refused in (memory.review.confirm, memory.review.reinforce, memory.admin.archive, memory.review.demote):
        with pytest.raises(NotFound):
            refused(node.id)
    assert memory.viewed(consent=consented(memory)).review.confirm(node.id).confirmed_at is not None


def test_every_reading_verb_takes_a_reader_at_every_door() -> None:
    reading = [verb for verb in READING if not omissions.lacks(verb.method, "http")]
    without = {
        verb.method for verb in reading if not {"audience", "consent"} <= {each.name for each in verb.parameters}
    }
    assert without == set()


def test_a_narrative_that_a_reader_may_not_see_is_none(memory: Memory) -> None:
    turn = memory.observe("Otto deploys the shop.", audience="shared", session="team")
    worry = memory.observe("Only for me: I worry about it.", session="team")
    memory.narrative.write("Otto deploys the shop and worries.", nodes=[turn.id, worry.id], session="team")
    assert memory.narrative.get(turn.id) is not None
    assert memory.viewed(audience="shared").narrative.get(turn.id) is None
