"""`recall(…, why_not=[id])` names the reason why a memory is not a hit."""

from __future__ import annotations

from typing import Any

import pytest

from omoide import Memory
from omoide.errors import NotFound
from tests.conftest import consented


def reason(memory: Memory, id: int, **given: Any) -> str:
    return memory.recall("where does the app run?", why_not=[id], **given).why_not[id][-1]


@pytest.fixture
def app(memory: Memory) -> int:
    memory.observe("The app needs Node 22", session="monday")
    return memory.remember("The app runs on Vercel", session="tuesday").id


def test_a_replaced_memory_is_left_out_for_its_state(memory: Memory, app: int) -> None:
    latest = memory.correct(app, "The app runs on Fly")
    assert reason(memory, app) == f"left out: it is superseded; its latest version is [id:{latest.id}]"


def test_a_withdrawn_or_archived_memory_is_left_out_for_its_state(memory: Memory, app: int) -> None:
    memory.admin.archive(app)
    assert reason(memory, app, archive=False) == "left out: it is archived"
    memory.admin.unarchive(app)
    memory.admin.archive(app, withdraw=True)
    assert reason(memory, app) == "left out: it is withdrawn"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"kinds": ["preference"]}, "its kind is none of 'preference'"),
        ({"session": "monday"}, "it is not of the session asked for"),
        ({"tags": ["vercel"]}, "it lacks the tag 'vercel'"),
        ({"until": "2020-01-01T00:00:00Z"}, "it happened after the time asked for"),
        ({"as_of": "2020-01-01T00:00:00Z"}, "it was not known at that time"),
        ({"audience": "shared"}, "it is not for others to see"),
    ],
)
def test_the_filter_that_leaves_a_memory_out_is_named(memory: Memory, app: int, given: Any, why: str) -> None:
    assert reason(memory, app, **given) == f"left out: {why}"


def test_a_memory_that_shares_nothing_with_the_question_was_not_found(memory: Memory, app: int) -> None:
    bread = memory.remember("Bread rises overnight").id
    assert reason(memory, bread) == "no search found it"


def test_readers_are_told_nothing_of_what_they_may_not_see(memory: Memory, app: int) -> None:
    with pytest.raises(NotFound, match=f"no memory {app}"):
        reason(memory.viewed(audience="shared"), app)
    secret = memory.remember("The app was paid with Visa", sensitive=True).id
    with pytest.raises(NotFound, match="sensitive and needs consent"):
        reason(memory, secret)
    assert reason(memory, secret, consent=consented(memory)).startswith("rank")


def test_a_shared_answer_does_not_name_a_private_successor(memory: Memory) -> None:
    old = memory.remember("Otto lives in Berlin", subject="Otto", audience="shared").id
    memory.remember("Otto lives in Porto", subject="Otto")
    assert reason(memory.viewed(audience="shared"), old) == "left out: it is superseded"
