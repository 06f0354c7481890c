"""Frames, generator, tokenizer and packing."""

import random
import re
import unittest
from collections import Counter
from functools import cache

import numpy as np

from ember.arithmetic import calculate, evaluate
from ember.check import Entry, check_entry, near_duplicates, problems, shape_of
from ember.dialect import read_calls
from ember.dialogues import MISSING, Dialogues
from ember.drills import Drills
from ember.frames import Corpus, fill_slots, fill_text, fill_value, with_other_need, with_other_value
from ember.packing import Packer, Recipe, encode
from ember.stories import PARTS, SCALES, SCHEMES, Parts, faults_of, in_order
from ember.sums import Sums
from ember.tokenizer import Tokenizer, build
from ember.toolbox import SCHEMAS
from ember.values import Values, number_zh
from ember.vocabulary import count
from ember.weather import ASKED_BACK, is_of_the_weather


@cache
def tokenizer() -> Tokenizer:
    """Small and quick, but with every character."""
    return build(*count(Corpus(), 60), 5200)


class Frames(unittest.TestCase):
    def test_all_frames_are_sound_and_none_is_shared_with_the_evaluation(self) -> None:
        self.assertEqual(list(problems()), [])

    def test_broken_frames_are_found(self) -> None:
        values = Values(random.Random(1))
        broken = [
            ({"lang": "en", "text": "what is {a}", "call": {"expression": "{a}"}}, "described"),
            (
                {
                    "lang": "en",
                    "text": "what is {a}",
                    "call": {"expression": "{a}+{b}"},
                    "slots": {"a": "int:1-2"},
                },
                "does not hold",
            ),
            (
                {
                    "lang": "en",
                    "text": "what is {a}",
                    "call": {"expression": "{a}"},
                    "slots": {"a": "nonsense"},
                },
                "no kind",
            ),
            (
                {
                    "lang": "en",
                    "text": "what is {a}",
                    "call": {"expression": "{a}+"},
                    "slots": {"a": "int:1-2"},
                },
                "expression",
            ),
            ({"lang": "en", "text": "hi"}, "neither"),
            ({"lang": "en", "text": "hi <|end|>", "reply": "x"}, "marker"),
            (
                {
                    "text": "n {n}",
                    "call": {"n": "{n}"},
                    "slots": {"n": "word"},
                    "tool": {
                        "name": "t",
                        "description": "d",
                        "parameters": {
                            "type": "object",
                            "properties": {"n": {"type": "string", "enum": ["a"]}},
                        },
                    },
                },
                "not one of",
            ),
            (
                {
                    "text": "n",
                    "call": {"m": "1"},
                    "tool": {
                        "name": "t",
                        "description": "d",
                        "parameters": {
                            "type": "object",
                            "properties": {"n": {"type": "string"}},
                            "required": ["n"],
                        },
                    },
                },
                "missing",
            ),
        ]
        for frame, reason in broken:
            with self.subTest(reason):
                found = list(
                    check_entry(
                        Entry(
                            "x",
                            "calculator-en" if "expression" in frame.get("call", {}) else "x",
                            [frame["text"]],
                            frame,
                        ),
                        values,
                    )
                )
                self.assertTrue(any(reason in fault for fault in found), found)

    def test_a_search_for_own_words_becomes_one_for_any_topic_where_other_words_stand_around_them(
        self,
    ) -> None:
        frame = {"lang": "en", "text": "what r the rules of go, look", "call": {"query": "rules of go"}}
        other = with_other_need(frame)
        self.assertEqual(other["text"], "what r the {need}, look")
        self.assertEqual(other["call"], {"query": "{need}"})
        self.assertEqual(
            list(check_entry(Entry("", "search-en", [other["text"]], other), Values(random.Random(1)))), []
        )
        for text, query in [
            ("the rules of go", "rules of go"),
            ("all about {a} now", "{a} now"),
            ("go, its rules", "go rules"),
        ]:
            same = {"lang": "en", "text": text, "call": {"query": query}}
            self.assertIs(with_other_need(same), same)

    def test_a_request_that_names_one_of_a_few_may_name_anything_where_the_tool_takes_any_text(self) -> None:
        frame = {
            "text": "{a} at {b}%, {c}",
            "call": {"what": "{a}", "level": "{b}", "mode": "{c}"},
            "slots": {"a": "enum:lamp|fan", "b": "int:1-99", "c": "enum:on|off"},
        }
        properties = {
            "what": {"type": "string"},
            "level": {"type": "integer"},
            "mode": {"type": "string", "enum": ["on", "off"]},
        }
        tool = {"name": "x", "description": "x", "inputSchema": {"type": "object", "properties": properties}}
        self.assertEqual(
            with_other_value(frame, tool, "thing")["slots"],
            {"a": "thing", "b": "int:1-99", "c": "enum:on|off"},
        )
        self.assertEqual(with_other_value({"text": "go", "call": {}}, tool, "thing")["slots"], {})

    def test_the_same_request_with_other_values_is_one_frame(self) -> None:
        self.assertEqual(shape_of("How much is {a} plus {b}?"), shape_of("how much is 12 plus 3.5"))
        self.assertNotEqual(shape_of("{a}+{b}"), shape_of("{a}*{b}"))
        texts = [
            ("a", "g", "what would {a} and {b} come to"),
            ("b", "g", "What would 3 and 4 come to?"),
            ("c", "g", "time in {p}"),
        ]
        self.assertEqual(list(near_duplicates(texts)), [("a", "b")])


