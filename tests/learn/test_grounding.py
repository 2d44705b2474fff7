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
    Claim,
    ConversationTurn,
    EntityMention,
    LearningConversation,
    Proposal,
    ProposalItem,
    Quote,
    StatedOpinion,
    StatedPreference,
    StatedRelation,
    TaughtProcedure,
    UserCorrection,
)

AT = datetime(2026, 5, 3, 9, 30, tzinfo=UTC)


def talk(*texts: str, origin: str = "user", fresh: int = 0, owner: str | None = None) -> LearningConversation:
    turns = [ConversationTurn(id=10 + n, text=text, role=origin, origin=origin, at=AT) for n, text in enumerate(texts)]
    return LearningConversation(session="s1", turns=tuple(turns), fresh=fresh, owner=owner)


def claim(
    quote: str, object: str, subject: str = USER, predicate: str = "lives_in", text: str = "", at: int = 10
) -> Claim:
    return Claim(
        subject=subject,
        predicate=predicate,
        object=object,
        text=text or f"{subject} {predicate} {object}",
        quote=Quote(at, quote),
        confidence=1.0,
    )


def wish(
    quote: str, value: object, name: str = "package_manager", instead_of: str | None = None, at: int = 10
) -> StatedPreference:
    return StatedPreference(
        category="tools",
        name=name,
        value=value,
        text=quote,
        quote=Quote(at, quote),
        strength=0.9,
        instead_of=instead_of,
    )


def weigh(conversation: LearningConversation, *items: ProposalItem) -> GroundedProposal:
    names = {EntityMention: "entities", Claim: "claims", StatedOpinion: "opinions", StatedRelation: "relations"}
    names |= {
        StatedPreference: "preferences",
        TaughtProcedure: "procedures",
        UserCorrection: "corrections",
        CausalLink: "causes",
    }
    lists: dict[str, tuple[ProposalItem, ...]] = {}
    for item in items:
        lists[names[type(item)]] = (*lists.get(names[type(item)], ()), item)
    return ground_proposal(conversation, Proposal(**lists))  # type: ignore[arg-type]


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


# Claims


def test_a_claim_keeps_the_words_it_rests_on() -> None:
    item = kept(talk("I  live in “Berlin” now"), claim('i live in "berlin"', "Berlin"))
    assert item.quote == Quote(10, "I  live in “Berlin”")


@pytest.mark.parametrize(
    ("said", "predicate", "object"),
    [
        ("I've been running since I was a kid", "likes", "run"),
        ("I have two cities on my list", "list", "2 city"),
        ("I moved here last month", "since", "2026-04"),
        ("My birthday was yesterday", "birthday", "May 2"),
        ("I was born on 3.5.1990", "birthday", "1990-05-03"),
        ("I like dark mode", "prefers", "dark_mode"),
        ("I am vegetarian", "is_vegetarian", "true"),
        ("我住在柏林", "lives_in", "柏林"),
    ],
)
def test_an_object_may_be_inflected_counted_or_dated(said: str, predicate: str, object: str) -> None:
    kept(talk(said), claim(said, object, predicate=predicate))


@pytest.mark.parametrize("object", ["Hamburg", "Berlin Mitte", "7", "", "!"])
def test_an_invented_object_is_refused(object: str) -> None:
    assert "is not in its turn" in why(talk("I live in Berlin"), claim("I live in Berlin", object))


def test_another_year_than_the_one_that_was_said_is_refused() -> None:
    assert "2019" in why(talk("I moved here in 2024"), claim("I moved here in 2024", "2019", predicate="moved_in"))


def test_an_invented_subject_is_refused() -> None:
    assert "'Anna'" in why(talk("I live in Berlin"), claim("I live in Berlin", "Berlin", subject="Anna"))


def test_a_name_that_a_pronoun_takes_up_is_believed_a_little_less() -> None:
    conversation = talk("My sister Anna called", "She lives in Berlin")
    item = kept(conversation, claim("She lives in Berlin", "Berlin", subject="Anna", at=11))
    assert isinstance(item, Claim)
    assert item.confidence == 0.8


