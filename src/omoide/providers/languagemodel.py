"""What a language model is: instructions and a text in, one JSON answer of a given schema out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

OPERATIONS = ("extract", "summarise", "enrich", "causes", "compress")

Finish = Literal["stop", "length", "refused"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """An answer that would not do, and what was wrong with it: told to the model when it is asked again."""

    answer: str
    complaint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to a model. The `operation` decides which model answers, where several are configured."""

    operation: str  # of OPERATIONS
    instructions: str
    input: str  # data, never instructions
    schema: Mapping[str, Any]  # JSON schema of the answer, an object
    max_output_tokens: int = 4_000
    before: tuple[Exchange, ...] = ()

    @property
    def words(self) -> str:
        """All the text that is sent, for counting."""
        return "\n".join([self.instructions, self.input, *(f"{e.answer}\n{e.complaint}" for e in self.before)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model wrote, JSON if it obeyed: it is checked, repaired or refused by whoever asked."""

    text: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None  # dollars; None where the price is not known
    finish: Finish = "stop"  # length: cut off by the limit of tokens


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        return (self.input * input_tokens + self.output * output_tokens) / 1_000_000


class LanguageModel(Protocol):
    """Answers with JSON. It raises CallFailed and nothing else; it is tried once, patience is another's part."""

    @property
    def name(self) -> str: ...

    def price(self, operation: str) -> Price | None:
        """What tokens cost for this operation, None where nobody knows."""
        ...

    def complete(self, request: Request) -> Answer: ...


class CallFailed(Exception):
    """A call brought no answer. The text never holds a key and names provider, model and what happened."""

    def __init__(self, message: str, *, again: bool = False, after: float | None = None, late: bool = False) -> None:
        super().__init__(message)
        self.again = again  # whether the same call may succeed later
        self.after = after  # seconds that the provider asked us to wait
        self.late = late  # it may have been answered, and charged, after we stopped waiting


class LimitReached(CallFailed):
    """The next call would go past the spending limit; it was not made."""
