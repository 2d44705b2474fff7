"""What an answer must look like: one table a kind of item, from which its JSON schema and its checks are made.

Flat, no optional fields, an empty string for "not said": every provider's strict mode takes that, and small models
keep to it. Checks are item by item, so that one bad item does not cost the others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal


class InvalidAnswer(Exception):
    """A field, and what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerField:
    """One value of an item. `most`: characters of a text, texts of a list."""

    name: str
    about: str = ""
    type: Literal["text", "word", "list", "number", "whole", "flag", "choice"] = "text"
    most: int = 300
    choices: tuple[str, ...] = ()
    empty: bool = False  # whether nothing is allowed
    cut: bool = False  # whether the beginning of a text that is too long will do

    def schema(self) -> dict[str, Any]:
        """Described only where the instructions do not do it already: the schema is paid for with every call."""
        return self._form() | ({"description": self.about} if self.about else {})

    def _form(self) -> dict[str, Any]:
        match self.type:
            case "list":
                return {"type": "array", "items": {"type": "string"}, "maxItems": self.most}
            case "number":
                return {"type": "number", "minimum": 0, "maximum": 1}
            case "whole":
                return {"type": "integer"}
            case "flag":
                return {"type": "boolean"}
            case "choice":
                return {"type": "string", "enum": list(self.choices)}
            case _:
                return {"type": "string", "maxLength": self.most}

    def read(self, value: Any) -> Any:
        """The value as it should be, coerced where that is certain."""
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
        if not text and not self.empty:
            raise InvalidAnswer(f"{self.name} is empty")
        if len(text) > self.most and self.cut:
            text = text[: self.most].rsplit(" ", 1)[0]
        if len(text) > self.most:
            raise InvalidAnswer(f"{self.name} has {len(text)} characters, {self.most} are allowed")
        return text.encode("utf-8", "replace").decode()  # half a surrogate pair cannot be stored

    def _word(self, value: Any) -> str:
        """lower_snake_case, whatever it was written in."""
        text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", self._text(value))
        word = "_".join(re.findall(r"\w+", text.lower().replace("_", " ")))
        if not word and not self.empty:
            raise InvalidAnswer(f"{self.name} has no letters")
        return word

    def _list(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            value = [value] if value.strip() else []
        if value is None:
            value = []
        if not isinstance(value, list):
            raise TypeError
        if len(value) > self.most:
            raise InvalidAnswer(f"{self.name} has {len(value)} entries, {self.most} are allowed")
        one = AnswerField(name=self.name, most=300, empty=True)
        texts = tuple(text for each in value if (text := one._text(_step_text(each))))
        if not texts and not self.empty:
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
    most: int = 30

    def schema(self) -> dict[str, Any]:
        item = _object_schema({field.name: field.schema() for field in self.fields})
        return {"type": "array", "items": item, "maxItems": self.most}

    def read(self, item: Any) -> dict[str, Any]:
        """The fields of one item, or Wrong with everything that is wrong with it."""
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


def answer_schema(shapes: tuple[AnswerList, ...]) -> dict[str, Any]:
    """The JSON schema of an answer that has these lists."""
    return _object_schema({shape.name: shape.schema() for shape in shapes})


@dataclass(frozen=True, slots=True)
class AnswerEntry:
    """An item as it came: which list, which place in it, its fields or what is wrong with them."""

    shape: str
    place: int
    values: dict[str, Any] | None
    problem: str = ""


def answer_entries(shapes: tuple[AnswerList, ...], value: Any) -> list[AnswerEntry]:
    """Every item of an answer, sound or not; Wrong if it has none of the lists."""
    lists = _answer_lists(shapes, value)
    found: list[AnswerEntry] = []
    for shape in shapes:
        items = lists.get(shape.name)
        items = items if isinstance(items, list) else [] if items in (None, "", {}) else [items]
        for place, item in enumerate(items, 1):
            if place > shape.most:
                found.append(AnswerEntry(shape.name, place, None, f"more than {shape.most} items"))
                continue
            try:
                found.append(AnswerEntry(shape.name, place, shape.read(item)))
            except InvalidAnswer as wrong:
                found.append(AnswerEntry(shape.name, place, None, str(wrong)))
    return found


def _answer_lists(shapes: tuple[AnswerList, ...], value: Any) -> Mapping[str, Any]:
    """The lists, also where the model wrapped them in another object, or gave a single list alone."""
    names = {shape.name for shape in shapes}
    if isinstance(value, list) and len(shapes) == 1:
        return {shapes[0].name: value}
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
    """Models like to number steps as objects: {"action": "run", "detail": "npm test"}."""
    return " ".join(str(part) for part in value.values()) if isinstance(value, Mapping) else value


def _short_repr(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
