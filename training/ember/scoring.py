"""The frozen evaluation set, and when a reply to one of its prompts is right."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from .arithmetic import ArithmeticFault, evaluate
from .dialect import Call, Message, Tool, describe_tools, read_calls
from .frames import read_lines
from .toolbox import DESCRIPTIONS, SCHEMAS

FOLDER = Path(__file__).parent.parent / "eval"

Replies = Callable[[list[list[Message]]], list[str]]


class Case(NamedTuple):
    """A prompt with either the calls that are right (any of several lists) or the facts the answer must hold."""

    id: str
    intent: str
    lang: str
    messages: list[Message]
    calls: list[list[Call]]
    facts: list[str]


class Score(NamedTuple):
    """Of one case."""

    case: Case
    reply: str
    right: bool
    chosen: str
    """The tool that was called: its name, several joined by +, `none`, or `unreadable`."""


def offered_tools(names: list[Any]) -> list[Tool]:
    """The app's tools by name, others as they stand in the file."""
    tools = []
    for name in names:
        if isinstance(name, str):
            tools.append({"name": name, "description": DESCRIPTIONS[name][0], "inputSchema": SCHEMAS[name]})
        else:
            tools.append(
                {"name": name["name"], "description": name["description"], "inputSchema": name["parameters"]}
            )
    return tools


def load_cases(folder: Path = FOLDER) -> list[Case]:
    """Requests, then answers."""
    cases = []
    for row in read_lines(folder / "requests.jsonl") + read_lines(folder / "answers.jsonl"):
        system = describe_tools(offered_tools(row["tools"]))
        messages = [Message("system", system)] if system else []
        messages += [Message(message["role"], message["content"]) for message in row["messages"]]
        calls = [[Call(call["name"], call["arguments"]) for call in calls] for calls in row.get("calls", [])]
        intent = f"answer/{row['intent']}" if "facts" in row else row["intent"]
        cases.append(Case(row["id"], intent, row["lang"], messages, calls, row.get("facts", [])))
    return cases


def same_call(expected: Call, given: Call) -> bool:
    """Name and arguments; an expression by its value, free text apart from case and final marks."""
    if expected.name != given.name:
        return False
    wanted, got = dict(expected.arguments), dict(given.arguments)
    if expected.name == "web_search":
        got.pop("depth", None)
    if wanted.keys() != got.keys():
        return False
    return all(_same(expected.name, wanted[name], got[name]) for name in wanted)


def _same(tool: str, wanted: Any, got: Any) -> bool:
    if tool == "calculator":
        try:
            return evaluate(str(wanted)) == evaluate(str(got))
        except ArithmeticFault:
            return False
    if tool in ("web_search", "clock"):
        return _loosely(str(wanted)) == _loosely(str(got))
    return type(wanted) is type(got) and wanted == got


def _loosely(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[?!.,;。？！，《》“”\"]", " ", text)).strip().casefold()


def score(case: Case, reply: str) -> Score:
    """Whether the reply is right."""
    calls = read_calls(reply)
    chosen = "unreadable" if calls is None else "+".join(call.name for call in calls) or "none"
    if case.intent.startswith("answer/"):
        right = calls == [] and reply.strip() != "" and all(fact in reply for fact in case.facts)
    else:
        right = (
            calls is not None
            and reply.strip() != ""
            and any(
                len(calls) == len(expected)
                and all(same_call(*pair) for pair in zip(expected, calls, strict=True))
                for expected in case.calls
            )
        )
    return Score(case, reply, right, chosen)


def run(replies: Replies, cases: list[Case]) -> list[Score]:
    """Scores every case with the given way to get replies."""
    said = replies([case.messages for case in cases])
    return [score(case, reply) for case, reply in zip(cases, said, strict=True)]


def table(scores: list[Score]) -> str:
    """Right of all, per intent and language, then which tool was called instead of which."""
    groups: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    for one in scores:
        groups[one.case.intent][one.case.lang].append(one.right)
        if not one.case.intent.startswith("answer/"):
            wanted = "+".join(call.name for call in one.case.calls[0]) or "none"
            if wanted != one.chosen:
                confusion["unseen" if one.case.intent == "unseen" else wanted][
                    "other tool"
                    if one.chosen not in SCHEMAS and one.chosen not in ("none", "unreadable")
                    else one.chosen
                ] += 1
    lines = ["| intent | en | zh | all | % |", "| --- | --- | --- | --- | --- |"]
    for intent, languages in groups.items():
        both = [right for rights in languages.values() for right in rights]
        cells = [
            f"{sum(languages[lang])}/{len(languages[lang])}" if languages[lang] else "–"
            for lang in ("en", "zh")
        ]
        lines.append(
            f"| {intent} | {cells[0]} | {cells[1]} | {sum(both)}/{len(both)} | {100 * sum(both) / len(both):.0f} |"
        )
    lines += [
        "",
        "Called instead: "
        + (
            "; ".join(
                f"{wanted} → {', '.join(f'{name} {count}' for name, count in names.most_common())}"
                for wanted, names in confusion.items()
            )
            or "nothing"
        ),
    ]
    return "\n".join(lines)