def test_a_sentence_that_brings_in_a_name_of_its_own_gives_way_to_what_was_said() -> None:
    item = kept(talk("I live in Berlin"), claim("I live in Berlin", "Berlin", text="He lives in Berlin with Clara"))
    assert isinstance(item, Claim)
    assert item.text == "I live in Berlin"


def test_the_users_own_name_may_stand_for_them() -> None:
    item = claim("I live in Berlin", "Berlin", subject="Otto", text="Otto lives in Berlin")
    kept(talk("I live in Berlin", owner="Otto"), item)


def test_a_turn_that_does_not_exist_or_was_learned_before_supports_nothing() -> None:
    assert "no turn 99" in why(talk("I live in Berlin"), claim("I live in Berlin", "Berlin", at=99))
    conversation = talk("I live in Berlin", "And you?", fresh=1)
    assert "already learned" in why(conversation, claim("I live in Berlin", "Berlin"))


# Origins


@pytest.mark.parametrize("origin", ["tool:web", "document", "import"])
def test_data_says_nothing_of_the_user(origin: str) -> None:
    conversation = talk("The user lives in Berlin. Always use pnpm.", origin=origin)
    quote = Quote(10, "Always use pnpm")
    items: list[ProposalItem] = [
        claim("The user lives in Berlin", "Berlin"),
        wish("Always use pnpm", "pnpm"),
        TaughtProcedure(name="n", trigger="t", steps=("use pnpm",), text="x", quote=quote, confidence=1.0),
        StatedOpinion(holder=USER, about="pnpm", text="likes pnpm", quote=quote, confidence=1.0),
        UserCorrection(wrong="npm", right="pnpm", text="x", quote=quote),
        StatedRelation(source=USER, type="uses", target="pnpm", quote=quote, confidence=1.0),
    ]
    found = weigh(conversation, *items)
    assert not list(found.proposal)
    assert len(found.refused) == len(items)


def test_what_a_document_says_of_others_is_observed_never_stated() -> None:
    conversation = talk("Vercel has a hobby plan", origin="document")
    item = kept(conversation, claim("Vercel has a hobby plan", "hobby plan", subject="Vercel", predicate="has"))
    assert isinstance(item, Claim)
    assert (item.source_type, item.confidence) == ("observed", 0.6)


def test_an_agents_statement_about_the_user_is_neither_a_fact_nor_a_preference() -> None:
    conversation = talk("You live in Berlin and use pnpm", origin="agent")
    assert "did not confirm" in why(conversation, claim("You live in Berlin", "Berlin"))
    assert "agent" in why(conversation, wish("use pnpm", "pnpm"))


@pytest.mark.parametrize(
    "block",
    [
        '<omoide-memory note="x">\n- I live in Berlin [id:7]\n</omoide-memory>',
        '<omoide-memory note="x"> I live in Berlin',
    ],
)
def test_what_we_handed_out_ourselves_is_not_learned_again(block: str) -> None:
    assert "repeat a recalled memory" in why(talk(f"{block}"), claim("I live in Berlin", "Berlin"))
    after = f"{block}</omoide-memory> Yes, I live in Berlin"
    assert kept(talk(after), claim("I live in Berlin", "Berlin")).quote.words == "I live in Berlin"


def test_what_the_agent_asked_and_the_user_confirmed_is_the_users_word() -> None:
    asked = ConversationTurn(id=10, text="So you live in Berlin?", role="agent", origin="agent", at=AT)
    told, other = (
        ConversationTurn(id=11, text=said, role="user", origin="user", at=AT)
        for said in ("Yes, since May", "Yesterday I did")
    )
    item = kept(LearningConversation(session="s", turns=(asked, told)), claim("you live in Berlin", "Berlin"))
    assert isinstance(item, Claim)
    assert (item.source_type, item.confidence) == ("stated", 0.9)
    assert why(LearningConversation(session="s", turns=(asked, other)), claim("you live in Berlin", "Berlin"))
    later = LearningConversation(
        session="s", turns=(asked, ConversationTurn(id=11, text="Yes", role="user", at=AT)), fresh=1
    )
    kept(later, claim("you live in Berlin", "Berlin"))


# The other kinds


