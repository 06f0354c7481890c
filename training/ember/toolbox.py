"""Which tools a chat offers: the app's own, their descriptions in varying words, and invented ones with changing names."""

import re
from typing import Any

from . import words
from .dialect import Tool
from .values import Values

REAL = ["calculator", "clock", "fetch_page", "web_search", "weather"]
SCHEMAS: dict[str, dict[str, Any]] = {
    "calculator": {
        "type": "object",
        "properties": {"expression": {"type": "string"}},
        "required": ["expression"],
    },
    "clock": {"type": "object", "properties": {"place": {"type": "string"}}, "required": []},
    "fetch_page": {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]},
    "web_search": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "depth": {"type": "string", "enum": ["quick", "deep"]}},
        "required": ["query"],
    },
    "weather": {
        "type": "object",
        "properties": {"place": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["place"],
    },
}
DESCRIPTIONS = {
    "calculator": [
        "Calculates an expression exactly. Knows + - * / ^ % and functions such as sqrt, round, sin, log, gcd.",
        "Calculates an expression exactly: + - * / ^ % and functions such as sqrt, round, sin, log, gcd.",
        "Exact arithmetic: sums, percentages, powers and roots.",
        "Works out a sum.",
        "计算一个算式",
    ],
    "clock": [
        "The date, weekday and time now, here or in a place.",
        "Tells the date, time, weekday and zone offset, here or in a place.",
        "The date and time here, or in a city or time zone.",
        "Current date, time and weekday.",
        "What time and day it is, here or elsewhere.",
        "现在的日期和时间",
    ],
    "fetch_page": [
        "Reads a web page and gives its title and text.",
        "Opens the page at an address and returns its text.",
        "Fetches a URL as readable text.",
        "The text of a web page.",
        "读取一个网页",
    ],
    "web_search": [
        "Searches the web and gives titles, addresses and summaries.",
        "Looks something up on the web.",
        "Web search: the best results for a query.",
        "Finds pages and facts online.",
        "在网上搜索",
    ],
    "weather": [
        "The weather in a place: today first, up to seven days.",
        "Tells the weather in a place, today and up to seven days ahead.",
        "Weather forecast for a place.",
        "Temperature, rain and wind in a place, now and in the coming days.",
        "一个地方的天气，今天起最多七天",
    ],
}


def real_tool(name: str, values: Values) -> Tool:
    """One of the app's own tools, mostly in the app's own words."""
    descriptions = DESCRIPTIONS[name]
    description = descriptions[0] if values.chance(0.6) else values.pick(descriptions)
    schema = SCHEMAS[name]
    if name == "web_search" and values.chance(0.15):
        schema = {**schema, "properties": {"query": schema["properties"]["query"]}}
    return {"name": name, "description": description, "inputSchema": schema}


def rename(tool: Tool, values: Values) -> tuple[Tool, dict[str, str]]:
    """The same tool under other names, so that names are read and not remembered; with what each parameter became."""
    properties = tool["inputSchema"].get("properties", {})
    names = {name: name for name in properties}
    new_name = tool["name"]
    if values.chance(0.55):
        new_name = _other_name(new_name, values)
    for name in properties:
        if values.chance(0.4):
            other = _other_parameter(name, values)
            if other not in names.values():
                names[name] = other
    schema = {
        **tool["inputSchema"],
        "properties": {names[name]: of for name, of in properties.items()},
        "required": [names[name] for name in tool["inputSchema"].get("required", [])],
    }
    return {**tool, "name": new_name, "inputSchema": schema}, names


def _other_name(name: str, values: Values) -> str:
    parts = [part for part in re.split(r"[_\W]+|(?<=[a-z])(?=[A-Z])", name) if part]
    style = values.rng.random()
    if style < 0.2 and len(parts) > 1:
        return parts[0].lower() + "".join(part[:1].upper() + part[1:] for part in parts[1:])
    if style < 0.35 and len(parts) > 1:
        return "-".join(part.lower() for part in parts)
    if style < 0.55:
        return f"{values.any('get', 'do', 'my', 'run', 'set', 'the', 'app')}_{name.lower()}"
    if style < 0.7:
        return values.any(*parts) + values.any("", "2", "_tool", "X")
    if style < 0.9:
        return values.pseudo(2) + values.any("", "_" + values.pseudo(1), values.pseudo(1).capitalize())
    return values.pick(words.VERBS) + "_" + values.pick(words.NOUNS)


def _other_parameter(name: str, values: Values) -> str:
    return values.any(
        name[:1],
        "value",
        "input",
        "x",
        "arg",
        "key",
        "item",
        name + "_id",
        name.upper() if len(name) < 4 else name.capitalize(),
        values.pseudo(1),
        values.pick(words.NOUNS),
        "the_" + name,
        "q",
        "n",
    )
