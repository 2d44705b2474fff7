"""A reranker that uses a cross-encoder model through fastembed (extra `rerank`)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

DEFAULT_MODEL = "Xenova/ms-marco-MiniLM-L-6-v2"  # 80 MB, Apache-2.0, English; fastembed lists others


def is_available() -> bool:
    """Returns whether fastembed is installed, without importing it."""
    return find_spec("fastembed") is not None


class CrossEncoder:
    """Scores question and text together with a small transformer.

    The first call of `scores` loads the runtime and the weights, from `folder` if given. fastembed downloads missing
    weights once; with `offline=True` it does not, and recall works without reranking.
    """

    def __init__(
        self, model: str = DEFAULT_MODEL, *, folder: str | None = None, threads: int = 1, offline: bool = False
    ) -> None:
        if not is_available():
            raise ImportError(
                'CrossEncoder needs fastembed, which is missing: pip install "omoide[rerank]"', name="fastembed"
            )
        self._model = model
        self._options: dict[str, Any] = {"cache_dir": folder, "threads": threads, "local_files_only": offline}
        self._lock = threading.Lock()
        self._engine: Any = None

    @property
    def name(self) -> str:
        return self._model

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Returns one number per text, higher where it answers better."""
        return [float(score) for score in self._load().rerank(question, list(texts))]

    def _load(self) -> Any:
        with self._lock:
            if self._engine is None:
                from fastembed.rerank.cross_encoder import TextCrossEncoder

                self._engine = TextCrossEncoder(self._model, **self._options)
            return self._engine
