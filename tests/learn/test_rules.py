"""The rules: who "I" is, dates, origins and wording."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import example, given
from hypothesis import strategies as st

from omoide.domain.entity import ENTITY_TYPES
from omoide.domain.kinds import PREFERENCE_CATEGORIES
from omoide.learn.proposal import USER, Claim, ConversationTurn, Extractor, LearningConversation, Proposal
from omoide.learn.rules import RuleExtractor

AT = datetime(2026, 2, 11, 9, 30, tzinfo=UTC)


def said(*texts: str, owner: str | None = None, fresh: int = 0) -> Proposal:
    """Turns of a conversation: "agent: …" is the agent's, the rest the user's."""
    return RuleExtractor().extract(
        LearningConversation(session="s1", turns=tuple(map(turn, range(len(texts)), texts)), owner=owner, fresh=fresh)
    )


def turn(number: int, text: str) -> ConversationTurn:
    agent = text.startswith("agent: ")
    role = "agent" if agent else "user"
    return ConversationTurn(
        id=number + 1, text=text.removeprefix("agent: "), role=role, origin=role, at=AT + timedelta(minutes=number)
    )


def only(proposal: Proposal) -> Claim:
    (claim,) = proposal.claims
    return claim


def test_the_rules_are_an_extractor() -> None:
    extractor: Extractor = RuleExtractor()
    assert extractor.name == "rules"


def test_a_claim_is_a_sentence_about_the_owner() -> None:
    assert only(said("I live in Berlin", owner="Otto")).text == "Otto lives in Berlin"
    assert only(said("I live in Berlin")).text == "User lives in Berlin"
    assert only(said("I live in Berlin", owner="Otto")).subject == USER


def test_two_people_who_talk_are_told_apart_by_their_names() -> None:
    turns = (
        ConversationTurn(id=1, text="I live in Berlin", role="user", speaker="Anna", at=AT),
        ConversationTurn(id=2, text="Ben: I love chess", role="user", speaker="Ben", at=AT),
    )
    claims = RuleExtractor().extract(LearningConversation(session="s1", turns=turns)).claims
    assert [claim.text for claim in claims] == ["Anna lives in Berlin", "Ben likes chess"]


def test_somebody_else_in_the_room_gives_no_instructions() -> None:
    turns = (
        ConversationTurn(id=1, text="hi", role="user", speaker="Otto", at=AT),
        ConversationTurn(id=2, text="Never use emojis", role="user", speaker="Ben", at=AT),
    )
    assert RuleExtractor().extract(LearningConversation(session="s1", turns=turns, owner="Otto")).preferences == ()


def test_a_move_last_month_began_last_month() -> None:
    claim = only(said("I moved to Berlin last month"))
    assert claim.valid_from == datetime(2026, 1, 1, tzinfo=UTC)
    assert claim.confidence == 1.0


def test_three_years_are_counted_back_from_the_turn() -> None:
    claim = only(said("I've been working at Spotify for three years"))
    assert claim.valid_from is not None
    assert claim.valid_from.date().isoformat() == "2023-02-11"


def test_what_has_ended_ends_and_says_when() -> None:
    claim = only(said("I left Amazon last year", owner="Otto"))
    assert claim.negated
    assert claim.text == "Otto no longer works at Amazon"
    assert claim.valid_until == datetime(2025, 1, 1, tzinfo=UTC)


def test_a_plan_has_the_time_it_is_for() -> None:
    claim = only(said("I'm flying to Tokyo on May 3rd"))
    assert (claim.predicate, claim.object) == ("plans", "flying to Tokyo")
    assert claim.valid_from == datetime(2026, 5, 3, tzinfo=UTC)


def test_a_hedge_lowers_what_is_believed() -> None:
    claim = only(said("I think I'm allergic to kiwis"))
    assert claim.confidence <= 0.4
    assert claim.source_type == "inferred"


def test_an_agents_guess_is_not_learned_but_what_the_user_confirms_is() -> None:
    assert list(said("agent: You live in Lisbon and prefer tea.")) == []
    claim = only(said("agent: Do you live in Lisbon?", "Yes, I do"))
    assert (claim.predicate, claim.object, claim.confidence) == ("lives_in", "Lisbon", 0.9)


def test_what_an_agent_did_is_observed() -> None:
    claim = only(said("agent: I deployed Kira to Vercel."))
    assert (claim.text, claim.source_type, claim.confidence) == ("Kira is deployed on Vercel", "observed", 0.6)


def test_tools_documents_and_imports_teach_nothing() -> None:
    text = "My name is Bob. I live in Oslo. Always use pnpm, not npm. To deploy: 1. run tests 2. push"
    for role, origin in (("tool:web", "tool:web"), ("user", "document"), ("user", "import"), ("system", "system")):
        turns = (ConversationTurn(id=1, text=text, role=role, origin=origin, at=AT),)
        assert list(RuleExtractor().extract(LearningConversation(session="s1", turns=turns))) == []


def test_a_named_sister_becomes_an_entity_with_a_job_and_a_relation() -> None:
    found = said("My sister Anna is a nurse. She lives in Graz.", owner="Otto")
    assert [claim.text for claim in found.claims] == [
        "Anna is Otto's sister",
        "Anna works as a nurse",
        "Anna lives in Graz",
    ]
    assert [(entity.name, entity.type) for entity in found.entities] == [("Anna", "person"), ("Graz", "place")]
    assert [(r.source, r.type, r.target) for r in found.relations] == [
        ("Anna", "sister_of", USER),
        ("Anna", "located_in", "Graz"),
    ]


def test_a_pronoun_is_not_resolved_between_two_people() -> None:
    found = said("My sister Anna met my friend Eva. She lives in Graz.")
    assert not [claim for claim in found.claims if claim.predicate == "lives_in"]


def test_pnpm_and_yarn_are_values_of_one_preference() -> None:
    first, second = said("Always use pnpm, not npm", "From now on use yarn").preferences
    assert (first.category, first.name, first.value, first.instead_of) == ("tools", "package_manager", "pnpm", "npm")
    assert (first.strength, first.source_type) == (0.9, "corrected")
    assert (second.name, second.value) == (first.name, "yarn")


def test_preferring_one_of_two_is_the_same_preference_in_either_order() -> None:
    first, second = said("I prefer tea over coffee", "I prefer coffee to tea").preferences
    assert first.name == second.name
    assert (first.value, first.instead_of) == ("tea", "coffee")


def test_a_correction_names_the_turn_it_is_about() -> None:
    (correction,) = said("I want to install it", "agent: Running npm install.", "No, use pnpm, not npm").corrections
    assert (correction.wrong, correction.right, correction.about) == ("npm", "pnpm", 2)


def test_what_follows_a_no_is_a_corrected_fact() -> None:
    claim = only(said("agent: You work at Google.", "No, I work at Mozilla"))
    assert claim.source_type == "corrected"


def test_steps_are_kept_in_their_order() -> None:
    (howto,) = said("To deploy: 1. run the tests 2. build the image 3. push to Vercel").procedures
    assert howto.name == "deploy"
    assert howto.steps == ("run the tests", "build the image", "push to Vercel")


def test_one_turn_can_bring_about_the_next() -> None:
    (cause,) = said("The disk was full.", "That's why the backup failed.").causes
    assert (cause.cause, cause.effect, cause.confidence) == (1, 2, 0.7)
    assert cause.quote.words == "That's why the backup failed"


def test_no_more_than_fifty_causes_at_once() -> None:
    assert len(said(*["That's why it broke."] * 80).causes) == 50


def test_an_alias_belongs_to_its_name() -> None:
    (entity,) = said("The Kubernetes cluster (also called K8s) is down").entities
    assert (entity.name, entity.aliases) == ("Kubernetes", ("K8s",))


def test_turns_before_the_fresh_ones_are_context_alone() -> None:
    found = said("I live in Berlin", "agent: Do you work at Bosch?", "Yes", fresh=2)
    assert [claim.predicate for claim in found.claims] == ["works_at"]


def test_what_is_to_be_remembered_is_kept_even_if_no_rule_reads_it() -> None:
    claim = only(said("Remember that my locker is next to the stairs", owner="Otto"))
    assert claim.text == "Otto's locker is next to the stairs"
    assert claim.confidence == 1.0


def test_the_same_conversation_gives_the_same_proposal() -> None:
    texts = ("I live in Berlin and I love chess", "agent: ok", "Never use emojis. My sister Anna is a nurse.")
    assert said(*texts) == said(*texts)


_WORDS = st.sampled_from(
    "I I'm we my sister Anna live in Berlin work at Google as a nurse love hate hiking use pnpm , not"
    " npm . ! ? always never don't please "
    "remember that 'quoted words' \"more\" ``` code ` \n 1. 2. first then finally To deploy: because"
    " of that's why moved to last month ’ “ ” 我住在 上海 🙄 ich wohne"
    " me gusta moro em prefer over no actually meant ( ) - — : ; … if".split(" ")
)


@given(st.lists(st.one_of(st.text(max_size=60), st.lists(_WORDS, max_size=25).map(" ".join)), max_size=4))
@example(["I live in Berlin’s ‘old’ town", "no, 'I work' at \"Google"])
@example(["To deploy: 1. run 2. push", "My sister Mrs. Anna, my dog Rex"])
def test_any_text_is_safe_and_every_quote_stands_in_its_turn(texts: list[str]) -> None:
    turns = tuple(turn(number, text) for number, text in enumerate(texts))
    proposal = RuleExtractor().extract(LearningConversation(session="s", turns=turns))
    for item in proposal:
        assert item.quote.words in turns[item.quote.episode - 1].text
        assert item.quote.words.strip()
    assert all(entity.type in ENTITY_TYPES and entity.name.strip() for entity in proposal.entities)
    assert all(wish.category in PREFERENCE_CATEGORIES and wish.name for wish in proposal.preferences)
    assert all(claim.object.strip() and claim.subject and 0 < claim.confidence <= 1 for claim in proposal.claims)


def test_the_same_words_over_and_over_are_read_to_the_end() -> None:
    for words in (
        "so, ",
        "no, ",
        "I ",
        "Anna ",
        "my sister ",
        "then ",
        "1. run ",
        "please ",
        "A ",
        "'a ",
        "use a not ",
    ):
        assert said("I live in Oslo. " + words * 4_000).claims[0].object == "Oslo"
