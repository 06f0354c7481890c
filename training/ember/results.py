"""What the tools answer, as the app's tools write it, and what Ember says then: the facts, copied exactly."""

from datetime import datetime, timedelta
from typing import NamedTuple

from . import words
from .arithmetic import ArithmeticFault, calculate
from .dialect import Call, to_json
from .texts import Texts
from .values import Values

ZONES = [
    "Europe/Berlin",
    "Europe/London",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "America/New_York",
    "America/Los_Angeles",
    "Africa/Cairo",
    "Asia/Kolkata",
    "Australia/Sydney",
    "America/Sao_Paulo",
    "UTC",
]
FAILED = {
    "calculator": ("I could not work that out: {}", "这个我算不出来：{}"),
    "clock": ("I could not tell the time: {}", "时间查不到：{}"),
    "fetch_page": ("I could not open the page: {}", "网页打不开：{}"),
    "weather": ("I could not get the weather: {}", "天气查不到：{}"),
    "web_search": ("The search failed: {}", "搜索失败：{}"),
    "": ("That did not work: {}", "没有成功：{}"),
}
REFUSED = [
    "The person did not allow this call.",
    "The person did not allow {tool}. Do not try it again in another way; answer with what you have and say what is missing.",
    "The person declined.",
    "Denied: the person said no to this request.",
    "The tool took longer than 30 seconds and was stopped.",
    "No answer within {number} s.",
    "Stopped by the person.",
    "The call was cancelled.",
    "Not run: {number} calls are the limit of a turn.",
]
SKIES = (
    [
        "clear",
        "partly cloudy",
        "overcast",
        "fog",
        "drizzle",
        "light rain",
        "rain",
        "heavy rain",
        "snow",
        "showers",
        "thunderstorm",
    ],
    ["晴", "多云", "阴", "雾", "毛毛雨", "小雨", "中雨", "大雨", "雪", "阵雨", "雷雨"],
)
SUM_FAULTS = [
    "Division by zero",
    "Expected a number after +",
    "Unexpected )",
    "Expected an operator before 4",
    "The result is not a real number",
    "The result has more than 1000 digits; it is about 3.1e+1204",
]
PAGE_FAULTS = [
    "404 Not Found",
    "403 Forbidden",
    "500 Internal Server Error",
    "{host} answered {status}.",
    "{host} answered {status}. Check the address, or search for the page.",
    "HTTP {status}",
    "The server {host} did not answer within 20 seconds.",
    "{host} did not answer in time. Try again later.",
    "The server does not let other pages read it (CORS). Open it in a tab of your own.",
    "{host} cannot be read from here: it is down, or does not let pages read it. Open it in a tab, or paste its text.",
    "The connection to {host} broke off. Try again.",
    "This device is offline.",
    "This device is offline. Connect to the internet and try again.",
    "The address {host} does not exist.",
    "There is no server called {host}.",
    "Addresses in a private network are not opened.",
    "{host} is in a private network; the person can allow it in Settings.",
    "The page is larger than {number} MB.",
    "Only https addresses are opened; allow {host} in Settings.",
    "The page holds no text.",
    "{host} answered, but without any text.",
    "{host} sent a picture, which cannot be read as text.",
    "This page is too large or too tangled to be read here.",
    "The address holds a space or a control character. Leave it out, or write a space as %20.",
    'url: Invalid URL, got "{host}"\nfetch_page takes {{url}}',
]
SEARCH_FAULTS = [
    "This device is offline.",
    "This device is offline. Connect to the internet and try again.",
    "No search provider is set up. Add one in Settings.",
    "The provider answered 429: too many requests, try again in a minute.",
    "{provider}: it answered {status}",
    "{provider} answered {status}.",
    "{provider} is not set up: something is left empty.",
    "{provider} was asked {number} times in this minute; wait {number} seconds.",
    "The key of the provider is not valid.",
    "{provider} did not answer within {number} seconds.",
    "The connection to {provider} broke off. Try again.",
]
STATUSES = [
    "400: it did not understand the request",
    "401: it wants a login or a key",
    "402: it wants to be paid",
    "403: it does not allow this",
    "404: there is no such page",
    "404",
    "410: the page is gone for good",
    "429: too many requests; try again in a minute",
    "451: it may not show this here",
    "500: it has an error of its own",
    "500",
    "502: what stands behind it did not answer",
    "503: it is out of service for now",
    "504: what stands behind it did not answer in time",
]
PROVIDERS = ["Wikipedia", "Tavily", "SearXNG", "Brave", "Kagi", "The search"]


