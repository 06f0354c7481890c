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
    "forother": ({"c"}, set()),
    "speed": ({"a"}, set()),
    "hours": ({"b"}, set()),
    "far": (set(), set()),
    "perhour": (set(), set()),
    "distance": ({"b"}, set()),
    "howlong": (set(), set()),
    "wage": ({"a"}, set()),
    "shift": ({"b"}, set()),
    "days": ({"c"}, set()),
    "earned": (set(), set()),
    "worked": (set(), set()),
    "uses": ({"a"}, set()),
    "litres": (set(), set()),
    "fewer": ({"c"}, {"group", "groups"}),
    "leftin": (set(), {"things"}),
    "eaten": ({"c"}, set()),
    "lefteach": (set(), set()),
    "among": ({"c"}, set()),
    "note": ({"c"}, set()),
    "change": (set(), set()),
    "target": ({"a"}, set()),
    "saved": ({"b"}, set()),
    "aside": ({"c"}, set()),
    "weeks": (set(), set()),
    "three": ({"a", "b", "c"}, set()),
    "four": ({"a", "b", "c", "d"}, set()),
    "average": (set(), set()),
    "sides": ({"a", "b"}, set()),
    "area": (set(), set()),
    "around": (set(), set()),
    "persquare": ({"c"}, set()),
    "bill": ({"a"}, set()),
    "tip": ({"p"}, set()),
    "people": ({"c"}, set()),
    "perhead": (set(), set()),
    "twobills": ({"a", "b"}, set()),
    "item": ({"a", "b"}, set()),
    "has": ({"a"}, {"things"}),
    "times": ({"b"}, set()),
    "twice": (set(), set()),
    "thrice": (set(), set()),
    "half": (set(), set()),
    "above": ({"b"}, set()),
    "below": ({"b"}, set()),
    "hers": (set(), {"things"}),
    "both": (set(), {"things"}),
    "crowd": ({"a"}, set()),
    "some": ({"p"}, set()),
    "rest": (set(), set()),
    "those": (set(), set()),
    "inhours": ({"a"}, set()),
    "hoursmore": ({"a", "b"}, set()),
    "asminutes": (set(), set()),
    "minutes": ({"a"}, set()),
    "ashours": (set(), set()),
    "inweeks": ({"a"}, set()),
    "asdays": (set(), set()),
    "kilos": ({"a"}, set()),
    "asgrams": (set(), set()),
    "recipe": ({"a", "b"}, set()),
    "eaters": ({"c"}, set()),
    "needed": (set(), set()),
}
"""By kind: the slots that a part has, and those it may have. What each kind is: `SCHEMES` shows them in their places."""


class Scheme(NamedTuple):
    """Which parts follow each other, the question last, and the sum they make.

    A part is one kind, or one of several: `now|left`. Behind it may stand what its slots are called here: `less b=c`.
    """

    parts: tuple[str, ...]
    expression: str
    scale: str
    weight: int


