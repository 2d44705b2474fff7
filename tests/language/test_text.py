from __future__ import annotations

import re
import unicodedata

import apsw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from omoide.errors import InvalidInput
from omoide.language import text
from omoide.language.text import (
    MAX_TERMS,
    index_text,
    match_expression,
    quoted_phrases,
    search_terms,
    shorten,
    validate_text,
)

TOKENIZE = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"


class Index:
    """One document in a real FTS5 table."""

    def __init__(self) -> None:
        self.connection = apsw.Connection(":memory:")
        self.connection.execute(f'CREATE VIRTUAL TABLE docs USING fts5(body, tokenize="{TOKENIZE}")')

    def hold(self, body: str) -> None:
        self.connection.execute("DELETE FROM docs")
        self.connection.execute("INSERT INTO docs(body) VALUES (?)", (index_text(body) or body,))

    def finds(self, expression: str | None) -> bool:
        if expression is None:
            return False
        return bool(self.connection.execute("SELECT rowid FROM docs WHERE docs MATCH ?", (expression,)).fetchall())


@pytest.fixture(scope="module")
def index() -> Index:
    return Index()


# What may be stored


@pytest.mark.parametrize("words", ["a", "  indented\n", "ﬁne Ａ e\u0301", "思い出", "😀", "zero\u200bwidth", "\u00ad"])
def test_what_can_be_stored_comes_back_verbatim(words: str) -> None:
    assert validate_text(words) == words


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (b"bytes", "must be a str, not bytes; decode"),
        (None, "must be a str, not NoneType"),
        ("", "is empty; send the words"),
        (" \t\n\u3000", "is empty; send the words"),
        ("a\0b", r"NUL character at position 1; .*replace"),
        ("ab\ud83d", r"U\+D83D\) at position 2; repair"),
    ],
)
def test_what_cannot_be_stored_says_what_to_do(words: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        validate_text(words)


def test_a_text_is_measured_in_bytes_and_both_sizes_are_told() -> None:
    assert validate_text("é" * 5, 10) == "é" * 5
    with pytest.raises(InvalidInput, match="12 bytes long, the limit is 10; split"):
        validate_text("é" * 6, 10)


def test_the_repair_named_for_half_a_surrogate_pair_works() -> None:
    repaired = "\ud83d\ude00 and \ud83d".encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert validate_text(repaired) == "😀 and \ufffd"


# What the index sees


@pytest.mark.parametrize("words", ["plain ASCII", "Grüße aus São Paulo", "Привет, мир", "हिन्दी", "“quoted” – dash", ""])
def test_ordinary_words_are_indexed_as_they_are(words: str) -> None:
    assert index_text(words) is None


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        ("金融科技", "金 金融 融 融科 科 科技 技"),
        ("茶", None),
        ("iPhone手机", "iPhone 手 手机 机"),
        ("2024年の春", "2024 年 年の の の春 春"),
        ("ｶﾞｽ Ｗｉｆｉ ﬁne", "ガ ガス ス  Wifi fine"),
        ("서울에", "서 서울 울 울에 에"),
        ("ที่นี่", "ที่ ที่นี่ นี่"),
        ("love it🥰so", "love it so"),
        ("❤️love", "❤love"),
        ("1️⃣first", "1 first"),
        ("re\u00admem\u00adber", "remember"),
        ("Acme™ №15", "Acme   15"),
    ],
)
def test_unspaced_scripts_become_characters_and_pairs_and_symbols_leave_words_alone(
    words: str, seen: str | None
) -> None:
    assert index_text(words) == seen


def test_every_mark_of_an_unspaced_script_stays_with_its_character() -> None:
    script, mark = re.compile(f"[{text._UNSPACED}]"), re.compile(f"[{text._MARK}]")
    characters = [chr(code) for code in range(0x20000) if script.match(chr(code))]
    for character in characters:
        if unicodedata.category(character) != "Cn":
            assert (unicodedata.category(character)[0] == "M") == bool(mark.match(character)), ascii(character)


def test_no_symbol_in_use_is_taken_for_a_letter() -> None:
    """FTS5 takes what came after Unicode 6.1 for letters; a newer Python may teach us a symbol to add."""
    tokenize = apsw.Connection(":memory:").fts5_tokenizer(
        "unicode61", ["remove_diacritics", "2", "categories", "L* N* Co M*"]
    )
    blocks = [range(0x80, 0x0590), range(0x2000, 0x2E80), range(0x3000, 0x3040), range(0xFE00, 0xFE70)]
    blocks += [range(0x1F000, 0x1FB00)]
    for character in (chr(code) for block in blocks for code in block):
        if unicodedata.category(character)[0] not in "SPZ" or unicodedata.normalize("NFKC", character) != character:
            continue
        words = f"ab{character}cd"
        found = tokenize(
            (index_text(words) or words).encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False
        )
        assert found == [("ab",), ("cd",)] or character in "\u058d\u058e", ascii(character)


