"""Lists of tools that differ in a word: the same verb with another noun, the same noun with another verb.

A family is a verb with the requests that fit it; a kind is a noun. Which of the two a request names, and that an argument it
does not name is left out, is all that tells such tools apart.
"""

import re
from pathlib import Path
from typing import NamedTuple

from .frames import FRAMES, Frame, read_lines
from .values import Values

SIZES = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 28, 40]
"""Tools of a list; one is as likely as another."""


class Kind(NamedTuple):
    """A noun: one and many in English, and in Chinese, which has no plural."""

    one: str
    many: str
    zh: str


def read_kinds(folder: Path = FRAMES) -> list[Kind]:
    """Tab-separated, one a line."""
    lines = (folder / "kinds.tsv").read_text(encoding="utf8").splitlines()
    return [Kind(*line.split("\t")) for line in lines]


def of_kind(family: Frame, kind: Kind) -> Frame:
    """The tool and the requests of a verb, with a noun: as one of `tools-*.jsonl`."""
    one, many = (kind.zh, kind.zh) if family["lang"] == "zh" else (kind.one, kind.many)

    def say(text: str) -> str:
        return text.replace("{one}", one).replace("{many}", many)

    tool = family["family"]
    name = tool["name"].replace("{one}", kind.one).replace("{many}", kind.many)
    return {
        "tool": {**tool, "name": name, "description": say(tool["description"])},
        "requests": [{**request, "text": say(request["text"])} for request in family["requests"]],
    }


class Families:
    """Draws lists; the same values draw the same ones."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.verbs = {
            zh: read_lines(FRAMES / f"families-{'zh' if zh else 'en'}.jsonl") for zh in (False, True)
        }
        self.kinds = read_kinds()

    def draw(self, zh: bool) -> list[Frame]:
        """Tools with their requests; the names of a list are all of one style."""
        rng, verbs = self.values.rng, self.verbs[zh]
        verb, kind = rng.choice(verbs), rng.choice(self.kinds)
        chosen = {verb["family"]["name"] + kind.one: of_kind(verb, kind)}
        size = rng.choice(SIZES)
        while len(chosen) < size:
            style = rng.random()
            other_verb = verb if style < 0.4 else rng.choice(verbs)
            other_kind = kind if 0.4 <= style < 0.8 else rng.choice(self.kinds)
            chosen[other_verb["family"]["name"] + other_kind.one] = of_kind(other_verb, other_kind)
        join = rng.choice(["_", "_", "_", "-", ""])
        entries = list(chosen.values())
        rng.shuffle(entries)
        return [_named(entry, join) for entry in entries]


def _named(entry: Frame, join: str) -> Frame:
    name = entry["tool"]["name"]
    name = name.replace("_", join) if join else re.sub(r"_(\w)", lambda match: match[1].upper(), name)
    return {**entry, "tool": {**entry["tool"], "name": name}}
