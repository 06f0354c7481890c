"""Values that fill the slots of a frame: numbers, places, addresses, topics, names, codes. Seeded from outside."""
import random
from datetime import date, timedelta
from typing import NamedTuple

from . import words

COMMON_CHARACTERS = [
    text
    for high in range(0xB0, 0xD8)
    for low in range(0xA1, 0xFF)
    if len(text := bytes([high, low]).decode("gb2312", "ignore")) == 1
]
RARE_CHARACTERS = [
    text
    for high in range(0xD8, 0xF8)
    for low in range(0xA1, 0xFF)
    if len(text := bytes([high, low]).decode("gb2312", "ignore")) == 1
]
ONSETS = "b c d f g h j k l m n p r s t v w z br ch cl dr fl gr kr pl pr sh sk sl sp st th tr".split() + [""]
VOWELS = "a e i o u ai ea ee io oo ou".split()
CODAS = ["", "", "n", "r", "s", "t", "l", "m", "x", "ck", "nd"]
DIGITS_ZH = "零一二三四五六七八九"
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()


class Filled(NamedTuple):
    """A slot's value as it stands in the request, and as it stands in the call."""

    text: str
    value: str


class Values:
    """Draws values; the same seed draws the same ones."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
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
            "filename": lambda zh: self.filename("txt md py ts csv pdf docx json log".split()),
            "image": lambda zh: self.filename("jpg png webp heic".split()),
            "date": lambda zh: self.date_text(zh),
            "time": lambda zh: self.time_text(zh),
            "address": lambda zh: f"{rng.randint(1, 190)} {self.pick(words.NOUNS).capitalize()} {self.any('Street', 'Road', 'Lane')}",
            "letter": lambda zh: self.any("C:", "D:", "E:", "X:", "/home", "/data"),
        }

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, of: list[str]) -> str:
        return self.rng.choice(of)

    def any(self, *of: str) -> str:
        return self.rng.choice(of)

    # Slots

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
            return ONES[number // 100] + " hundred" + (self.any(" and ", " ") + self._number_en(rest) if rest else "")
        rest = number % 1000
        return self._number_en(number // 1000) + " thousand" + (" " + self._number_en(rest) if rest else "")

    # Words

    def pseudo(self, most: int = 3) -> str:
        """A word that does not exist."""
        return "".join(
            self.pick(ONSETS) + self.pick(VOWELS) + self.pick(CODAS) for _ in range(self.rng.randint(1, most))
        )

    def characters(self, least: int, most: int) -> str:
        """Chinese characters of any kind, now and then a rare one."""
        return "".join(
            self.pick(RARE_CHARACTERS if self.chance(0.02) else COMMON_CHARACTERS)
            for _ in range(self.rng.randint(least, most))
        )

    def odd_text(self, zh: bool) -> str:
        return self.characters(2, 5) if zh else self.pseudo()

    def of(self, known: list[str], zh: bool) -> str:
        """One of a known list; now and then something nobody has heard of."""
        return self.pick(known) if self.chance(0.75) else self.odd_text(zh)

    def thing(self, zh: bool) -> str:
        if zh:
            return self.of(words.NOUNS_ZH, zh)
        return self.any(self.pick(words.NOUNS), self.pick(words.NOUNS), f"{self.pick(words.ADJECTIVES)} {self.pick(words.NOUNS)}", self.pseudo())

    def things(self, zh: bool) -> str:
        return self.pick(words.NOUNS_ZH) if zh else plural(self.pick(words.NOUNS))

    def word(self, zh: bool) -> str:
        if zh:
            return self.any(self.pick(words.NOUNS_ZH), self.characters(1, 3))
        return self.any(self.pick(words.NOUNS), self.pick(words.VERBS), self.pick(words.ADJECTIVES), self.pseudo())

    def place(self, zh: bool) -> str:
        if zh:
            return self.pick(words.PLACES_ZH) if self.chance(0.8) else self.characters(2, 4) + self.any("", "市", "镇", "")
        style = self.rng.random()
        if style < 0.65:
            return self.pick(words.PLACES)
        if style < 0.78:
            return self.pick(words.LONG_PLACES)
        return self.any("", "", "New ", "San ", "Port ", "Lake ", "St ") + self.pseudo().capitalize()

    def name(self, zh: bool) -> str:
        if zh:
            return self.any("小", "老", "阿", "") + self.pick(words.SURNAMES_ZH) + self.any("", "", "姐", "叔", "师傅", "老师")
        return self.pick(words.NAMES) if self.chance(0.8) else self.pseudo().capitalize()

    def person(self, zh: bool) -> str:
        if zh:
            return self.pick(words.SURNAMES_ZH) + self.characters(1, 2)
        first = self.pick(words.NAMES) if self.chance(0.7) else self.pseudo().capitalize()
        return f"{first} {self.pseudo().capitalize()}" + (f" {self.pseudo(1).capitalize()}" if self.chance(0.1) else "")

    def org(self, zh: bool) -> str:
        if zh:
            return self.any(self.pick(words.PLACES_ZH), self.characters(2, 3)) + self.any("大学", "医院", "银行", "公司", "科技", "图书馆", "餐饮", "集团", "中学", "队")
        base = self.any(self.pseudo().capitalize(), self.pick(words.PLACES), self.pick(words.NOUNS).capitalize())
        return base + self.any("", " Bank", " University", " United", " Hospital", " Airlines", " Library", " & Sons", " Group", " FC")

    def product(self, zh: bool) -> str:
        model = self.any("", "", f" {self.rng.randint(2, 99)}", f" {self.any('X', 'S', 'Pro', 'Mini', 'T', 'B')}{self.any('', str(self.rng.randint(1, 90)))}")
        if zh:
            return self.any(self.pick(words.NOUNS_ZH), self.characters(2, 3) + model.strip(), self.pseudo().capitalize() + model)
        return self.any(self.pseudo().capitalize() + model, f"{self.pseudo().capitalize()} {self.pick(words.NOUNS)}", self.pick(words.NOUNS))

    def event(self, zh: bool) -> str:
        if zh:
            return self.any(self.pick(words.PLACES_ZH), self.characters(2, 3)) + self.any("音乐节", "马拉松", "车展", "书展", "锦标赛", "庙会", "峰会", "比赛")
        year = f" {self.rng.randint(1950, 2035)}" if self.chance(0.25) else ""
        return self.any("", "the ") + self.any(self.pick(words.PLACES), self.pseudo().capitalize()) + self.any(" Marathon", " Festival", " Cup", " Expo", " Fair", " Open", " Summit") + year

    def work(self, zh: bool) -> str:
        if zh:
            return self.any(self.pick(words.NOUNS_ZH) + self.any("", "的") + self.pick(words.NOUNS_ZH), self.characters(2, 5))
        noun = self.pick(words.NOUNS).capitalize()
        return self.any(f"The {self.pick(words.ADJECTIVES).capitalize()} {noun}", f"{noun} of {self.pseudo().capitalize()}", f"{self.pseudo().capitalize()} {noun}", f"A {noun} in {self.pick(words.PLACES)}", noun)

    def topic(self, zh: bool) -> str:
        return self._topic_zh() if zh else self._topic_en()

    def _topic_en(self) -> str:
        noun, adjective = self.pick(words.NOUNS), self.pick(words.ADJECTIVES)
        other = self.any(self.pick(words.NOUNS), self.pick(words.PLACES), self.pseudo())
        return self.rng.choice(
            [
                f"{adjective} {noun}",
                f"{adjective} {noun} {self.any('in', 'for', 'near', 'from', 'with')} {other}",
                f"how to {self.pick(words.VERBS)} {self.any('a', 'the', 'an old', 'your')} {noun}",
                f"{self.any('history', 'price', 'meaning', 'causes', 'benefits', 'symptoms', 'origin')} of {self.any('', 'the ')}{other}",
                f"{self.pick(words.PLACES)} {self.any('weather', 'hotels', 'museums', 'flights', 'news', 'metro', 'airport')}",
                f"{noun} {self.any('and', 'versus', 'vs', 'or')} {self.pick(words.NOUNS)}",
                f"{self.pseudo()} {noun}",
                self.pseudo() + self.any("", " " + self.pseudo()),
                f"{noun} {self.any('prices', 'laws', 'recipes', 'repair', 'insurance', 'jobs', 'for beginners')}{self.any('', f' {self.rng.randint(1990, 2035)}')}",
                f"{self.person(False)}{self.any('', ' biography', ' songs', ' interview')}",
                f"{self.any('best', 'cheap', 'used', 'second-hand')} {plural(noun)} {self.any('in ' + self.pick(words.PLACES), 'near me', 'online', 'under ' + str(self.rng.randint(20, 900)))}",
                " ".join(self.any(self.pick(words.NOUNS), self.pseudo(), adjective, self.digits(self.rng.randint(1, 4))) for _ in range(self.rng.randint(2, 5))),
                self.pick(words.NOUNS) if self.chance(0.5) else self.code(),
            ]
        )

    def _topic_zh(self) -> str:
        noun, ending = self.pick(words.NOUNS_ZH), self.pick(words.ENDINGS_ZH)
        return self.rng.choice(
            [
                self.pick(words.ADJECTIVES_ZH) + noun,
                noun + ending,
                self.pick(words.ADJECTIVES_ZH) + noun + ending,
                noun + self.any("和", "与", "对") + self.pick(words.NOUNS_ZH) + self.any("", "的区别", "的关系"),
                self.pick(words.PLACES_ZH) + self.any("", "的") + noun,
                self.characters(2, 4) + self.any("", ending, noun),
                noun + self.characters(1, 3),
                self.pseudo().capitalize() + self.any("", " ") + noun,
                f"{self.rng.randint(1990, 2035)}年{noun}",
                self.person(True) + self.any("", "的作品", "简历", "近况"),
                self.pick(words.PLACES_ZH) + self.any("天气", "景点", "房价", "美食", "到" + self.pick(words.PLACES_ZH) + "的火车"),
                self.characters(2, 6),
            ]
        )

    def text(self, zh: bool) -> str:
        """A few words that mean something or nothing, to be copied as they are."""
        if zh:
            return self.any(self._topic_zh(), self.pick(words.NOUNS_ZH) + self.any("来了", "没电了", "在漏水", "要修", "太吵") + self.any("", "，" + self.characters(2, 5)))
        sentence = " ".join(self.any(self.pick(words.SMALL_WORDS), self.pick(words.NOUNS), self.pick(words.ADJECTIVES)) for _ in range(self.rng.randint(2, 7)))
        return self.any(sentence, sentence, self._topic_en(), f"{self.pick(words.NAMES)} is {self.any('late', 'at the door', 'sick', 'here')}")

    # Codes

    def digits(self, count: int) -> str:
        return "".join(self.any(*"0123456789") for _ in range(count))

    def code(self) -> str:
        letters = "".join(self.any(*"ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(self.rng.randint(1, 3)))
        return self.any(letters + self.digits(self.rng.randint(1, 5)), f"{letters}-{self.digits(self.rng.randint(2, 5))}", self.digits(self.rng.randint(3, 9)), f"{self.digits(2)}{letters}{self.digits(3)}", f"{self.pseudo(2)}-{self.digits(2)}")

    def phone(self, zh: bool) -> str:
        return f"1{self.digits(10)}" if zh else self.any("0", "+44", "+1", "") + self.digits(self.rng.randint(7, 10))

    def email(self) -> str:
        return f"{self.pick(words.NAMES).lower()}{self.any('', '.', '_')}{self.pseudo(2)}@{self._host()}"

    def filename(self, endings: list[str]) -> str:
        base = self.any(self.pick(words.NOUNS), self.pseudo(), f"{self.pick(words.NOUNS)}_{self.any('final', 'v2', 'old', 'draft')}", f"{self.pseudo()}-{self.digits(2)}")
        return base + "." + self.pick(endings)

    def date_text(self, zh: bool) -> str:
        day = date(2024, 1, 1) + timedelta(days=self.rng.randrange(4000))
        if zh:
            return self.any(f"{day.month}月{day.day}号", f"{day.month}月{day.day}日", day.isoformat(), self.any("明天", "后天", "下周一", "周六", "月底"))
        return self.any(day.isoformat(), f"{words.MONTHS[day.month - 1]} {day.day}", f"{day.day} {words.MONTHS[day.month - 1]}", self.any("tomorrow", "Friday", "next Monday", "the 3rd", "tonight"))

    def time_text(self, zh: bool) -> str:
        hour, minute = self.rng.randint(0, 23), self.rng.choice([0, 0, 15, 30, 45, self.rng.randint(0, 59)])
        if zh:
            return self.any(f"{hour}:{minute:02d}", f"{hour}点" + ("" if minute == 0 else f"{minute}分"))
        return self.any(f"{hour}:{minute:02d}", f"{hour:02d}:{minute:02d}", f"{hour % 12 or 12}{self.any('am', 'pm', ' am', ' pm')}", f"{hour % 12 or 12}:{minute:02d} {self.any('am', 'pm')}")

    # Addresses

    def _path_word(self, zh: bool = False) -> str:
        if zh and self.chance(0.05):
            return self.characters(2, 4)
        return self.any(self.pick(words.NOUNS), self.pseudo(), self.pseudo(), self.pick(words.VERBS), self.pick(words.ADJECTIVES), "".join(self.any(*"abcdefghijklmnopqrstuvwxyz") for _ in range(self.rng.randint(2, 6))))

    def _host(self) -> str:
        base = self._path_word() + self.any("", "", "", self._path_word(), "-" + self._path_word(), self.digits(2))
        base = self.any("", "", "", "www.", "www.", "docs.", "blog.", "api.", "en.", "m.", self._path_word() + ".") + base
        return base + "." + self.any("com", "com", "com", "org", "org", "net", "io", "dev", "cn", "com.cn", "co.uk", "edu", "app", "me", "ai", "de", "jp", "gov", "info", "fr", "xyz", "edu.cn", "example")

    def url(self, zh: bool = False) -> str:
        """An address of any shape: with and without scheme, with path, query, port, fragment."""
        text = self.any("https://", "https://", "https://", "https://", "http://", "", "") + self._host()
        if self.chance(0.03):
            text += f":{self.rng.choice([8080, 3000, 8443, 5000])}"
        for _ in range(self.rng.choice([0, 0, 1, 1, 1, 2, 2, 3, 4])):
            text += "/" + self.any(
                self._path_word(zh), self._path_word(), f"{self._path_word()}{self.any('-', '_')}{self._path_word()}", self.digits(self.rng.randint(1, 6)),
                self._path_word().capitalize(), f"{self.any('v', 'p', 'id', 'n')}{self.rng.randint(1, 99)}", "~" + self._path_word(),
                f"{self.rng.randint(2008, 2030)}/{self.rng.randint(1, 12):02d}", f"{self._path_word()}-{self._path_word()}-{self._path_word()}",
                "".join(self.any(*"0123456789abcdef") for _ in range(self.rng.randint(5, 10))),
                "".join(self.any(*"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") for _ in range(self.rng.randint(6, 11))),
            )
        style = self.rng.random()
        if style < 0.08:
            text += "/"
        elif style < 0.22:
            text += ("" if text.count("/") > 2 else "/" + self._path_word()) + self.any(".html", ".txt", ".json", ".md", ".php", ".htm", ".pdf", ".xml", ".csv")
        if self.chance(0.15):
            text += ("" if "/" in text[8:] else "/") + "?" + "&".join(f"{self.any('q', 'id', 'page', 'ref', 'lang', 'v', 'tag', 'sort', 't')}={self.any(self._path_word(), self.digits(3))}" for _ in range(self.rng.choice([1, 1, 2, 3])))
        if self.chance(0.06):
            text += "#" + self._path_word()
        return text


def plural(noun: str) -> str:
    """Good enough for the words of the list."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


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
