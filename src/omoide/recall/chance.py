"""What chance reaches in a store, without labels: questions foreign to it are asked, and what they find is noise."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from omoide.providers.embedder import Embedder
from omoide.recall.floor import Calibration
from omoide.recall.foreign import QUESTIONS
from omoide.store import embedded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.store.planes import Planes

_GROWN = 1.25  # times as many vectors as when it was measured: the best of more is more alike by chance


class Chances:
    """Measured at first need and again when the store has grown or shrunk by a quarter, or has another model.

    A measurement is 36 short texts, embedded once for each memory that is opened, and 36 searches.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()  # two threads must not measure the same
        self._model = 0
        self._questions: NDArray[np.float32] | None = None
        self._size = 0
        self._measured: Calibration | None = None

    def of(self, planes: Planes, model: int, embedder: Embedder) -> Calibration:
        """Raises EmbedderFailed when the embedder does not answer as it should."""
        with self._lock:
            if self._questions is None or self._model != model:
                asked = embedded(embedder, QUESTIONS).vectors
                self._model, self._questions, self._measured = model, asked, None
            size = len(planes)
            if self._measured is None or not self._size / _GROWN < size < self._size * _GROWN:
                self._size, self._measured = size, _measure(planes, self._questions)
            return self._measured


def _measure(planes: Planes, questions: NDArray[np.float32]) -> Calibration:
    among = questions @ questions.T
    count = len(questions)
    unrelated = float(among.sum() - among.trace()) / (count * (count - 1))
    best = [score for question in questions for _, score in planes.search(question, 1)]
    return Calibration(unrelated=unrelated, chance=sum(best) / max(len(best), 1))