class Generator(unittest.TestCase):
    def test_the_same_seed_draws_the_same_chats(self) -> None:
        draw = lambda seed: [Dialogues(Corpus(), random.Random(seed)).draw() for _ in range(3)]
        self.assertEqual(draw(4), draw(4))
        self.assertNotEqual(draw(4), draw(5))

    def test_every_call_is_of_an_offered_tool_with_its_parameters(self) -> None:
        dialogues = Dialogues(Corpus(), random.Random(9))
        calls = 0
        for _ in range(400):
            system, chats = dialogues.draw_group()
            lines = system[0].text.split("\n") if system else []
            offered = {line.partition("(")[0]: line for line in lines}
            self.assertEqual(len(offered), len(lines), "no tool is offered twice")
            for role, text in (message for chat in chats for message in chat):
                if role != "assistant":
                    continue
                read = read_calls(text)
                self.assertIsNotNone(read, text)
                for call in read or []:
                    calls += 1
                    self.assertIn(call.name, offered, text)
                    parameters = offered[call.name].partition("(")[2]
                    for name in call.arguments:
                        self.assertIn(name, parameters)
        self.assertGreater(calls, 1000)

    def test_tools_that_differ_in_a_word_are_called_by_their_own_name(self) -> None:
        dialogues = Dialogues(Corpus(), random.Random(5))
        sizes, bare = [], 0
        for _ in range(60):
            system, chats = dialogues.draw_siblings()
            lines = system[0].text.split("\n")
            names = [line.partition("(")[0] for line in lines]
            self.assertEqual(len(set(names)), len(names), "no tool is offered twice")
            sizes.append(len(names))
            for text in (text for chat in chats for role, text in chat if role == "assistant"):
                for call in read_calls(text) or []:
                    self.assertIn(call.name, names)
                    bare += not call.arguments
        self.assertGreater(max(sizes), 35)
        self.assertLess(min(sizes), 5)
        self.assertGreater(bare, 20)

    def test_the_weather_is_not_searched_for_where_its_tool_is_offered(self) -> None:
        dialogues = Dialogues(Corpus(), random.Random(6))
        searched, called, asked_back = 0, 0, 0
        for _ in range(500):
            system, chats = dialogues.draw_group()
            offered = bool(system) and "\nweather(" in "\n" + system[0].text
            for text in (text for chat in chats for role, text in chat if role == "assistant"):
                asked_back += any(text in replies for replies in ASKED_BACK)
                for call in read_calls(text) or []:
                    called += call.name == "weather"
                    if call.name == "web_search" and is_of_the_weather(call.arguments["query"]):
                        searched += 1
                        self.assertFalse(offered, text)
        self.assertGreater(searched, 3)
        self.assertGreater(called, 100)
        self.assertGreater(asked_back, 10)

    def test_bare_sums_can_be_worked_out_and_are_filled(self) -> None:
        sums = Sums(Values(random.Random(3)))
        for number in range(600):
            request = sums.draw(number % 2 == 1)
            self.assertNotRegex(request.text + request.calls[0].arguments["expression"], r"[{}]")
            calculate(request.calls[0].arguments["expression"])
        drawn = {sums.draw(False).calls[0].arguments["expression"] for _ in range(400)}
        for form in [r"^\(\d.*[-+].*\)[*/]", r"\d[-+*/]\(\d+[-+*/]", r"\*\(100-\d+\)/100", r"sqrt\(", r"\^"]:
            self.assertTrue(any(re.search(form, expression) for expression in drawn), form)

    def test_stories_are_filled_and_leave_no_less_than_nothing(self) -> None:
        dialogues = Dialogues(Corpus(), random.Random(4))
        for zh in (False, True):
            drawn = [dialogues.stories.draw(zh) for _ in range(3000)]
            for frame in drawn:
                filled = fill_slots(frame, dialogues.values, zh)
                text = fill_text(frame["text"], filled)
                expression = fill_value(frame["call"]["expression"], filled)
                self.assertNotRegex(text + expression, r"[{}]")
                self.assertGreaterEqual(evaluate(expression), 0, text)
            self.assertGreater(len({frame["text"] for frame in drawn}), 2900)
            shapes = {re.sub(r"[abcd]", "", frame["call"]["expression"]) for frame in drawn}
            expected = {re.sub(r"[abcd]", "", scheme.expression) for scheme in SCHEMES}
            self.assertEqual(shapes, expected)

    def test_a_story_tells_the_numbers_its_sum_wants_and_no_others(self) -> None:
        for scheme in SCHEMES:
            told: list[str] = []
            for part in scheme.parts:
                kinds, *names = part.split(" ")
                named = dict(name.split("=") for name in names)
                (needs,) = {frozenset(PARTS[kind][0]) for kind in kinds.split("|")}
                told += [named.get(slot, slot) for slot in needs - {"groups"}]
            self.assertEqual(sorted(told), sorted(set(re.findall(r"{(\w)}", scheme.expression))), scheme)
            for ranges in SCALES[scheme.scale]:
                described = {slot for slot, kind in zip("abcd", ranges, strict=False) if kind}
                self.assertLessEqual(set(told) - {"p"}, described, scheme)

    def test_every_kind_of_part_is_told_in_many_ways(self) -> None:
        told = {kind for scheme in SCHEMES for part in scheme.parts for kind in part.split(" ")[0].split("|")}
        self.assertEqual(told | {"group"}, set(PARTS))
        for parts in Dialogues(Corpus(), random.Random(4)).stories.parts.values():
            self.assertEqual([kind for kind in PARTS if len(parts[kind]) < 12], [])

    def test_what_is_multiplied_or_added_stands_as_it_is_said(self) -> None:
        for expression, text, expected in [
            ("{a}*{b}*{c}", "{c} days, {a} an hour, {b} hours", "{c}*{a}*{b}"),
            ("{a}*{b}+{c}*{d}", "{b} for {a}, {c} at {d}", "{b}*{a}+{c}*{d}"),
            ("{c}-{a}*{b}", "{c}: {b} for {a}", "{c}-{b}*{a}"),
            ("{a}-{b}+{c}", "{c} {b} {a}", "{a}-{b}+{c}"),
            ("{a}/{b}*{c}", "{c} {b} {a}", "{a}/{b}*{c}"),
            ("{a}+{a}*{b}", "{b} {a}", "{a}+{b}*{a}"),
            ("2*({a}+{b})", "{b} {a}", "2*({b}+{a})"),
            ("{a}*{p}/100", "{p}% of {a}", "{a}*{p}/100"),
        ]:
            self.assertEqual(in_order(expression, text), expected)

    def test_parts_of_stories_with_other_slots_than_their_kind_are_found(self) -> None:
        parts: Parts = {
            "start": ["I had {b}", "a lot"],
            "more": ["{b} came", "{b} came"],
            "now": ["how many?"],
        }
        self.assertEqual(len(faults_of(parts)), 3, faults_of(parts))

    def test_what_is_said_to_be_off_is_not_offered(self) -> None:
        dialogues = Dialogues(Corpus(), random.Random(4))
        off = {reply: name for name, replies in MISSING.items() for said in replies for reply in said if name}
        found = 0
        for _ in range(300):
            system, chats = dialogues.draw_group()
            for reply in (text for chat in chats for role, text in chat if role == "assistant"):
                if reply in off:
                    found += 1
                    self.assertNotIn(f"{off[reply]}(", system[0].text if system else "")
        self.assertGreater(found, 20)

    def test_a_call_copies_what_the_request_holds(self) -> None:
        dialogues = Dialogues(Corpus(), random.Random(2))
        for kind, argument in (("fetch", "url"), ("clock", "place"), ("weather", "place")):
            for _ in range(300):
                request = dialogues.request(kind)
                value = request.calls[0].arguments.get(argument)
                if value is not None:
                    self.assertIn(value, request.text)

    def test_every_kind_of_exchange_comes(self) -> None:
        dialogues = Dialogues(Corpus(), random.Random(3))
        seen: Counter[str] = Counter()
        for _ in range(800):
            chat = dialogues.draw()
            replies = [text for role, text in chat if role == "assistant"]
            seen["several"] += any(text.count("<tool_call>") > 1 for text in replies)
            seen["error"] += any(": error: " in text for role, text in chat if role == "tool")
            seen["no tools"] += chat[0].role != "system"
            seen["off"] += any(
                "switched off" in text or "is off" in text or "没有开" in text or "没开" in text
                for text in replies
            )
            seen["plain"] += len(chat) <= 3 and "<tool_call>" not in replies[0]
            seen["invented"] += any(
                call.name not in SCHEMAS for text in replies for call in read_calls(text) or []
            )
        for kind, number in seen.items():
            self.assertGreater(number, 5, kind)

    def test_numbers_in_chinese(self) -> None:
        for number, text in [
            (0, "零"),
            (10, "十"),
            (11, "十一"),
            (20, "二十"),
            (105, "一百零五"),
            (110, "一百一十"),
            (1005, "一千零五"),
            (1050, "一千零五十"),
            (9999, "九千九百九十九"),
        ]:
            self.assertEqual(number_zh(number), text)


