"""Checks the frames and the evaluation set, and says what is wrong. usage: python3 -m ember.check"""

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .arithmetic import ArithmeticFault, calculate
from .dialect import Tool
from .families import of_kind, read_kinds
from .frames import (
    FRAMES,
    SLOT,
    Frame,
    as_tool,
    fill_arguments,
    fill_slots,
    fill_text,
    fill_value,
    read_lines,
)
from .scoring import FOLDER, load_cases
from .stories import Stories, faults_of
from .values import Values

KINDS = set(["int", "dec", "pct", "word", "year", "enum"])
NEAR = 0.85
"""Shared shingles of two frames above which they are one frame typed twice."""
LEAST = {"calculator": 400, "clock": 400, "fetch": 400, "search": 400, "weather": 400}
LEAST_PLAIN, LEAST_TOOLS = 1500, 300
MOST_DAYS = 7
STORIES_LOOKED_AT = 2000
"""For each language: that many are put together, and looked at as frames are."""
SHINGLE = 4


class Entry(NamedTuple):
    """A frame and where it stands."""

    place: str
    group: str
    texts: list[str]
    frame: Frame


def entries(folder: Path = FRAMES) -> Iterator[Entry]:
    """Every request of every file; those of a family with one of its nouns."""
    kind = read_kinds(folder)[0]
    for path in sorted(folder.glob("*.jsonl")):
        for number, row in enumerate(read_lines(path), 1):
            place = f"{path.name}:{number}"
            if "family" in row:
                row = of_kind(row, kind)
            if "tool" in row:
                for request in row["requests"]:
                    yield Entry(
                        place,
                        f"{path.stem}/{row['tool']['name']}",
                        [request["text"]],
                        {**request, "tool": row["tool"]},
                    )
            elif "turns" in row:
                yield Entry(place, path.stem, [turn["text"] for turn in row["turns"]], row)
            else:
                yield Entry(place, path.stem, [row["text"]], row)


def check_entry(entry: Entry, values: Values) -> Iterator[str]:
    """What is wrong with one frame."""
    frame = entry.frame
    slots = frame.get("slots", {})
    if not isinstance(slots, dict):
        yield "slots is not an object"
        return
    used = {slot for text in entry.texts for slot in SLOT.findall(text)}
    wanted = {slot for slot in SLOT.findall(str(_calls(frame))) if slot not in ("u1", "u2")}
    if used != set(slots):
        yield f"slots {sorted(used ^ set(slots))} are not both in the text and described"
    if wanted - used:
        yield f"the call wants {sorted(wanted - used)}, which the request does not hold"
    for slot, kind in slots.items():
        name = str(kind).partition(":")[0]
        if name not in KINDS and name not in values.kinds:
            yield f"slot {slot}: there is no kind {kind!r}"
            return
    zh = any("\u4e00" <= character <= "\u9fff" for text in entry.texts for character in text)
    if frame.get("lang") in ("en", "zh") and frame.get("lang") == "en" and zh:
        yield "marked as English, but holds Chinese"
    filled = fill_slots(frame, values, zh)
    if (
        "call" not in frame
        and "turns" not in frame
        and "calls" not in frame
        and not frame.get("reply", "").strip()
    ):
        yield "neither a call nor a reply"
    if "tool" in frame:
        yield from _check_tool(as_tool(frame), frame, filled)
    if entry.group.startswith("calculator"):
        for _ in range(8):
            filled = fill_slots(frame, values, zh)
            try:
                calculate(fill_value(frame["call"]["expression"], filled))
            except ArithmeticFault as fault:
                if "zero" not in str(fault) and "not real" not in str(fault):
                    yield f"expression: {fault}"
                    break
    days = (frame.get("call") or {}).get("days")
    if "tool" not in frame and isinstance(days, int) and not 1 <= days <= MOST_DAYS:
        yield f"days is {days}: the tool knows {MOST_DAYS}"
    if any(
        "<|" in text or "|>" in text or not text.strip() for text in [*entry.texts, frame.get("reply", "x")]
    ):
        yield "holds a marker or nothing"
    if SLOT.search(fill_text(" ".join(entry.texts), filled)):
        yield "a slot stays unfilled"


