"""The default embedder's arithmetic for a query, in NumPy: nothing to start, no session to open.

A process that embeds one query spends more time on starting a runtime than on the sums. The sums
here are made in 64 bits: their order, hence the number of threads, cannot show in the vector, which
is kept in whole numbers of 16 bits. A test compares it with the runtime's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from tipstaff.embed.embedder import Vector

_LAYERS = 6
_HEADS = 12
_WIDTH = 384
_EPSILON = 1e-12  # of BERT's layer normalisation

# Fields of ONNX's messages that are read here.
_GRAPH, _INITIALIZER = 7, 5
_DIMENSION, _KIND, _NAME, _RAW = 1, 2, 8, 9
_KINDS: dict[int, type] = {1: np.float32, 3: np.int8}
_BYTES = 2  # the wire type of what has a length
_WHOLE = 0  # the wire type of a number

_Weights = dict[str, npt.NDArray[Any]]
_Doubles = npt.NDArray[np.float64]
_Room = dict[tuple[int, ...], _Doubles]


class Arithmetic:
    def __init__(self, model: bytes) -> None:
        self._weights = _initializers(model)
        # Matrices have running numbers for names, in the order in which they are used.
        numbered = (name.removesuffix("_q") for name in self._weights if name.startswith("val_"))
        names = sorted(
            (name for name in numbered if f"{name}_scale" in self._weights),
            key=lambda name: int(name.removeprefix("val_")),
        )
        self._matrices = [names[start : start + 6] for start in range(0, 6 * _LAYERS, 6)]

    def vector(self, ids: list[int]) -> Vector:
        """The mean of the last layer over all pieces, as the model was trained."""
        states = self._embedded(ids)
        room: _Room = {}
        for layer in range(_LAYERS):
            states = self._layer(states, layer, room)
        return np.asarray(states.mean(axis=0), np.float32)

    def _embedded(self, ids: list[int]) -> _Doubles:
        rows = self._rows("word", ids) + self._rows("position", list(range(len(ids))))
        rows += self._weights["inner.embeddings.token_type_embeddings.weight"][0]
        return self._normalised(rows, "inner.embeddings.LayerNorm")

    def _rows(self, kind: str, ids: list[int]) -> _Doubles:
        name = f"inner.embeddings.{kind}_embeddings.weight"
        scale = self._weights[f"{name}_scale"]
        chosen = scale[ids] if scale.size > 1 and scale.shape[0] > 1 else scale
        return np.asarray(self._weights[f"{name}_q"][ids].astype(np.float64) * chosen)

    def _layer(self, states: _Doubles, layer: int, room: _Room) -> _Doubles:
        name = f"inner.encoder.layer.{layer}"
        query, key, value, joined, wide, narrow = self._matrices[layer]
        attention = f"{name}.attention"

        def linear(states: _Doubles, matrix: str, bias: str) -> _Doubles:
            return self._linear(states, matrix, bias, room)

        queries = _by_head(linear(states, query, f"{attention}.self.query"))
        keys = _by_head(linear(states, key, f"{attention}.self.key"))
        values = _by_head(linear(states, value, f"{attention}.self.value"))
        weights = _softmax(queries @ keys.transpose(0, 2, 1) / np.sqrt(_WIDTH / _HEADS))
        seen = (weights @ values).transpose(1, 0, 2).reshape(len(states), _WIDTH)
        states = self._normalised(
            states + linear(seen, joined, f"{attention}.output.dense"),
            f"{attention}.output.LayerNorm",
        )
        inner = _gelu(linear(states, wide, f"{name}.intermediate.dense"))
        return self._normalised(
            states + linear(inner, narrow, f"{name}.output.dense"),
            f"{name}.output.LayerNorm",
        )

    def _linear(self, states: _Doubles, matrix: str, bias: str, room: _Room) -> _Doubles:
        """Scales stand along the columns, so that they can wait until the sums are made. The
        matrices of a text are widened one after the other in the same room: fresh memory for each
        would take ten times as long."""
        narrow = self._weights[f"{matrix}_q"]
        if narrow.shape not in room:
            room[narrow.shape] = np.empty(narrow.shape, np.float64)
        wide = room[narrow.shape]
        np.copyto(wide, narrow)
        made = states @ wide
        return np.asarray(made * self._weights[f"{matrix}_scale"] + self._weights[f"{bias}.bias"])

    def _normalised(self, states: _Doubles, name: str) -> _Doubles:
        centred = states - states.mean(axis=1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + _EPSILON)
        return np.asarray(
            centred / deviation * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        )


def _by_head(states: _Doubles) -> _Doubles:
    return states.reshape(len(states), _HEADS, -1).transpose(1, 0, 2)


def _softmax(scores: _Doubles) -> _Doubles:
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


def _gelu(states: _Doubles) -> _Doubles:
    return np.asarray(0.5 * states * (1.0 + _erf(states / np.sqrt(2.0))))


def _erf(values: _Doubles) -> _Doubles:
    """Abramowitz and Stegun's formula 7.1.26: at most 1.5e-7 from the true value."""
    size = np.abs(values)
    t = 1.0 / (1.0 + 0.3275911 * size)
    series = np.full_like(t, 1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = series * t + factor
    return np.asarray(np.sign(values) * (1.0 - series * t * np.exp(-size * size)))


def _initializers(model: bytes) -> _Weights:
    """The arrays of an ONNX file whose hash is known, without a copy."""
    found: _Weights = {}
    for graph in _contents(memoryview(model), _GRAPH):
        for tensor in _contents(graph, _INITIALIZER):
            parts = list(_parts(tensor))
            kind = _KINDS.get(next(part for number, part in parts if number == _KIND))
            raw = next((part for number, part in parts if number == _RAW), None)
            if kind is not None and raw is not None:
                name = bytes(next(part for number, part in parts if number == _NAME)).decode()
                shape = [part for number, part in parts if number == _DIMENSION]
                found[name] = np.frombuffer(raw, kind).reshape(shape)
    return found


def _contents(message: memoryview, wanted: int) -> Iterator[memoryview]:
    return (part for number, part in _parts(message) if number == wanted)


def _parts(message: memoryview) -> Iterator[tuple[int, Any]]:
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        number, kind = tag >> 3, tag & 7
        if kind == _WHOLE:
            value, at = _varint(message, at)
            yield number, value
        elif kind == _BYTES:
            length, at = _varint(message, at)
            yield number, message[at : at + length]
            at += length
        else:
            at += 4 if kind == 5 else 8


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7
