"""Token counters: the calibrated estimate, or exact counts with the vocabulary of the model in use.

Exact counts use splintr (extra `tokens`), whose wheel contains the vocabularies of OpenAI (cl100k_base, o200k_base,
gpt-oss), Llama, Qwen, Mistral, DeepSeek, Gemma and others. tiktoken downloads its vocabularies; rs-bpe has only two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from omoide.errors import InvalidInput, MissingExtra, OmoideError
from omoide.language import tokens
from omoide.providers.protocols import TokenCounter
from omoide.settings import Settings


class VocabularyTokenCounter:
    """Counts with a vocabulary of splintr, such as `VocabularyTokenCounter("o200k_base")`."""

    def __init__(self, name: str) -> None:
        try:
            from splintr import Tokenizer
        except ImportError as error:
            raise ImportError(
                f'counting with {name} needs the vocabularies; install them with `pip install "omoide[tokens]"`'
            ) from error
        try:
            self._model: Any = Tokenizer.from_pretrained(name)
        except ValueError as error:
            raise ValueError(f"unknown vocabulary {name!r}: {error}") from None
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def count(self, text: str) -> int:
        """Returns the number of tokens. Text that looks like a control token is counted as text."""
        return len(self._model.encode_ordinary(text))


class EstimatedTokenCounter:
    """The calibrated estimate of omoide.language.tokens; its average error is 4 to 8 %."""

    name = "estimate"

    def count(self, text: str) -> int:
        return tokens.estimate(text)


def choose_token_counter(given: TokenCounter | None, settings: Settings) -> TokenCounter:
    """Returns `given`, the counter that `settings.tokenizer` names, or the estimate.

    Raises MissingExtra if the vocabularies are not installed.
    """
    if given is not None:
        if not (isinstance(getattr(given, "name", None), str) and callable(getattr(given, "count", None))):
            raise InvalidInput("token counter: expected an object with name and count(text)")
        return given
    if not settings.tokenizer:
        return EstimatedTokenCounter()
    try:
        return VocabularyTokenCounter(settings.tokenizer)
    except ImportError as error:
        raise MissingExtra(str(error)) from None
    except ValueError as error:
        raise InvalidInput(f"tokenizer: {error}") from None


def validated_counter(count: Callable[[str], int]) -> Callable[[str], int]:
    """Wraps a counter so that it returns a whole number from 0 or raises InvalidInput."""

    def counted(text: str) -> int:
        try:
            found = count(text) if text else 0
        except OmoideError:
            raise
        except Exception as error:  # foreign code may raise anything; the message says whose it was
            raise InvalidInput(f"token counter: it failed with {type(error).__name__}: {error}") from error
        if isinstance(found, bool) or not isinstance(found, int) or found < 0:
            raise InvalidInput(f"token counter: expected a whole number from 0, got {found!r}")
        return found

    return counted
