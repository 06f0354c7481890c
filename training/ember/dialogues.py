"""Whole chats in Ember's dialect, made from frames, values and results."""

import random
import re
from collections.abc import Callable

from .dialect import Call, Message, Tool, describe_tools, read_calls, write_calls, write_result
from .families import Families
from .frames import (
    REAL_TOOLS,
    SLOT,
    Corpus,
    Frame,
    Request,
    as_tool,
    fill_arguments,
    fill_slots,
    fill_text,
    fill_value,
    restyle,
    with_other_need,
    with_other_value,
)
from .results import Results
from .weather import Weather, is_of_the_weather
from .stories import Stories
from .sums import Sums
from .toolbox import REAL, SCHEMAS, real_tool, rename
from .values import Filled, Values

MIX = {
    "calculator": 0.10,
    "clock": 0.17,
    "fetch": 0.02,
    "search": 0.15,
    "weather": 0.10,
    "plain": 0.32,
    "invented": 0.28,
    "followup": 0.025,
    "several": 0.03,
    "chain": 0.025,
}
"""Shares of the kinds of exchange. Where tools are switched off, requests for them come beside these."""
UNANSWERED = 0.86
"""Of the chats that end with a tool's answer: they end with the call. A result is long, and what is said of it learnt soon."""
UNANSWERED_INVENTED = 0.65
"""Of those with an invented tool: what such a tool gives is of no known form."""
UNANSWERED_CHAIN = 0.3
"""Of those that open a page they searched for: after a second result, most of all, the answer must follow and no third call."""
GOES_ON = 0.07
"""Of the chats: more than one exchange."""
OTHER_NEED = 0.35
"""Of the searches for a frame's own words: they are for something else this time."""
OTHER_VALUE = 0.3
"""Of the requests for an invented tool that name one of a few values: they name something else, which is copied all the same."""
ANY_VALUE = ["thing", "work", "name", "topic", "word", "code", "food"]
BARE_SUMS = 0.15
"""Of the requests for the calculator: a sum in words, with no story around it."""
STORIES = 0.35
"""Of the others: a story put together from parts."""
MISSING_TOOLS = (0.25, 0.025)
"""Of the chats behind a list that lacks some of the app's tools, and behind any other: their tool is not offered."""
SWITCHED_OFF = 0.3
"""Of the lists: some of the app's tools are not there."""
NO_WEATHER = 0.4
"""Of the lists: the weather is not among the tools, and is searched for."""
MISSED = {"calculator": 1, "clock": 2, "fetch_page": 1, "web_search": 3, "weather": 1}
"""How often what is asked for is a tool that is switched off: most often one that takes any words, so that few words tell of it."""
CALCULATIONS_TOGETHER = 16
SMALL_TALK_BESIDE = 8
"""Chats behind a list that is only there for the calculator: small talk costs few tokens, and mentions numbers too."""
BARE_CALCULATIONS = 0.25
"""Of the chats that are only there for the calculator."""
BY_NAME = 0.3
"""Of the requests for an invented tool that wants one text: its name, and any words."""
BEGINNINGS = [
    "my",
    "my",
    "our",
    "your",
    "the",
    "the",
    "a",
    "an",
    "his",
    "her",
    "this",
    "that",
    "in",
    "on",
    "at",
    "how",
    "why",
    "what",
    "ten",
    "two",
    "first",
    "all",
    "no",
    "more",
    "to",
    "for",
]
"""Small words that stand before a need and are no part of it, but begin a title."""
APP_BESIDE = 0.7
"""Of the lists of siblings: the app's own tools are there too."""
ASKS_THE_APP = 0.3
"""Of the chats behind those: they want one of the app's, or none."""
NAMED = {
    False: [
        "{n} {v}",
        "{n} {v}",
        "{n} {v}",
        "{n}: {v}",
        '{n} "{v}"',
        "please {n} {v}",
        "{v} {n}",
        "run {n} on {v}",
        "{n} {v} for me",
    ],
    True: [
        "{n} {v}",
        "{n} {v}",
        "{n}：{v}",
        "{n}“{v}”",
        "用{n}处理{v}",
        "{v}，{n}",
        "帮我{n} {v}",
        "{n}一下{v}",
    ],
}
TOGETHER = [3, 6, 8, 10, 12, 16]
"""Chats behind one system text: it is most of what a short chat costs."""

