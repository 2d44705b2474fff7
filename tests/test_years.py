"""A few months of a simulated life: nothing is lost, nothing is invented, and a clock that jumps changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

from life import years_page
from life.days import START, Life
from life.monthly_figures import monthly_row, not_verbatim
from life.questions import ask_all, judge
from life.simulation import LifeSimulation
from omoide.domain import Node

DAYS = 60
WRONG = {20: timedelta(days=365), 33: timedelta(days=-40), 41: timedelta(hours=-3), 52: timedelta(days=9)}


def lived(path: Path, jumps: Mapping[int, timedelta] | None = None) -> LifeSimulation:
    living = LifeSimulation(path, jumps=jumps or {}, forgets=False)
    for _ in living.days(DAYS):
        pass
    return living


def known(living: LifeSimulation) -> list[tuple[str, str]]:
    """What is believed and what became of every turn, in words: ids depend on when a night wrote its summaries."""
    turns = [living.memory.get(each) for each in living.told]
    facts: list[Node] = [
        each.node for name in ("Otto", "Ana", "Malik") for each in living.memory.history(name) if hasattr(each, "node")
    ]
    return sorted((node.text, node.state) for node in [*turns, *facts])


def test_the_same_seed_is_the_same_life() -> None:
    once, again, other = (list(Life(seed).days(40)) for seed in (1, 1, 2))
    assert once == again
    assert once != other


def test_after_some_months_every_word_is_there_and_everything_told_is_known(tmp_path: Path) -> None:
    living = lived(tmp_path / "life.db")
    moment = START + timedelta(days=DAYS, hours=6)
    verdicts, _, wrong = ask_all(living.memory, living.life.traits, living.life.truth, moment)
    assert (wrong, verdicts["right"]) == ([], len(living.life.traits))
    assert not_verbatim(living, sorted(living.told)) == 0
    assert living.memory.admin.id_states().lost == 0
    assert [each.check for each in living.memory.admin.doctor() if not each.ok] == []
    assert living.troubles == []
    assert "scrub: found" not in living.nights
    living.close()


def test_a_clock_that_jumps_at_night_takes_nothing_away_and_brings_nothing_back(tmp_path: Path) -> None:
    steady, jumping = lived(tmp_path / "steady.db"), lived(tmp_path / "jumping.db", WRONG)
    assert jumping.nights["expire: skipped"] >= 3
    assert known(jumping) == known(steady)
    for living in (steady, jumping):
        living.close()


def test_an_answer_is_judged_by_the_first_value_it_names() -> None:
    life = Life()
    home = life.traits[0]
    life.truth.told(home, "Oslo", START)
    life.truth.told(home, "Graz", START + timedelta(days=10))
    now = START + timedelta(days=20)
    assert judge(home, life.truth, now, ["It rains", "Otto lives in Graz"]) == "right"
    assert judge(home, life.truth, now, ["Ana lives in Graz", "Otto lives in Oslo"]) == "stale"
    assert judge(home, life.truth, now, ["It rains"]) == "missing"


def test_that_something_ended_is_no_stale_answer_and_the_right_one_where_nothing_is_so() -> None:
    life = Life(1)
    tongue = next(trait for trait in life.traits if trait.name == "tongue")
    for days, value in ((0, "Polish"), (20, "Italian")):
        life.truth.told(tongue, value, START + timedelta(days=days))
        life.truth.ended(tongue, START + timedelta(days=days + 10))
    between, now = START + timedelta(days=25), START + timedelta(days=40)
    ended = "Otto: I stopped learning Polish. It rains."
    assert judge(tongue, life.truth, between, [ended, "Otto is learning Italian"]) == "right"
    assert judge(tongue, life.truth, between, [ended]) == "missing"
    assert judge(tongue, life.truth, now, [ended, "I stopped learning Italian.", "I'm learning Polish."]) == "right"
    assert judge(tongue, life.truth, now, [ended, "I'm learning Polish."]) == "stale"


def test_what_was_forgotten_is_not_asked_for_until_it_is_told_again() -> None:
    life = Life(1)
    home, day = life.traits[0], timedelta(days=1)
    life.truth.told(home, "Oslo", START)
    life.truth.told(home, "Graz", START + 10 * day)
    life.truth.forgotten(home, "Graz")
    life.truth.forgotten(home, "Oslo", ending=True)  # it holds again
    life.truth.again(home, START + 20 * day)
    assert [life.truth.knowable(home, START + days * day) for days in (5, 15, 25)] == [True, False, True]


def test_the_page_and_the_picture_are_made_from_the_months(tmp_path: Path) -> None:
    living = LifeSimulation(tmp_path / "life.db")
    moments = [day.at + timedelta(days=1) for day in living.days(4)]
    months = [monthly_row(living, moment, number) for number, moment in enumerate(moments)]
    living.close()
    written, drawn = tmp_path / "years.md", tmp_path / "years.svg"
    written.write_text("".join(f"<!-- {name}:start -->\n<!-- {name}:end -->\n" for name in ("years", "kept", "nights")))
    years_page.write(
        {"months": months, "nights": living.nights, "nights_run": living.nights_run, "unhealthy": [], "troubles": []},
        written,
        drawn,
    )
    assert "| 1 |" in written.read_text()
    assert "not shown word by word" in written.read_text()
    assert ElementTree.parse(drawn).getroot().tag.endswith("svg")
