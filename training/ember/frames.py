"""Loads the hand-written frames and fills one of them with values."""

import json
import random
import re
from pathlib import Path
from typing import Any, NamedTuple

from .dialect import Call, Tool
from .values import Filled, Values

Frame = dict[str, Any]
FRAMES = Path(__file__).parent.parent / "frames"
SLOT = re.compile(r"\{(\w+)\}")

REAL_TOOLS: dict[str, tuple[str, str]] = {
    "calculator": ("calculator", "expression"),
    "clock": ("clock", "place"),
    "fetch": ("fetch_page", "url"),
    "search": ("web_search", "query"),
    "weather": ("weather", "place"),
}
"""By file name: the tool and its one argument that frames fill."""


LANGUAGES = (("en", False), ("zh", True))
HOLD_EVERY, HOLD_AT = 40, 7
"""One frame in forty is not trained on: a look at those shows in time what the training set no longer can."""


class Request(NamedTuple):
    """A request of a person, and the calls it asks for; none when it wants no tool, then `reply` is the answer."""

    text: str
    calls: list[Call]
    zh: bool
    reply: str = ""


class Corpus:
    """The frames, by what they teach: those to train on, or with `held` the few that are kept back to watch with."""

    def __init__(self, folder: Path = FRAMES, held: bool = False) -> None:
        def part(name: str) -> list[Frame]:
            rows = read_lines(folder / f"{name}.jsonl")
            return [row for number, row in enumerate(rows) if (number % HOLD_EVERY == HOLD_AT) == held]

        self.requests = {(name, zh): part(f"{name}-{lang}") for name in REAL_TOOLS for lang, zh in LANGUAGES}
        self.placeless = {zh: part(f"where-{lang}") for lang, zh in LANGUAGES}
        """Requests for the weather that name no place: what the call holds beside it."""
        self.here = {zh: part(f"here-{lang}") for lang, zh in LANGUAGES}
        """Where somebody is, said before such a request."""
        self.plain = {zh: part(f"none-{lang}") for lang, zh in LANGUAGES}
        self.invented = [entry for lang, _ in LANGUAGES for entry in part(f"tools-{lang}")]
        self.followups = read_lines(folder / "followups.jsonl")
        self.several = read_lines(folder / "several.jsonl")
        self.chains = read_lines(folder / "chains.jsonl")


