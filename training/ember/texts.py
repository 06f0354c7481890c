"""Sentences, titles and pages for results: plain statements to be repeated, not to be believed."""

from . import words
from .values import Values

FACTS = [
    "The {n} was built in {y} by {P} and is {i} metres tall.",
    "{P} was born in {c} in {y} and died in {y2}.",
    "Opening hours are from {h} to {h2}, and on {d} it stays closed.",
    "Tickets cost {x} euros for adults and {x2} for children.",
    "{c} has about {big} inhabitants.",
    "The {n} weighs {i} kilos and lives for up to {k} years.",
    "Mix {i} grams of flour with {k} eggs and let the dough rest for {m} minutes.",
    "The ferry to {c} leaves at {h} and {h2}.",
    "{O} announced on {d} that the {n} will be delayed until {mo}.",
    "Soak the {n} overnight and rinse it twice before cooking.",
    "The price of {N} rose by {k} percent in {y}.",
    "{w} is a {n} from {c}, known for its {a} colour.",
    "According to {P}, the {a} {n} is the oldest in {c}.",
    "The concert begins at {h} in the {a} hall.",
    "A {a} {n} should be cleaned every {k} days.",
    "{O} was founded in {y} and employs {big} people.",
    "The distance from {c} to {c2} is {i} kilometres.",
    "Version {k}.{m} fixes the {n} error and removes the old {n2}.",
    "Sunny with a light wind, {k} degrees in the afternoon.",
    "Call {f} or write to {e} to book.",
    "No one has seen the {a} {n} since {y}.",
    "In {mo} the {n} is {a} and easy to find.",
    "{P} wrote {q} in {y}; it was translated into {k} languages.",
    "The museum of {N} is next to the {n}, two stops from {c} station.",
    "Yes, {N} are safe for {N2}, in small amounts.",
    "No: {N} should never be kept near {N2}.",
    "Press and hold the {a} button for {k} seconds to reset the {n}.",
    "The {n} {w} {w2} {a}.",
    "{s}",
]
FACTS_ZH = [
    "{n}始建于{y}年，高{i}米。",
    "{P}{y}年生于{c}，{y2}年去世。",
    "开放时间为{h}到{h2}，{d}闭馆。",
    "成人票{x}元，儿童票{x2}元。",
    "{c}约有{big}人口。",
    "{n}重约{i}公斤，能活{k}年。",
    "面粉{i}克加{k}个鸡蛋，静置{m}分钟。",
    "去{c}的船{h}和{h2}各一班。",
    "{O}{d}宣布，{n}推迟到{mo}月。",
    "把{n}泡一夜，冲洗两遍再下锅。",
    "{n}价格{y}年上涨了百分之{k}。",
    "{w}产自{c}，以{a}{n}闻名。",
    "{P}说，{c}的{n}是最老的。",
    "演出{h}开始，地点在{c}{n}。",
    "{n}每{k}天清洗一次。",
    "{O}成立于{y}年，有{big}名员工。",
    "从{c}到{c2}有{i}公里。",
    "版本{k}.{m}修复了{n}错误，去掉了旧的{n2}。",
    "晴，微风，下午{k}度。",
    "预订请打{f}，或写信到{e}。",
    "{y}年以后就没人见过{w}了。",
    "{P}在{y}年写了《{q}》，译成{k}种语言。",
    "{n}不能和{n2}放在一起。",
    "可以，{n}少量食用没有问题。",
    "长按{a}按钮{k}秒即可重置。",
    "{w}{n}{w2}{n2}。",
    "{s}",
]


class Texts:
    """Draws texts; the same values draw the same ones."""

    def __init__(self, values: Values) -> None:
        self.values = values

    def sentence(self, zh: bool) -> str:
        """One statement, ending in a full stop."""
        values, rng = self.values, self.values.rng
        clock = lambda: f"{rng.randint(5, 23)}:{rng.choice(['00', '00', '15', '30', '40', '45'])}"
        slots = {
            "n": lambda: values.word(zh),
            "n2": lambda: values.word(zh),
            "N": lambda: values.things(zh),
            "N2": lambda: values.things(zh),
            "a": lambda: values.pick(words.ADJECTIVES_ZH if zh else words.ADJECTIVES),
            "c": lambda: values.place(zh),
            "c2": lambda: values.place(zh),
            "P": lambda: values.person(zh),
            "O": lambda: values.org(zh),
            "w": lambda: values.odd_text(zh),
            "w2": lambda: values.odd_text(zh),
            "q": lambda: values.work(zh),
            "y": lambda: str(rng.randint(1100, 2030)),
            "y2": lambda: str(rng.randint(1400, 2030)),
            "h": clock,
            "h2": clock,
            "d": lambda: values.pick(words.DAYS_ZH if zh else words.DAYS),
            "mo": lambda: str(rng.randint(1, 12)) if zh else values.pick(words.MONTHS),
            "i": lambda: str(rng.randint(2, 900)),
            "k": lambda: str(rng.randint(2, 40)),
            "m": lambda: str(rng.randint(1, 90)),
            "x": lambda: f"{rng.randint(2, 90)}{values.any('', '.50', '.90')}",
            "x2": lambda: str(rng.randint(1, 40)),
            "big": lambda: (
                f"{rng.randint(2, 999)},{rng.randint(0, 999):03d}" if not zh else f"{rng.randint(2, 900)}万"
            ),
            "f": lambda: values.phone(zh),
            "e": lambda: values.email(),
            "s": lambda: self._odd_sentence(zh),
        }
        frame = values.pick(FACTS_ZH if zh else FACTS)
        for name, draw in slots.items():
            if "{" + name + "}" in frame:
                frame = frame.replace("{" + name + "}", draw())
        return frame[0].upper() + frame[1:]

    def _odd_sentence(self, zh: bool) -> str:
        values = self.values
        if zh:
            return values.topic(True) + values.any("，", "") + values.characters(2, 8) + "。"
        count = values.rng.randint(3, 10)
        text = " ".join(
            values.any(
                values.pick(words.SMALL_WORDS),
                values.pick(words.NOUNS),
                values.pseudo(),
                values.pick(words.ADJECTIVES),
            )
            for _ in range(count)
        )
        return text + "."

    def title(self, zh: bool) -> str:
        """Of a page."""
        values = self.values
        if zh:
            return values.any(
                values.topic(True),
                values.topic(True),
                values.work(True),
                values.org(True) + values.any("官网", "公告", ""),
                values.event(True),
            )
        topic = values.topic(False)
        titled = " ".join(word[:1].upper() + word[1:] for word in topic.split(" "))
        return values.any(
            topic[0].upper() + topic[1:],
            titled,
            titled,
            values.work(False),
            values.org(False),
            values.event(False),
        )

    def page(self, zh: bool, sentences: int) -> tuple[str, str]:
        """The text of a page, and its first sentence."""
        values = self.values
        parts = [self.sentence(zh) for _ in range(max(1, sentences))]
        first = parts[0]
        text = first
        for part in parts[1:]:
            text += values.any(" ", " ", "\n", "\n\n", "\n- ", "\n## " + self.title(zh) + "\n") + part
        return text, first
