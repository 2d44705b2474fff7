"""Asks a language model for JSON, validates the answer, and asks again with the problems found."""

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

_MAX_PROBLEMS = 20  # listed in one request
_MAX_SHOWN_ANSWER = 6_000  # characters of a bad answer in a repair request


@dataclass(frozen=True, slots=True)
class AnswerVerdict(Generic[T]):
    """The accepted items of an answer, the problems of the others, and why some got other words."""

    accepted: tuple[T, ...] = ()
    problems: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedAnswer(Generic[T]):
    """The result of asking. `truncated`: the answer ended early, so there may be more items."""

    accepted: tuple[T, ...]
    refused: tuple[str, ...] = ()
    truncated: bool = False
    replaced: tuple[str, ...] = ()


CheckAnswer = Callable[[Any], AnswerVerdict[T]]  # raises InvalidAnswer for an unusable answer


def ask_model(
    model: LanguageModel, request: CompletionRequest, check: CheckAnswer[T], repairs: int, *, may_split: bool = True
) -> CheckedAnswer[T]:
    """Ask, and ask again up to `repairs` times for an unusable answer and once for single refused items.

    `may_split`: the caller can ask about smaller parts if the answer is truncated. If not, a truncated answer without a
    complete item is unusable, since it does not mean that there are no items.
    Raises ModelFailed if there is no usable answer, LimitReached if asking would cost too much.
    """
    first: CheckedAnswer[T] | None = None
    why = ""
    for _ in range(repairs + 1):
        try:
            answer = call_model(model, request)
        except ModelFailed:
            if first is not None:  # keep the first answer; its refused items stay refused
                return first
            raise
        try:
            reply = _parse_answer(answer)
            verdict = check(reply.value)
            truncated = reply.truncated or answer.finish == "length"
            if truncated and not may_split and first is None and not verdict.accepted:
                raise UnreadableAnswer("it ended before its first complete item")
        except (UnreadableAnswer, InvalidAnswer) as wrong:
            why = str(wrong)
            request = _repair_request(
                request, answer, f"That answer cannot be used: {why}. Answer again with the JSON alone."
            )
            continue
        if first is not None:
            return CheckedAnswer(
                first.accepted + tuple(new for new in verdict.accepted if new not in first.accepted),
                verdict.problems,
                replaced=tuple(dict.fromkeys(first.replaced + verdict.replaced)),
            )
        first = CheckedAnswer(verdict.accepted, verdict.problems, truncated, verdict.replaced)
        if first.truncated or not first.refused:
            return first
        request = _repair_request(request, answer, _complaint(first.refused))
    if first is not None:
        return first
    raise ModelFailed(
        f"{model.name}: no usable answer in {repairs + 1} attempts ({why}); nothing was learned from this session, "
        "it stays pending. Try again, or choose another model (llm_model)"
    )


def call_model(model: LanguageModel, request: CompletionRequest) -> Completion:
    """Call the model and turn provider failures into errors of this package."""
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
    """The request with the last answer and its problem; earlier answers are left out."""
    return replace(request, failed_answers=(FailedAnswer(answer.text[:_MAX_SHOWN_ANSWER], problem),))


def _complaint(problems: tuple[str, ...]) -> str:
    listed = "\n".join(f"- {problem}" for problem in problems[:_MAX_PROBLEMS])
    return (
        f"These items were refused:\n{listed}\n"
        "Answer in the same form with the corrected items alone; the others were taken. "
        "Leave out what the conversation does not say. Quote word for word."
    )


# ── parsing: code fences, thinking, surrounding text, trailing commas and truncation are repaired ──

MAX_REPLY = 400_000  # characters, ten times the longest expected answer
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_STRING_OR_TRAILING_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])', re.DOTALL)
_CLOSING_BRACKET = {"{": "}", "[": "]"}


class UnreadableAnswer(Exception):
    """The answer contains no JSON."""


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A JSON value, and whether its end was missing."""

    value: Any
    truncated: bool = False


def parse_reply(text: str) -> ParsedReply:
    """The JSON of an answer. Of a truncated list, the complete items are kept."""
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
            return ParsedReply(closed, truncated=True)
    raise UnreadableAnswer(f"it is not JSON: {text[:60]!r}…" if len(text) > 60 else f"it is not JSON: {text!r}")


_decoder = json.JSONDecoder(strict=False)  # allows newlines inside strings


def _json_candidates(text: str) -> list[str]:
    """Parts of a text that may be the JSON: inside a code fence, or from the first bracket on."""
    fenced = [block.strip() for block in _FENCE.findall(text)]
    starts = [text[at:] for at in sorted(text.find(bracket) for bracket in "{[") if at >= 0]
    return [each for each in dict.fromkeys([*fenced, *starts]) if each.startswith(("{", "["))]


def _drop_comma(match: re.Match[str]) -> str:
    return "" if match[0] == "," else match[0]


def _close_truncated(text: str) -> Any | None:
    """Parse the text up to its last complete item, with the open brackets closed."""
    end, still_open = _last_complete_item(text)
    if end == 0:
        return None
    try:
        return _decoder.decode(text[:end] + "".join(_CLOSING_BRACKET[bracket] for bracket in reversed(still_open)))
    except (ValueError, RecursionError):
        return None


def _last_complete_item(text: str) -> tuple[int, tuple[str, ...]]:
    """The end of the last complete item of an outermost list, and the brackets that are open there.

    An incomplete item, such as a procedure without its last steps, is worse than none.
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
