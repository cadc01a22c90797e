"""A faint pattern in the picture of a page, that stands for its recipient (TIP §13.3.3, 2).

A tile of cells, each a shade lighter or darker, is laid over the whole page, so that every part of
some size has all of it. It survives PNG and JPEG again and a cut at the edges; not scaling, turning
or a camera.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import numpy.typing as npt
from PIL import Image

from tipstaff.watermark.tag import CODE_BITS, CODE_BYTES

CELL, CELLS = 8, 16
TILE = CELL * CELLS
# Shades of 255 by which a cell is darker; lighter ones are left as they are.
DEPTH = 5
_SYNC = 64
_PER_BIT = (CELLS * CELLS - _SYNC) // CODE_BITS
# What differs more from its surroundings is writing, not pattern.
_WRITING = 14.0
_MOST_SHIFTS = 24
Plane = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Layout:
    """Which cells are for finding the tile and which carry which bit, and their signs."""

    sync: npt.NDArray[np.int64]
    bits: npt.NDArray[np.int64]
    signs: npt.NDArray[np.int64]


def stamped(png: bytes, code: bytes, key: bytes) -> bytes:
    """The same picture with the pattern of this code."""
    image = Image.open(BytesIO(png)).convert("RGB")
    pixels = np.asarray(image, np.int16)
    tile = _tile(code, key) < 0
    height, width = pixels.shape[:2]
    repeats = (-(-height // TILE), -(-width // TILE))
    darker = np.tile(tile, repeats)[:height, :width, None] * DEPTH
    out = BytesIO()
    Image.fromarray(np.clip(pixels - darker, 0, 255).astype(np.uint8)).save(out, "PNG")
    return out.getvalue()


def codes_in_picture(content: bytes, key: bytes) -> list[bytes]:
    """What the pattern of a picture may stand for, the likeliest place of the tile first. Most of
    them are nothing: the caller knows which were made."""
    with Image.open(BytesIO(content)) as image:
        grey = np.asarray(image.convert("L"), np.float64)
    folded = _folded(grey)
    if folded is None:
        return []
    layout = _layout(key)
    likeness = _likeness(folded, layout)
    order = np.argsort(likeness, axis=None)[::-1][:_MOST_SHIFTS]
    places = (np.unravel_index(int(place), likeness.shape) for place in order)
    return [_read(np.roll(folded, (-int(y), -int(x)), (0, 1)), layout) for y, x in places]


def _tile(code: bytes, key: bytes) -> Plane:
    layout = _layout(key)
    bits = np.unpackbits(np.frombuffer(code, np.uint8)).astype(np.int64) * 2 - 1
    cells = layout.signs.copy()
    cells[layout.bits] *= bits[:, None]
    return np.kron(cells.reshape(CELLS, CELLS), np.ones((CELL, CELL))).astype(np.float64)


def _layout(key: bytes) -> _Layout:
    """By chance that only the key knows, so that nobody can look for the pattern without it."""
    seed = int.from_bytes(hashlib.sha256(b"page\n" + key).digest())
    chance = np.random.default_rng(seed)
    order = chance.permutation(CELLS * CELLS)
    signs = chance.integers(0, 2, CELLS * CELLS) * 2 - 1
    carriers = order[_SYNC : _SYNC + _PER_BIT * CODE_BITS].reshape(CODE_BITS, _PER_BIT)
    return _Layout(order[:_SYNC], carriers, signs)


def _folded(grey: Plane) -> Plane | None:
    """All tiles of a picture upon each other, as far as they are paper and not writing."""
    rows, columns = grey.shape[0] // TILE, grey.shape[1] // TILE
    if not rows or not columns:
        return None
    cut = grey[: rows * TILE, : columns * TILE]
    tiles = cut.reshape(rows, TILE, columns, TILE).swapaxes(1, 2).reshape(-1, TILE, TILE)
    shades = tiles - np.median(tiles, axis=(1, 2), keepdims=True)
    is_paper = np.abs(shades) <= _WRITING
    count = np.maximum(is_paper.sum(axis=0), 1)
    folded: Plane = np.where(is_paper, shades, 0.0).sum(axis=0) / count
    folded -= folded.mean()
    return folded


def _likeness(folded: Plane, layout: _Layout) -> Plane:
    """How well the cells for finding fit at every place where the tile may begin."""
    cells = np.zeros(CELLS * CELLS)
    cells[layout.sync] = layout.signs[layout.sync]
    wanted = np.kron(cells.reshape(CELLS, CELLS), np.ones((CELL, CELL)))
    spectrum = np.fft.fft2(folded) * np.conj(np.fft.fft2(wanted))
    return np.real(np.fft.ifft2(spectrum))


def _read(folded: Plane, layout: _Layout) -> bytes:
    means = folded.reshape(CELLS, CELL, CELLS, CELL).mean(axis=(1, 3)).reshape(-1)
    votes = (means * layout.signs)[layout.bits].sum(axis=1)
    return np.packbits(votes > 0).tobytes()[:CODE_BYTES]
