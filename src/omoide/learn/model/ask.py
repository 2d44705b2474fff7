"""Asking until the answer will do: what cannot be read or does not hold is told to the model, then refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from omoide import errors
from omoide.errors import ModelFailed
from omoide.learn.model.answer_schema import InvalidAnswer
from omoide.providers.protocols import (
    Completion,
    CompletionRequest,
    FailedAnswer,
    LanguageModel,
    ModelCallFailed,
    SpendingLimitReached,
)

T = TypeVar("T")

_MAX_PROBLEMS = 20  # told at once
_MAX_SHOWN_ANSWER = 6_000  # characters of a bad answer that are shown again


@dataclass(frozen=True, slots=True)
class AnswerVerdict(Generic[T]):
    """What of an answer holds, and what is wrong with the rest."""

    good: tuple[T, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedAnswer(Generic[T]):
    """What came of asking. `cut`: the answer broke off, there may have been more."""

    good: tuple[T, ...]
    refused: tuple[str, ...] = ()
    cut: bool = False


CheckAnswer = Callable[[Any], AnswerVerdict[T]]  # raises Wrong where an answer is of no use at all


def ask_model(
    model: LanguageModel, request: CompletionRequest, judge: CheckAnswer[T], repairs: int, *, halved: bool = True
) -> CheckedAnswer[T]:
    """Asks once, and again with what was wrong: as often as `repairs` for an answer of no use, once for single items.

    `halved`: an answer that breaks off is asked for in halves by the caller. Where it cannot be, one that broke off
    before anything whole stood in it is of no use: an empty beginning does not say that there is nothing.
    Raises ModelFailed when nothing usable comes, LimitReached when asking would cost too much.
    """
    first: CheckedAnswer[T] | None = None
    why = ""
    for _ in range(repairs + 1):
        try:
            answer = call_model(model, request)
        except ModelFailed:
            if first is not None:  # only the corrections are lost, and they are counted as refused
                return first
            raise
        try:
            reply = _parse_answer(answer)
            verdict = judge(reply.value)
            cut = reply.cut or answer.finish == "length"
            if cut and not halved and first is None and not verdict.good:
                raise UnreadableAnswer("it broke off before its first whole item")
        except (UnreadableAnswer, InvalidAnswer) as wrong:
            why = str(wrong)
            request = _repair_request(
                request, answer, f"That answer cannot be used: {why}. Answer again with the JSON alone."
            )
            continue
        if first is not None:
            return CheckedAnswer(
                first.good + tuple(new for new in verdict.good if new not in first.good), verdict.problems
            )
        first = CheckedAnswer(verdict.good, verdict.problems, cut)
        if first.cut or not first.refused:
            return first
        request = _repair_request(request, answer, _complaint(first.refused))
    if first is not None:
        return first
    raise ModelFailed(
        f"{model.name}: no usable answer in {repairs + 1} attempts ({why}); nothing was learned from this session, "
        "it stays pending. Try again, or choose another model (llm_model)"
    )


def call_model(model: LanguageModel, request: CompletionRequest) -> Completion:
    """One call, with the provider's failures in the words of our own tree."""
    try:
        return model.complete(request)
    except SpendingLimitReached as failed:
        raise errors.LimitReached(f"{failed}; the session stays pending") from None
    except ModelCallFailed as failed:
        raise ModelFailed(
            f"{failed}; nothing was learned from this session, it stays pending. Try again later"
        ) from None


def _parse_answer(answer: Completion) -> ParsedReply:
    if answer.finish == "refused":
        raise UnreadableAnswer("the model refused to answer")
    return parse_reply(answer.text)


def _repair_request(request: CompletionRequest, answer: Completion, problem: str) -> CompletionRequest:
    """Only the last answer is shown: the way there does not help."""
    return replace(request, failed_answers=(FailedAnswer(answer.text[:_MAX_SHOWN_ANSWER], problem),))


def _complaint(problems: tuple[str, ...]) -> str:
    listed = "\n".join(f"- {problem}" for problem in problems[:_MAX_PROBLEMS])
    return (
        f"These items were refused:\n{listed}\n"
        "Answer in the same form with the corrected items alone; the others were taken. "
        "Leave out what the conversation does not say. Quote word for word."
    )


# The text of an answer → JSON, repaired where that is certain: fences, thoughts and chatter around it, a cut end.


MAX_REPLY = 400_000  # characters; nothing we ask for is a tenth as long
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_STRING_OR_TRAILING_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])', re.DOTALL)
_CLOSING_BRACKET = {"{": "}", "[": "]"}


class UnreadableAnswer(Exception):
    """There is no JSON in it; the text says what was there instead."""


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A value, and whether the end was missing, so that there may have been more."""

    value: Any
    cut: bool = False


def parse_reply(text: str) -> ParsedReply:
    """The JSON of an answer. Of a list that was cut off its whole items are kept."""
    if len(text) > MAX_REPLY:
        raise UnreadableAnswer(f"it is {len(text):,} characters long")
    text = _THINKING.sub("", text.lstrip("\ufeff")).strip()
    if not text:
        raise UnreadableAnswer("it is empty")
    for candidate in _json_candidates(text):
        for repaired in (candidate, _STRING_OR_TRAILING_COMMA.sub(_drop_comma, candidate)):
            try:
                return ParsedReply(_decoder.raw_decode(repaired)[0])
            except (ValueError, RecursionError):
                continue
        if (closed := _close_truncated(candidate)) is not None:
            return ParsedReply(closed, cut=True)
    raise UnreadableAnswer(f"it is not JSON: {text[:60]!r}…" if len(text) > 60 else f"it is not JSON: {text!r}")


_decoder = json.JSONDecoder(strict=False)  # a newline inside of a string is no reason to refuse it


def _json_candidates(text: str) -> list[str]:
    """What may be the JSON: inside of a fence, or from the first bracket on."""
    fenced = [block.strip() for block in _FENCE.findall(text)]
    starts = [text[at:] for at in sorted(text.find(bracket) for bracket in "{[") if at >= 0]
    return [each for each in dict.fromkeys([*fenced, *starts]) if each.startswith(("{", "["))]


def _drop_comma(match: re.Match[str]) -> str:
    return "" if match[0] == "," else match[0]


def _close_truncated(text: str) -> Any | None:
    """The text up to its last whole item, with the open brackets closed."""
    end, still_open = _last_complete_item(text)
    if end == 0:
        return None
    try:
        return _decoder.decode(text[:end] + "".join(_CLOSING_BRACKET[bracket] for bracket in reversed(still_open)))
    except (ValueError, RecursionError):
        return None


def _last_complete_item(text: str) -> tuple[int, tuple[str, ...]]:
    """Where the last item of a list of the outermost object ends, and what is open there.

    Only there: half an item, such as a how-to without its last steps, is worse than none.
    """
    stack: list[str] = []
    end, still_open = 0, tuple[str, ...]()
    inside = escaped = False
    for at, character in enumerate(text):
        if inside:
            inside, escaped = escaped or character != '"', not escaped and character == "\\"
            if inside:
                continue
        elif character == '"':
            inside = True
            continue
        elif character in "{[":
            stack.append(character)
        elif character in "]}":
            if not stack:
                break
            stack.pop()
        if tuple(stack) in (("{", "["), ("[",)) and character in '{[]}"':
            end, still_open = at + 1, tuple(stack)
    return end, still_open
