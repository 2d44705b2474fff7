"""Matrix products on one thread.

BLAS starts a thread for each core for all but small products. The threads wait for each other by spinning: twice the
CPU time, and many times the time where another process runs beside. So rows are multiplied a few at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_PRODUCTS = 240_000  # multiplications at once; for more, BLAS starts threads


def matrix_product(rows: NDArray[np.float32], by: NDArray[np.float32]) -> NDArray[np.float32]:
    """`rows @ by`, for two matrices."""
    step = max(1, _PRODUCTS // max(1, by.size))
    if len(rows) <= step:
        return np.asarray(rows @ by)
    found = np.empty((len(rows), by.shape[1]), np.result_type(rows, by))
    whole = len(rows) // step * step
    np.matmul(rows[:whole].reshape(-1, step, rows.shape[1]), by, out=found[:whole].reshape(-1, step, by.shape[1]))
    np.matmul(rows[whole:], by, out=found[whole:])
    return found
