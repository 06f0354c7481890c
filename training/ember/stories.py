"""Everyday word problems put together from hand-written parts: what there was, what became of it, and what is asked.

A frame says one situation in one way; here each way to say a loss meets each thing that can be lost, so that no single
situation decides what its verb means. Parts: `frames/stories-en.tsv` and `-zh.tsv`, a kind and a text a line.
"""

import random
import re
from pathlib import Path
from typing import NamedTuple

from .frames import FRAMES, LANGUAGES, SLOT, Frame

PARTS: dict[str, tuple[set[str], set[str]]] = {
    "start": ({"a"}, {"things"}),
    "more": ({"b"}, set()),
    "less": ({"b"}, set()),
    "now": (set(), set()),
    "left": (set(), set()),
    "total": (set(), set()),
    "group": (set(), set()),
    "each": ({"b"}, {"things", "group", "groups"}),
    "groups": ({"a", "groups"}, {"things"}),
    "all": (set(), {"things"}),
    "howmany": (set(), {"groups"}),
    "share": ({"a", "b"}, {"things"}),
    "part": (set(), set()),
    "price": ({"b"}, set()),
    "bought": ({"a"}, set()),
    "cost": (set(), set()),
    "paid": ({"a", "b"}, set()),
    "one": (set(), set()),
    "two": ({"a", "b"}, {"things"}),
    "together": (set(), set()),
    "difference": (set(), set()),
    "priced": ({"a"}, set()),
    "off": ({"p"}, set()),
    "rise": ({"p"}, set()),
    "pays": (set(), set()),
    "saves": (set(), {"p"}),
}
"""By kind: the slots that a part has, and those it may have. What each kind is: `SCHEMES` shows them in their places."""


class Scheme(NamedTuple):
    """Which parts follow each other, the question last, and the sum they make."""

    parts: tuple[str, ...]
    expression: str
    scale: str
    weight: int


SCHEMES = [
    Scheme(("start", "more", "now|total"), "{a}+{b}", "count", 9),
    Scheme(("start", "less", "now|left"), "{a}-{b}", "count", 14),
    Scheme(("start", "less", "less", "now|left"), "{a}-{b}-{c}", "count", 4),
    Scheme(("start", "less", "more", "now"), "{a}-{b}+{c}", "count", 4),
    Scheme(("start", "more", "less", "now"), "{a}+{b}-{c}", "count", 4),
    Scheme(("groups", "each", "all"), "{a}*{b}", "few", 7),
    Scheme(("each", "groups", "all"), "{a}*{b}", "few", 6),
    Scheme(("groups", "each", "less", "left"), "{a}*{b}-{c}", "few", 2),
    Scheme(("groups", "each", "more", "all"), "{a}*{b}+{c}", "few", 2),
    Scheme(("start", "each", "howmany"), "{a}/{b}", "shared", 8),
    Scheme(("share", "part"), "{a}/{b}", "shared", 12),
    Scheme(("price", "bought", "cost"), "{a}*{b}", "price", 7),
    Scheme(("bought", "price", "cost"), "{a}*{b}", "price", 5),
    Scheme(("price", "bought", "off", "cost"), "{a}*{b}*(100-{p})/100", "price", 3),
    Scheme(("paid", "one"), "{a}/{b}", "paid", 6),
    Scheme(("two", "together"), "{a}+{b}", "two", 5),
    Scheme(("two", "difference"), "{a}-{b}", "two", 7),
    Scheme(("priced", "off", "pays"), "{a}*(100-{p})/100", "money", 8),
    Scheme(("priced", "off", "saves"), "{a}*{p}/100", "money", 3),
    Scheme(("priced", "rise", "pays"), "{a}*(100+{p})/100", "money", 7),
    Scheme(("priced", "rise", "saves"), "{a}*{p}/100", "money", 3),
]
SCALES: dict[str, list[tuple[str, str, str]]] = {
    "count": [
        ("int:12-30", "int:2-8", "int:2-4"),
        ("int:30-99", "int:3-20", "int:2-10"),
        ("int:100-999", "int:5-60", "int:5-40"),
        ("int:300-9000", "int:20-200", "int:10-90"),
        ("word:12-30", "word:2-8", "word:2-4"),
        ("int:30-99", "word:3-20", "int:2-10"),
        ("dec:60-400:2", "dec:1-30:2", "dec:1-25:2"),
    ],
    "few": [
        ("int:2-12", "int:3-48", "int:2-5"),
        ("int:3-99", "int:3-24", "int:2-8"),
        ("word:2-12", "int:4-60", "word:2-6"),
        ("int:3-60", "word:3-20", "int:2-9"),
        ("int:20-400", "int:6-250", "int:3-90"),
    ],
    "shared": [
        ("int:12-99", "int:2-9", ""),
        ("int:60-999", "int:3-24", ""),
        ("int:300-9000", "int:4-60", ""),
        ("word:12-99", "word:2-9", ""),
        ("int:40-600", "word:3-12", ""),
    ],
    "price": [
        ("int:2-12", "dec:0.3-40:2", ""),
        ("int:2-30", "int:2-90", ""),
        ("word:2-12", "dec:0.5-20:2", ""),
        ("int:3-200", "int:3-400", ""),
        ("word:2-12", "int:2-60", ""),
    ],
    "paid": [
        ("int:12-400", "int:2-12", ""),
        ("dec:4-90:2", "int:2-12", ""),
        ("dec:4-90:2", "word:2-12", ""),
        ("int:60-4000", "int:3-60", ""),
    ],
    "two": [
        ("int:50-99", "int:12-49", ""),
        ("int:200-900", "int:40-199", ""),
        ("int:1000-9000", "int:300-999", ""),
        ("int:12-25", "int:2-11", ""),
        ("word:50-99", "word:12-49", ""),
        ("dec:20-90:2", "dec:2-19:2", ""),
    ],
    "money": [
        ("int:20-400", "", ""),
        ("int:300-9000", "", ""),
        ("dec:5-300:2", "", ""),
        ("word:20-99", "", ""),
    ],
}
"""Ranges of {a}, {b} and {c}. What is left is never less than nothing."""
JOINED = {
    False: [", ", ", ", ", ", ". ", ". ", " and ", " ", "; "],
    True: ["，", "，", "，", "。", " ", "", ","],
}
ASKED = {False: [", ", ", ", ". ", ". ", ". ", " ", " - "], True: ["，", "，", "，", "。", " ", ""]}
ASKED_FIRST = 0.12
NOT_ASKED = 0.08
"""Share without a question, where what happened leaves but one."""

