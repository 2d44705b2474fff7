"""Languages are found by their modules; which one a text is written in is told by characters and frequent words."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from omoide.language.languages import english
from omoide.language.registry import (
    IN_LOWER_CASE,
    Language,
    alternatives,
    compiled_pattern,
    detect_language,
    languages,
    words_of,
)

TOY = r"""
from omoide.language.registry import Language

LANGUAGE = Language(
    name="Toki Pona",
    function_words="mi sina ona li e pi la",
    stop_words="li pi",
    question_cues=(("what", r"\bseme\b"),),
    time_phrases=(("tenpo suno pini", "yesterday"), ("COUNT UNIT pini", "{0} {1} ago")),
    numbers="wan tu",
    units="- suno",
    fillers="pona|toki",
    yes_no="ala",
    decisions="wile pini",
)
"""
USE = """
import json, sys
from datetime import UTC, datetime
from omoide.language import languages
languages.__path__.append(sys.argv[1])
from omoide.language.registry import detect_language, words_of
from omoide.language.sentences import is_filler, is_yes_or_no, statement_weights
from omoide.language.time.parser import parse_time_in
from omoide.recall.question_cues import intent_by_rule

language = detect_language("ona li moku e seme, tu suno pini la?")
when = parse_time_in(language, "ona li moku e seme, tu suno pini la?", datetime(2023, 10, 22, 12, tzinfo=UTC))
print(json.dumps({
    "name": language.name,
    "day": when.spans[0].start.isoformat()[:10],
    "asks": intent_by_rule("sina toki e seme?", language).kind,
    "stop word": "pi" in words_of("stop_words"),
    "filler": is_filler("toki! pona."),
    "yes or no": is_yes_or_no("ala."),
    "classes": list(statement_weights("mi wile pini e ni")),
}))
"""


def test_a_new_language_is_one_new_file(tmp_path: Path) -> None:
    (tmp_path / "toki_pona.py").write_text(TOY, "utf-8")
    done = subprocess.run([sys.executable, "-c", USE, str(tmp_path)], capture_output=True, text=True, check=False)
    assert not done.stderr
    assert json.loads(done.stdout) == {
        "name": "Toki Pona",
        "day": "2023-10-20",
        "asks": "what",
        "stop word": True,
        "filler": True,
        "yes or no": True,
        "classes": ["decision"],
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What did we talk about?", "English"),
        ("Worüber haben wir gesprochen?", "German"),
        ("De quoi avons-nous parlé ?", "French"),
        ("¿De qué hablamos?", "Spanish"),
        ("O que fizemos com a minha irmã?", "Portuguese"),
        ("Di cosa abbiamo parlato con mia sorella?", "Italian"),
        ("О чём мы говорили?", "Russian"),
        ("きのう なにを", "Japanese"),
        ("i put 1k per payday", "English"),
        ("xyzzy", "English"),
    ],
)
def test_the_language_of_a_text_is_detected(text: str, name: str) -> None:
    assert detect_language(text).name == name


def test_characters_that_two_languages_share_are_read_in_both() -> None:
    both = detect_language("昨天我们聊了什么？")
    assert both.name == "Chinese"
    assert compiled_pattern(both.recall_cues).search("覚えている")
    assert compiled_pattern(both.recall_cues).search("还记得")


@pytest.mark.parametrize("language", languages(), ids=lambda language: language.name)
def test_every_pattern_of_a_language_compiles(language: Language) -> None:
    texts = [getattr(language, field.name) for field in fields(language)]
    patterns = [text for text in texts if isinstance(text, str)]
    patterns += [pattern for _, pattern in language.question_cues]
    patterns += [pattern for pattern, _ in language.time_phrases or ()]
    for pattern in patterns:
        compiled_pattern(pattern)


@pytest.mark.parametrize("language", languages(), ids=lambda language: language.name)
def test_word_lists_are_as_long_as_those_of_english(language: Language) -> None:
    for field in ("weekdays", "months", "numbers", "units", "seasons"):
        words = getattr(language, field).split()
        assert not words or len(words) == len(getattr(english.LANGUAGE, field).split()), field


def test_alternatives_of_all_languages_are_joined() -> None:
    assert {"yes", "ja", "oui", "да"} <= set(alternatives("yes_no", spaced=True).split("|"))
    assert {"はい", "是的"} <= set(alternatives("yes_no", spaced=False).split("|"))
    assert "the" in words_of("stop_words")


def test_patterns_that_are_searched_in_lower_case_text_are_written_so() -> None:
    for field in IN_LOWER_CASE:
        letters = re.sub(r"\\[A-Z]", "", alternatives(field, spaced=True) + alternatives(field, spaced=False))
        assert letters == letters.lower(), field
