"""Corrections rewrite what they mean and nothing else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from omoide import Memory
from omoide.learn.apply_corrections import replace_word
from omoide.learn.proposal import LearningConversation, Statement, UserCorrection
from omoide.learn.statements.corrections import find_corrections, replacements_in
from tests.conftest import NOW
from tests.learn.test_model_extractor import talk, turn


def pairs(conversation: LearningConversation) -> list[tuple[str | None, str | None]]:
    return [(each.wrong, each.right) for each in replacements_in(conversation) if isinstance(each, UserCorrection)]


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("Always use pnpm, not npm", "npm", "pnpm"),
        ("Stop using yarn, use bun", "yarn", "bun"),
        ("We're on bun now, not yarn", "yarn", "bun"),
        ("Don't npm install, pnpm install", "npm", "pnpm"),
        ("Please switch to uv instead of pip", "pip", "uv"),
        ("We migrated from jest to vitest last week", "jest", "vitest"),
        ("Replace flake8 with ruff", "flake8", "ruff"),
        ("Instead of make, use ninja", "make", "ninja"),
        ("We don't use docker anymore, we use podman", "docker", "podman"),
        ("grep is out, use ripgrep", "grep", "ripgrep"),
        ("ripgrep, not grep please", "grep", "ripgrep"),
        ("Never run pip directly, use uv", "pip", "uv"),
        ("For tests go with pytest rather than unittest", "unittest", "pytest"),
        ("npm is banned here, pnpm only", "npm", "pnpm"),
        ("never npm, always pnpm", "npm", "pnpm"),
        ("From now on pnpm instead of npm please", "npm", "pnpm"),
        ("You ran npm test, it should be pnpm test", "npm", "pnpm"),
        ("I was wrong about pnpm, go back to npm", "pnpm", "npm"),
    ],
)
def test_many_ways_to_say_what_is_used_instead(said: str, wrong: str, right: str) -> None:
    assert pairs(talk(turn(1, said))) == [(wrong, right)]


@pytest.mark.parametrize(
    "said",
    [
        "Should we use pnpm, not npm?",
        "If we use pnpm, not npm, does the build get faster?",
        "We moved from Bergen to Oslo",
        "I'm on it now, not you",
        "I prefer tea over coffee",
    ],
)
def test_what_is_no_instruction_rewrites_nothing(said: str) -> None:
    assert pairs(talk(turn(1, said))) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("npm test", "pnpm test"),
        ("Run `npm test`, then npm run build.", "Run `pnpm test`, then pnpm run build."),
        ("do not use npm here", "do not use npm here"),
        ("Don't run npm in CI", "Don't run npm in CI"),
        ("npx npm-check-updates", "npx npm-check-updates"),
        ("see https://docs.npmjs.com/npm and npm.community", "see https://docs.npmjs.com/npm and npm.community"),
        ("npm install npm@latest", "pnpm install npm@latest"),
        ("edit .npm/config and node_modules/npm/bin", "edit .npm/config and node_modules/npm/bin"),
        (["npm ci", {"action": "npm i", "detail": ["npm x"]}], ["pnpm ci", {"action": "pnpm i", "detail": ["pnpm x"]}]),
    ],
)
def test_only_what_is_used_is_rewritten(before: Any, after: Any) -> None:
    assert replace_word(before, "npm", "pnpm") == after


def said(memory: Memory, *texts: str, session: str) -> None:
    for number, text in enumerate(texts):
        memory.observe(text, session=session, at=NOW + timedelta(minutes=number))
    memory.end(session)
    memory.learn()


@pytest.mark.parametrize("words", ["Stop using yarn, use bun", "We're on bun now, not yarn"])
def test_stored_steps_of_any_form_follow(memory: Memory, words: str) -> None:
    steps = ["yarn install", {"action": "`yarn test`", "detail": "see https://yarn.dev/test"}]
    memory.remember("To release: install and test with yarn", kind="procedure", name="release", steps=steps)
    said(memory, words, session="s1")
    [held] = [each for each in memory.list() if each.kind == "procedure"]
    texts = str(held.attributes["steps"])
    assert "bun install" in texts
    assert "`bun test`" in texts
    assert "https://yarn.dev/test" in texts


def test_what_the_user_does_otherwise_is_learned() -> None:
    conversation = talk(
        turn(1, "I ran npm install and everything is there.", "agent"), turn(2, "I ran pnpm install instead")
    )
    [found] = [each for each in replacements_in(conversation) if isinstance(each, Statement)]
    assert (found.form, found.value, found.source_type) == ("preference", "pnpm", "observed")
    assert "npm install" in found.text


@pytest.mark.parametrize("words", ["it's pnpm here", "next time use pnpm", "wrong package manager, it's pnpm"])
def test_what_the_agent_used_is_replaced_by_what_the_user_names(words: str) -> None:
    assert pairs(talk(turn(1, "Running `npm test`.", "agent"), turn(2, words))) == [("npm", "pnpm")]
    both = turn(1, "I ran npm test and then ran git push.", "agent")
    assert pairs(talk(both, turn(2, words))) == []


@pytest.mark.parametrize(
    ("first", "then", "after"),
    [
        ("My manager is Ben", "Not Ben, Bob", "User's manager is Bob"),
        ("I work at Adobe", "no, Autodesk, not Adobe", "User works at Autodesk"),
        ("My name is Jon", "It's spelled John, with an h", "User's name is John"),
        ("My rent is 850 euros", "oops, 870", "User's rent is 870 euros"),
        (
            "My flight to Chennai is on the 9th of June",
            "no, it's the 12th",
            "User's flight to Chennai is on the 12th of June (2026-06-12)",
        ),
        (
            "My dentist appointment is on 9 June",
            "wait no, not the 9th, the 12th",
            "User's dentist appointment is on 12th June (2026-06-12)",
        ),
    ],
)
def test_a_slip_of_the_tongue_is_set_right(memory: Memory, first: str, then: str, after: str) -> None:
    said(memory, first, then, session="s1")
    held = [each.text for each in memory.list() if each.kind == "fact"]
    assert held == [after]


@pytest.mark.parametrize(
    ("first", "then", "pair"),
    [
        ("Ich wohne in Hamburg und arbeite bei der Post", "Nicht Hamburg, sondern Bremen", ("Hamburg", "Bremen")),
        ("Mi hermana se llama Lucía", "perdón, quise decir Lucila, no Lucía", ("Lucía", "Lucila")),
        ("A minha irmã chama-se Rita", "quis dizer Rute, não Rita", ("Rita", "Rute")),
    ],
)
def test_other_languages_set_right_too(first: str, then: str, pair: tuple[str, str]) -> None:
    [found] = find_corrections(talk(turn(1, first), turn(2, then))).corrections
    assert (found.wrong, found.right) == pair


@pytest.mark.parametrize("words", ["No, thanks", "I meant to call you", "Sorry, that was rude", "not now, later"])
def test_what_only_sounds_like_a_correction_changes_nothing(memory: Memory, words: str) -> None:
    said(memory, "I live in Rome", words, session="s1")
    assert "User lives in Rome" in [each.text for each in memory.list(kinds=["fact"])]


def test_a_corrected_fact_brings_its_relation(memory: Memory) -> None:
    said(memory, "My manager is Ben", "Not Ben, Bob", session="s1")
    assert [each.text for each in memory.recall("Who is Bob?", kinds=["fact"]).hits] == ["User's manager is Bob"]
    assert "Bob" in [each.name for each in memory.graph.entities()]
