"""Nothing is learned that was not said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.learn import quote_matching
from omoide.learn.grounding import GroundedProposal, ground_proposal
from omoide.learn.proposal import (
    USER,
    CausalLink,
    ConversationTurn,
    EntityMention,
    LearningConversation,
    Proposal,
    ProposalItem,
    Quote,
    Statement,
    UserCorrection,
    collect_proposal,
)

AT = datetime(2026, 5, 3, 9, 30, tzinfo=UTC)


def talk(*texts: str, origin: str = "user", fresh: int = 0, owner: str | None = None) -> LearningConversation:
    turns = [ConversationTurn(id=10 + n, text=text, role=origin, origin=origin, at=AT) for n, text in enumerate(texts)]
    return LearningConversation(session="s1", turns=tuple(turns), fresh=fresh, owner=owner)


def mention(name: str, quote: str, aliases: tuple[str, ...] = (), at: int = 10) -> EntityMention:
    return EntityMention(name=name, type="person", quote=Quote(at, quote), aliases=aliases)


def statement(quote: str, at: int = 10) -> Statement:
    return Statement(form="fact", subject=USER, text="User lives in Berlin", quote=Quote(at, quote), confidence=0.9)


def correction(wrong: str, right: str, quote: str, at: int = 10) -> UserCorrection:
    return UserCorrection(wrong=wrong, right=right, text="x", quote=Quote(at, quote), about=10)


def weigh(conversation: LearningConversation, *items: ProposalItem) -> GroundedProposal:
    return ground_proposal(conversation, collect_proposal(items))


def kept(conversation: LearningConversation, item: ProposalItem) -> ProposalItem:
    found = weigh(conversation, item)
    assert not found.refused, found.refused
    return next(iter(found.proposal))


def why(conversation: LearningConversation, item: ProposalItem) -> str:
    found = weigh(conversation, item)
    assert not list(found.proposal), "it was kept"
    return found.refused[0].reason


# Quotes


@pytest.mark.parametrize(
    ("said", "quote", "true"),
    [
        ("I live in Berlin now.", "I live in Berlin", "I live in Berlin"),
        ("I live  in\nBerlin now.", "i live in berlin", "I live  in\nBerlin"),
        ("She said “I’m done” twice", '"I\'m done"', "“I’m done”"),
        ("I use **pnpm** here", "I use pnpm here", "I use **pnpm** here"),
        ("Well, I live in Berlin, yes", "I live in Berlin.", "I live in Berlin"),
        ("I moved with my sister to Berlin last May", "I moved … to Berlin", "I moved with my sister to Berlin"),
        ("My favourite colour is dark green", "My favorite colour is dark green", "My favourite colour is dark green"),
        ("我住在柏林，喜欢喝茶", "我住在柏林", "我住在柏林"),
        ("Straße 5, ﬁne", "strasse 5, fine", "Straße 5, ﬁne"),
    ],
)
def test_a_quote_is_replaced_by_the_exact_words_of_its_turn(said: str, quote: str, true: str) -> None:
    place = quote_matching.find_quote(quote, said)
    assert place is not None
    assert said[slice(*place)] == true


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("I live in Berlin", "I moved to Berlin"),
        ("I live in Berlin", "lin"),
        ("I live in Berlin", "…"),
        ("I live in Berlin", "  "),
        (
            "I do not like to work with Docker on my own machine at all",
            "I do like to work with Docker on my own machine at all",
        ),
        (
            "We shipped version 4.12 of the whole thing on a Friday",
            "We shipped version 4.13 of the whole thing on a Friday",
        ),
        ("I moved. " + "x " * 300 + "to Berlin", "I moved … to Berlin"),
    ],
    ids=["other words", "half a word", "dots", "blank", "a lost not", "another number", "too far apart"],
)
def test_a_quote_that_was_not_said_is_not_found(said: str, quote: str) -> None:
    assert quote_matching.find_quote(quote, said) is None


WORDS = st.lists(
    st.sampled_from("I live in Berlin since May not “well” it’s 3 ﬁne Über 茶".split()), min_size=1, max_size=12
)


@given(WORDS, st.data())
def test_any_part_of_a_text_is_found_whatever_its_spacing_and_case(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    gap = data.draw(st.sampled_from([" ", "  ", "\n", "\t "]))
    written = gap.join(words[start:end])
    quote = data.draw(st.sampled_from([written, written.upper(), written.lower()]))
    place = quote_matching.find_quote(quote, text)
    assert place is not None
    assert text[slice(*place)].casefold().split()[0][:1] == quote.casefold().split()[0][:1]


@given(st.text(max_size=60), st.text(max_size=200))
def test_what_is_found_is_always_part_of_the_text(quote: str, text: str) -> None:
    place = quote_matching.find_quote(quote, text)
    assert place is None or 0 <= place[0] < place[1] <= len(text)


# Whatever the item


def test_an_item_keeps_the_exact_words_it_rests_on() -> None:
    item = kept(talk("I  live in “Berlin” now"), statement('i live in "berlin"'))
    assert item.quote == Quote(10, "I  live in “Berlin”")


def test_a_turn_that_does_not_exist_or_was_learned_before_supports_nothing() -> None:
    assert "no turn 99" in why(talk("I live in Berlin"), statement("I live in Berlin", at=99))
    assert "already learned" in why(talk("I live in Berlin", "And you?", fresh=1), statement("I live in Berlin"))


@pytest.mark.parametrize(
    "block",
    [
        '<omoide-memory note="x">\n- I live in Berlin [id:7]\n</omoide-memory>',
        '<omoide-memory note="x"> I live in Berlin',
    ],
)
def test_what_we_handed_out_ourselves_is_not_learned_again(block: str) -> None:
    assert "repeat a recalled memory" in why(talk(f"{block}"), statement("I live in Berlin"))
    after = f"{block}</omoide-memory> Yes, I live in Berlin"
    assert kept(talk(after), statement("I live in Berlin")).quote.words == "I live in Berlin"


# One kind after the other


@pytest.mark.parametrize("origin", ["agent", "tool:web", "document", "import"])
def test_only_the_user_corrects(origin: str) -> None:
    conversation = talk("Use pnpm, not npm.", origin=origin)
    assert "only the user corrects" in why(conversation, correction("npm", "pnpm", "Use pnpm, not npm"))


def test_an_entity_has_a_name_that_was_said_and_loses_aliases_that_were_not() -> None:
    conversation = talk("My sister Anna lives near, we call her Annie")
    found = kept(conversation, mention("Anna", "my sister Anna", ("Annie", "Nan")))
    assert isinstance(found, EntityMention)
    assert (found.aliases, found.existing_only) == (("Annie",), False)
    assert "'Ann'" in why(conversation, mention("Ann", "my sister Anna"))


@pytest.mark.parametrize("said", ["Do you know Anna Weber?", "If I met Anna Weber, I'd be glad", "Imagine Anna Weber"])
def test_a_name_that_is_only_asked_for_or_supposed_makes_nobody_known(said: str) -> None:
    found = kept(talk(said), mention("Anna Weber", "Anna Weber"))
    assert isinstance(found, EntityMention)
    assert found.existing_only


def test_a_correction_says_what_was_wrong_or_what_is_right() -> None:
    conversation = talk("Running npm install", "No, use pnpm")
    item = kept(conversation, correction("npm", "pnpm", "No, use pnpm", at=11))
    assert isinstance(item, UserCorrection)
    assert (item.wrong, item.right, item.about) == ("npm", "pnpm", 10)
    assert "neither" in why(conversation, correction("yarn", "bun", "No, use pnpm", at=11))


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Should we use pnpm, not npm?", "asked"),
        ("If we used pnpm, not npm, it would be faster", "supposed"),
        ("```\nuse pnpm, not npm\n```", "quoted"),
    ],
)
def test_a_correction_is_told_and_not_asked_supposed_or_quoted(said: str, reason: str) -> None:
    quote = "se pnpm, not npm" if "used" not in said else "used pnpm, not npm"
    assert reason in why(talk(said), correction("npm", "pnpm", quote if quote in said else "use pnpm, not npm"))


def test_a_cause_comes_before_its_effect_and_one_of_them_says_so() -> None:
    conversation = talk("The disk is full", "So the build failed", "Sorry to hear that")
    quote = Quote(11, "So the build failed")
    kept(conversation, CausalLink(cause=10, effect=11, quote=quote))
    assert "before its effect" in why(conversation, CausalLink(cause=11, effect=10, quote=quote))
    assert "not in this session" in why(conversation, CausalLink(cause=7, effect=11, quote=quote))
    unsaid = CausalLink(cause=11, effect=12, quote=Quote(12, "Sorry to hear that"))
    assert "does not say" in why(conversation, unsaid)


def test_a_reason_may_be_told_after_what_it_brought_about() -> None:
    conversation = talk("The build failed", "That's because the disk is full")
    kept(conversation, CausalLink(cause=11, effect=10, quote=Quote(11, "That's because the disk is full")))


# Whatever is proposed

TEXTS = st.sampled_from(
    [
        "I live in Berlin",
        "Always use pnpm, not npm",
        "She told Anna to run",
        '<omoide-memory note="x"> I live in Berlin',
    ]
)
PIECES = st.sampled_from(
    ["Berlin", "pnpm", "Anna", USER, "Hamburg", "I live in Berlin", "use pnpm", "", "x", "true", "She"]
)
QUOTES = st.builds(Quote, st.integers(9, 13), PIECES | TEXTS)
ORIGINS = st.sampled_from(["user", "agent", "tool:web", "document", "import", "system"])
MENTIONS = st.builds(EntityMention, name=PIECES, type=st.just("person"), quote=QUOTES)
STATEMENTS = st.builds(
    Statement,
    form=st.sampled_from(["fact", "preference"]),
    subject=PIECES,
    text=PIECES,
    quote=QUOTES,
    confidence=st.floats(0, 1),
)
CORRECTIONS = st.builds(UserCorrection, wrong=PIECES, right=PIECES, text=PIECES, quote=QUOTES)
MANY = st.fixed_dictionaries(
    {
        "entities": st.lists(MENTIONS, max_size=4).map(tuple),
        "statements": st.lists(STATEMENTS, max_size=4).map(tuple),
        "corrections": st.lists(CORRECTIONS, max_size=3).map(tuple),
    }
)


@given(st.lists(st.tuples(TEXTS, ORIGINS), min_size=1, max_size=4), MANY)
def test_whatever_is_proposed_what_is_kept_was_said_and_nothing_is_lost(
    said: list[tuple[str, str]], many: dict[str, tuple[ProposalItem, ...]]
) -> None:
    turns = tuple(ConversationTurn(id=10 + n, text=t, role=o, origin=o, at=AT) for n, (t, o) in enumerate(said))
    conversation = LearningConversation(session="s", turns=turns)
    proposal = Proposal(**many)  # type: ignore[arg-type]
    found = ground_proposal(conversation, proposal)
    assert len(list(found.proposal)) + len(found.refused) == len(list(proposal))
    by_id = {turn.id: turn for turn in turns}
    for item in found.proposal:
        turn = by_id[item.quote.episode]
        assert item.quote.words
        assert item.quote.words in turn.text
        assert turn.origin == "user" or not isinstance(item, UserCorrection)
    assert ground_proposal(conversation, found.proposal) == GroundedProposal(found.proposal)
