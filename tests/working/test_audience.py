"""A live session that others join for a while: they see nothing private, and nothing of it is lost."""

from __future__ import annotations

from omoide import Memory


def private(memory: Memory) -> list[int]:
    live = memory.live("s1", window=8_000)
    live.goal("Buy a ring for Ada")
    live.before("I want to propose to Ada in May")
    live.after("In May, then.")
    return list(live.board.turns)


def test_private_turns_are_hidden_while_others_listen_and_return_afterwards(memory: Memory) -> None:
    said = private(memory)
    shared = memory.live("s1", audience="shared")
    prompt = shared.before("hello to everybody in the room")
    shared.after("Hello.")
    assert [each["content"] for each in prompt.messages] == ["hello to everybody in the room"]
    assert shared.conversation == shared.conversation[-2:]
    again = memory.live("s1", audience="private")
    told = " ".join(each["content"] for each in again.before("where were we?").messages)
    assert list(again.board.turns[:2]) == said
    assert "Buy a ring for Ada" in told
    assert "I want to propose to Ada in May" in told
    assert "hello to everybody" in told


def test_nothing_private_is_read_from_a_shared_session_that_was_just_opened(memory: Memory) -> None:
    private(memory)
    shared = memory.live("s1", audience="shared")
    assert shared.conversation == []
    assert shared.pending is None


def test_a_summary_made_while_others_listen_neither_reveals_nor_replaces_the_private_one(memory: Memory) -> None:
    def filler(live: str, audience: str) -> None:
        found = memory.live("s1", window=1_000, audience=audience)
        for number in range(8):
            found.before(f"{live} matter {number}: " + f"{live}{number} word " * 12)
            found.after(f"{live} answer {number}. " + "word " * 20)

    filler("secret", "private")
    kept = memory.admin.live_state("s1").summary
    assert kept is not None
    filler("open", "shared")
    shared = memory.live("s1", audience="shared").before("and what now?")
    assert "secret" not in str(shared.messages)
    assert "Earlier in this conversation" in shared.markdown
    back = memory.live("s1", audience="private").before("and what now?")
    assert f"[id:{kept}]" in back.markdown or "secret" in back.markdown
