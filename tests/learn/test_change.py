"""What a new statement does to stored ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from omoide.clock import to_micros
from omoide.domain import Draft
from omoide.learn.change import Comparison, Verdict, content_of

MAY = datetime(2026, 5, 3, tzinfo=UTC)
JUNE = MAY + timedelta(days=31)
OTTO = frozenset({"otto"})


def stated(slot: str, value: str, at: datetime = MAY, **given: Any) -> Draft:
    plain = Draft(
        kind="fact",
        text=f"Otto {slot} {value}",
        event_at=to_micros(at),
        valid_from=to_micros(at),
        origin="user",
        source_type="stated",
        attributes={"subject": "Otto", "predicate": slot, "object": value},
    )
    times = {name: to_micros(each) for name, each in given.items() if isinstance(each, datetime)}
    return replace(plain, **given | times)


def verdict(new: Draft, old: Draft, change: Any = None) -> Verdict | None:
    return Comparison(content_of(new), change, new.text, OTTO).decide([content_of(old)]).get(0)


HOME = stated("lives_in", "São Paulo")


def test_the_same_said_again_confirms_whatever_its_spelling() -> None:
    assert verdict(stated("lives_in", "sao paulo", JUNE), HOME) == "confirms"
    assert verdict(stated("lives_in", "São Paulo, Brazil", JUNE), HOME) == "confirms"


def test_a_new_home_replaces_the_old_one() -> None:
    assert verdict(stated("lives_in", "Berlin", JUNE), HOME) == "replaces"


def test_one_can_use_two_tools_at_once() -> None:
    assert verdict(stated("uses", "Zed", JUNE), stated("uses", "Neovim")) is None


def test_liking_and_disliking_the_same_thing_exclude_each_other() -> None:
    assert verdict(stated("dislikes", "Docker", JUNE), stated("likes", "Docker")) == "replaces"
    assert verdict(stated("dislikes", "Docker", JUNE), stated("likes", "tea")) is None


def test_another_dose_replaces_the_old_one_and_another_medicine_does_not() -> None:
    old = stated("medication", "meloxicam 7.5 mg")
    dose = stated("medication", "meloxicam 15 mg", JUNE)
    assert verdict(_about("meloxicam", dose), _about("meloxicam", old)) == "replaces"
    assert verdict(_about("aspirin", stated("medication", "aspirin 100 mg", JUNE)), _about("meloxicam", old)) is None


def test_there_is_one_price_for_each_thing() -> None:
    rent = _about("rent", stated("price", "1650"))
    assert verdict(_about("car", stated("price", "310", JUNE)), rent) is None
    assert verdict(_about("rent", stated("price", "1700", JUNE)), rent) == "replaces"


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"source_type": "inferred"}, "contradicts"),
        ({"source_type": "corrected"}, "replaces"),
        ({"origin": "tool:crm"}, "contradicts"),
        ({"confidence": 0.4}, "contradicts"),
    ],
)
def test_less_authority_contradicts(given: dict[str, Any], found: str) -> None:
    assert verdict(stated("lives_in", "Berlin", JUNE, **given), HOME) == found


def test_a_correction_ends_what_was_stated_even_about_the_past() -> None:
    later = replace(HOME, event_at=to_micros(JUNE), valid_from=to_micros(JUNE))
    assert verdict(stated("lives_in", "Rio", MAY, source_type="corrected"), later) == "replaces"


def test_what_was_stated_ends_what_was_guessed() -> None:
    assert verdict(stated("lives_in", "Berlin", JUNE), replace(HOME, source_type="inferred")) == "replaces"


def test_a_statement_about_an_earlier_time_is_past() -> None:
    assert verdict(HOME, stated("lives_in", "Berlin", JUNE)) == "past"


def test_what_was_over_before_it_was_said_does_not_replace_what_holds() -> None:
    past = stated("lives_in", "Rome", JUNE, valid_until=MAY - timedelta(days=900))
    assert verdict(past, HOME) == "past"


def test_what_never_changes_is_contradicted_unless_a_slip_is_corrected() -> None:
    born = stated("born_in", "Lima")
    assert verdict(stated("born_in", "Quito", JUNE), born) == "contradicts"
    assert verdict(stated("born_in", "Quito", JUNE), born, "corrects") == "replaces"


def test_no_longer_ends_only_what_it_names() -> None:
    job = stated("works_at", "Acme")
    assert verdict(stated("works_at", "Acme", JUNE), job, "ends") == "ends"
    assert verdict(stated("works_at", "Initech", JUNE), job, "ends") is None


def test_an_end_long_ago_does_not_end_a_job_that_was_mentioned_since() -> None:
    left = stated("works_at", "Acme", JUNE, valid_until=MAY - timedelta(days=365 * 7))
    assert verdict(left, stated("works_at", "Acme"), "ends") is None


def test_a_fact_that_had_ended_does_not_count() -> None:
    ended = replace(HOME, valid_until=to_micros(MAY + timedelta(days=3)))
    assert verdict(stated("lives_in", "São Paulo", JUNE), ended) is None


def test_what_others_say_contradicts_somebodys_own_word() -> None:
    hearsay = replace(content_of(stated("lives_in", "Berlin", JUNE)), own_word=False)
    assert Comparison(hearsay, names=OTTO).decide([content_of(HOME)]) == {0: "contradicts"}


def _about(matter: str, draft: Draft) -> Draft:
    return replace(draft, attributes={**draft.attributes, "matter": matter})


def test_who_quits_a_job_ends_what_and_where_they_worked_but_not_what_is_said_along() -> None:
    quits = stated("works_as", "", JUNE)
    assert verdict(quits, stated("works_as", "nurse in Leeds"), "ends") == "ends"
    assert verdict(quits, stated("works_at", "Acme"), "ends") == "ends"
    assert verdict(quits, stated("works_as", "florist", JUNE), "ends") is None
    assert verdict(quits, HOME, "ends") is None
