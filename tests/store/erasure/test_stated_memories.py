"""Statements of a person stay; generated text is written again from what remains."""

from __future__ import annotations

import pytest

from omoide import Memory
from tests.conftest import Ticking, unsound
from tests.store.erasure.planted_marker import marker_locations


@pytest.fixture
def turns(memory: Memory) -> list[int]:
    said = ("The florist called.", "The band wants 900 euro.", "The hall is free in June.")
    return [
        memory.observe(text, session="w", at=f"2026-05-01T09:0{number}:00+00:00").id for number, text in enumerate(said)
    ]


def test_a_stated_or_confirmed_fact_only_loses_the_link(memory: Memory, turns: list[int]) -> None:
    stated = memory.remember("Otto wants a small wedding", sources=turns[:2])
    confirmed = memory.remember("The wedding budget is 5000", sources=turns[:2])
    memory.review.confirm(confirmed.id)
    told = memory.narrative.write("We are planning the wedding", nodes=turns)
    assert told is not None
    alone = memory.remember("Otto likes roses", sources=turns[:1])
    before = memory.get(confirmed.id)
    preview = memory.forget(turns[0], preview=True)
    assert {node.id for node in preview.nodes} == {turns[0], alone.id}
    assert {node.id for node in preview.rederived} == {stated.id, confirmed.id, told.id}
    receipt = memory.forget(turns[0])
    assert receipt.ids == (turns[0], alone.id)
    after = memory.get(confirmed.id)
    assert (after.text, after.session, after.confidence) == (before.text, before.session, before.confidence)
    assert [link.target_id for link in memory.graph.links(confirmed.id) if link.type == "derived_from"] == [turns[1]]
    assert memory.get(told.id).text == "We are planning the wedding"
    assert unsound(memory) == []


def test_a_stated_fact_with_only_erased_words_is_erased(memory: Memory, path: str) -> None:
    secret = memory.observe("The zyxomat is in the cellar.", session="s").id
    plain = memory.observe("The garden is green.", session="s").id
    for text in ("Otto hides a zyxomat", "Nobody may know of the zyxomat"):
        memory.review.confirm(memory.remember(text, sources=[secret, plain]).id)
    kept = memory.remember("Otto hides a cat", sources=[secret, plain])
    assert {node.text for node in memory.forget(secret, preview=True).nodes} == {
        "The zyxomat is in the cellar.",
        "Otto hides a zyxomat",
        "Nobody may know of the zyxomat",
    }
    receipt = memory.forget(secret)
    assert receipt.clean
    assert receipt.rederived == (kept.id,)
    assert marker_locations(path, "zyxomat") == []


def test_a_fact_stated_in_an_erased_session_is_erased(memory: Memory, turns: list[int]) -> None:
    other = memory.observe("It rains.", session="s2").id
    stated = memory.remember("Otto wants a small wedding", session="w", sources=[turns[0], other])
    assert stated.id in memory.forget(session="w").ids


def test_a_generated_narrative_is_written_again(memory: Memory, path: str, clock: Ticking) -> None:
    at = "2026-05-01T09:0{}:00+00:00"
    for number, text in enumerate(
        ("I decided to buy the red boat.", "Maria pays half of the boat.", "I hate the zyxocolour of the sails.")
    ):
        last = memory.observe(text, session="s", at=at.format(number)).id
    memory.end("s")
    clock.advance(days=1)
    memory.maintain()
    (narrative,) = memory.narrative.list()
    receipt = memory.forget(last)
    assert narrative.id in receipt.rederived
    (again,) = memory.narrative.list()
    assert (again.id, again.session) == (narrative.id, "s")
    assert "boat" in again.text
    assert marker_locations(path, "zyxocolour") == []
    assert unsound(memory) == []


def test_an_old_session_gets_its_narrative_and_its_summary_again(memory: Memory, path: str, clock: Ticking) -> None:
    at = "2026-05-01T09:0{}:00+00:00"
    for number, text in enumerate(
        ("I decided to buy the red boat.", "Maria pays half of the boat.", "I hate the zyxocolour of the sails.")
    ):
        last = memory.observe(text, session="s", at=at.format(number)).id
    memory.end("s")
    for _ in range(12):
        clock.advance(days=1)
        memory.maintain()
    assert memory.get(last).state == "archived"
    memory.forget(last)
    (again,) = memory.narrative.list()
    assert "boat" in again.text
    clock.advance(days=1)
    memory.maintain()
    summary = memory.session("s").summary
    assert summary is not None
    assert "boat" in summary
    assert marker_locations(path, "zyxocolour") == []
