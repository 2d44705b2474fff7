"""Products of matrices a few rows at a time, and sorted different values, equal those of numpy."""

from __future__ import annotations

import numpy as np
import pytest

from omoide.store.search.embedding import matrix_product
from omoide.store.search.node_columns import distinct


@pytest.mark.parametrize("rows", [0, 1, 58, 59, 117, 2_048])
@pytest.mark.parametrize(("width", "columns"), [(64, 64), (384, 128), (384, 1_000)])
def test_a_product_in_parts_is_the_product(rows: int, width: int, columns: int) -> None:
    chance = np.random.default_rng(1)
    left = chance.standard_normal((rows, width + 5), np.float32)[:, 5:]  # part of a larger matrix, as a block of axes
    right = chance.standard_normal((columns, width), np.float32).T
    assert matrix_product(left, right) == pytest.approx(left @ right, abs=1e-3)


@pytest.mark.parametrize("values", [[], [3], [2, 2, 2], [5, 1, 5, 0, 1]])
def test_different_values_are_sorted(values: list[int]) -> None:
    given = np.array(values, np.int64)
    assert distinct(given).tolist() == sorted(set(values))
