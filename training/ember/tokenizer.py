"""The tokenizer: SentencePiece's merging as llama.cpp does it, with a vocabulary made for copying.

Letters merge only inside words; digits, signs, spaces and Chinese characters are one token each; so a word has the same
tokens whatever stands around it. The frame of a call is a few tokens of its own; what is left goes in bytes.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from .dialect import CALL_ARGUMENTS, CALL_CLOSE, CALL_OPEN, Message

CONTROL = ["<unk>", "<s>", "<|end|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|system|>", "<|pad|>"]
FRAMES = [
    '"' + CALL_CLOSE,
    CALL_ARGUMENTS + CALL_CLOSE,
    CALL_OPEN,
    CALL_ARGUMENTS + '"',
    '":"',
    CALL_CLOSE,
    "<tool_call>",
    "</tool_call>",
]
"""User-defined tokens: cut out of any text before it is merged, the longest first, as llama.cpp does."""
SPACE = "\u2581"
WORD = re.compile(r"[A-Za-z]+")


class Tokenizer:
    """Text to token ids and back."""

    def __init__(self, tokens: list[str], first_merge: int) -> None:
        self.tokens = tokens
        self.first_merge = first_merge
        self.ids = {token: index for index, token in enumerate(tokens)}
        self.rank = {token: index for index, token in enumerate(tokens[first_merge:])}
        self.first_byte = self.ids["<0x00>"]
        self.first_text = self.first_byte + 256
        self.space = self.ids[SPACE]
        self.end = self.ids["<|end|>"]
        self.pad = self.ids["<|pad|>"]
        self._words: dict[str, list[int]] = {}
        self._frames = sorted(FRAMES, key=len, reverse=True)

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        """From the file that `save` wrote."""
        content = json.loads(path.read_text(encoding="utf8"))
        return cls(content["tokens"], content["first_merge"])

    def save(self, path: Path) -> None:
        """One JSON object."""
        path.write_text(
            json.dumps({"first_merge": self.first_merge, "tokens": self.tokens}, ensure_ascii=False),
            encoding="utf8",
        )

    def role(self, role: str) -> int:
        """The token that begins a message."""
        return self.ids[f"<|{role}|>"]

    def encode(self, text: str) -> list[int]:
        """Text without control tokens: what looks like one is plain text here, as in the app."""
        return self._cut(text, 0)

    def _cut(self, text: str, depth: int) -> list[int]:
        for index in range(depth, len(self._frames)):
            frame = self._frames[index]
            if frame in text:
                ids: list[int] = []
                for number, part in enumerate(text.split(frame)):
                    if number:
                        ids.append(self.ids[frame])
                    ids += self._cut(part, index + 1)
                return ids
        return self._plain(text)

    def _plain(self, text: str) -> list[int]:
        ids: list[int] = []
        text = text.replace(" ", SPACE)
        position = 0
        while position < len(text):
            word = WORD.match(text, position)
            if word:
                ids += self._word(word[0])
                position = word.end()
                continue
            index = self.ids.get(text[position], -1)
            if index >= self.first_text:
                ids.append(index)
            else:
                ids += [self.first_byte + byte for byte in text[position].encode("utf8", "replace")]
            position += 1
        return ids

    def _word(self, word: str) -> list[int]:
        known = self._words.get(word)
        if known is not None:
            return known
        pieces = list(word)
        while len(pieces) > 1:
            ranks = [self.rank.get(left + right, len(self.tokens)) for left, right in zip(pieces, pieces[1:])]
            best = min(ranks)
            if best == len(self.tokens):
                break
            place = ranks.index(best)
            pieces[place : place + 2] = [pieces[place] + pieces[place + 1]]
        ids = [self.ids[piece] for piece in pieces]
        if len(self._words) < 200_000:
            self._words[word] = ids
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """Bytes that are no text come out as U+FFFD."""
        data = b""
        for index in ids:
            if self.first_byte <= index < self.first_text:
                data += bytes([index - self.first_byte])
            else:
                data += self.tokens[index].replace(SPACE, " ").encode("utf8")
        return data.decode("utf8", "replace")

    def encode_chat(self, messages: list[Message], reply_next: bool = True) -> list[int]:
        """The prompt as the chat template writes it."""
        ids: list[int] = []
        for role, text in messages:
            ids += [self.role(role), *self.encode(text), self.end]
        return [*ids, self.role("assistant")] if reply_next else ids


def build(words: Counter[str], characters: Counter[str], size: int, least: int = 1) -> Tokenizer:
    """A vocabulary of `size` tokens: every character seen at least so often, the rest merges inside words."""
    kept = sorted(
        character
        for character, count in characters.items()
        if ord(character) > 127 and character != SPACE and count >= least
    )
    base = CONTROL + FRAMES + [f"<0x{byte:02X}>" for byte in range(256)]
    base += [SPACE] + [chr(code) for code in range(33, 127)] + kept
    merges = _merges(words, size - len(base))
    return Tokenizer(base + merges, len(base))


def _merges(words: Counter[str], count: int) -> list[str]:
    """The most frequent pairs, one after another. Merges that spell the same text are one token."""
    if count <= 0:
        raise ValueError("The vocabulary is too small for its characters")
    pieces = {word: list(word) for word in words}
    pairs: Counter[tuple[str, str]] = Counter()
    where: dict[tuple[str, str], set[str]] = {}
    for word, parts in pieces.items():
        for pair in zip(parts, parts[1:]):
            pairs[pair] += words[word]
            where.setdefault(pair, set()).add(word)
    merges: list[str] = []
    seen: set[str] = set()
    while len(merges) < count and pairs:
        pair = max(pairs, key=lambda candidate: (pairs[candidate], candidate))
        token = pair[0] + pair[1]
        if token not in seen:
            seen.add(token)
            merges.append(token)
        for word in sorted(where.pop(pair)):
            parts = pieces[word]
            for old in zip(parts, parts[1:]):
                pairs[old] -= words[word]
            place = 0
            while place < len(parts) - 1:
                if parts[place] == pair[0] and parts[place + 1] == pair[1]:
                    parts[place : place + 2] = [token]
                place += 1
            for new in zip(parts, parts[1:]):
                pairs[new] += words[word]
                where.setdefault(new, set()).add(word)
        del pairs[pair]
    return merges
