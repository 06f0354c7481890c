"""What every drawing of values rests on: chances, choices, words that do not exist."""

import random
from collections.abc import Callable

COMMON_CHARACTERS = [
    text
    for high in range(0xB0, 0xD8)
    for low in range(0xA1, 0xFF)
    if len(text := bytes([high, low]).decode("gb2312", "ignore")) == 1
]
RARE_CHARACTERS = [
    text
    for high in range(0xD8, 0xF8)
    for low in range(0xA1, 0xFF)
    if len(text := bytes([high, low]).decode("gb2312", "ignore")) == 1
]
ONSETS = [
    "b",
    "c",
    "d",
    "f",
    "g",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "t",
    "v",
    "w",
    "z",
    "br",
    "ch",
    "cl",
    "dr",
    "fl",
    "gr",
    "kr",
    "pl",
    "pr",
    "sh",
    "sk",
    "sl",
    "sp",
    "st",
    "th",
    "tr",
] + [""]
VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ee", "io", "oo", "ou"]
CODAS = ["", "", "n", "r", "s", "t", "l", "m", "x", "ck", "nd"]


class Draw:
    """The same seed draws the same."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, of: list[str]) -> str:
        return self.rng.choice(of)

    def any(self, *of: str) -> str:
        return self.rng.choice(of)

    def one(self, *makers: Callable[[], str]) -> str:
        """As `any`, for what is dear to make: only the chosen one is made."""
        return self.rng.choice(makers)()

    def pseudo(self, most: int = 3) -> str:
        """A word that does not exist."""
        return "".join(
            self.pick(ONSETS) + self.pick(VOWELS) + self.pick(CODAS) for _ in range(self.rng.randint(1, most))
        )

    def characters(self, least: int, most: int) -> str:
        """Chinese characters of any kind, now and then a rare one."""
        return "".join(
            self.pick(RARE_CHARACTERS if self.chance(0.02) else COMMON_CHARACTERS)
            for _ in range(self.rng.randint(least, most))
        )

    def digits(self, count: int) -> str:
        return "".join(self.any(*"0123456789") for _ in range(count))

    def odd_text(self, zh: bool) -> str:
        return self.characters(2, 5) if zh else self.pseudo()

    def of(self, known: list[str], zh: bool) -> str:
        """One of a known list; now and then something nobody has heard of."""
        return self.pick(known) if self.chance(0.75) else self.odd_text(zh)