# What a question asks for


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Where does Otto live?", ["Where", "does", "Otto", "live"]),
        ("state-of-the-art snake_case", ["state", "of", "the", "art", "snake", "case"]),
        ("don't I", ["don"]),
        ("see https://example.com/a?b=c, www.example.org now", ["see", "now"]),
        ("看https://example.com/a好", ["看", "好"]),
        ("New NEW new", ["New"]),
        ("金融科技 and 茶", ["金", "金融", "融", "融科", "科", "科技", "技", "and", "茶"]),
        ("iPhone手机 x手", ["iPhone", "手", "手机", "机"]),
        ("Ｗｉｆｉ ﬁne São", ["Wifi", "fine", "São"]),
        ("straße strasse", ["straße", "strasse"]),
        ('col:val AND "x* (NEAR ^y +z', ["col", "val", "AND", "NEAR"]),
        ("https://example.com", []),
        ("? !", []),
    ],
)
def test_a_question_is_reduced_to_its_words(question: str, asked: list[str]) -> None:
    assert search_terms(question) == asked


def test_an_absurdly_long_question_keeps_its_first_words() -> None:
    assert search_terms(" ".join(f"word{n}" for n in range(1000))) == [f"word{n}" for n in range(MAX_TERMS)]


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ('he said "hello world" twice: "hello world"', ["hello world"]),
        ("“one two” „drei vier“ « cinq six » »sieben« 「思い出」『本』", None),
        ('a 5" disk and a 7" one', []),
        ('an "unclosed one', []),
        ('"" and "?!"', []),
        ("no quotes", []),
    ],
)
def test_quoted_phrases_are_found_in_many_quotation_marks(question: str, quoted: list[str] | None) -> None:
    if quoted is None:
        quoted = ["one two", "drei vier", "cinq six", "sieben", "思い出", "本"]
    assert quoted_phrases(question) == quoted


def test_the_expression_quotes_each_word_and_joins_them_with_or() -> None:
    assert match_expression(["Otto", "OR"], ["São Paulo", "思い出"]) == (
        '"Otto" OR "OR" OR "São Paulo" OR "思 思い い い出 出"'
    )
    assert match_expression(['say "hi"', "a\0b", "\ud800", "!?"]) == '"say hi" OR "a b"'
    assert match_expression([], ["?"]) is None


def test_a_quoted_phrase_is_found_inside_a_longer_run(index: Index) -> None:
    index.hold("我们参加了新金融科技会议")
    assert index.finds(match_expression([], ["金融科技"]))
    assert not index.finds(match_expression([], ["科技金融"]))


# Against a real index, for any text at all. What Unicode 3.2 held, FTS5 surely knows.
KNOWN = st.sampled_from(
    [chr(code) for code in range(1, 0x30000) if unicodedata.ucd_3_2_0.category(chr(code)) not in ("Cn", "Cs")]
)
PIECES = st.sampled_from(
    [
        '"',
        "'",
        "*",
        "-",
        "AND",
        "NEAR(",
        "col:",
        "don't",
        "金融科技",
        "ที่นี่",
        "e\u0301",
        "🥰",
        "❤️",
        "İ",
        "Σ",
        " ",
        "\n",
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(KNOWN, max_size=8)), max_size=8).map("".join)


@settings(max_examples=500, deadline=None)
@given(question=st.one_of(st.text(), TEXTS), loose=st.lists(st.text(), max_size=3))
@example(question='"', loose=['"', "\0", "\ud800", ""])
def test_no_question_is_a_syntax_error(index: Index, question: str, loose: list[str]) -> None:
    index.finds(match_expression(search_terms(question), quoted_phrases(question)))
    index.finds(match_expression(loose, loose))


@settings(max_examples=500, deadline=None)
@given(body=TEXTS, question=TEXTS, shared=st.text(KNOWN, max_size=6))
def test_a_document_is_found_by_any_word_it_holds(index: Index, body: str, question: str, shared: str) -> None:
    document = f"{body} {shared} {question}"
    index.hold(document)
    for word in search_terms(f"{question} {shared}"):
        assert index.finds(match_expression([word])), (word, document)


@settings(max_examples=500, deadline=None)
@given(question=st.text())
def test_terms_are_distinct_and_few(question: str) -> None:
    asked = search_terms(question)
    assert len({word.lower() for word in asked}) == len(asked) <= MAX_TERMS


# Shortening


@pytest.mark.parametrize(
    ("words", "characters", "short"),
    [
        ("short enough", 12, "short enough"),
        ("hello wonderful world", 18, "hello wonderful…"),
        ("hello, wonderful", 8, "hello…"),
        ("unbreakableword", 6, "unbre…"),
        ("a verylongwordfollows", 12, "a verylongw…"),
        ("金融科技会议", 4, "金融科…"),
        ("cafe\u0301s", 5, "caf…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
    ],
)
def test_a_text_is_cut_between_words(words: str, characters: int, short: str) -> None:
    assert shorten(words, characters) == short


@given(words=st.text(), characters=st.integers(min_value=0, max_value=40))
def test_a_shortened_text_fits(words: str, characters: int) -> None:
    assert len(shorten(words, characters)) <= characters