DECLINES = re.compile(
    r"\b(can't|cannot|can only|not able|too small|larger|bigger|beyond me|sorry|small model)\b"
    r"|不会|不能|做不|没法|不了|抱歉|大模型|更大|大一点|大些|小模型|不懂|不知道|帮不上"
)
"""A reply that says so: what was asked is beyond a small model."""
OWN_WORDS = 0.5
"""Of the replies: the frame's own. The others are one of the sentences below, so that a model that knows no better has
something to say that is true. To a greeting or thanks there is always an answer of its own."""
BEYOND = (
    [
        "I'm the small model built into Hearth, so I can't do that. You can load a larger model for it.",
        "That is more than I can do: I'm only the small built-in model. A larger one, loaded in the app, could help.",
    ],
    [
        "我是 Hearth 自带的小模型，这个做不了。可以在应用里加载更大的模型。",
        "这个超出我的本事了，我只是自带的小模型。换个大模型就可以。",
    ],
)
SMALL_TALK = (
    [
        "I'm only the small built-in model, so I can't say much to that. I can calculate, tell the time, read a page or search.",
        "I hear you, but I'm only a small model. If you want a sum, the time, a page or a search, just ask.",
    ],
    [
        "我只是自带的小模型，聊不深。算数、看时间、读网页、搜索，可以找我。",
        "听到啦，不过我只是个小模型。要算数、看时间、读网页或搜索，跟我说。",
    ],
)
SHORT = (20, 6)
"""Characters of a request, in English and Chinese, that is hardly more than a greeting."""

CLOSING = " .,;:!?\"'()。，！？；：、“”"
"""Marks that do not begin or end a text that is passed on."""

MISSING = {
    "calculator": (
        [
            "The calculator is switched off in this chat, so I can't work that out. You can turn it on in the tools menu.",
            "I can't calculate here: the calculator is off. Turn it on in the tools menu and ask again.",
        ],
        [
            "这个对话没有开计算器，我算不了。可以在工具菜单里打开。",
            "计算器没开，我怕算错。请在工具菜单里打开再问我。",
        ],
    ),
    "clock": (
        [
            "The clock is switched off in this chat, so I don't know the time. You can turn it on in the tools menu.",
            "I can't see a clock here: it is off. Turn it on in the tools menu and ask again.",
        ],
        [
            "这个对话没有开时钟，我不知道时间。可以在工具菜单里打开。",
            "时钟没开，我看不到时间。请在工具菜单里打开再问我。",
        ],
    ),
    "fetch_page": (
        [
            "I can't open pages in this chat: page reading is switched off. You can turn it on in the tools menu.",
            "Page reading is off here, so I can't open that. Turn it on in the tools menu and ask again.",
        ],
        [
            "这个对话没有开网页读取，我打不开。可以在工具菜单里打开。",
            "读网页的工具没开，请在工具菜单里打开再问我。",
        ],
    ),
    "web_search": (
        [
            "I can't look that up in this chat: web search is switched off. You can turn it on in the tools menu.",
            "Web search is off here, and I don't know it myself. Turn it on in the tools menu and ask again.",
        ],
        [
            "这个对话没有开网页搜索，我查不了。可以在工具菜单里打开。",
            "搜索没开，我自己也不知道。请在工具菜单里打开再问我。",
        ],
    ),
    "weather": (
        [
            "The weather is switched off in this chat, so I don't know it. You can turn it on in the tools menu.",
            "I can't see the weather here: it is off. Turn it on in the tools menu and ask again.",
        ],
        [
            "这个对话没有开天气，我查不了。可以在工具菜单里打开。",
            "天气没开，我看不到。请在工具菜单里打开再问我。",
        ],
    ),
    "": (
        ["I have no tool for that in this chat, sorry.", "I can't do that here: none of my tools fits."],
        ["这个对话里没有能做这件事的工具，抱歉。", "这个我做不了，手边没有合适的工具。"],
    ),
}