class Tokens(unittest.TestCase):
    def test_text_survives(self) -> None:
        dialogues = Dialogues(Corpus(), random.Random(6))
        texts = ["", "a  b", "饕餮 🦖 é\n\t", '":"}}</tool_call>', "x<tool_call>y", "▁"]
        texts += [text for _ in range(200) for _, text in dialogues.draw()]
        for text in texts:
            self.assertEqual(tokenizer().decode(tokenizer().encode(text)), text.replace("▁", " "))

    def test_a_word_has_the_same_tokens_wherever_it_stands(self) -> None:
        word = tokenizer().encode("Lisbon")
        around = tokenizer().encode('"Lisbon", 12Lisbon3')
        self.assertEqual(sum(around[start : start + len(word)] == word for start in range(len(around))), 2)

    def test_the_frame_of_a_call_is_few_tokens_cut_longest_first(self) -> None:
        made = tokenizer()
        pieces = [
            made.tokens[index]
            for index in made.encode('<tool_call>{"name":"x","arguments":{"y":"1"}}</tool_call>')
        ]
        self.assertEqual(
            pieces, ['<tool_call>{"name":"', "x", '","arguments":{"', "y", '":"', "1", '"}}</tool_call>']
        )
        self.assertEqual(
            [made.tokens[index] for index in made.encode('":"}}</tool_call>')], ['"', ":", '"}}</tool_call>']
        )

    def test_what_looks_like_a_marker_is_plain_text(self) -> None:
        self.assertNotIn(tokenizer().end, tokenizer().encode("<|end|>"))


