"""A similarity has the same bits in any order, block or library (docs/decisions/0008)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.embed.embedder import Vector, unit
from tipstaff.embed.whole_numbers import MAX_DIMENSIONS, SCALE, cosine, whole_numbers

EXACT = 2**24


def made(seed: int, rows: int, dimensions: int, *, shape: str) -> npt.NDArray[np.int16]:
    """Rows of unit vectors: dense, nearly one-hot, or all equal (the largest partial sums)."""
    random = np.random.default_rng(seed)
    raw = random.normal(size=(rows, dimensions))
    if shape == "spiky":
        raw[:, random.integers(dimensions)] *= 1000
    if shape == "flat":
        raw = np.sign(raw)
    return np.array([whole_numbers(unit(row)) for row in raw])


@given(
    seed=st.integers(0, 2**32 - 1),
    dimensions=st.sampled_from([256, 384, 1024, 3072]),
    shape=st.sampled_from(["dense", "spiky", "flat"]),
)
def test_products_are_exact_in_any_order_and_block(seed: int, dimensions: int, shape: str) -> None:
    rows = made(seed, 40, dimensions, shape=shape)
    query = made(seed + 1, 1, dimensions, shape=shape)[0]
    exact = rows.astype(np.int64) @ query.astype(np.int64)
    floats, asked = rows.astype(np.float32), query.astype(np.float32)
    assert np.array_equal(floats @ asked, exact)
    random = np.random.default_rng(seed)
    columns = random.permutation(dimensions)
    assert np.array_equal(floats[:, columns] @ asked[columns], exact)
    order = random.permutation(len(rows))
    assert np.array_equal(floats[order] @ asked, exact[order])
    cut = int(random.integers(1, len(rows)))
    assert np.array_equal(np.concatenate([floats[:cut] @ asked, floats[cut:] @ asked]), exact)
    assert np.array_equal([np.add.accumulate(row * asked)[-1] for row in floats], exact)


@given(seed=st.integers(0, 2**32 - 1), dimensions=st.sampled_from([256, 3072, MAX_DIMENSIONS]))
def test_no_partial_sum_leaves_what_floats_hold_exactly(seed: int, dimensions: int) -> None:
    rows = made(seed, 2, dimensions, shape="dense").astype(np.int64)
    for left in rows:
        for right in rows:
            assert np.abs(left * right).sum() < EXACT


def test_plain_floats_would_not_do() -> None:
    """The reason for all this: without whole numbers the order of a sum shows in its bits."""
    random = np.random.default_rng(1)
    rows = np.array([unit(row) for row in random.normal(size=(200, 384))])
    columns = random.permutation(384)
    assert not np.array_equal(rows @ rows[0], rows[:, columns] @ rows[0][columns])


@given(st.lists(st.floats(-1, 1, width=32), min_size=256, max_size=256).filter(any))
def test_a_cosine_is_off_by_less_than_a_thousandth(numbers: list[float]) -> None:
    left: Vector = unit(numbers)
    right = unit(np.roll(left, 1))
    if not np.isfinite(left).all() or abs(float(left @ left) - 1) > 1e-3:
        return  # so small that 32-bit floats cannot scale it
    product = whole_numbers(left).astype(np.int64) @ whole_numbers(right).astype(np.int64)
    assert cosine(product) == pytest.approx(np.clip(left @ right, 0, 1), abs=0.001)


def test_opposites_count_as_nothing_and_equals_as_one() -> None:
    assert cosine([-SCALE * SCALE, 0, SCALE * SCALE, SCALE * SCALE + 9]).tolist() == [0, 0, 1, 1]


def test_a_vector_that_cannot_be_kept_exactly_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be kept exactly"):
        whole_numbers(np.zeros(MAX_DIMENSIONS + 1, np.float32))
