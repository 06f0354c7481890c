"""Writes the frames that are held back from training as requests, one JSON object a line, in the form of `eval/requests.jsonl`.

usage: python3 -m ember.held_back FILE

What the thresholds of `sureness.md` are fitted on: the evaluation set is not touched for that.
"""

import json
import random
import sys
from pathlib import Path
from typing import Any, Iterator

from .frames import LANGUAGES, REAL_TOOLS, Corpus, as_tool, fill_arguments, fill_slots, fill_text
from .toolbox import REAL, SCHEMAS
from .values import Values

OFFERED = [name for name in REAL if name != "weather"]
"""The app's own tools that a chat with Ember offers: requests for the weather are read by the page."""
FILLINGS = 1
"""How often each frame is filled, with other values each time."""


def requests(seed: int = 29) -> Iterator[dict[str, Any]]:
    """Each with the one call that is right, or none."""
    values = Values(random.Random(seed))
    held = Corpus(held=True)
    for filling in range(FILLINGS):
        for (kind, zh), frames in held.requests.items():
            name, _ = REAL_TOOLS[kind]
            if name not in OFFERED:
                continue
            for number, frame in enumerate(frames):
                filled = fill_slots(frame, values, zh)
                arguments = fill_arguments(frame["call"], filled, {"inputSchema": SCHEMAS[name]})
                text = fill_text(frame["text"], filled)
                yield row(name, zh, f"{number}-{filling}", OFFERED, text, [{"name": name, "arguments": arguments}])
        for zh, frames in held.plain.items():
            for number, frame in enumerate(frames):
                text = fill_text(frame["text"], fill_slots(frame, values, zh))
                yield row("none", zh, f"{number}-{filling}", OFFERED, text, [])
        for number, entry in enumerate(held.invented):
            tool = as_tool(entry)
            described = {name: entry["tool"][name] for name in ("name", "description", "parameters")}
            offered = [*OFFERED, described]
            for place, frame in enumerate(entry["requests"]):
                zh = any("\u4e00" <= character <= "\u9fff" for character in frame["text"])
                filled = fill_slots(frame, values, zh)
                call = {"name": tool["name"], "arguments": fill_arguments(frame["call"], filled, tool)}
                yield row("unseen", zh, f"{number}-{place}-{filling}", offered, fill_text(frame["text"], filled), [call])


def row(intent: str, zh: bool, number: str, tools: list[Any], text: str, calls: list[Any]) -> dict[str, Any]:
    """A line of the file."""
    lang = next(lang for lang, is_zh in LANGUAGES if is_zh == zh)
    return {
        "id": f"{intent}-{lang}-{number}",
        "intent": intent,
        "lang": lang,
        "tools": tools,
        "messages": [{"role": "user", "content": text}],
        "calls": [calls],
    }


def main() -> None:
    rows = list(requests())
    lines = (json.dumps(one, ensure_ascii=False) for one in rows)
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n", encoding="utf8")
    print(f"{len(rows)} requests")


if __name__ == "__main__":
    main()
