"""The shape of a model's answer: lists of items with typed fields, their JSON schema and their validation.

Schemas are flat and have no optional fields; an empty string means "not said". Every provider's strict mode accepts
that, and small models follow it. Items are validated one by one, so a bad item does not affect the others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal


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
