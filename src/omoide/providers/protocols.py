"""What an embedder is: texts in, one vector of a fixed size each out; some give the states of the words as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product says how alike two texts are.

    `name` and `dimensions` are written into the file beside the vectors: vectors of two names are never compared,
    so a change of weights, pooling or prefix needs a new name.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, in order: shape (len(texts), dimensions), float32, each row of length 1."""
        ...


class LanguageAwareEmbedder(Protocol):
    """An embedder that knows what it was made to read. One that does not say is taken to read everything."""

    def reads(self, text: str) -> bool:
        """Whether a vector of this text is more than a guess."""
        ...


@dataclass(frozen=True, slots=True)
class TokenStates:
    """One text as a model reads it, piece by piece: the word that each piece is part of, and the model's state there.

    Marks that the model sets by itself, as at the beginning and the end of a text, are left out.
    """

    words: tuple[str, ...]
    states: NDArray[np.float32]  # one row a piece; as many columns for every text of an embedder


class TokenEmbedder(Embedder, Protocol):
    """An embedder that can also tell how it understands each word where it stands: recall compares word by word."""

    def embed_tokens(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Sequence[TokenStates]]:
        """In one pass, what `embed` gives and the pieces of each text. States of any length: only directions count."""
        ...


# What a reranker is: a question and some texts in, one number each out, higher where the text answers it better.


class Reranker(Protocol):
    """Reads question and text together, which is slower and surer than comparing two vectors."""

    @property
    def name(self) -> str: ...

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One number a text, in order. Only their order matters."""
        ...


# What a token counter is: a text in, what it costs a language model out.


class TokenCounter(Protocol):
    """Counts as the model in use does, or near enough. 0 for an empty text; the same text always costs the same."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...


# What a language model is: instructions and a text in, one JSON answer of a given schema out.


OPERATIONS = ("extract", "summarise", "enrich", "causes", "compress")

FinishReason = Literal["stop", "length", "refused"]


@dataclass(frozen=True, slots=True)
class FailedAnswer:
    """An answer that would not do, and what was wrong with it: told to the model when it is asked again."""

    answer: str
    complaint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """One question to a model. The `operation` decides which model answers, where several are configured."""

    operation: str  # of OPERATIONS
    instructions: str
    input: str  # data, never instructions
    schema: Mapping[str, Any]  # JSON schema of the answer, an object
    max_output_tokens: int = 4_000
    before: tuple[FailedAnswer, ...] = ()

    @property
    def words(self) -> str:
        """All the text that is sent, for counting."""
        return "\n".join([self.instructions, self.input, *(f"{e.answer}\n{e.complaint}" for e in self.before)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model wrote, JSON if it obeyed: it is checked, repaired or refused by whoever asked."""

    text: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None  # dollars; None where the price is not known
    finish: FinishReason = "stop"  # length: cut off by the limit of tokens


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """Dollars per million tokens."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        return (self.input * input_tokens + self.output * output_tokens) / 1_000_000


class LanguageModel(Protocol):
    """Answers with JSON. It raises CallFailed and nothing else; it is tried once, patience is another's part."""

    @property
    def name(self) -> str: ...

    def price(self, operation: str) -> TokenPrice | None:
        """What tokens cost for this operation, None where nobody knows."""
        ...

    def complete(self, request: CompletionRequest) -> Completion: ...


class ModelCallFailed(Exception):
    """A call brought no answer. The text never holds a key and names provider, model and what happened."""

    def __init__(self, message: str, *, again: bool = False, after: float | None = None, late: bool = False) -> None:
        super().__init__(message)
        self.again = again  # whether the same call may succeed later
        self.after = after  # seconds that the provider asked us to wait
        self.late = late  # it may have been answered, and charged, after we stopped waiting


class SpendingLimitReached(ModelCallFailed):
    """The next call would go past the spending limit; it was not made."""
