"""Ember's dialect: how offered tools, calls, results and whole chats are written.

The one place in training that knows it; `docs/decisions/2026-11-21-ember-dialect.md` says it in words, and the app's
prompt builder writes the same text.
"""

import json
import re
from typing import Any, NamedTuple

Arguments = dict[str, Any]
Tool = dict[str, Any]
"""`name`, `description` and `inputSchema` (JSON Schema), as the app's ToolSpec."""

MAX_DESCRIPTION = 100
"""Code points of a description that enter the prompt."""

CALL_OPEN = '<tool_call>{"name":"'
CALL_ARGUMENTS = '","arguments":{'
CALL_CLOSE = "}}</tool_call>"


class Message(NamedTuple):
    """One message of a chat; `role` is system, user, assistant or tool."""

    role: str
    text: str


class Call(NamedTuple):
    """A call of a tool."""

    name: str
    arguments: Arguments


def to_json(value: Any) -> str:
    """As JavaScript's `JSON.stringify` writes it: no spaces, no escapes beyond the needed ones."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def describe_tools(tools: list[Tool]) -> str:
    """The system text: one line a tool, in the order they are offered. Empty without tools: then there is no message."""
    return "\n".join(describe_tool(tool) for tool in tools)


def describe_tool(tool: Tool) -> str:
    """`lamp(minutes: integer, mode?: warm|cold) Light the lamp for a while`."""
    schema = tool["inputSchema"]
    required = schema.get("required", [])
    parameters = [
        name + ("" if name in required else "?") + _describe_type(of)
        for name, of in schema.get("properties", {}).items()
    ]
    line = f"{tool['name']}({', '.join(parameters)}) {_shorten(tool.get('description', ''))}"
    return line.rstrip(" ")


def _describe_type(schema: Any) -> str:
    if not isinstance(schema, dict):
        return ""
    values = schema.get("enum")
    if isinstance(values, list) and values:
        return ": " + "|".join(value if isinstance(value, str) else to_json(value) for value in values)
    kind = schema.get("type")
    return f": {kind}" if isinstance(kind, str) and kind != "string" else ""


def _shorten(description: str) -> str:
    """The first sentence, on one line, without its full stop, and not too long."""
    line = re.sub(r"[ \t\n\r\f\v]+", " ", description).strip(" ")
    sentence = re.split(r"(?<=。)|(?<=\.) ", line, maxsplit=1)[0]
    return re.sub(r"[.。]$", "", sentence)[:MAX_DESCRIPTION].rstrip(" ")


def write_call(call: Call) -> str:
    """One call, as the model writes it."""
    return "<tool_call>" + to_json({"name": call.name, "arguments": call.arguments}) + "</tool_call>"


def write_calls(calls: list[Call]) -> str:
    """Several calls in one reply."""
    return "\n".join(write_call(call) for call in calls)


def write_result(name: str, text: str, is_error: bool = False) -> str:
    """One result. Those of one reply are one message, joined by a newline."""
    return f"{name}: {'error: ' if is_error else ''}{text}"


def read_calls(reply: str) -> list[Call] | None:
    """The calls of a reply, [] for prose, nothing for what is neither."""
    if "<tool_call>" not in reply:
        return []
    calls = []
    for body in re.findall(r"<tool_call>(.*?)</tool_call>", reply, re.DOTALL):
        try:
            value = json.loads(body)
            calls.append(Call(value["name"], dict(value["arguments"])))
        except (ValueError, KeyError, TypeError):
            return None
    return calls or None


def render(messages: list[Message], reply_next: bool = True) -> str:
    """The prompt as one text, as the chat template in the GGUF writes it."""
    text = "".join(f"<|{role}|>{content}<|end|>" for role, content in messages)
    return text + ("<|assistant|>" if reply_next else "")
