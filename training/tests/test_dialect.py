"""The dialect's text, character for character: the app writes the same."""

import json
import unittest
from pathlib import Path

from ember.dialect import (
    Call,
    Message,
    describe_tool,
    describe_tools,
    read_calls,
    render,
    write_calls,
    write_result,
)

LINES = [
    (row["says"], row["tool"], row["line"])
    for row in json.loads((Path(__file__).parent / "tool-lines.json").read_text(encoding="utf8"))
]
"""What each says, a tool, and its line: the app's own test reads the same file."""


class Dialect(unittest.TestCase):
    def test_a_tool_is_one_line(self) -> None:
        for sentence, given, line in LINES:
            with self.subTest(sentence):
                self.assertEqual(describe_tool(given), line)

    def test_a_list_keeps_its_order_and_none_is_empty(self) -> None:
        tools = [LINES[1][1], LINES[0][1]]
        self.assertEqual(
            describe_tools(tools), "clock(place?) The time\ncalculator(expression) Works out a sum"
        )
        self.assertEqual(describe_tools([]), "")

    def test_calls_are_written_as_json_stringify_writes_them_and_read_back(self) -> None:
        calls = [Call("clock", {}), Call("say", {"text": 'a "b"\n伦敦', "times": 3, "loud": True})]
        text = '<tool_call>{"name":"clock","arguments":{}}</tool_call>\n<tool_call>{"name":"say","arguments":{"text":"a \\"b\\"\\n伦敦","times":3,"loud":true}}</tool_call>'
        self.assertEqual(write_calls(calls), text)
        self.assertEqual(read_calls(text), calls)

    def test_prose_holds_no_calls_and_half_a_call_is_unreadable(self) -> None:
        self.assertEqual(read_calls("Hello!"), [])
        self.assertIsNone(read_calls('<tool_call>{"name":"clock"'))
        self.assertIsNone(read_calls("<tool_call>clock</tool_call>"))

    def test_results_carry_the_name_and_failures_say_so(self) -> None:
        self.assertEqual(write_result("clock", "2026"), "clock: 2026")
        self.assertEqual(write_result("clock", "no", True), "clock: error: no")

    def test_a_chat_is_rendered_in_its_markers(self) -> None:
        chat = [Message("system", "clock(place?) The time"), Message("user", "hi")]
        self.assertEqual(
            render(chat), "<|system|>clock(place?) The time<|end|><|user|>hi<|end|><|assistant|>"
        )


if __name__ == "__main__":
    unittest.main()