Parts = dict[str, list[str]]


def read_parts(path: Path) -> Parts:
    """The texts by their kind. A line of an unknown kind is refused."""
    parts: Parts = {kind: [] for kind in PARTS}
    for line in path.read_text(encoding="utf8").splitlines():
        kind, _, text = line.partition("\t")
        parts[kind].append(text)
    return parts


def faults_of(parts: Parts) -> list[str]:
    """What is wrong with the parts of a language."""
    faults = []
    for kind, texts in parts.items():
        needs, may = PARTS[kind]
        faults += [
            f"stories: {kind} {text!r} has other slots than its kind"
            for text in texts
            if not needs <= set(SLOT.findall(text)) <= needs | may or not text.strip()
        ]
        faults += [f"stories: {kind} {text!r} is there twice" for text in set(texts) if texts.count(text) > 1]
    return faults


class Stories:
    """Draws frames put together from parts; the same seed draws the same ones."""

    def __init__(self, rng: random.Random, folder: Path = FRAMES) -> None:
        self.rng = rng
        self.parts = {zh: read_parts(folder / f"stories-{lang}.tsv") for lang, zh in LANGUAGES}

    def draw(self, zh: bool) -> Frame:
        """A frame as `read_lines` gives it: text, call, slots."""
        rng = self.rng
        (scheme,) = rng.choices(SCHEMES, [scheme.weight for scheme in SCHEMES])
        texts = [rng.choice(self.parts[zh][rng.choice(kinds.split("|"))]) for kinds in scheme.parts]
        if scheme.expression.endswith("{c}"):
            texts[2] = texts[2].replace("{b}", "{c}")
        text = self._join(texts, zh, "now" in scheme.parts[-1] and rng.random() < NOT_ASKED)
        one, _, several = rng.choice(self.parts[zh]["group"]).partition("|")
        text = text.replace("{groups}", several or one).replace("{group}", one)
        kinds = {"p": "pct:2-75", "things": "things"}
        kinds |= zip("abc", rng.choice(SCALES[scheme.scale]), strict=True)
        expression = scheme.expression
        if expression in ("{a}+{b}", "{a}*{b}") and text.index("{b}") < text.index("{a}"):
            expression = expression.translate(str.maketrans("ab", "ba"))
        slots = {slot: kinds[slot] for slot in dict.fromkeys(SLOT.findall(text))}
        return {"text": text, "call": {"expression": expression}, "slots": slots}

    def _join(self, texts: list[str], zh: bool, is_not_asked: bool) -> str:
        """One text; its sentences begin as they should, mostly."""
        rng = self.rng
        *told, question = texts
        joint = rng.choice(JOINED[zh])
        text = joint.join(told)
        if is_not_asked:
            pass
        elif rng.random() < ASKED_FIRST:
            text = question.rstrip("?？") + rng.choice(["？", "，"] if zh else ["? ", ": "]) + text
        else:
            text += rng.choice(ASKED[zh]) + question
        if not zh and rng.random() < 0.6:
            text = re.sub(r"(?:^|(?<=[.?] ))[a-z]", lambda match: match[0].upper(), text)
        return text