class Outcome(NamedTuple):
    """The result of a call, and the answer that repeats its facts."""

    text: str
    is_error: bool
    answer: str
    sources: tuple[str, ...] = ()
    """Addresses found by a search, first one first."""
    number: str = ""
    """Of a calculation, to go on with."""


class Results:
    """Draws results; the same values draw the same ones."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.texts = Texts(values)

    def run(self, call: Call, zh: bool, failing: float = 0.07) -> Outcome:
        """The outcome of a call of one of the four tools; a share of them fails."""
        values = self.values
        if values.chance(failing * 0.3):
            return self._fault(call.name, self._said(REFUSED, tool=call.name), zh)
        match call.name:
            case "calculator":
                return self._calculator(call.arguments["expression"], zh, failing)
            case "clock":
                return self._clock(call.arguments.get("place"), zh, failing)
            case "fetch_page":
                return self._page(call.arguments["url"], zh, failing)
            case "web_search":
                return self._search(call.arguments["query"], zh, failing)
            case "weather":
                return self._weather(call.arguments["place"], call.arguments.get("days", 1), zh, failing)
        raise ValueError(call.name)

    def _said(self, faults: list[str], **known: str) -> str:
        values = self.values
        return values.pick(faults).format(
            status=values.pick(STATUSES),
            number=values.rng.randint(2, 60),
            provider=values.pick(PROVIDERS),
            **known,
        )

    def _fault(self, name: str, text: str, zh: bool) -> Outcome:
        first = text.split("\n")[0]
        return Outcome(text, True, FAILED.get(name, FAILED[""])[zh].format(first))

    def _calculator(self, expression: str, zh: bool, failing: float) -> Outcome:
        if self.values.chance(failing * 0.3):
            return self._fault(
                "calculator",
                f"{self.values.pick(SUM_FAULTS)} at position {self.values.rng.randint(1, 30)}",
                zh,
            )
        try:
            text = calculate(expression)
        except ArithmeticFault as fault:
            return self._fault("calculator", f"{fault} at position {expression.find('/') + 1}", zh)
        number = text.split(" ")[0]
        return Outcome(text, False, f"{expression} {'≈' if number != text else '='} {number}", number=number)

    def _clock(self, place: str | None, zh: bool, failing: float) -> Outcome:
        values = self.values
        if place and values.chance(failing * 0.7):
            near = ", ".join(
                values.pick(words.PLACES_ZH if zh else words.PLACES) for _ in range(values.rng.randint(1, 3))
            )
            told = f'There is no place "{place}".'
            text = values.any(
                f"{told} Nearest: {near}. A large city, a country or an IANA zone will do.",
                f"{told} A large city, a country or an IANA zone will do.",
                f'Unknown place "{place}". Nearest: {near}',
            )
            return self._fault("clock", text, zh)
        moment = datetime(2024, 1, 1) + timedelta(seconds=values.rng.randrange(15 * 365 * 86400))
        day, time, weekday = moment.strftime("%Y-%m-%d"), moment.strftime("%H:%M"), moment.weekday()
        offset = f"{values.any('+', '-')}{values.rng.randint(1, 11):02d}:{values.any('00', '00', '00', '30')}"
        utc = f"UTC{offset}"
        if values.chance(0.12):
            offset, utc = "+00:00", "UTC"
        first = f"{day} {time} {words.DAYS[weekday]}"
        zone = values.pick(ZONES)
        exact = f"{moment.isoformat()}{offset}"
        style = values.rng.random()
        if style < 0.4:
            # The app gives Ember the first of a result's texts alone.
            text = first
        elif style < 0.9:
            text = f"{first}\n{exact} ({zone if zone == utc else f'{zone}, {utc}'})"
        else:
            text = values.any(f"{first}\n{exact}\n{zone}", f"{first}\n{day}T{time}{offset} {zone}")
        if place and values.chance(0.1):
            text += "\n" + values.any(
                f"This is {place} in {values.pick(words.PLACES)}.",
                "More places have this name.",
                "This is the time of the capital.",
            )
        if zh:
            return Outcome(text, False, f"{place or ''}现在是 {time}，{day} {words.DAYS_ZH[weekday]}。")
        return Outcome(
            text, False, f"It is {time} on {words.DAYS[weekday]}, {day}{f' in {place}' if place else ''}."
        )

    def _weather(self, place: str, days: int, zh: bool, failing: float) -> Outcome:
        """The place, then a line a day, today first; the answer repeats them."""
        values, rng = self.values, self.values.rng
        if values.chance(failing):
            told = values.any(
                f'There is no place "{place}".',
                f'No place is called "{place}". Try a larger town nearby.',
                "This device is offline. Connect to the internet and try again.",
                "Open-Meteo did not answer in time. Try again later.",
                f"Open-Meteo answered {values.pick(STATUSES)}.",
            )
            return self._fault("weather", told, zh)
        first = datetime(2024, 1, 1) + timedelta(days=rng.randrange(15 * 365))
        found = (
            place
            if values.chance(0.5)
            else f"{place}, {values.pick(words.PLACES_ZH if zh else words.PLACES)}"
        )
        low = rng.randint(-15, 26)
        lines = []
        for number in range(days):
            day = first + timedelta(days=number)
            low = max(-25, min(30, low + rng.randint(-3, 3)))
            sky = values.pick(SKIES[zh])
            said = (
                f"{sky}, {low} to {low + rng.randint(2, 12)} °C"
                if not zh
                else f"{sky}，{low} 到 {low + rng.randint(2, 12)} °C"
            )
            name = words.DAYS_ZH[day.weekday()] if zh else words.DAYS[day.weekday()]
            lines.append(f"{day:%Y-%m-%d} {name}: {said}")
        text = "\n".join([found, *lines])
        return Outcome(text, False, text)

    def _page(self, url: str, zh: bool, failing: float) -> Outcome:
        values, texts = self.values, self.texts
        if values.chance(failing * 2):
            host = url.split("://")[-1].split("/")[0]
            return self._fault("fetch_page", self._said(PAGE_FAULTS, host=host), zh)
        page_zh = zh if values.chance(0.85) else not zh
        length = values.rng.choice([1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 6, 8, 20])
        if values.chance(0.06):
            data = to_json(
                {
                    values.pick(words.NOUNS): values.any(values.pseudo(), values.pick(words.NOUNS))
                    if values.chance(0.5)
                    else values.rng.randint(0, 9999)
                    for _ in range(values.rng.randint(1, 4))
                }
            )
            return Outcome(data, False, ("网页内容：" if zh else "The page says: ") + data)
        title = texts.title(page_zh)
        body, first = texts.page(page_zh, length)
        if values.chance(0.1):
            body += f"\n\n[{values.rng.randint(200, 90000)} characters left out]"
        if values.chance(0.07):
            return Outcome(body, False, ("网页内容：" if zh else "The page says: ") + first)
        return Outcome(
            f"title: {title}\n{body}", False, f"《{title}》：{first}" if zh else f"{title}: {first}"
        )

    def _search(self, query: str, zh: bool, failing: float) -> Outcome:
        values, texts = self.values, self.texts
        if values.chance(failing):
            return self._fault("web_search", self._said(SEARCH_FAULTS), zh)
        if values.chance(0.06):
            return Outcome(
                values.any("No results.", "No results.", "No results.", "no results", "Nothing was found."),
                False,
                f"没有找到关于{query}的结果。" if zh else f"I found nothing about {query}.",
            )
        count = values.rng.choice([1, 2, 2, 3, 3, 3, 3, 4, 5, 8])
        hits = []
        for number in range(count):
            hit_zh = zh if values.chance(0.92) else not zh
            hits.append(
                (
                    texts.title(hit_zh),
                    values.url(),
                    texts.page(
                        hit_zh,
                        values.rng.choice([0, 1, 1, 1, 2, 3]) if number else values.rng.choice([1, 1, 2, 3]),
                    ),
                )
            )
        # Where a provider scores its hits, the app puts the score last; others put it first.
        style = values.rng.random()
        blocks = []
        for number, (title, url, (body, _)) in enumerate(hits, 1):
            if values.chance(0.85):
                # The app keeps each summary on a line.
                body = " ".join(body.split())
            score = f"score: 0.{values.digits(2)}"
            lines = [f"{number}. {title}", url]
            lines += [score, body] if style < 0.08 else [body, score] if style < 0.28 else [body]
            blocks.append("\n".join(lines))
        title, _, (_, first) = hits[0]
        text, answer = (
            "\n".join(blocks),
            f"据《{title}》：{first}" if zh else f"According to {title}: {first}",
        )
        if values.chance(0.12):
            said = texts.sentence(zh)
            text, answer = f"{values.any('', 'answer: ')}{said}\n{text}", said
        if values.chance(0.08):
            text += f"\n({values.rng.randint(2, 9)} more results left out)"
        return Outcome(text, False, answer, tuple(url for _, url, _ in hits))

    def _changed(self, text: str) -> str:
        """What a function of texts makes of one: nearly the same, and to be said exactly."""
        parts = text.split()
        return self.values.any(
            "-".join(parts).lower(),
            "_".join(parts).lower(),
            text.upper(),
            text.lower(),
            text[::-1],
            " ".join(reversed(parts)),
            "".join(part[:1] for part in parts).upper(),
            f"[{text}]",
        )

    def run_invented(self, call: Call, zh: bool) -> Outcome:
        """The outcome of any other tool: done, a value, a sentence, or a small JSON object."""
        values, texts = self.values, self.texts
        style = values.rng.random()
        if style < 0.1:
            text = values.any(
                self._said(REFUSED, tool=call.name),
                f"{values.pick(words.NOUNS)} not found",
                "timeout",
                "not connected",
                "设备离线",
                "没有找到",
                f"{next(iter(call.arguments), 'input')}: Invalid input",
            )
            return self._fault(call.name, text, zh)
        if style < 0.4:
            given = next((value for value in call.arguments.values() if isinstance(value, str)), "")
            if given and style < 0.25:
                text = self._changed(given)
                return Outcome(text, False, f"结果是{text}。" if zh else f"The result is {text}.")
            return Outcome(
                values.any("done", "ok", "true", "Done.", "OK", "好了", "完成", "success"),
                False,
                "好了。" if zh else "Done.",
            )
        if style < 0.55:
            pairs = {
                values.pick(words.NOUNS): values.any(
                    values.pick(words.ADJECTIVES), values.pseudo(), values.digits(2)
                )
                for _ in range(values.rng.randint(1, 3))
            }
            return Outcome(
                to_json(pairs),
                False,
                ("，" if zh else ", ").join(f"{name}: {value}" for name, value in pairs.items())
                + ("。" if zh else "."),
            )
        if style < 0.7:
            text = values.any(
                values.digits(2),
                f"{values.rng.randint(1, 90)}.{values.digits(1)}",
                values.code(),
                f"{values.rng.randint(2, 90)} min",
                values.time_text(zh),
            )
            return Outcome(text, False, f"结果是{text}。" if zh else f"The result is {text}.")
        text = texts.sentence(zh if values.chance(0.8) else not zh)
        return Outcome(text, False, text)