def _calls(frame: Frame) -> list[Any]:
    return [frame.get("call"), frame.get("calls"), [turn["call"] for turn in frame.get("turns", [])]]


def _check_tool(tool: Tool, frame: Frame, filled: dict[str, Any]) -> Iterator[str]:
    schema = tool["inputSchema"]
    properties = schema.get("properties", {})
    if not re.fullmatch(r"[\w-]+", tool["name"]) or not tool["description"].strip():
        yield "the tool wants a name of letters, digits, _ and -, and a description"
    unknown = set(frame["call"]) - set(properties)
    missing = set(schema.get("required", [])) - set(frame["call"])
    if unknown or missing:
        yield f"arguments unknown {sorted(unknown)}, missing {sorted(missing)}"
        return
    for name, value in fill_arguments(frame["call"], filled, tool).items():
        of = properties[name]
        right = {"string": str, "integer": int, "number": (int, float), "boolean": bool}[of["type"]]
        if not isinstance(value, right) or (isinstance(value, bool) and of["type"] != "boolean"):
            yield f"{name} is {value!r}, not a {of['type']}"
        if "enum" in of and value not in of["enum"]:
            yield f"{name} is {value!r}, not one of {of['enum']}"


def shape_of(text: str) -> str:
    """What is left of a request without values, case, spaces and marks: two with the same shape are one frame."""
    if not re.search(r"[^\W\d_]", text):
        return re.sub(r"\s", "", text)
    plain = SLOT.sub("0", text.lower())
    plain = re.sub(r"(?:https?://|www\.)[a-z0-9_./?=&%#~:+-]+", "0", plain)
    plain = re.sub(r"\d+(?:[.,]\d+)*", "0", plain)
    letters = re.sub(r"[^\w]|_", "", plain)
    # A bare sum or a row of emoji is its marks.
    return letters if letters.strip("0") else re.sub(r"\s", "", plain)


def shingles(text: str) -> frozenset[str]:
    """Overlapping pieces of a shape."""
    shape = shape_of(text)
    return frozenset(shape[start : start + SHINGLE] for start in range(max(1, len(shape) - SHINGLE + 1)))


