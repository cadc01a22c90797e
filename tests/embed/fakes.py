"""Embedders for tests: an honest one without a model, and liars of every kind."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

import numpy as np

from tipstaff.embed.embedder import Vector, unit


class Honest:
    """Words, cut to five letters, hashed to places of the vector."""

    name = "honest"
    dimensions = 256
    fingerprint = "honest 1"

    def passages(self, texts: Sequence[str]) -> Iterator[Vector]:
        return (self.query(text) for text in texts)

    def query(self, text: str) -> Vector:
        vector = np.zeros(self.dimensions, np.float32)
        for word in re.findall(r"\S+", text.lower()) or ["nothing"]:
            digest = hashlib.blake2b(word[:5].encode("utf-8", "surrogatepass"), digest_size=2)
            vector[digest.digest()[0] % self.dimensions] += 1
        return unit(vector)


class Small(Honest):
    dimensions = 64


class Long(Honest):
    def query(self, text: str) -> Vector:
        return super().query(text) * np.float32(2)


class Sociable(Honest):
    """Its vectors lean towards their neighbours', as those of a padded batch do."""

    def passages(self, texts: Sequence[str]) -> Iterator[Vector]:
        longest = max((len(text) for text in texts), default=0)
        for vector in super().passages(texts):
            leaning = vector.copy()
            leaning[0] += longest / 1e6
            yield unit(leaning)


class Forgetful(Honest):
    """It reads the beginning only."""

    def query(self, text: str) -> Vector:
        return super().query(text[:1000])


class Moody(Honest):
    def __init__(self) -> None:
        self._asked = 0

    def query(self, text: str) -> Vector:
        self._asked += 1
        vector = super().query(text)
        vector[0] += self._asked / 1e4
        return unit(vector)


class Renamed(Honest):
    def __init__(self) -> None:
        self.fingerprint = f"honest {id(self)}"


class Lossy(Honest):
    def passages(self, texts: Sequence[str]) -> Iterator[Vector]:
        return super().passages([text for text in texts if text.strip()])


class Broken(Honest):
    def query(self, text: str) -> Vector:
        return super().query(text) if text.isprintable() else super().query(text) * np.nan


class Senseless(Honest):
    """Unit vectors that have nothing to do with what the text says."""

    def query(self, text: str) -> Vector:
        seed = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        random = np.random.default_rng(int.from_bytes(seed, "big"))
        vector = random.normal(size=self.dimensions)
        vector[0] = 30 if "whales" in text.lower() or "pays" in text else 0
        return unit(vector)
