"""Rows of tokens for one training step: made from (seed, step) alone, so that a run resumes exactly where it stopped."""

import random
from typing import NamedTuple

import numpy as np

from .dialect import Message
from .dialogues import Dialogues
from .drills import Drills
from .frames import Corpus
from .tokenizer import Tokenizer

POOL = 24
"""Documents waiting for a row they fit in."""


class Batch(NamedTuple):
    """`tokens` and `learn` are [rows, length + 1], `document` counts the documents of a row from 1, 0 is padding."""

    tokens: np.ndarray
    learn: np.ndarray
    document: np.ndarray


class Recipe(NamedTuple):
    """What a step's rows are made of."""

    rows: int
    length: int
    copy_share: float
    tool_share: float


Document = tuple[list[int], list[int]]


class Packer:
    """Makes batches; every process has its own."""

    def __init__(self, tokenizer: Tokenizer, seed: int) -> None:
        self.tokenizer = tokenizer
        self.seed = seed
        self.corpus = Corpus()

    def batch(self, step: int, recipe: Recipe) -> Batch:
        """The rows of one step."""
        rng = random.Random(f"{self.seed}/{step}")
        dialogues, drills = Dialogues(self.corpus, rng), Drills(self.tokenizer, rng)
        shape = (recipe.rows, recipe.length + 1)
        tokens = np.full(shape, self.tokenizer.pad, dtype=np.int32)
        learn = np.zeros(shape, dtype=bool)
        document = np.zeros(shape, dtype=np.int32)
        waiting: list[Document] = []
        for row in range(recipe.rows):
            used = number = 0
            while True:
                while len(waiting) < POOL:
                    made = self._document(dialogues, drills, rng, recipe)
                    if len(made[0]) <= recipe.length + 1:
                        waiting.append(made)
                fitting = next(
                    (index for index, (ids, _) in enumerate(waiting) if used + len(ids) <= recipe.length + 1),
                    None,
                )
                if fitting is None:
                    break
                ids, mask = waiting.pop(fitting)
                number += 1
                span = slice(used, used + len(ids))
                tokens[row, span], learn[row, span], document[row, span] = ids, mask, number
                used += len(ids)
        return Batch(tokens, learn, document)

    def _document(self, dialogues: Dialogues, drills: Drills, rng: random.Random, recipe: Recipe) -> Document:
        style = rng.random()
        if style < recipe.copy_share:
            return drills.copy()
        if style < recipe.copy_share + recipe.tool_share:
            return encode(self.tokenizer, drills.choose_tool())
        return encode(self.tokenizer, dialogues.draw())


def encode(tokenizer: Tokenizer, messages: list[Message]) -> Document:
    """Token ids, and 1 for what the model itself must write: its words and the end of its message."""
    ids: list[int] = []
    learn: list[int] = []
    for role, text in messages:
        body = tokenizer.encode(text)
        ids += [tokenizer.role(role), *body, tokenizer.end]
        learn += [0, *[int(role == "assistant")] * (len(body) + 1)]
    return ids, learn
