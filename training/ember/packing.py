"""Rows of tokens for one training step: made from (seed, step) alone, so that a run resumes exactly where it stopped."""

import random
from typing import NamedTuple

import numpy as np

from .dialect import CALL_OPEN, Message
from .dialogues import Dialogues
from .drills import Drills
from .frames import Corpus
from .tokenizer import Tokenizer

POOL = 6
"""Groups that may wait for a row they fit in."""
SIBLINGS = 0.1
"""Of the groups of chats: behind a list of tools that differ in a word."""
WHOLE_REPLIES = 0.4
"""Of the replies that are no call and no answer from a result: learnt whole, the others only in how they begin, which is
without a call. What small talk is answered can hardly be foreseen: learnt each time, it was seven tenths of the loss."""


class Batch(NamedTuple):
    """All [rows, length + 1]. A row holds documents: whole chats, or a system text and the chats that share it."""

    tokens: np.ndarray
    learn: np.ndarray
    """True for what the model itself must write."""
    document: np.ndarray
    """Counts the documents of a row from 1; 0 is padding."""
    prefix: np.ndarray
    """The document whose continuation this one is, 0: none."""
    position: np.ndarray
    """Place in the chat: behind a prefix it goes on from the prefix's length."""


class Recipe(NamedTuple):
    """What a step's rows are made of."""

    rows: int
    length: int
    copy_share: float
    tool_share: float
    sum_share: float


Document = tuple[list[int], list[int]]


class Group(NamedTuple):
    """Documents behind one prefix, which is empty for those that stand alone."""

    prefix: list[int]
    documents: list[Document]


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
        rows = Rows(recipe, self.tokenizer.pad)
        waiting: list[Group] = []
        while not rows.full:
            index = next((index for index, group in enumerate(waiting) if rows.fits(group)), None)
            if index is None and len(waiting) < POOL:
                waiting.append(self._group(dialogues, drills, rng, recipe))
                continue
            if index is None:
                rows.next()
                continue
            rest = rows.place(waiting.pop(index))
            if rest.documents:
                # What did not fit begins the next row, behind the same prefix.
                waiting.insert(0, rest)
        return rows.batch

    def _group(self, dialogues: Dialogues, drills: Drills, rng: random.Random, recipe: Recipe) -> Group:
        """One that fits into an empty row."""
        while True:
            made = self._draw(dialogues, drills, rng, recipe)
            room = recipe.length + 1 - len(made.prefix)
            documents = [document for document in made.documents if len(document[0]) <= room]
            if documents:
                return Group(made.prefix, documents)

    def _draw(self, dialogues: Dialogues, drills: Drills, rng: random.Random, recipe: Recipe) -> Group:
        style = rng.random()
        if style < recipe.copy_share:
            return Group([], [drills.copy()])
        if style < recipe.copy_share + recipe.tool_share:
            return Group([], [encode(self.tokenizer, drills.choose_tool())])
        if style < recipe.copy_share + recipe.tool_share + recipe.sum_share:
            system, chats = dialogues.draw_calculations()
        elif rng.random() < SIBLINGS:
            system, chats = dialogues.draw_siblings()
        else:
            system, chats = dialogues.draw_group()
        return Group(encode(self.tokenizer, system)[0], [self._encode_chat(chat, rng) for chat in chats])

    def _encode_chat(self, chat: list[Message], rng: random.Random) -> Document:
        ids: list[int] = []
        learn: list[int] = []
        before = ""
        for message in chat:
            more, mask = encode(self.tokenizer, [message])
            is_reply = (
                message.role == "assistant" and before == "user" and not message.text.startswith(CALL_OPEN)
            )
            if is_reply and rng.random() > WHOLE_REPLIES:
                mask = [0, 1, *[0] * (len(mask) - 2)]
                if message is chat[-1]:
                    more, mask = more[:2], mask[:2]
            ids += more
            learn += mask
            before = message.role
        return ids, learn


class Rows:
    """Rows being filled."""

    def __init__(self, recipe: Recipe, pad: int) -> None:
        shape = (recipe.rows, recipe.length + 1)
        self.batch = Batch(
            np.full(shape, pad, dtype=np.int32),
            np.zeros(shape, dtype=bool),
            *(np.zeros(shape, dtype=np.int32) for _ in range(3)),
        )
        self.recipe = recipe
        self.row = self.used = self.number = 0

    @property
    def full(self) -> bool:
        """No row is left."""
        return self.row == self.recipe.rows

    def next(self) -> None:
        """Leaves this row as it is."""
        self.row, self.used, self.number = self.row + 1, 0, 0

    def _free(self, group: Group) -> int:
        return self.recipe.length + 1 - self.used - len(group.prefix)

    def fits(self, group: Group) -> bool:
        """Whether a part of it does."""
        return min(len(ids) for ids, _ in group.documents) <= self._free(group)

    def place(self, group: Group) -> Group:
        """Puts in what fits; what is left."""
        rest: list[Document] = []
        prefix = self._add(group.prefix, [0] * len(group.prefix), 0, 0) if group.prefix else 0
        for document in group.documents:
            if self.used + len(document[0]) <= self.recipe.length + 1:
                self._add(*document, prefix, len(group.prefix))
            else:
                rest.append(document)
        return Group(group.prefix, rest)

    def _add(self, ids: list[int], learn: list[int], prefix: int, position: int) -> int:
        self.number += 1
        span = slice(self.used, self.used + len(ids))
        for part, values in zip(
            self.batch, (ids, learn, self.number, prefix, range(position, position + len(ids)))
        ):
            part[self.row, span] = values
        self.used += len(ids)
        return self.number


def encode(tokenizer: Tokenizer, messages: list[Message]) -> Document:
    """Token ids, and 1 for what the model itself must write: its words and the end of its message."""
    ids: list[int] = []
    learn: list[int] = []
    for role, text in messages:
        body = tokenizer.encode(text)
        ids += [tokenizer.role(role), *body, tokenizer.end]
        learn += [0, *[int(role == "assistant")] * (len(body) + 1)]
    return ids, learn
