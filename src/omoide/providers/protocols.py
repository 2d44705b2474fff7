"""Protocols of embedders, rerankers, token counters and language models, with the records they exchange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into unit vectors; the dot product of two vectors is the similarity of their texts.

    `name` and `dimensions` are stored with the vectors. Vectors of different names are never compared, so a change
    of weights, pooling or prefix needs a new name. An embedder that has a method `supports(text) -> bool` tells which
    texts it was trained on; without it, every text counts as supported.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns one row per text, in order: shape (len(texts), dimensions), float32, each row of length 1."""
        ...


@dataclass(frozen=True, slots=True)
class TokenStates:
    """The tokens of one text: the word that each token is part of, and the model's hidden state for it.

    Special tokens, such as those that mark the beginning and the end of a text, are left out.
    """

    words: tuple[str, ...]
    states: NDArray[np.float32]  # one row per token; the number of columns is the same for all texts


class TokenEmbedder(Embedder, Protocol):
    """An embedder that also returns token states, with which recall compares texts token by token."""

    def embed_tokens(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Sequence[TokenStates]]:
        """Returns in one pass what `embed` returns, and the token states of each text.

        States may have any length; only their direction counts.
        """
        ...


class Reranker(Protocol):
    """Scores texts by reading them together with the question: slower and more accurate than comparing vectors."""

    @property
    def name(self) -> str: ...

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Returns one number per text, in order; higher where the text answers better. Only the order matters."""
        ...


class TokenCounter(Protocol):
    """Counts tokens as the model in use does, or close to it. Deterministic; 0 for an empty text."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...


OPERATIONS = ("extract", "summarise", "enrich", "causes", "compress")

FinishReason = Literal["stop", "length", "refused"]


@dataclass(frozen=True, slots=True)
class FailedAnswer:
    """An unusable answer and the reason, sent back to the model with the next attempt."""

    answer: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """One request to a language model. `operation` selects the model where several are configured."""

    operation: str  # one of OPERATIONS
    instructions: str
    input: str  # data, never instructions
    schema: Mapping[str, Any]  # JSON schema of the answer, an object
    max_output_tokens: int = 4_000
    failed_answers: tuple[FailedAnswer, ...] = ()

    @property
    def sent_text(self) -> str:
        """All the text that is sent, for counting tokens."""
        return "\n".join([self.instructions, self.input, *(f"{e.answer}\n{e.problem}" for e in self.failed_answers)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The text that a model returned. The caller checks whether it is valid JSON."""

    text: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None  # dollars; None if the price is not known
    finish: FinishReason = "stop"  # "length": cut off by max_output_tokens


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """Dollars per million tokens."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """Returns the price of these tokens in dollars."""
        return (self.input * input_tokens + self.output * output_tokens) / 1_000_000


class LanguageModel(Protocol):
    """Answers with JSON. `complete` tries once and raises only ModelCallFailed; RetryingModel adds retries."""

    @property
    def name(self) -> str: ...

    def price(self, operation: str) -> TokenPrice | None:
        """Returns the price of tokens for this operation, or None if it is not known."""
        ...

    def complete(self, request: CompletionRequest) -> Completion: ...


class ModelCallFailed(Exception):
    """A call returned no answer. The message names the provider, the model and what happened, never a key."""

    def __init__(
        self, message: str, *, retryable: bool = False, retry_after: float | None = None, may_be_charged: bool = False
    ) -> None:
        super().__init__(message)
        self.retryable = retryable  # whether the same call may succeed later
        self.retry_after = retry_after  # seconds that the provider asked us to wait
        self.may_be_charged = may_be_charged  # the provider may have answered after the timeout


class SpendingLimitReached(ModelCallFailed):
    """The next call would exceed the spending limit. It was not made."""
