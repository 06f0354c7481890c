"""Chooses the vocabulary from what the generator writes. usage: python3 -m ember.vocabulary OUT [SIZE]"""

import random
import sys
from collections import Counter
from pathlib import Path

from . import words
from .dialogues import Dialogues
from .draw import COMMON_CHARACTERS
from .frames import FRAMES, Corpus
from .tokenizer import WORD, Tokenizer, build

SIZE = 6144
"""Some 4,900 are characters and bytes."""
SAMPLE = 30_000
"""Chats that are counted."""


def count(corpus: Corpus, sample: int = SAMPLE) -> tuple[Counter[str], Counter[str]]:
    """Words by how often requests, lists and answers hold them, and every character that may stand in a text."""
    counted: Counter[str] = Counter()
    characters: Counter[str] = Counter(COMMON_CHARACTERS)
    dialogues = Dialogues(corpus, random.Random(11))
    for _ in range(sample):
        for role, text in dialogues.draw():
            # Lists and results repeat themselves; what people say is what must be read well.
            weight = {"user": 4, "assistant": 2}.get(role, 1)
            for word in WORD.findall(text):
                counted[word] += weight
    for path in sorted([*FRAMES.glob("*.jsonl"), *FRAMES.glob("*.tsv")]):
        text = path.read_text(encoding="utf8")
        characters.update(character for character in text if ord(character) > 127)
        for word in WORD.findall(text):
            counted[word] += 3
    for name, known in vars(words).items():
        if name.isupper():
            for word in known:
                characters.update(character for character in word if ord(character) > 127)
                counted.update(WORD.findall(word))
    # Made-up words come once each: they teach no merge worth having.
    return Counter({word: number for word, number in counted.items() if number > 2}), characters


def make(size: int = SIZE) -> Tokenizer:
    """The same every time."""
    return build(*count(Corpus()), size)


if __name__ == "__main__":
    tokenizer = make(int(sys.argv[2]) if len(sys.argv) > 2 else SIZE)
    tokenizer.save(Path(sys.argv[1]))
    print(f"{len(tokenizer.tokens)} tokens, {tokenizer.first_merge} without merges")
