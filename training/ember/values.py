"""Values that fill the slots of a frame, by the kinds that the frames name."""

import random
from datetime import date, timedelta
from typing import NamedTuple

from . import words
from .addresses import Addresses
from .phrases import Phrases

DIGITS_ZH = "零一二三四五六七八九"
ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


class Filled(NamedTuple):
    """A slot's value as it stands in the request, and as it stands in the call."""

    text: str
    value: str


class Values(Phrases, Addresses):
    """Draws values; the same seed draws the same ones."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.kinds = {
            "url": lambda zh: self.url(zh),
            "place": lambda zh: self.place(zh),
            "name": lambda zh: self.name(zh),
            "person": lambda zh: self.person(zh),
            "topic": lambda zh: self.topic(zh),
            "text": lambda zh: self.text(zh),
            "word": lambda zh: self.word(zh),
            "work": lambda zh: self.work(zh),
            "event": lambda zh: self.event(zh),
            "org": lambda zh: self.org(zh),
            "product": lambda zh: self.product(zh),
            "food": lambda zh: self.of(words.FOODS_ZH if zh else words.FOODS, zh),
            "animal": lambda zh: self.of(words.ANIMALS_ZH if zh else words.ANIMALS, zh),
            "thing": lambda zh: self.thing(zh),
            "things": lambda zh: self.things(zh),
            "unit": lambda zh: self.pick(words.UNITS_ZH if zh else words.UNITS),
            "colour": lambda zh: self.pick(words.COLOURS_ZH if zh else words.COLOURS),
            "language": lambda zh: self.pick(words.LANGUAGES_ZH if zh else words.LANGUAGES),
            "idiom": lambda zh: self.pick(words.IDIOMS_ZH),
            "code": lambda zh: self.code(),
            "digits": lambda zh: self.digits(rng.randint(6, 13)),
            "phone": lambda zh: self.phone(zh),
            "email": lambda zh: self.email(),
            "filename": lambda zh: self.filename(
                ["txt", "md", "py", "ts", "csv", "pdf", "docx", "json", "log"]
            ),
            "image": lambda zh: self.filename(["jpg", "png", "webp", "heic"]),
            "date": lambda zh: self.date_text(zh),
            "time": lambda zh: self.time_text(zh),
            "address": lambda zh: (
                f"{rng.randint(1, 190)} {self.pick(words.NOUNS).capitalize()} {self.any('Street', 'Road', 'Lane')}"
            ),
            "letter": lambda zh: self.any("C:", "D:", "E:", "X:", "/home", "/data"),
        }

    def fill(self, kind: str, zh: bool) -> Filled:
        """`kind` as the frames write it: `int:2-99`, `dec:1-5:2`, `pct:5-60`, `word:2-99`, `enum:a|b`, `place` …"""
        name, _, rest = kind.partition(":")
        if name == "enum":
            chosen = self.pick(rest.split("|"))
            return Filled(chosen, chosen)
        if name in ("int", "pct", "year", "dec") or (name == "word" and rest):
            return self._number(name, rest, zh)
        text = self.kinds[name](zh)
        return Filled(text, text)

    def _number(self, name: str, rest: str, zh: bool) -> Filled:
        span, _, places = rest.partition(":")
        low, _, high = (span or ("1920-2035" if name == "year" else "2-99")).partition("-")
        if name == "dec":
            return self._decimal(float(low), float(high or low), int(places or 2))
        first, last = int(float(low)), int(float(high or low))
        number = self._lean(first, max(first, last))
        if name == "word":
            return Filled(number_zh(number) if zh else self._number_en(number), str(number))
        text = str(number)
        if name == "int" and number >= 1000 and self.chance(0.12):
            text = f"{number:,}" if not zh or self.chance(0.5) else text
        return Filled(text, str(number))

    def _lean(self, low: int, high: int) -> int:
        """As people choose numbers: round ones often, small ones too."""
        style = self.rng.random()
        if style < 0.2 and high >= 20:
            step = self.rng.choice([5, 10, 10, 50, 100])
            number = self.rng.randint(low, high) // step * step
            if low <= number <= high:
                return number
        if style < 0.45 and high > 200:
            return self.rng.randint(low, min(high, low + self.rng.choice([60, 300, 900])))
        return self.rng.randint(low, high)

    def _decimal(self, low: float, high: float, places: int) -> Filled:
        style = self.rng.random()
        value = self.rng.uniform(low, high)
        if style < 0.15 and high >= 2:
            text = str(max(1, int(value)))
        elif style < 0.3:
            text = f"{int(value)}.{self.any('5', '5', '50', '99', '25', '95', '75')[: max(places, 1)]}"
        else:
            text = f"{value:.{self.rng.randint(1, places)}f}"
        return Filled(text, text)

    def _number_en(self, number: int) -> str:
        if number < 20:
            return ONES[number]
        if number < 100:
            rest = number % 10
            return TENS[number // 10] + (self.any("-", " ") + ONES[rest] if rest else "")
        if number < 1000:
            rest = number % 100
            return (
                ONES[number // 100]
                + " hundred"
                + (self.any(" and ", " ") + self._number_en(rest) if rest else "")
            )
        rest = number % 1000
        return self._number_en(number // 1000) + " thousand" + (" " + self._number_en(rest) if rest else "")

    def date_text(self, zh: bool) -> str:
        day = date(2024, 1, 1) + timedelta(days=self.rng.randrange(4000))
        if zh:
            return self.any(
                f"{day.month}月{day.day}号",
                f"{day.month}月{day.day}日",
                day.isoformat(),
                self.any("明天", "后天", "下周一", "周六", "月底"),
            )
        return self.any(
            day.isoformat(),
            f"{words.MONTHS[day.month - 1]} {day.day}",
            f"{day.day} {words.MONTHS[day.month - 1]}",
            self.any("tomorrow", "Friday", "next Monday", "the 3rd", "tonight"),
        )

    def time_text(self, zh: bool) -> str:
        hour, minute = self.rng.randint(0, 23), self.rng.choice([0, 0, 15, 30, 45, self.rng.randint(0, 59)])
        if zh:
            return self.any(f"{hour}:{minute:02d}", f"{hour}点" + ("" if minute == 0 else f"{minute}分"))
        return self.any(
            f"{hour}:{minute:02d}",
            f"{hour:02d}:{minute:02d}",
            f"{hour % 12 or 12}{self.any('am', 'pm', ' am', ' pm')}",
            f"{hour % 12 or 12}:{minute:02d} {self.any('am', 'pm')}",
        )


def number_zh(number: int) -> str:
    """A whole number below 10,000 in Chinese."""
    if number < 10:
        return DIGITS_ZH[number]
    if number < 20:
        return "十" + (DIGITS_ZH[number % 10] if number % 10 else "")
    for unit, name in ((1000, "千"), (100, "百"), (10, "十")):
        if number >= unit:
            rest = number % unit
            head = DIGITS_ZH[number // unit] + name
            if rest == 0:
                return head
            gap = "零" if rest < unit // 10 else ""
            return head + gap + ("一" + number_zh(rest) if 10 <= rest < 20 else number_zh(rest))
    raise ValueError(number)
