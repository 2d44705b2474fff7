from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.language.tokens import estimate

# Counted with o200k_base.
COUNTED = [
    (24, "Otto moved from São Paulo to Berlin in the spring and has"
         " been looking for a flat near the canal ever since."),
    (20, "I think we should postpone the meeting until Thursday, because half of the team is at the"
         " conference."),
    (33, "def mean(values: list[float]) -> float:\n"
         "    if not values:\n"
         "        raise ValueError('no values')\n"
         "    return sum(values) / len(values)\n"),
    (43, '{"id": 42, "name": "Otto", "tags": ["travel", "music"], "address": {"city": "Berlin",'
         ' "zip": "10999"}, "active": true}'),
    (28, "Am Abend gingen wir über die Brücke zurück, und die Straßen"
         " waren schon dunkel; nur im Café an der Ecke brannte noch"
         " Licht."),
    (28, "Hier soir, nous sommes rentrés à pied le long du canal, et"
         " les rues étaient déjà désertes malgré la douceur de l’été."),
    (36, "Wczoraj wieczorem wróciliśmy pieszo wzdłuż kanału, a ulice"
         " były już puste, chociaż było jeszcze ciepło."),
    (28, "Вчера вечером мы вернулись домой пешком вдоль канала, и"
         " улицы были уже пустыми, хотя было ещё тепло."),
    (25, "昨天晚上我们沿着运河走回家，虽然天气还很暖和，但是街上已经没有人了。"),
    (34, "昨日の夜、私たちは運河に沿って歩いて帰りました。"
         "まだ暖かかったのに、通りにはもう誰もいませんでした。"),
    (32, "어제 저녁에 우리는 운하를 따라 걸어서 집에 돌아왔고, 아직 따뜻했지만 거리는 이미 텅 비어 있었다."),
    (30, "عدنا مساء أمس إلى البيت سيرا على الأقدام على طول القناة،"
         " وكانت الشوارع خالية رغم أن الجو كان دافئا."),
    (32, "कल शाम हम नहर के किनारे पैदल घर लौटे, और सड़कें पहले से ही"
         " खाली थीं, हालाँकि मौसम अभी भी गर्म था।"),
    (35, "เมื่อวานตอนเย็นเราเดินกลับบ้านเลียบคลอง"
         " และถนนก็ว่างเปล่าแล้ว แม้ว่าอากาศจะยังอบอุ่นอยู่"),
    (45, "2024-05-03 10:15:00,104 17 208 3391 0.25 12.5 99.875 1000000 65536 31415926535"),
    (21, "name      city          age\n"
         "Otto      Berlin         41\n"
         "Ada       London         36\n"),
    (14, "See you tomorrow! 🎉🎉 I can't wait 😍🙏"),
    (28, "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"),
]  # fmt: skip


@pytest.mark.parametrize(("tokens", "text"), COUNTED)
def test_a_short_text_is_estimated_to_a_fifth(tokens: int, text: str) -> None:
    assert estimate(text) == pytest.approx(tokens, rel=0.2)


def test_errors_even_out_over_many_texts() -> None:
    assert sum(estimate(text) for _, text in COUNTED) == pytest.approx(sum(n for n, _ in COUNTED), rel=0.03)


@pytest.mark.parametrize("text", [text for _, text in COUNTED])
def test_a_text_ten_times_over_costs_ten_times_as_much(text: str) -> None:
    assert estimate(f"{text}\n" * 10) == pytest.approx(10 * estimate(text), rel=0.1)


def test_nothing_costs_nothing_and_anything_costs_something() -> None:
    assert estimate("") == 0
    assert [estimate(text) for text in (" ", "\n", "a", "é", "\ud800", "\0", "\u0301", "\U0010ffff")] == [
        1,
        1,
        1,
        1,
        2,
        1,
        1,
        2,
    ]


@given(st.text(alphabet=st.characters(), min_size=1))
def test_an_estimate_is_positive_and_always_the_same(text: str) -> None:
    assert 1 <= estimate(text) == estimate(text) <= 2 * len(text) + 1


@given(st.text(), st.text())
def test_more_text_costs_more_and_two_texts_about_their_sum(first: str, second: str) -> None:
    both, apart = estimate(f"{first} {second}"), [estimate(first), estimate(second)]
    assert both >= 0.8 * max(apart) - 1
    # An accent in one makes the letters of the other foreign; nothing else adds up to more than its parts.
    assert both <= sum(apart) + 2 + 0.14 * len(first + second)