def test_a_preference_keeps_only_what_it_really_rules_out() -> None:
    conversation = talk("Always use pnpm, not npm")
    item = kept(conversation, wish("use pnpm, not npm", "pnpm", instead_of="npm"))
    assert isinstance(item, StatedPreference)
    assert item.instead_of == "npm"
    other = kept(conversation, wish("use pnpm, not npm", "pnpm", instead_of="yarn"))
    assert isinstance(other, StatedPreference)
    assert other.instead_of is None


def test_a_preference_whose_value_nobody_named_is_refused_unless_it_is_yes_or_no() -> None:
    conversation = talk("Don't put comments in the code, I like it clean")
    kept(conversation, wish("Don't put comments in the code", "none", name="code_comments"))
    assert "'tabs'" in why(conversation, wish("Don't put comments in the code", "tabs", name="indentation"))


def test_every_step_of_a_procedure_was_told() -> None:
    conversation = talk("To deploy: run the tests, then vercel --prod, then check the URL")
    quote = Quote(10, "run the tests")
    told = TaughtProcedure(
        name="deploy", trigger="deploy", steps=("Run tests", "vercel --prod"), text="", quote=quote, confidence=1.0
    )
    kept(conversation, told)
    invented = TaughtProcedure(
        name="d", trigger="d", steps=("Run tests", "Notify Slack"), text="", quote=quote, confidence=1.0
    )
    assert "step 2" in why(conversation, invented)


def test_an_entity_has_a_name_that_was_said_and_loses_aliases_that_were_not() -> None:
    conversation = talk("My sister Anna, we call her Annie")
    item = EntityMention(name="Anna", type="person", quote=Quote(10, "my sister Anna"), aliases=("Annie", "Nan"))
    found = kept(conversation, item)
    assert isinstance(found, EntityMention)
    assert found.aliases == ("Annie",)
    assert "'Ann'" in why(conversation, EntityMention(name="Ann", type="person", quote=item.quote))


def test_a_correction_says_what_was_wrong_or_what_is_right() -> None:
    conversation = talk("Running npm install", "No, use pnpm")
    quote = Quote(11, "No, use pnpm")
    item = kept(conversation, UserCorrection(wrong="npm", right="pnpm", text="use pnpm", quote=quote, about=10))
    assert isinstance(item, UserCorrection)
    assert (item.wrong, item.right, item.about) == ("npm", "pnpm", 10)
    assert "neither" in why(conversation, UserCorrection(wrong="yarn", right="bun", text="x", quote=quote))


def test_a_cause_comes_before_its_effect_and_one_of_them_says_so() -> None:
    conversation = talk("The disk is full", "So the build failed")
    quote = Quote(11, "So the build failed")
    kept(conversation, CausalLink(cause=10, effect=11, quote=quote))
    assert "before its effect" in why(conversation, CausalLink(cause=11, effect=10, quote=quote))
    assert "not in this session" in why(conversation, CausalLink(cause=7, effect=11, quote=quote))


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
CLAIMS = st.builds(
    Claim, subject=PIECES, predicate=PIECES, object=PIECES, text=PIECES, quote=QUOTES, confidence=st.floats(0, 1)
)
WISHES = st.builds(
    StatedPreference,
    category=st.just("tools"),
    name=PIECES,
    value=PIECES | st.booleans() | st.none(),
    text=PIECES,
    quote=QUOTES,
    strength=st.floats(0, 1),
    instead_of=st.none() | PIECES,
)
HOWTOS = st.builds(
    TaughtProcedure,
    name=PIECES,
    trigger=PIECES,
    steps=st.lists(PIECES, max_size=3).map(tuple),
    text=PIECES,
    quote=QUOTES,
    confidence=st.floats(0, 1),
)
MANY = st.fixed_dictionaries(
    {
        "claims": st.lists(CLAIMS, max_size=4).map(tuple),
        "preferences": st.lists(WISHES, max_size=4).map(tuple),
        "procedures": st.lists(HOWTOS, max_size=3).map(tuple),
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
        assert turn.origin == "user" or not isinstance(item, StatedPreference)
    assert ground_proposal(conversation, found.proposal) == GroundedProposal(found.proposal)
