"""Requests for the weather that name no place: it was said before, or is asked for."""

import re

from .dialect import Call, Message
from .frames import Corpus, Request, fill_arguments, fill_slots, fill_text, restyle
from .toolbox import SCHEMAS
from .values import Values

PLACELESS = 0.3
"""Of the requests for the weather."""
SAID_BEFORE = 0.45
"""Of those: the chat tells where."""
GOES_ON = 0.5
"""Of the others: what was asked back is answered, and called with."""
ASKED_BACK = (
    ["For which place?", "Which place do you mean?"],
    ["你想问哪里的天气？", "请问是哪个地方？"],
)
PLACE_SAID = (
    ["{}", "{}", "in {}", "{}, please", "for {}", "I'm in {}", "{} of course", "oh, {}"],
    ["{}", "{}", "在{}", "{}的", "我在{}", "{}吧", "问的是{}", "哦，{}"],
)

WEATHER = re.compile(
    r"\b(weather|forecast|rain|rains|raining|umbrella|snow|snowing|temperature|sunny|windy|storm)\b"
    r"|\bhow (hot|cold|warm)\b|天气|下雨|下雪|气温|带伞|几度|多少度|预报|降温|变天|雨量|紫外线",
    re.IGNORECASE,
)
OTHER_TIMES = re.compile(
    r"\b(january|february|march|april|may|june|july|august|september|october|november|december|month|year|yesterday"
    r"|last|usual|usually|average|record|history|climate|spring|summer|autumn|winter|season|christmas|easter|\d{4})\b"
    r"|[月年昨季春夏秋冬]|平均|记录|历史|气候",
    re.IGNORECASE,
)
"""What the tool does not know: it has the days to come."""


def is_of_the_weather(text: str) -> bool:
    """Whether a request or query is one that the weather tool would answer, as far as its words tell."""
    return bool(WEATHER.search(text)) and not OTHER_TIMES.search(text)


class Weather:
    """Draws exchanges; the same values draw the same ones."""

    def __init__(self, corpus: Corpus, values: Values) -> None:
        self.corpus = corpus
        self.values = values

    def draw(self, zh: bool) -> tuple[list[Message], Request] | None:
        """What was said before, and the request, which asks back where it has no call. Nothing: the place is named."""
        values = self.values
        if not values.chance(PLACELESS):
            return None
        frame = restyle(values.rng.choice(self.corpus.placeless[zh]), values.rng, zh)
        filled = fill_slots(frame, values, zh)
        text = fill_text(frame["text"], filled)

        def call_for(place: str) -> list[Call]:
            arguments = {"place": place, **frame["call"]}
            return [Call("weather", fill_arguments(arguments, filled, {"inputSchema": SCHEMAS["weather"]}))]

        if values.chance(SAID_BEFORE):
            said = values.rng.choice(self.corpus.here[zh])
            where = fill_slots(said, values, zh)
            before = [
                Message("user", fill_text(said["text"], where)),
                Message("assistant", fill_text(said["reply"], where)),
            ]
            return before, Request(text, call_for(where["p"].value), zh)
        back = values.pick(ASKED_BACK[zh])
        if not values.chance(GOES_ON):
            return [], Request(text, [], zh, back)
        place = values.place(zh)
        before = [Message("user", text), Message("assistant", back)]
        return before, Request(values.pick(PLACE_SAID[zh]).format(place), call_for(place), zh)