SCHEMES = [
    Scheme(("start", "more", "now|total"), "{a}+{b}", "count", 9),
    Scheme(("start", "less", "now|left"), "{a}-{b}", "count", 14),
    Scheme(("start", "less", "less b=c", "now|left"), "{a}-{b}-{c}", "count", 4),
    Scheme(("start", "less", "more b=c", "now"), "{a}-{b}+{c}", "count", 4),
    Scheme(("start", "more", "less b=c", "now"), "{a}+{b}-{c}", "count", 4),
    Scheme(("groups", "each", "all"), "{a}*{b}", "few", 7),
    Scheme(("each", "groups", "all"), "{a}*{b}", "few", 6),
    Scheme(("groups", "each", "less b=c", "left"), "{a}*{b}-{c}", "few", 3),
    Scheme(("groups", "each", "more b=c", "all"), "{a}*{b}+{c}", "few", 2),
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
    Scheme(("paid", "forother"), "{a}/{b}*{c}", "other", 8),
    Scheme(("speed", "hours", "far"), "{a}*{b}", "speed", 3),
    Scheme(("hours", "speed", "far"), "{a}*{b}", "speed", 2),
    Scheme(("speed", "distance", "howlong"), "{b}/{a}", "road", 3),
    Scheme(("distance", "speed", "howlong"), "{b}/{a}", "road", 2),
    Scheme(("distance", "hours b=c", "perhour"), "{b}/{c}", "travelled", 3),
    Scheme(("wage", "shift", "days", "earned"), "{a}*{b}*{c}", "work", 4),
    Scheme(("shift", "days", "wage", "earned"), "{a}*{b}*{c}", "work", 2),
    Scheme(("shift", "days", "worked"), "{b}*{c}", "work", 3),
    Scheme(("uses", "distance", "litres"), "{a}*{b}/100", "fuel", 3),
    Scheme(("distance", "uses", "litres"), "{a}*{b}/100", "fuel", 2),
    Scheme(("groups", "each", "fewer", "leftin"), "({a}-{c})*{b}", "spare", 4),
    Scheme(("share", "eaten", "lefteach"), "{a}/{b}-{c}", "spare shares", 3),
    Scheme(("start", "less", "among", "part"), "({a}-{b})/{c}", "count", 4),
    Scheme(("start", "more", "among", "part"), "({a}+{b})/{c}", "count", 3),
    Scheme(("price", "bought", "note", "change"), "{c}-{a}*{b}", "note", 4),
    Scheme(("bought", "price", "note", "change"), "{c}-{a}*{b}", "note", 3),
    Scheme(("target", "saved", "aside", "weeks"), "({a}-{b})/{c}", "target", 4),
    Scheme(("target", "aside", "weeks"), "{a}/{c}", "target", 3),
    Scheme(("three", "average"), "({a}+{b}+{c})/3", "marks", 4),
    Scheme(("four", "average"), "({a}+{b}+{c}+{d})/4", "marks", 4),
    Scheme(("sides", "area"), "{a}*{b}", "sides", 4),
    Scheme(("sides", "around"), "2*({a}+{b})", "sides", 4),
    Scheme(("sides", "persquare", "cost"), "{a}*{b}*{c}", "sides", 3),
    Scheme(("bill", "tip", "pays"), "{a}*(100+{p})/100", "bill", 2),
    Scheme(("bill", "tip", "people", "perhead"), "{a}*(100+{p})/100/{c}", "bill", 5),
    Scheme(("bill", "people", "perhead"), "{a}/{c}", "bill", 3),
    Scheme(("twobills", "people", "perhead"), "({a}+{b})/{c}", "bill", 4),
    Scheme(("item", "item a=c b=d", "cost"), "{a}*{b}+{c}*{d}", "items", 6),
    Scheme(("has", "times", "hers"), "{a}*{b}", "times", 3),
    Scheme(("has", "times", "both"), "{a}+{a}*{b}", "times", 2),
    Scheme(("has", "twice", "hers"), "{a}*2", "has", 2),
    Scheme(("has", "twice", "both"), "{a}+{a}*2", "has", 2),
    Scheme(("has", "thrice", "hers"), "{a}*3", "has", 2),
    Scheme(("has", "half", "hers"), "{a}/2", "has", 2),
    Scheme(("has", "half", "both"), "{a}+{a}/2", "has", 1),
    Scheme(("has", "above", "hers"), "{a}+{b}", "has", 3),
    Scheme(("has", "above", "both"), "{a}+{a}+{b}", "has", 2),
    Scheme(("has", "below", "hers"), "{a}-{b}", "has", 3),
    Scheme(("has", "below", "both"), "{a}+{a}-{b}", "has", 2),
    Scheme(("crowd", "some", "rest"), "{a}*(100-{p})/100", "crowd", 4),
    Scheme(("crowd", "some", "those"), "{a}*{p}/100", "crowd", 4),
    Scheme(("inhours", "asminutes"), "{a}*60", "hours", 2),
    Scheme(("hoursmore", "asminutes"), "{a}*60+{b}", "hours", 3),
    Scheme(("minutes", "ashours"), "{a}/60", "minutes", 2),
    Scheme(("inweeks", "asdays"), "{a}*7", "weeks", 2),
    Scheme(("kilos", "asgrams"), "{a}*1000", "kilos", 2),
    Scheme(("recipe", "eaters", "needed"), "{a}/{b}*{c}", "recipe", 5),
]
SCALES: dict[str, list[tuple[str, ...]]] = {
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
        ("int:12-99", "int:2-9"),
        ("int:60-999", "int:3-24"),
        ("int:300-9000", "int:4-60"),
        ("word:12-99", "word:2-9"),
        ("int:40-600", "word:3-12"),
    ],
    "price": [
        ("int:2-12", "dec:0.3-40:2"),
        ("int:2-30", "int:2-90"),
        ("word:2-12", "dec:0.5-20:2"),
        ("int:3-200", "int:3-400"),
        ("word:2-12", "int:2-60"),
    ],
    "paid": [
        ("int:12-400", "int:2-12"),
        ("dec:4-90:2", "int:2-12"),
        ("dec:4-90:2", "word:2-12"),
        ("int:60-4000", "int:3-60"),
    ],
    "two": [
        ("int:50-99", "int:12-49"),
        ("int:200-900", "int:40-199"),
        ("int:1000-9000", "int:300-999"),
        ("int:12-25", "int:2-11"),
        ("word:50-99", "word:12-49"),
        ("dec:20-90:2", "dec:2-19:2"),
    ],
    "money": [
        ("int:20-400",),
        ("int:300-9000",),
        ("dec:5-300:2",),
        ("word:20-99",),
    ],
    "other": [
        ("int:12-400", "int:2-12", "int:2-30"),
        ("dec:4-90:2", "int:2-12", "int:3-40"),
        ("dec:4-90:2", "word:2-12", "word:2-12"),
        ("int:60-4000", "int:3-60", "int:5-90"),
    ],
    "speed": [
        ("int:4-130", "int:2-14"),
        ("int:40-320", "dec:0.5-9:1"),
        ("dec:3-28:1", "word:2-8"),
        ("word:4-90", "int:2-9"),
    ],
    "road": [("int:4-130", "int:12-900"), ("dec:3-28:1", "int:5-90"), ("word:4-90", "int:40-700")],
    "travelled": [
        ("", "int:20-900", "int:2-12"),
        ("", "dec:4-90:1", "dec:0.5-5:1"),
        ("", "int:20-400", "word:2-9"),
    ],
    "work": [
        ("dec:9-60:2", "int:3-10", "int:2-26"),
        ("int:8-90", "dec:2-9:1", "int:3-22"),
        ("int:8-200", "word:3-9", "word:2-20"),
    ],
    "fuel": [("dec:3-14:1", "int:30-1600"), ("int:4-38", "int:60-900"), ("word:4-12", "int:100-1200")],
    "spare": [
        ("int:8-40", "int:3-48", "int:2-7"),
        ("int:20-300", "int:4-60", "int:3-19"),
        ("word:8-30", "int:4-24", "word:2-7"),
        ("int:12-90", "word:3-20", "int:2-11"),
    ],
    "spare shares": [
        ("int:40-400", "int:2-8", "int:1-5"),
        ("int:90-999", "word:2-9", "word:1-9"),
        ("word:60-99", "word:2-6", "word:1-9"),
    ],
    "note": [
        ("int:2-6", "dec:0.5-8:2", "enum:50|60|100"),
        ("int:2-9", "int:2-11", "enum:100|200"),
        ("word:2-8", "dec:1-24:2", "enum:200|500"),
        ("word:2-5", "int:2-9", "enum:50|100"),
    ],
    "target": [
        ("int:400-3000", "int:20-380", "int:5-90"),
        ("int:3000-30000", "int:200-2900", "int:50-900"),
        ("int:60-99", "int:4-50", "int:2-9"),
        ("word:60-99", "word:5-50", "word:2-9"),
    ],
    "marks": [
        ("int:2-100", "int:2-100", "int:2-100", "int:2-100"),
        ("dec:1-40:1", "dec:1-40:1", "dec:1-40:1", "dec:1-40:1"),
        ("int:100-9000", "int:100-9000", "int:100-9000", "int:100-9000"),
        ("word:2-40", "word:2-40", "word:2-40", "word:2-40"),
    ],
    "sides": [
        ("int:3-90", "int:2-60", "int:3-90"),
        ("dec:2-20:1", "dec:2-15:1", "dec:4-60:2"),
        ("word:3-30", "word:2-20", "int:4-80"),
        ("dec:2-12:2", "int:2-9", "int:6-120"),
    ],
    "bill": [
        ("dec:20-400:2", "dec:5-90:2", "int:2-12"),
        ("int:30-900", "int:10-200", "word:2-12"),
        ("int:100-3000", "int:30-900", "int:3-20"),
    ],
    "items": [
        ("int:2-12", "dec:0.5-30:2", "int:2-12", "dec:0.5-30:2"),
        ("int:2-40", "int:2-90", "int:2-40", "int:2-90"),
        ("word:2-9", "int:2-60", "word:2-9", "int:2-60"),
        ("word:2-9", "dec:0.5-20:2", "word:2-9", "dec:0.5-20:2"),
    ],
    "has": [("int:14-99", "int:2-13"), ("int:60-900", "int:5-59"), ("word:14-60", "word:2-12")],
    "times": [("int:3-60", "word:3-9"), ("int:12-400", "int:3-12"), ("word:3-30", "word:3-9")],
    "crowd": [("int:20-900",), ("int:400-20000",), ("word:20-99",)],
    "hours": [("int:2-40", "int:1-59"), ("word:2-12", "word:2-59"), ("int:2-9", "enum:5|10|15|20|30|40|45")],
    "minutes": [("int:65-900",), ("int:200-6000",), ("word:65-99",)],
    "weeks": [("int:2-60",), ("word:2-20",)],
    "kilos": [("dec:0.2-30:2",), ("int:2-90",), ("word:2-20",)],
    "recipe": [
        ("int:100-900", "int:2-8", "int:3-30"),
        ("int:50-1200", "word:2-8", "word:3-20"),
        ("dec:1-9:1", "int:2-12", "int:3-40"),
    ],
}
"""Ranges of {a}, {b}, {c} and {d}. What is left is never less than nothing."""
PERCENT = "pct:2-75"
PERCENTS = {"tip": "pct:5-25"}
"""Range of {p}, where it is another."""
SWAPPED = [
    re.compile(r"(?<![/^])\{[a-d]\}(?:\*\{[a-d]\})+"),
    re.compile(r"(?<![-/*])\{[a-d]\}(?:\+\{[a-d]\})+(?![*/])"),
]
"""Products and sums of counts, which any order leaves what they are. A percentage stands last."""
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


