"""Builds of an index that are killed at random moments, in a process of its own.

    python -m tests.store.killed_builds FOLDER KILLS SEED

Prints one JSON object: what happened, and every fault. Builders are forked from this process,
which has everything imported, so that most of the time goes into building.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tipstaff.contracts.index_samples import chance_of
from tipstaff.contracts.stores import ranked_rows
from tipstaff.domain.document import Document
from tipstaff.domain.retrieval import RetrievalOptions
from tipstaff.domain.scope import Scope
from tipstaff.embed.cache import VectorCache
from tipstaff.embed.embedder import unit
from tipstaff.embed.embedding import embed_passages
from tipstaff.embed.whole_numbers import whole_numbers
from tipstaff.index.building import SourceItem, build
from tipstaff.parse.plain_text import PARSER
from tipstaff.store.embedded import EmbeddedStore
from tipstaff.store.store import IndexContents, IndexKey, OpenIndex
from tipstaff.tokens import count_tokens

KEY = IndexKey(tenant="local", tez_id="killed", digest="digest")
_WORDS = "heat ledger valve court notice lease rent pump audit clause storm river".split()


class WordEmbedder:
    """A text is the sum of its words, each a direction of its own: quick, and always the same."""

    name = "words"
    dimensions = 256
    fingerprint = "words"

    def passages(self, texts: Sequence[str]) -> list[npt.NDArray[np.float32]]:
        return [self.query(text) for text in texts]

    def query(self, text: str) -> npt.NDArray[np.float32]:
        sums = np.zeros(self.dimensions, np.float32)
        for word in text.split():
            sums[sum(word.encode()) % self.dimensions] += 1
        return unit(sums)