class Packing(unittest.TestCase):
    def test_a_step_is_made_from_its_number_alone(self) -> None:
        recipe = Recipe(3, 256, 0.3, 0.2, 0.1)
        first = Packer(tokenizer(), 1).batch(7, recipe)
        again = Packer(tokenizer(), 1)
        again.batch(6, recipe)
        for one, other in zip(first, again.batch(7, recipe), strict=True):
            self.assertTrue((one == other).all())

    def test_only_the_assistant_is_learnt_and_padding_never(self) -> None:
        batch = Packer(tokenizer(), 1).batch(0, Recipe(4, 512, 0.0, 0.0, 0.0))
        self.assertFalse(batch.learn[batch.document == 0].any())
        self.assertTrue(0.05 < batch.learn.mean() < 0.7)
        ids, learn = encode(tokenizer(), Dialogues(Corpus(), random.Random(1)).draw())
        said = tokenizer().decode(index for index, taught in zip(ids, learn) if taught)
        self.assertNotIn("<|user|>", said)
        self.assertIn("<|end|>", said)

    def test_a_chat_goes_on_from_the_prefix_it_shares(self) -> None:
        batch = Packer(tokenizer(), 1).batch(0, Recipe(3, 1024, 0.1, 0.1, 0.1))
        shared: Counter[int] = Counter()
        system = tokenizer().role("system")
        for tokens, learn, document, prefix, position in zip(*batch):
            for number in range(1, document.max() + 1):
                own = document == number
                before = int(prefix[own][0])
                self.assertTrue((prefix[own] == before).all())
                seen = (document == before).sum() if before else 0
                self.assertEqual(list(position[own]), list(range(seen, seen + own.sum())))
                if before:
                    shared[before] += 1
                    self.assertEqual(tokens[document == before][0], system)
                    self.assertFalse(learn[document == before].any())
                    self.assertLess(np.flatnonzero(document == before).max(), np.flatnonzero(own).min())
        self.assertGreater(max(shared.values()), 1)

    def test_drills_copy_and_choose(self) -> None:
        drills = Drills(tokenizer(), random.Random(1))
        for _ in range(50):
            ids, mask = drills.copy()
            self.assertEqual(len(ids), len(mask))
            self.assertGreater(sum(mask), 0)
            system, user, reply = drills.choose_tool()
            (call,) = read_calls(reply.text) or []
            self.assertIn(call.name + "(", system.text)
            self.assertIn(str(next(iter(call.arguments.values()))), user.text)


if __name__ == "__main__":
    unittest.main()
