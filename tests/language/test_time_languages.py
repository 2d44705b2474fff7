"""Time phrases in languages other than English, seen from a Sunday in October."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from omoide.language.registry import detect_language
from omoide.language.time.parser import parse_time_in

ASKED = datetime(2023, 10, 22, 11, 17, 51, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "first", "after"),
    [
        ("Was haben wir gestern besprochen?", "2023-10-21", "2023-10-22"),
        ("Was haben wir vor drei Tagen besprochen?", "2023-10-19", "2023-10-20"),
        ("Worüber haben wir letzten Dienstag gesprochen?", "2023-10-17", "2023-10-18"),
        ("Was haben wir letzte Woche gemacht?", "2023-10-09", "2023-10-16"),
        ("De quoi avons-nous parlé avant-hier ?", "2023-10-20", "2023-10-21"),
        ("De quoi avons-nous parlé il y a cinq jours ?", "2023-10-17", "2023-10-18"),
        ("¿De qué hablamos la semana pasada?", "2023-10-09", "2023-10-16"),
        ("¿Qué hicimos el 8 de mayo?", "2023-05-08", "2023-05-09"),
        ("O que fizemos ontem?", "2023-10-21", "2023-10-22"),
        ("Di cosa abbiamo parlato ieri?", "2023-10-21", "2023-10-22"),
        ("О чём мы говорили вчера?", "2023-10-21", "2023-10-22"),
        ("Что было на прошлой неделе?", "2023-10-09", "2023-10-16"),
        ("昨天我们聊了什么？", "2023-10-21", "2023-10-22"),
        ("上周三我们讨论了什么？", "2023-10-11", "2023-10-12"),
        ("昨日何を話しましたか？", "2023-10-21", "2023-10-22"),
        ("先月何を話しましたか？", "2023-09-01", "2023-10-01"),
    ],
)
def test_a_question_about_nothing_but_time_is_a_filter_in_any_of_the_languages(
    question: str, first: str, after: str
) -> None:
    when = parse_time_in(detect_language(question), question, ASKED)
    assert when is not None
    (span,) = when.spans
    assert (f"{span.start:%Y-%m-%d}", f"{span.end:%Y-%m-%d}") == (first, after)
    assert when.pure


def test_a_subject_beside_the_time_makes_it_a_boost() -> None:
    question = "Was habe ich im Mai über das Auto gesagt?"
    when = parse_time_in(detect_language(question), question, ASKED)
    assert when is not None
    assert when.content == ("Auto",)
    assert [question[clue.phrase.start : clue.phrase.end] for clue in when.clues] == ["im Mai"]


def test_today_beside_a_subject_tells_when_it_is_asked() -> None:
    question = "Ich koche heute, was war das Rezept?"
    assert parse_time_in(detect_language(question), question, ASKED) is None


def test_a_numeric_date_is_read_in_any_language() -> None:
    question = "Was war am 2023-05-08 mit dem Auto?"
    when = parse_time_in(detect_language(question), question, ASKED)
    assert when is not None
    assert when.spans[0].start == datetime(2023, 5, 8, tzinfo=UTC)


def test_a_question_without_a_time_has_none() -> None:
    assert parse_time_in(detect_language("Wo wohne ich?"), "Wo wohne ich?", ASKED) is None