def in_order(expression: str, text: str) -> str:
    """What is multiplied, or added, in the order in which the request says it."""
    for pattern in SWAPPED:
        expression = pattern.sub(lambda found: _sorted(found[0], text), expression)
    return expression


def _sorted(run: str, text: str) -> str:
    sign = run[3]
    return sign.join(sorted(run.split(sign), key=text.index))


class Stories:
    """Draws frames put together from parts; the same seed draws the same ones."""

    def __init__(self, rng: random.Random, folder: Path = FRAMES) -> None:
        self.rng = rng
        self.parts = {zh: read_parts(folder / f"stories-{lang}.tsv") for lang, zh in LANGUAGES}

    def draw(self, zh: bool) -> Frame:
        """A frame as `read_lines` gives it: text, call, slots."""
        rng = self.rng
        (scheme,) = rng.choices(SCHEMES, [scheme.weight for scheme in SCHEMES])
        texts: list[str] = []
        for part in scheme.parts:
            kinds, *names = part.split(" ")
            known = self.parts[zh][rng.choice(kinds.split("|"))]
            named = dict(name.split("=") for name in names)
            text = SLOT.sub(lambda slot: f"{{{named.get(slot[1], slot[1])}}}", rng.choice(known))
            texts.append(text)
        text = self._join(texts, zh, "now" in scheme.parts[-1] and rng.random() < NOT_ASKED)
        one, _, several = rng.choice(self.parts[zh]["group"]).partition("|")
        text = text.replace("{groups}", several or one).replace("{group}", one)
        described = dict(zip("abcd", rng.choice(SCALES[scheme.scale]), strict=False)) | {"things": "things"}
        described["p"] = next((PERCENTS[part] for part in scheme.parts if part in PERCENTS), PERCENT)
        slots = {slot: described[slot] for slot in dict.fromkeys(SLOT.findall(text))}
        return {"text": text, "call": {"expression": in_order(scheme.expression, text)}, "slots": slots}

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