def read_lines(path: Path) -> list[Frame]:
    """One JSON object a line."""
    with path.open(encoding="utf8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def as_tool(entry: Frame) -> Tool:
    """An invented tool as the app would offer it."""
    tool = entry["tool"]
    return {"name": tool["name"], "description": tool["description"], "inputSchema": tool["parameters"]}


def fill_slots(frame: Frame, values: Values, zh: bool) -> dict[str, Filled]:
    """A value for every slot. Slots of a kind get different values where that is possible."""
    filled: dict[str, Filled] = {}
    for slot, kind in frame.get("slots", {}).items():
        for _ in range(5):
            filled[slot] = values.fill(kind, zh)
            if all(filled[slot] != other for name, other in filled.items() if name != slot):
                break
    return filled


def fill_text(text: str, filled: dict[str, Filled]) -> str:
    """The request as a person types it."""
    return SLOT.sub(lambda match: filled[match[1]].text if match[1] in filled else match[0], text)


def fill_value(value: Any, filled: dict[str, Filled]) -> Any:
    """An argument as the call holds it."""
    if not isinstance(value, str):
        return value
    return SLOT.sub(lambda match: filled[match[1]].value if match[1] in filled else match[0], value)


def cast(value: Any, schema: Any) -> Any:
    """Slot values are strings; the schema says what they are in the call."""
    if not isinstance(value, str):
        return value
    match schema.get("type"):
        case "integer":
            return int(float(value))
        case "number":
            return int(value) if re.fullmatch(r"-?\d+", value) else float(value)
        case "boolean":
            return value == "true"
    return value


def fill_arguments(arguments: dict[str, Any], filled: dict[str, Filled], tool: Tool) -> dict[str, Any]:
    """Arguments in the order of the tool's parameters."""
    properties = tool["inputSchema"].get("properties", {})
    return {
        name: cast(fill_value(arguments[name], filled), properties[name])
        for name in properties
        if name in arguments
    }


OPENINGS = {
    False: [
        "Quick one: ",
        "Sorry to bother you, ",
        "Hello there, ",
        "Right, ",
        "One more thing, ",
        "ok so ",
        "hey, ",
        "Thanks. Next, ",
        "My boss asks: ",
        "Please, ",
        "um, ",
    ],
    True: [
        "有空的话，",
        "不好意思，",
        "打扰一下，",
        "顺便，",
        "对了，",
        "下一个：",
        "嗨，",
        "麻烦你，",
        "我有个问题，",
        "再来一个：",
        "那个，",
    ],
}
CLOSINGS = {
    False: [", please", " thanks", ", if you can", " asap", ", thank you", " pls", ", cheers"],
    True: ["，谢谢", "，急", "，多谢", "，拜托了", "，麻烦了", "，谢啦"],
}


MOST_OF_TEXT = 0.7
"""Share of a request beyond which what it searches for is the request itself."""


def with_other_need(frame: Frame) -> Frame:
    """A search for words of the frame's own, turned into one for any topic: what is to be learnt is which words to copy."""
    text, query = frame["text"], frame["call"]["query"]
    if SLOT.search(query) or query not in text or len(query) > MOST_OF_TEXT * len(text):
        return frame
    return {
        **frame,
        "text": text.replace(query, "{need}", 1),
        "call": {**frame["call"], "query": "{need}"},
        "slots": {**frame.get("slots", {}), "need": "topic"},
    }


def with_other_value(frame: Frame, tool: Tool, kind: str) -> Frame:
    """A request that names one of a few values, turned into one that names anything, where the tool takes any text."""
    slots = frame.get("slots", {})
    takes_any = {
        value
        for name, value in frame["call"].items()
        if tool["inputSchema"]["properties"][name] == {"type": "string"}
    }
    return {
        **frame,
        "slots": {
            slot: kind if f"{{{slot}}}" in takes_any and of.startswith("enum:") else of
            for slot, of in slots.items()
        },
    }


SMALL_WORDS = {
    False: re.compile(
        r"(?<![\w'{])(?:the|a|an|is|of|to|do|are|please|and|just|me|it|so)(?![\w'}]) ", re.IGNORECASE
    ),
    True: re.compile(r"的|了|呢|吧|啊|呀|请|一下|帮我|那|嘛|就"),
}


def roughen(text: str, rng: random.Random, zh: bool) -> str:
    """The same request with a slip in it: a small word left out, letters swapped, dropped or doubled."""
    if zh or rng.random() < 0.4:
        found = list(SMALL_WORDS[zh].finditer(text))
        if found:
            cut = rng.choice(found)
            text = text[: cut.start()] + text[cut.end() :]
        return text
    found = [match for match in re.finditer(r"(?<![{\w])[a-z]{4,}(?![\w}])", text)]
    if not found:
        return text
    word = rng.choice(found)
    letters = word[0]
    place = rng.randrange(1, len(letters) - 1)
    style = rng.random()
    if style < 0.4:
        letters = letters[:place] + letters[place + 1] + letters[place] + letters[place + 2 :]
    elif style < 0.75:
        letters = letters[:place] + letters[place + 1 :]
    else:
        letters = letters[:place] + letters[place] + letters[place:]
    return text[: word.start()] + letters + text[word.end() :]


ANY_WORD = {
    False: re.compile(r"(?<![\w'{])[\w']+(?![\w'}]) ?"),
    True: re.compile(r"[\u4e00-\u9fff](?![^{]*\})"),
}


def thin(text: str, rng: random.Random, zh: bool) -> str:
    """The same request with some of its words missing: no single one may decide what is understood."""
    thinned = ANY_WORD[zh].sub(lambda match: "" if rng.random() < 0.12 else match[0], text)
    return thinned if thinned.strip() else text


COPIED = {"query", "place", "url"}
"""Arguments that are the request's own words."""


def restyle(frame: Frame, rng: random.Random, zh: bool, slips: bool = True) -> Frame:
    """The same words typed more carelessly, or with a little around them. What a call copies changes with them."""
    text = frame["text"]
    call = frame.get("call")
    if not zh and rng.random() < 0.15:
        lower = lambda value: "".join(
            part if part.startswith("{") else part.lower() for part in re.split(r"(\{\w+\})", value)
        )
        text = lower(text)
        if call:
            call = {name: lower(value) if name in COPIED else value for name, value in call.items()}
    # Where the call copies the frame's own words, a slip in them would be one in the call.
    # Without the one word that says when, it would be asked for another day.
    copied = "days" in (call or {}) or any(
        SLOT.sub("", value).strip() for name, value in (call or {}).items() if name in COPIED
    )
    if slips and not copied and rng.random() < 0.2:
        text = roughen(text, rng, zh)
    elif slips and not copied and rng.random() < 0.3:
        text = thin(text, rng, zh)
    if rng.random() < 0.12:
        text = text.rstrip("?？.。!！")
    if rng.random() < 0.05:
        text = rng.choice(OPENINGS[zh]) + text
    elif rng.random() < 0.05 and not text.endswith("}"):
        text = text.rstrip("?？.。!！") + rng.choice(CLOSINGS[zh])
    return {**frame, "text": text, **({"call": call} if call is not None else {})}
