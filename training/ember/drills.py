"""Drills for what a small model must learn first: copying any text, and finding the line of a list that fits."""

import random

from . import words
from .dialect import Call, Message, describe_tools, write_calls
from .tokenizer import Tokenizer
from .toolbox import REAL, real_tool
from .values import Values

PUNCTUATION = "0123456789" * 3 + "+-*/().:/?=&%#_-"


class Drills:
    """Draws drills; the same seed draws the same ones."""

    def __init__(self, tokenizer: Tokenizer, rng: random.Random) -> None:
        self.tokenizer = tokenizer
        self.rng = rng
        self.values = Values(rng)
        self.text = list(range(tokenizer.first_text, len(tokenizer.tokens)))
        self.bytes = list(range(tokenizer.first_byte + 0x80, tokenizer.first_byte + 0xF8))
        self.signs = [tokenizer.ids[character] for character in PUNCTUATION]

    def copy(self) -> tuple[list[int], list[int]]:
        """Token ids and a mask of those to learn: a text repeated, or a marked span of noise written out."""
        tokenizer, rng = self.tokenizer, self.rng
        if rng.random() < 0.5:
            span = self._noise(rng.randint(3, 40))
            ids, mask = list(span), [0] * len(span)
            for _ in range(rng.randint(1, 3)):
                ids += [tokenizer.end, *span]
                mask += [1] * (len(span) + 1)
            return [*ids, tokenizer.end], [*mask, 1]
        before, span, after = (
            self._noise(rng.randint(0, 10)),
            self._noise(rng.randint(2, 24)),
            self._noise(rng.randint(0, 10)),
        )
        quote = tokenizer.ids['"']
        asked = [
            tokenizer.role("user"),
            *before,
            quote,
            *span,
            quote,
            *after,
            tokenizer.end,
            tokenizer.role("assistant"),
        ]
        return asked + span + [tokenizer.end], [0] * len(asked) + [1] * (len(span) + 1)

    def _noise(self, count: int) -> list[int]:
        rng = self.rng
        style = rng.random()
        if style < 0.4:
            return rng.choices(self.text, k=count)
        if style < 0.6:
            return rng.choices(self.signs, k=count)
        if style < 0.8:
            return [
                rng.choice(self.text)
                if rng.random() < 0.6
                else self.tokenizer.space
                if rng.random() < 0.6
                else rng.choice(self.signs)
                for _ in range(count)
            ]
        return [rng.choice(self.bytes) if rng.random() < 0.5 else rng.choice(self.text) for _ in range(count)]

    def choose_tool(self) -> list[Message]:
        """A list of made-up tools, a request in the words of one of them, and its call."""
        values, rng = self.values, self.rng
        zh = rng.random() < 0.4
        tools, count = [], rng.randint(1, 6)
        kind = rng.choice(["string", "string", "string", "integer", "enum"])
        for _ in range(count):
            said = self._keywords(zh)
            of = self._parameter(kind if not tools else rng.choice(["string", "integer", "enum"]), zh)
            tools.append(
                (
                    {
                        "name": self._name(),
                        "description": ("" if zh else " ").join(said),
                        "inputSchema": {
                            "type": "object",
                            "properties": {self._parameter_name(zh): of},
                            "required": [],
                        },
                    },
                    said,
                )
            )
        tool, said = tools[0]
        name, of = next(iter(tool["inputSchema"]["properties"].items()))
        tool["inputSchema"]["required"] = [name] if rng.random() < 0.8 else []
        value = (
            rng.choice(of["enum"])
            if "enum" in of
            else rng.randint(0, 3000)
            if of["type"] == "integer"
            else values.any(values.text(zh), values.code(), values.person(zh), values.odd_text(zh))
        )
        asked = rng.sample(said, max(1, len(said) - 1)) if rng.random() < 0.5 else said
        filler = (
            (lambda: values.any("", "", "请", "帮我", "那个", "看看", "吧"))
            if zh
            else (lambda: values.any("", "", "please", "the", "for me", "now", "with", "can you", "my"))
        )
        parts = [filler(), *asked, filler()]
        parts.insert(rng.choice([0, len(parts), rng.randint(0, len(parts))]), str(value))
        request = ("" if zh else " ").join(part for part in parts if part)
        offered = [tool for tool, _ in tools] + [
            real_tool(other, values) for other in REAL if rng.random() < 0.5
        ]
        rng.shuffle(offered)
        return [
            Message("system", describe_tools(offered)),
            Message("user", request),
            Message("assistant", write_calls([Call(tool["name"], {name: value})])),
        ]

    def _keywords(self, zh: bool) -> list[str]:
        values = self.values
        if zh:
            return [
                values.any("查", "开", "记", "放", "找", "关", "订", "看", values.characters(1, 1)),
                values.pick(words.NOUNS_ZH),
                values.any("", values.pick(words.NOUNS_ZH), values.characters(1, 2)),
            ]
        return [
            values.pick(words.VERBS),
            values.any("the", "a", "an old", values.pick(words.ADJECTIVES)),
            values.pick(words.NOUNS),
            values.any("", values.pick(words.NOUNS), "by " + values.pick(words.NOUNS)),
        ]

    def _name(self) -> str:
        values = self.values
        return values.any(
            f"{values.pick(words.VERBS)}_{values.pick(words.NOUNS)}",
            values.pseudo(2),
            f"{values.pick(words.NOUNS)}{values.pick(words.NOUNS).capitalize()}",
            f"{values.pseudo(1)}_{values.pseudo(1)}",
            values.pick(words.NOUNS_ZH),
        )

    def _parameter_name(self, zh: bool) -> str:
        values = self.values
        return values.any(
            values.pick(words.NOUNS),
            "id",
            "name",
            "value",
            "text",
            values.pseudo(1),
            values.pick(words.NOUNS_ZH) if zh else values.pick(words.ADJECTIVES),
        )

    def _parameter(self, kind: str, zh: bool) -> dict[str, object]:
        if kind == "enum":
            known = words.NOUNS_ZH if zh else words.ADJECTIVES + words.NOUNS
            return {"type": "string", "enum": self.rng.sample(known, self.rng.randint(2, 5))}
        return {"type": kind}