class Dialogues:
    """Draws chats; the same seed draws the same ones."""

    def __init__(self, corpus: Corpus, rng: random.Random) -> None:
        self.corpus = corpus
        self.rng = rng
        self.values = Values(rng)
        self.results = Results(self.values)
        self.sums = Sums(self.values)
        self.stories = Stories(rng)
        self.weather = Weather(corpus, self.values)
        self.families = Families(self.values)

    # Choosing

    def draw(self) -> list[Message]:
        """One chat: the offered tools, then one to four exchanges."""
        system, (chat,) = self.draw_group(1)
        return system + chat

    def draw_group(self, count: int | None = None) -> tuple[list[Message], list[list[Message]]]:
        """A system message, or none where no tool is offered, and chats that share it.

        What a chat needs is offered to the others too, so the tools of one are the distractors of another.
        """
        rng = self.rng
        lacking = self._lacking()
        # Without the tool, a search finds the weather, where there is one: then nothing is lacking.
        missed = lacking if "web_search" in lacking else lacking - {"weather"}
        needed: dict[str, Tool] = {}
        asked_for: set[str] = set()
        chats: list[list[Message]] = []
        count = count or rng.choice(TOGETHER)
        while len(chats) < count:
            if rng.random() < MISSING_TOOLS[not missed]:
                chat, absent = self._missing(missed)
                if absent not in needed:
                    asked_for.add(absent)
                    chats.append(chat)
                continue
            chat, tools = self._chat()
            names = {tool["name"] for tool in tools}
            if names & (lacking | asked_for) or any(
                tool["name"] in needed and not _is_real(tool) for tool in tools
            ):
                continue
            if "weather" not in lacking and _searches_for_the_weather(chat):
                continue
            for tool in tools:
                needed.setdefault(tool["name"], tool)
            chats.append(chat)
        tools = list(needed.values())
        tools += [
            tool
            for tool in self._distractors(tools, plain=not tools)
            if tool["name"] not in lacking | asked_for
        ]
        self._mix(tools)
        return self._system(tools), chats

    def draw_calculations(self) -> tuple[list[Message], list[list[Message]]]:
        """A list of the calculator and at most one other tool, chats of a request and its call, and small talk.

        Which words stand for which sign is the hardest to learn, and a sum takes few tokens.
        """
        rng = self.rng
        names = ["calculator", *rng.sample(REAL[1:], rng.randint(0, 1))]
        rng.shuffle(names)
        requests = [self.request("calculator", bare=BARE_CALCULATIONS) for _ in range(CALCULATIONS_TOGETHER)]
        chats = [
            [Message("user", request.text), Message("assistant", write_calls(request.calls))]
            for request in requests
        ]
        chats += [self._plain()[0] for _ in range(SMALL_TALK_BESIDE)]
        rng.shuffle(chats)
        return self._system([real_tool(name, self.values) for name in names]), chats

    def draw_siblings(self) -> tuple[list[Message], list[list[Message]]]:
        """A list whose tools differ in a word, mostly beside the app's, and chats that want one of them, or none."""
        rng = self.rng
        entries = self.families.draw(self._zh())
        beside = [real_tool(name, self.values) for name in REAL] if rng.random() < APP_BESIDE else []
        chats: list[list[Message]] = []
        for _ in range(rng.choice(TOGETHER)):
            if not beside or rng.random() > ASKS_THE_APP:
                chat = self._asked_of(rng.choice(entries))
            else:
                chat, _ = self._exchange(rng.choice(["calculator", "clock", "search", "weather", "plain"]))
            if not _searches_for_the_weather(chat):
                chats.append(chat[:-2] if chat[-2].role == "tool" else chat)
        tools = [as_tool(entry) for entry in entries]
        return self._system(beside + tools if rng.random() < 0.7 else tools + beside), chats

    def _asked_of(self, entry: Frame) -> list[Message]:
        """A request for a tool as it is, and the call."""
        frame = self.rng.choice(entry["requests"])
        zh = any("\u4e00" <= character <= "\u9fff" for character in frame["text"])
        filled = fill_slots(frame, self.values, zh)
        call = Call(entry["tool"]["name"], fill_arguments(frame["call"], filled, as_tool(entry)))
        text = restyle({"text": frame["text"]}, self.rng, zh, slips=False)["text"]
        return [Message("user", fill_text(text, filled)), Message("assistant", write_calls([call]))]

    def _lacking(self) -> set[str]:
        """Tools of the app that are not there: mostly none, or the weather alone."""
        lacking = {"weather"} if self.rng.random() < NO_WEATHER else set()
        if self.rng.random() > SWITCHED_OFF:
            return lacking
        return lacking | set(self.rng.sample(REAL, self.rng.choice([1, 1, 2, 3, 3, 4])))

    def _chat(self) -> tuple[list[Message], list[Tool]]:
        """One to four exchanges, and the tools they need."""
        kind = self.rng.choices(list(MIX), list(MIX.values()))[0]
        messages, needed = self._exchange(kind)
        if self.rng.random() < GOES_ON:
            for _ in range(self.rng.choice([1, 1, 2, 3])):
                more, tools = self._exchange(
                    self.rng.choice(
                        ["calculator", "clock", "search", "fetch", "weather", "plain", "plain", "followup"]
                    )
                )
                messages = messages + more
                needed = needed + [tool for tool in tools if tool["name"] not in {t["name"] for t in needed}]
        unanswered = {"invented": UNANSWERED_INVENTED, "chain": UNANSWERED_CHAIN}.get(kind, UNANSWERED)
        if messages[-2].role == "tool" and self.rng.random() < unanswered:
            messages = messages[:-2]
        return messages, needed

    def _exchange(self, kind: str) -> tuple[list[Message], list[Tool]]:
        """Messages of one exchange, and the tools it needs."""
        exchanges: dict[str, Callable[[], tuple[list[Message], list[Tool]]]] = {
            "plain": self._plain,
            "invented": self._invented,
            "followup": self._followup,
            "several": self._several,
            "chain": self._chain,
            "weather": self._weather,
        }
        if kind in exchanges:
            return exchanges[kind]()
        request = self.request(kind)
        return self._answered(request), [real_tool(request.calls[0].name, self.values)]

    def _zh(self) -> bool:
        return self.rng.random() < 0.48

    def request(self, kind: str, zh: bool | None = None, bare: float = BARE_SUMS) -> Request:
        """A request for one of the four tools, by its file's name. `bare`: share of sums without a story."""
        chosen = self._zh() if zh is None else zh
        if kind == "calculator" and self.rng.random() < bare:
            return self.sums.draw(chosen)
        if kind == "calculator" and self.rng.random() < STORIES:
            frame = self.stories.draw(chosen)
        else:
            frame = self.rng.choice(self.corpus.requests[kind, chosen])
        if kind == "search" and self.rng.random() < OTHER_NEED:
            frame = with_other_need(frame)
        frame = restyle(frame, self.rng, chosen)
        filled = fill_slots(frame, self.values, chosen)
        name, _ = REAL_TOOLS[kind]
        arguments = fill_arguments(frame["call"], filled, {"inputSchema": SCHEMAS[name]})
        return Request(fill_text(frame["text"], filled), [Call(name, arguments)], chosen)

    # Kinds of exchange

    def _weather(self) -> tuple[list[Message], list[Tool]]:
        """The weather of a place that is named in the request, or said before it, or asked for."""
        zh = self._zh()
        before, request = self.weather.draw(zh) or ([], self.request("weather", zh))
        answered = (
            self._answered(request)
            if request.calls
            else [Message("user", request.text), Message("assistant", request.reply)]
        )
        return before + answered, [real_tool("weather", self.values)]

    def _answered(self, request: Request) -> list[Message]:
        """Request, calls, results, answer."""
        outcomes = [self.results.run(call, request.zh) for call in request.calls]
        return [
            Message("user", request.text),
            Message("assistant", write_calls(request.calls)),
            Message(
                "tool",
                "\n".join(
                    write_result(call.name, outcome.text, outcome.is_error)
                    for call, outcome in zip(request.calls, outcomes, strict=True)
                ),
            ),
            Message("assistant", "\n".join(outcome.answer for outcome in outcomes)),
        ]

    def _plain(self) -> tuple[list[Message], list[Tool]]:
        zh = self._zh()
        frame = restyle(self.rng.choice(self.corpus.plain[zh]), self.rng, zh)
        filled = fill_slots(frame, self.values, zh)
        reply = fill_text(frame["reply"], filled)
        if len(frame["text"]) > SHORT[zh] and self.rng.random() > OWN_WORDS:
            reply = self.values.pick((BEYOND if DECLINES.search(reply) else SMALL_TALK)[zh])
        return [Message("user", fill_text(frame["text"], filled)), Message("assistant", reply)], []

    def _invented(self) -> tuple[list[Message], list[Tool]]:
        entry = self.rng.choice(self.corpus.invented)
        frame = self.rng.choice(entry["requests"])
        zh = any("\u4e00" <= character <= "\u9fff" for character in frame["text"])
        original = as_tool(entry)
        if self.rng.random() < OTHER_VALUE:
            frame = with_other_value(frame, original, self.values.pick(ANY_VALUE))
        filled = fill_slots(frame, self.values, zh)
        arguments = fill_arguments(frame["call"], filled, original)
        tool, names = rename(original, self.values)
        if len(names) == 1 and self.rng.random() < BY_NAME:
            (name,) = names.values()
            if tool["inputSchema"]["properties"][name] == {"type": "string"}:
                return self._by_name(tool, name, zh), [tool]
        call = Call(tool["name"], {names[name]: value for name, value in arguments.items()})
        # An argument that is the frame's own words would no longer be what the request says.
        # What decides a yes or no may be one small word.
        is_fixed = any(
            isinstance(value, bool) or (isinstance(value, str) and value in frame["text"])
            for value in arguments.values()
        )
        styled = frame if is_fixed else restyle({"text": frame["text"]}, self.rng, zh)
        outcome = self.results.run_invented(call, zh)
        return [
            Message("user", fill_text(styled["text"], filled)),
            Message("assistant", write_calls([call])),
            Message("tool", write_result(call.name, outcome.text, outcome.is_error)),
            Message("assistant", outcome.answer),
        ], [tool]

    def _by_name(self, tool: Tool, parameter: str, zh: bool) -> list[Message]:
        """A tool's name and what it is to be done to: any words, as many as they are."""
        rng = self.rng
        said = SLOT.sub("", rng.choice(self.corpus.plain[zh])["text"])
        parts = list(said) if zh else said.split()
        count = min(len(parts), rng.choice([1, 2, 2, 3, 3, 4, 5, 6, 8]) * (3 if zh else 1))
        first = rng.randint(0, len(parts) - count)
        value = ("" if zh else " ").join(parts[first : first + count]).strip(CLOSING) or "x"
        if not zh and rng.random() < 0.3:
            value = f"{rng.choice(BEGINNINGS)} {value}"
        if not zh and rng.random() < 0.6:
            value = rng.choice([value.title(), value.title(), value.capitalize(), value.lower()])
        name = tool["name"] if rng.random() < 0.7 else tool["name"].replace("_", " ").replace("-", " ")
        text = rng.choice(NAMED[zh]).format(n=name, v=value)
        call = Call(tool["name"], {parameter: value})
        outcome = self.results.run_invented(call, zh)
        return [
            Message("user", text),
            Message("assistant", write_calls([call])),
            Message("tool", write_result(call.name, outcome.text, outcome.is_error)),
            Message("assistant", outcome.answer),
        ]

    def _followup(self) -> tuple[list[Message], list[Tool]]:
        """A second request that leans on the first."""
        frame = self.rng.choice(self.corpus.followups)
        zh = frame["lang"] == "zh"
        filled = fill_slots(frame, self.values, zh)
        messages: list[Message] = []
        names: list[str] = []
        for turn in frame["turns"]:
            call = self._call(turn["call"], filled)
            names.append(call.name)
            failing = 0.0 if turn is frame["turns"][0] else 0.07
            outcome = self.results.run(call, zh, failing)
            while turn is frame["turns"][0] and call.name == "web_search" and len(outcome.sources) < 2:
                outcome = self.results.run(call, zh, failing)
            text = restyle({"text": turn["text"]}, self.rng, zh, slips=False)["text"]
            messages += [
                Message("user", fill_text(text, filled)),
                Message("assistant", write_calls([call])),
                Message("tool", write_result(call.name, outcome.text, outcome.is_error)),
                Message("assistant", outcome.answer),
            ]
            for slot, value in (
                (("u1", outcome.sources[0]), ("u2", outcome.sources[1])) if len(outcome.sources) > 1 else ()
            ):
                filled[slot] = Filled(value, value)
            if outcome.number:
                filled["="] = Filled(outcome.number, outcome.number)
        return messages, [real_tool(name, self.values) for name in dict.fromkeys(names)]

    def _call(self, call: Frame, filled: dict[str, Filled]) -> Call:
        number = filled["="].value if "=" in filled else ""
        # A negative number that something follows is put in brackets, as a person would.
        number = f"({number})" if number.startswith("-") else number
        arguments = {
            name: value.replace("{=}", number) if isinstance(value, str) else value
            for name, value in call["arguments"].items()
        }
        return Call(call["name"], fill_arguments(arguments, filled, {"inputSchema": SCHEMAS[call["name"]]}))

    def _several(self) -> tuple[list[Message], list[Tool]]:
        frame = self.rng.choice(self.corpus.several)
        zh = frame["lang"] == "zh"
        filled = fill_slots(frame, self.values, zh)
        calls = [self._call(call, filled) for call in frame["calls"]]
        text = restyle({"text": frame["text"]}, self.rng, zh, slips=False)["text"]
        names = dict.fromkeys(call.name for call in calls)
        return self._answered(Request(fill_text(text, filled), calls, zh)), [
            real_tool(name, self.values) for name in names
        ]

    def _chain(self) -> tuple[list[Message], list[Tool]]:
        """Search, then open what was found, then answer. Where nothing was found, that is the answer."""
        frame = self.rng.choice(self.corpus.chains)
        zh = frame["lang"] == "zh"
        frame = restyle(frame, self.rng, zh)
        filled = fill_slots(frame, self.values, zh)
        search = Call("web_search", {"query": fill_value(frame["call"]["query"], filled)})
        found = self.results.run(search, zh)
        messages = [
            Message("user", fill_text(frame["text"], filled)),
            Message("assistant", write_calls([search])),
            Message("tool", write_result(search.name, found.text, found.is_error)),
        ]
        if found.sources:
            fetch = Call("fetch_page", {"url": found.sources[0]})
            page = self.results.run(fetch, zh)
            messages += [
                Message("assistant", write_calls([fetch])),
                Message("tool", write_result(fetch.name, page.text, page.is_error)),
                Message("assistant", page.answer),
            ]
        else:
            messages.append(Message("assistant", found.answer))
        return messages, [real_tool(name, self.values) for name in ("web_search", "fetch_page")]

    def _missing(self, lacking: set[str]) -> tuple[list[Message], str]:
        """A request whose tool is not offered gets a plain answer. With the tool's name."""
        if not lacking or self.rng.random() < 0.2:
            messages, (tool,) = self._invented()
            zh = any("\u4e00" <= character <= "\u9fff" for character in messages[0].text)
            reply = self.values.pick(MISSING[""][zh])
            return [messages[0], Message("assistant", reply)], tool["name"]
        names = sorted(lacking)
        (name,) = self.rng.choices(names, [MISSED[name] for name in names])
        (kind,) = (kind for kind, (tool, _) in REAL_TOOLS.items() if tool == name)
        request = self.request(kind)
        while kind == "search" and is_of_the_weather(request.text):
            request = self.request(kind)
        reply = self.values.pick(MISSING[name][request.zh])
        return [Message("user", request.text), Message("assistant", reply)], name

    # The tools on offer

    def _some_invented(self, count: int) -> list[Tool]:
        chosen = self.rng.sample(self.corpus.invented, count)
        return [rename(as_tool(entry), self.values)[0] for entry in chosen]

    def _distractors(self, needed: list[Tool], plain: bool) -> list[Tool]:
        """Tools beside the needed ones: mostly all four of the app, else some; invented ones in every second chat."""
        names = {tool["name"] for tool in needed}
        style = self.rng.random()
        if plain and style < 0.15:
            return []
        share = 1.0 if style < 0.6 else self.rng.choice([0.0, 0.4, 0.7])
        others = [
            real_tool(name, self.values) for name in REAL if name not in names and self.rng.random() < share
        ]
        if self.rng.random() < (0.25 if plain else 0.45):
            others += [
                tool
                for tool in self._some_invented(self.rng.choice([1, 1, 2, 3, 5]))
                if tool["name"] not in names
            ]
        return others

    def _mix(self, tools: list[Tool]) -> None:
        """The app's order as often as any other."""
        if self.rng.random() < 0.5:
            order = {name: place for place, name in enumerate(REAL)}
            tools.sort(key=lambda tool: order.get(tool["name"], len(REAL)))
        else:
            self.rng.shuffle(tools)

    def _system(self, tools: list[Tool]) -> list[Message]:
        return [Message("system", describe_tools(tools))] if tools else []


def _searches_for_the_weather(chat: list[Message]) -> bool:
    return any(
        call.name == "web_search" and is_of_the_weather(call.arguments["query"])
        for role, text in chat
        if role == "assistant"
        for call in read_calls(text) or []
    )


def _is_real(tool: Tool) -> bool:
    return tool["name"] in REAL
