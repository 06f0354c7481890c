"""Things people talk about: places, persons, works, topics; known ones and made-up ones."""

from . import words
from .draw import Draw


class Phrases(Draw):
    """`zh` asks for Chinese."""

    def thing(self, zh: bool) -> str:
        if zh:
            return self.of(words.NOUNS_ZH, zh)
        return self.any(
            self.pick(words.NOUNS),
            self.pick(words.NOUNS),
            f"{self.pick(words.ADJECTIVES)} {self.pick(words.NOUNS)}",
            self.pseudo(),
        )

    def things(self, zh: bool) -> str:
        return self.pick(words.NOUNS_ZH) if zh else plural(self.pick(words.NOUNS))

    def word(self, zh: bool) -> str:
        if zh:
            return self.any(self.pick(words.NOUNS_ZH), self.characters(1, 3))
        return self.any(
            self.pick(words.NOUNS), self.pick(words.VERBS), self.pick(words.ADJECTIVES), self.pseudo()
        )

    def place(self, zh: bool) -> str:
        if zh:
            return (
                self.pick(words.PLACES_ZH)
                if self.chance(0.8)
                else self.characters(2, 4) + self.any("", "市", "镇", "")
            )
        style = self.rng.random()
        if style < 0.7:
            return self.pick(words.PLACES)
        if style < 0.84:
            return self.pick(words.LONG_PLACES)
        return self.any("", "", "New ", "San ", "Port ", "Lake ", "St ") + self.pseudo().capitalize()

    def name(self, zh: bool) -> str:
        if zh and self.chance(0.35):
            return self.pick(words.GIVEN_NAMES_ZH)
        if zh:
            return (
                self.any("小", "老", "阿", "")
                + self.pick(words.SURNAMES_ZH)
                + self.any("", "", "姐", "叔", "师傅", "老师")
            )
        return self.pick(words.NAMES) if self.chance(0.8) else self.pseudo().capitalize()

    def person(self, zh: bool) -> str:
        if zh:
            return self.pick(words.SURNAMES_ZH) + self.characters(1, 2)
        first = self.pick(words.NAMES) if self.chance(0.7) else self.pseudo().capitalize()
        return f"{first} {self.pseudo().capitalize()}" + (
            f" {self.pseudo(1).capitalize()}" if self.chance(0.1) else ""
        )

    def org(self, zh: bool) -> str:
        if zh:
            return self.any(self.pick(words.PLACES_ZH), self.characters(2, 3)) + self.any(
                "大学", "医院", "银行", "公司", "科技", "图书馆", "餐饮", "集团", "中学", "队"
            )
        base = self.any(
            self.pseudo().capitalize(), self.pick(words.PLACES), self.pick(words.NOUNS).capitalize()
        )
        return base + self.any(
            "",
            " Bank",
            " University",
            " United",
            " Hospital",
            " Airlines",
            " Library",
            " & Sons",
            " Group",
            " FC",
        )

    def product(self, zh: bool) -> str:
        model = self.any(
            "",
            "",
            f" {self.rng.randint(2, 99)}",
            f" {self.any('X', 'S', 'Pro', 'Mini', 'T', 'B')}{self.any('', str(self.rng.randint(1, 90)))}",
        )
        if zh:
            return self.any(
                self.pick(words.NOUNS_ZH),
                self.characters(2, 3) + model.strip(),
                self.pseudo().capitalize() + model,
            )
        return self.any(
            self.pseudo().capitalize() + model,
            f"{self.pseudo().capitalize()} {self.pick(words.NOUNS)}",
            self.pick(words.NOUNS),
        )

    def event(self, zh: bool) -> str:
        if zh:
            return self.any(self.pick(words.PLACES_ZH), self.characters(2, 3)) + self.any(
                "音乐节", "马拉松", "车展", "书展", "锦标赛", "庙会", "峰会", "比赛"
            )
        year = f" {self.rng.randint(1950, 2035)}" if self.chance(0.25) else ""
        return (
            self.any("", "the ")
            + self.any(self.pick(words.PLACES), self.pseudo().capitalize())
            + self.any(" Marathon", " Festival", " Cup", " Expo", " Fair", " Open", " Summit")
            + year
        )

    def work(self, zh: bool) -> str:
        if zh:
            return self.any(
                self.pick(words.NOUNS_ZH) + self.any("", "的") + self.pick(words.NOUNS_ZH),
                self.characters(2, 5),
            )
        noun = self.pick(words.NOUNS).capitalize()
        return self.any(
            f"The {self.pick(words.ADJECTIVES).capitalize()} {noun}",
            f"{noun} of {self.pseudo().capitalize()}",
            f"{self.pseudo().capitalize()} {noun}",
            f"A {noun} in {self.pick(words.PLACES)}",
            noun,
        )

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
                " ".join(
                    self.any(
                        self.pick(words.NOUNS), self.pseudo(), adjective, self.digits(self.rng.randint(1, 4))
                    )
                    for _ in range(self.rng.randint(2, 5))
                ),
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
                noun
                + self.any("和", "与", "对")
                + self.pick(words.NOUNS_ZH)
                + self.any("", "的区别", "的关系"),
                self.pick(words.PLACES_ZH) + self.any("", "的") + noun,
                self.characters(2, 4) + self.any("", ending, noun),
                noun + self.characters(1, 3),
                self.pseudo().capitalize() + self.any("", " ") + noun,
                f"{self.rng.randint(1990, 2035)}年{noun}",
                self.person(True) + self.any("", "的作品", "简历", "近况"),
                self.pick(words.PLACES_ZH)
                + self.any("天气", "景点", "房价", "美食", "到" + self.pick(words.PLACES_ZH) + "的火车"),
                self.characters(2, 6),
            ]
        )

    def text(self, zh: bool) -> str:
        """A few words that mean something or nothing, to be copied as they are."""
        if zh:
            return self.any(
                self._topic_zh(),
                self.pick(words.NOUNS_ZH)
                + self.any("来了", "没电了", "在漏水", "要修", "太吵")
                + self.any("", "，" + self.characters(2, 5)),
            )
        sentence = " ".join(
            self.any(self.pick(words.SMALL_WORDS), self.pick(words.NOUNS), self.pick(words.ADJECTIVES))
            for _ in range(self.rng.randint(2, 7))
        )
        return self.any(
            sentence,
            sentence,
            self._topic_en(),
            f"{self.pick(words.NAMES)} is {self.any('late', 'at the door', 'sick', 'here')}",
        )


def plural(noun: str) -> str:
    """Good enough for the words of the list."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"
