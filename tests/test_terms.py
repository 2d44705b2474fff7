"""One term for one thing: names that users meet are everyday words, ordinary terms of computing, or in the glossary."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from omoide.domain.edge import EDGE_TYPES
from omoide.interfaces.verbs import VERBS
from omoide.language.text import stem, word_rank
from omoide.maintain.nightly import JOBS
from omoide.recall.pipeline import STAGES
from omoide.recall.search import ARMS
from omoide.settings import Settings

DOCS = Path(__file__).parent.parent / "docs"
GLOSSARY = DOCS / "reference" / "glossary.md"
ORDINARY = Path(__file__).with_name("ordinary_terms.txt")
EVERYDAY = 10_000  # the most frequent English words


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{3,}", text.lower()))


def unexplained(words: set[str]) -> list[str]:
    explained = {stem(word) for word in words_of(GLOSSARY.read_text("utf-8"))}
    known = words_of(re.sub(r"^#.*", "", ORDINARY.read_text("utf-8"), flags=re.M))
    return sorted(word for word in words - known if stem(word) not in explained and not is_everyday(word))


def is_everyday(word: str) -> bool:
    rank = word_rank(word)
    return rank is not None and rank <= EVERYDAY


def test_names_of_commands_and_verbs_are_terms() -> None:
    assert unexplained({word for verb in VERBS for name in (*verb.words, verb.method) for word in words_of(name)}) == []


def test_names_of_settings_are_terms() -> None:
    assert unexplained({word for each in fields(Settings) for word in words_of(each.name)}) == []


def test_names_of_stages_arms_jobs_and_links_are_terms() -> None:
    names = {name for name, _ in STAGES} | set(ARMS) | {job.name for job in JOBS} | set(EDGE_TYPES)
    assert unexplained({word for name in names for word in words_of(name)}) == []


def test_headings_of_the_documentation_use_terms() -> None:
    pages = [page for page in DOCS.glob("**/*.md") if "decisions" not in page.parts]
    headings = [line for page in pages for line in re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.M)]
    assert unexplained({word for line in headings for word in words_of(re.sub(r"`[^`]*`", "", line))}) == []