def near_duplicates(texts: list[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """Places of pairs, of (place, group, text), that say nearly the same in the same group of frames."""
    by_group: dict[str, list[tuple[str, frozenset[str], str]]] = {}
    for place, group, text in texts:
        by_group.setdefault(group, []).append((place, shingles(text), text))
    for found in by_group.values():
        where: dict[str, list[int]] = {}
        for index, (place, pieces, text) in enumerate(found):
            shared: dict[int, int] = {}
            for piece in pieces:
                for other in where.setdefault(piece, []):
                    shared[other] = shared.get(other, 0) + 1
                where[piece].append(index)
            for other, count in shared.items():
                union = len(pieces) + len(found[other][1]) - count
                if count / union >= NEAR and (
                    len(shape_of(text)) > 6 or shape_of(text) == shape_of(found[other][2])
                ):
                    yield found[other][0], place


def overlap_with_evaluation(all_entries: list[Entry], evaluation: Path = FOLDER) -> Iterator[tuple[str, str]]:
    """Cases of the evaluation set that share a frame with training, and the place of the frame. Bare sums are no frames."""
    known: dict[str, str] = {}
    pieces_of: list[tuple[str, frozenset[str]]] = []
    for entry in all_entries:
        for text in entry.texts:
            known.setdefault(shape_of(text), entry.place)
            pieces_of.append((entry.place, shingles(text)))
    for case in load_cases(evaluation):
        if case.intent.startswith("answer/"):
            continue
        text = next(message.text for message in reversed(case.messages) if message.role == "user")
        pieces = shingles(text)
        if not re.search(r"[^\W\d_]", shape_of(text)):
            continue
        if shape_of(text) in known:
            yield case.id, known[shape_of(text)]
            continue
        for place, others in pieces_of:
            if len(pieces & others) / len(pieces | others) >= NEAR:
                yield case.id, place
                break


def tools_in_both(all_entries: list[Entry], evaluation: Path = FOLDER) -> set[str]:
    """Invented tools of the evaluation set that training has too, by name or by description."""
    known = {
        text.lower()
        for entry in all_entries
        if "tool" in entry.frame
        for text in (entry.frame["tool"]["name"], entry.frame["tool"]["description"])
    }
    found = set()
    for row in read_lines(evaluation / "requests.jsonl"):
        for tool in row["tools"]:
            if isinstance(tool, dict) and {tool["name"].lower(), tool["description"].lower()} & known:
                found.add(tool["name"])
    return found


def _same_group(entry: Entry) -> str:
    """Within it no two frames may say the same. The weather's tool answers what is searched for where it is not there."""
    if "tool" in entry.frame:
        return entry.group
    calls_weather = '"weather"' in json.dumps(_calls(entry.frame))
    kind = "weather" if calls_weather else entry.group.partition("-")[0]
    return f"{kind} {entry.frame['lang']}" if kind in ("weather", "where") else entry.frame["lang"]


def story_entries(stories: Stories) -> Iterator[Entry]:
    """Stories as the trainer draws them."""
    for lang, zh in (("en", False), ("zh", True)):
        for number in range(STORIES_LOOKED_AT):
            frame = stories.draw(zh)
            place = f"stories-{lang}.tsv, drawn {number}"
            yield Entry(place, "calculator", [frame["text"]], {"lang": lang, **frame})


def counts(all_entries: list[Entry]) -> dict[str, int]:
    """Frames by file, and invented tools."""
    numbers: dict[str, int] = {}
    for entry in all_entries:
        name = entry.place.partition(":")[0].removesuffix(".jsonl")
        numbers[name] = numbers.get(name, 0) + 1
    numbers["tools"] = len({entry.group for entry in all_entries if "tool" in entry.frame})
    return numbers


def problems() -> Iterator[str]:
    """All that is wrong, one line each."""
    values = Values(random.Random(5))
    found = list(entries())
    stories = Stories(random.Random(5))
    drawn = list(story_entries(stories))
    for entry in [*found, *drawn]:
        for fault in check_entry(entry, values):
            yield f"{entry.place}: {fault}"
    for parts in stories.parts.values():
        yield from faults_of(parts)
    # The same words may want different tools of a list, and a sum is the same in both languages.
    grouped = [(entry.place, _same_group(entry), " / ".join(entry.texts)) for entry in found]
    for first, second in near_duplicates(grouped):
        yield f"{second}: nearly the same as {first}"
    for case, place in overlap_with_evaluation([*found, *drawn]):
        yield f"evaluation {case} shares a frame with {place}"
    for name in sorted(tools_in_both(found)):
        yield f"evaluation tool {name} is in training"
    numbers = counts(found)
    for kind, least in LEAST.items():
        for lang in ("en", "zh"):
            if numbers[f"{kind}-{lang}"] < least:
                yield f"{kind}-{lang}: {numbers[f'{kind}-{lang}']} frames, {least} are wanted"
    if numbers["none-en"] + numbers["none-zh"] < LEAST_PLAIN:
        yield f"none: fewer than {LEAST_PLAIN} frames"
    if numbers["tools"] < LEAST_TOOLS:
        yield f"tools: {numbers['tools']}, {LEAST_TOOLS} are wanted"


if __name__ == "__main__":
    faults = list(problems())
    print("\n".join(faults) if faults else f"All frames are sound: {counts(list(entries()))}")
    sys.exit(1 if faults else 0)
