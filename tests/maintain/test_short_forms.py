"""The short form of a session keeps its answers, and a session has it from the moment it ends."""

from __future__ import annotations

from omoide import Memory
from omoide.language.extractive_summary import SpokenTurn, summarize
from omoide.language.tokens import estimate

SERVER = (
    SpokenTurn("user", "I need a small server for the shop, somewhere in Germany, it shouldn't cost much."),
    SpokenTurn("agent", "Let me compare a few providers for you, one moment please. This should not take long at all."),
    SpokenTurn("agent", "There are many things to think of here, so I look at what you need and at what they offer."),
    SpokenTurn("agent", "I will only be a little while, and then we can go on from there and do all of it together."),
    SpokenTurn("agent", "Hetzner has one in Falkenstein for 4.51 euros a month, the others begin at 7 euros."),
    SpokenTurn("user", "Hetzner then. Use the account of Blue Harbour, customer number K0482913."),
    SpokenTurn("agent", "I'm creating a CX22 now and will tell you when it is up."),
    SpokenTurn("tool:shell", "server created, GET https://shop.example answers HTTP 200"),
    SpokenTurn("agent", "It is up and answers. Tell me if there is anything else that I can do for you with it."),
    SpokenTurn("user", "Great, thanks! And remember that the invoice goes to Renata by the 25th of each month."),
)


def test_a_short_form_keeps_names_numbers_dates_decisions_and_outcomes() -> None:
    size = sum(estimate(turn.text) for turn in SERVER)
    text = summarize(SERVER, size // 4, size // 2).text
    assert estimate(text) <= size // 2
    for answer in ("Hetzner", "4.51 euros", "K0482913", "Blue Harbour", "HTTP 200", "Renata", "25th"):
        assert answer in text
    assert "I'm creating" not in text


def test_small_talk_stays_within_the_budget() -> None:
    talk = [SpokenTurn("user", "I had such a nice day today, really, it was lovely and I feel good about it.")] * 2
    talk += [SpokenTurn("agent", "That is so good to hear, it must have been a very nice day for you!")] * 2
    assert estimate(summarize(talk, 24, 200).text) <= 24


def test_a_session_has_its_summary_when_it_ends(memory: Memory) -> None:
    memory.observe("The dentist moved my appointment to 14 March at 9:15.", session="s")
    assert "14 March at 9:15" in (memory.end("s").summary or "")


def test_a_summary_in_the_callers_words_is_kept(memory: Memory) -> None:
    memory.observe("The dentist moved my appointment to 14 March.", session="s")
    assert memory.end("s", summary="About the dentist").summary == "About the dentist"
    memory.observe("And the plumber comes on 3 April.", session="s")
    assert memory.end("s").summary == "About the dentist"


def test_a_session_that_went_on_is_summarised_again(memory: Memory) -> None:
    memory.observe("The dentist moved my appointment to 14 March.", session="s")
    memory.end("s")
    memory.observe("And the plumber comes on 3 April.", session="s")
    assert "3 April" in (memory.end("s").summary or "")


def test_a_session_that_another_one_ended_is_summarised_when_it_is_learned_from(memory: Memory) -> None:
    memory.observe("The dentist moved my appointment to 14 March.", session="a")
    memory.observe("Hello again, what is new?", session="b")
    memory.learn()
    assert "14 March" in (memory.session("a").summary or "")
