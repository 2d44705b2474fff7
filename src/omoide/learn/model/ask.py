"""Asks a language model for JSON, validates the answer by its schema, and asks again with the problems found."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Generic, Literal, TypeVar

from omoide import errors
from omoide.errors import ModelFailed
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


# The shape of a model's answer: lists of items with typed fields, their JSON schema and their validation.
#
# Schemas are flat and have no optional fields; an empty string means "not said". Every provider's strict mode accepts
# that, and small models follow it. Items are validated one by one, so a bad item does not affect the others.


class InvalidAnswer(Exception):
    """What is wrong with an answer or one of its fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerField:
    """One field of an item. `max_size` counts characters of a text or entries of a list."""

    name: str
    description: str = ""
    type: Literal["text", "word", "list", "number", "whole", "flag", "choice"] = "text"
    max_size: int = 300
    choices: tuple[str, ...] = ()
    may_be_empty: bool = False
    truncate: bool = False  # cut a text that is too long instead of refusing it

    def schema(self) -> dict[str, Any]:
        """The JSON schema. A description is only given where the instructions lack it, since it costs tokens."""
        return self._form() | ({"description": self.description} if self.description else {})

    def _form(self) -> dict[str, Any]:
        match self.type:
            case "list":
                return {"type": "array", "items": {"type": "string"}, "maxItems": self.max_size}
            case "number":
                return {"type": "number", "minimum": 0, "maximum": 1}
            case "whole":
                return {"type": "integer"}
            case "flag":
                return {"type": "boolean"}
            case "choice":
                return {"type": "string", "enum": list(self.choices)}
            case _:
                return {"type": "string", "maxLength": self.max_size}

    def read(self, value: Any) -> Any:
        """Validate a value and convert it where that is unambiguous."""
        try:
            return getattr(self, f"_{self.type}")(value)
        except (TypeError, ValueError, OverflowError):
            raise InvalidAnswer(f"{self.name} should be {self._wanted()}, not {_short_repr(value)}") from None

    def _wanted(self) -> str:
        texts = {"number": "a number from 0 to 1", "whole": "a whole number", "flag": "true or false"}
        texts |= {"list": "a list of texts", "choice": f"one of {', '.join(self.choices)}"}
        return texts.get(self.type, "a text")

    def _text(self, value: Any) -> str:
        if value is None or isinstance(value, bool):
            value = "" if value is None else str(value).lower()
        if not isinstance(value, str | int | float):
            raise TypeError
        text = " ".join(str(value).replace("\x00", " ").split())
        if not text and not self.may_be_empty:
            raise InvalidAnswer(f"{self.name} is empty")
        if len(text) > self.max_size and self.truncate:
            text = text[: self.max_size].rsplit(" ", 1)[0]
        if len(text) > self.max_size:
            raise InvalidAnswer(f"{self.name} has {len(text)} characters, {self.max_size} are allowed")
        return text.encode("utf-8", "replace").decode()  # replaces half a surrogate pair

    def _word(self, value: Any) -> str:
        """Convert to lower_snake_case."""
        text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", self._text(value))
        word = "_".join(re.findall(r"\w+", text.lower().replace("_", " ")))
        if not word and not self.may_be_empty:
            raise InvalidAnswer(f"{self.name} has no letters")
        return word

    def _list(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            value = [value] if value.strip() else []
        if value is None:
            value = []
        if not isinstance(value, list):
            raise TypeError
        if len(value) > self.max_size:
            raise InvalidAnswer(f"{self.name} has {len(value)} entries, {self.max_size} are allowed")
        one = AnswerField(name=self.name, max_size=300, may_be_empty=True)
        texts = tuple(text for each in value if (text := one._text(_step_text(each))))
        if not texts and not self.may_be_empty:
            raise InvalidAnswer(f"{self.name} is empty")
        return texts

    def _number(self, value: Any) -> float:
        if isinstance(value, bool):
            raise TypeError
        percent = isinstance(value, str) and value.strip().endswith("%")
        number = float(value.strip().rstrip("%") if isinstance(value, str) else value)
        number = number / 100 if percent else number
        if not math.isfinite(number):
            raise ValueError
        return min(1.0, max(0.0, number))

    def _whole(self, value: Any) -> int:
        if isinstance(value, bool):
            raise TypeError
        if isinstance(value, str):
            found = re.fullmatch(r"\D{0,8}(\d{1,9})\D{0,2}", value.strip())  # "[3]", "turn 3"
            value = found[1] if found else value
        number = int(value)
        if isinstance(value, float) and value != number:
            raise ValueError
        return number

    def _flag(self, value: Any) -> bool:
        if value is None or isinstance(value, bool):
            return bool(value)
        known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": False}
        if str(value).strip().lower() not in known:
            raise ValueError
        return known[str(value).strip().lower()]

    def _choice(self, value: Any) -> str:
        text = self._word(value) if isinstance(value, str) and value.strip() else ""
        if text in self.choices:
            return text
        near = get_close_matches(text, self.choices, n=1, cutoff=0.8) if text else []
        if near or "other" in self.choices:
            return near[0] if near else "other"
        raise ValueError


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerList:
    """A list of items of one kind."""

    name: str
    fields: tuple[AnswerField, ...]
    max_items: int = 30

    def schema(self) -> dict[str, Any]:
        item = _object_schema({field.name: field.schema() for field in self.fields})
        return {"type": "array", "items": item, "maxItems": self.max_items}

    def read(self, item: Any) -> dict[str, Any]:
        """Validate one item. Raises InvalidAnswer with all of its problems."""
        if not isinstance(item, Mapping):
            raise InvalidAnswer(f"it should be an object, not {_short_repr(item)}")
        values, problems = {}, []
        for field in self.fields:
            try:
                values[field.name] = field.read(item.get(field.name))
            except InvalidAnswer as wrong:
                problems.append(str(wrong))
        if problems:
            raise InvalidAnswer("; ".join(problems))
        return values


def answer_schema(lists: tuple[AnswerList, ...]) -> dict[str, Any]:
    """The JSON schema of an answer with these lists."""
    return _object_schema({each.name: each.schema() for each in lists})


@dataclass(frozen=True, slots=True)
class AnswerEntry:
    """An item of an answer: its list, its number there from 1, and its values or its problem."""

    list_name: str
    number: int
    values: dict[str, Any] | None
    problem: str = ""

    @property
    def label(self) -> str:
        return f"{self.list_name} {self.number}"


def answer_entries(lists: tuple[AnswerList, ...], value: Any) -> list[AnswerEntry]:
    """Every item of an answer, valid or not. Raises InvalidAnswer if it has none of the lists."""
    answered = _answer_lists(lists, value)
    found: list[AnswerEntry] = []
    for each in lists:
        items = answered.get(each.name)
        items = items if isinstance(items, list) else [] if items in (None, "", {}) else [items]
        for number, item in enumerate(items, 1):
            if number > each.max_items:
                found.append(AnswerEntry(each.name, number, None, f"more than {each.max_items} items"))
                continue
            try:
                found.append(AnswerEntry(each.name, number, each.read(item)))
            except InvalidAnswer as wrong:
                found.append(AnswerEntry(each.name, number, None, str(wrong)))
    return found


def _answer_lists(lists: tuple[AnswerList, ...], value: Any) -> Mapping[str, Any]:
    """The lists of an answer, also if the model wrapped them in an object or returned a bare list."""
    names = {each.name for each in lists}
    if isinstance(value, list) and len(lists) == 1:
        return {lists[0].name: value}
    if isinstance(value, Mapping):
        if names & set(value):
            return value
        for inner in value.values():
            if isinstance(inner, Mapping) and names & set(inner):
                return inner
    raise InvalidAnswer(f"it has none of the lists {', '.join(sorted(names))}")


def _object_schema(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _step_text(value: Any) -> Any:
    """Models often write steps as objects: {"action": "run", "detail": "npm test"}."""
    return " ".join(str(part) for part in value.values()) if isinstance(value, Mapping) else value


def _short_repr(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
