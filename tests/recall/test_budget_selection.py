"""Selection under a token budget: the most value, never more tokens than allowed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omoide.recall.budget_selection import PackItem, TextForm, TokenRoom, choose_forms, excerpt


def item(
    key: int, value: float, *tokens: int, part: str = "all", says: str = "", rests_on: tuple[int, ...] = ()
) -> PackItem:
    forms = tuple(TextForm(f"{key} in {cost}", cost, cost / max(tokens)) for cost in tokens)
    return PackItem(key, part, value, forms, frozenset(says.split()), frozenset(rests_on))


FORMS = st.lists(st.tuples(st.integers(0, 60), st.floats(0.05, 1)), min_size=1, max_size=4)
ITEMS = st.lists(
    st.tuples(st.floats(0, 1), FORMS, st.sampled_from(["a", "b", "c"]), st.frozensets(st.sampled_from("uvwxyz"))),
    max_size=25,
)


@given(ITEMS, st.integers(0, 300), st.dictionaries(st.sampled_from("abc"), st.floats(0, 0.6)), st.integers(0, 9))
def test_any_selection_stays_within_its_budget(
    drawn: list[tuple[float, list[tuple[int, float]], str, frozenset[str]]],
    tokens: int,
    shares: dict[str, float],
    title: int,
) -> None:
    items = [
        PackItem(number, part, value, tuple(TextForm("", *form) for form in forms), says)
        for number, (value, forms, part, says) in enumerate(drawn)
    ]
    room = TokenRoom(tokens, shares, dict.fromkeys("abc", title))
    chosen = choose_forms(items, room)
    parts = {items[key].part for key in chosen if isinstance(key, int)}
    assert sum(form.tokens for form in chosen.values()) + title * len(parts) <= tokens
    assert all(form in items[key].forms for key, form in chosen.items() if isinstance(key, int))
    assert choose_forms(items, room) == chosen


def test_two_short_items_worth_more_together_beat_a_long_one() -> None:
    assert set(choose_forms([item(1, 0.9, 100), item(2, 0.8, 50), item(3, 0.7, 50)], TokenRoom(100))) == {2, 3}


def test_a_long_item_worth_more_replaces_a_short_one() -> None:
    assert set(choose_forms([item(1, 0.1, 5), item(2, 1.0, 100)], TokenRoom(100))) == {2}


def test_an_item_that_does_not_fit_is_shortened_and_grows_with_the_budget() -> None:
    assert choose_forms([item(1, 1.0, 100, 30)], TokenRoom(60))[1].tokens == 30
    assert choose_forms([item(1, 1.0, 100, 30)], TokenRoom(120))[1].tokens == 100


def test_a_repeated_text_gives_way_to_a_new_one() -> None:
    twice = [item(1, 1.0, 50, says="otto lives in berlin"), item(2, 0.9, 50, says="otto lives in berlin")]
    assert set(choose_forms([*twice, item(3, 0.4, 50, says="anna is a nurse")], TokenRoom(100))) == {1, 3}


def test_the_source_of_a_chosen_fact_is_worth_half() -> None:
    fact, turn = item(1, 1.0, 50, rests_on=(2,)), item(2, 0.9, 50)
    assert set(choose_forms([fact, turn, item(3, 0.6, 50)], TokenRoom(100))) == {1, 3}


def test_each_part_has_its_share_first_and_the_rest_goes_to_the_others() -> None:
    items = [item(n, 1.0, 20, part="loud") for n in range(5)] + [item(9, 0.3, 20, part="quiet")]
    shared = choose_forms(items, TokenRoom(60, {"loud": 0.6, "quiet": 0.4}))
    assert 9 in shared
    assert len(choose_forms(items[:5], TokenRoom(60, {"loud": 0.3}))) == 3


def test_an_excerpt_has_the_sentences_with_the_terms() -> None:
    text = "We talked about rain. The deploy failed because the token had expired. Then lunch. It was soup again today."
    found = excerpt(text, ["deploy", "failed"], 60)
    assert found == "… The deploy failed because the token had expired. …"


@given(st.text(max_size=400), st.lists(st.text(min_size=1, max_size=5), max_size=3), st.integers(5, 200))
def test_an_excerpt_of_anything_is_never_longer_than_asked(text: str, asked: list[str], length: int) -> None:
    assert len(excerpt(text, asked, length)) <= length + 4
