"""Sums said in words without a story: which word stands for which sign. Beside the frames, which say it in a situation."""

import re

from .dialect import Call
from .frames import Request
from .values import Filled, Values

ONE_STEP = {
    False: """
        {a} plus {b} = {a}+{b}
        {a} + {b} = {a}+{b}
        {a} and {b} together = {a}+{b}
        {a} added to {b} = {a}+{b}
        add {a} and {b} = {a}+{b}
        add up {a} and {b} = {a}+{b}
        add {a} to {b} = {a}+{b}
        the sum of {a} and {b} = {a}+{b}
        the total of {a} and {b} = {a}+{b}
        {a} increased by {b} = {a}+{b}
        {a} minus {b} = {a}-{b}
        {a} - {b} = {a}-{b}
        {a} take away {b} = {a}-{b}
        {a} less {b} = {a}-{b}
        {a} reduced by {b} = {a}-{b}
        subtract {b} from {a} = {a}-{b}
        take {b} off {a} = {a}-{b}
        take {b} away from {a} = {a}-{b}
        the difference between {a} and {b} = {a}-{b}
        {b} less than {a} = {a}-{b}
        what is left of {a} after {b} = {a}-{b}
        {a} times {b} = {a}*{b}
        {a} * {b} = {a}*{b}
        {a}*{b} = {a}*{b}
        {a} x {b} = {a}*{b}
        {a}x{b} = {a}*{b}
        {a} × {b} = {a}*{b}
        {a} by {b} = {a}*{b}
        {a} multiplied by {b} = {a}*{b}
        multiply {a} by {b} = {a}*{b}
        multiply {a} with {b} = {a}*{b}
        the product of {a} and {b} = {a}*{b}
        {a} lots of {b} = {a}*{b}
        {a} of {b} each = {a}*{b}
        {a} at {b} each = {a}*{b}
        {a} divided by {b} = {a}/{b}
        {a} / {b} = {a}/{b}
        {a}/{b} = {a}/{b}
        {a} ÷ {b} = {a}/{b}
        {a} over {b} = {a}/{b}
        divide {a} by {b} = {a}/{b}
        divide {a} into {b} parts = {a}/{b}
        {a} shared by {b} = {a}/{b}
        {a} split {b} ways = {a}/{b}
        {a} split between {b} = {a}/{b}
        {a} in {b} equal parts = {a}/{b}
        {p}% of {a} = {a}*{p}/100
        {p} percent of {a} = {a}*{p}/100
        {p} per cent of {a} = {a}*{p}/100
        {a} less {p}% = {a}*(100-{p})/100
        {a} minus {p}% = {a}*(100-{p})/100
        {a} minus {p} percent = {a}*(100-{p})/100
        {p}% off {a} = {a}*(100-{p})/100
        {a} with {p} percent off = {a}*(100-{p})/100
        {a} plus {p}% = {a}*(100+{p})/100
        {a} plus {p} percent = {a}*(100+{p})/100
        {p}% more than {a} = {a}*(100+{p})/100
        add {p}% to {a} = {a}*(100+{p})/100
        {a} as a percentage of {b} = {a}*100/{b}
        what percent {a} is of {b} = {a}*100/{b}
        {a} out of {b} in percent = {a}*100/{b}
        the square root of {a} = sqrt({a})
        root {a} = sqrt({a})
        sqrt {a} = sqrt({a})
        √{a} = sqrt({a})
        {a} squared = {a}^2
        the square of {a} = {a}^2
        {a} cubed = {a}^3
        {a} to the power of {n} = {a}^{n}
        {a} to the power {n} = {a}^{n}
        {a}^{n} = {a}^{n}
        half of {a} = {a}/2
        half {a} = {a}/2
        a third of {a} = {a}/3
        a quarter of {a} = {a}/4
        a fifth of {a} = {a}/5
        a tenth of {a} = {a}/10
        two thirds of {a} = {a}*2/3
        three quarters of {a} = {a}*3/4
        double {a} = {a}*2
        twice {a} = 2*{a}
        triple {a} = {a}*3
        three times {a} = 3*{a}
        the average of {a} and {b} = ({a}+{b})/2
        the average of {a}, {b} and {c} = ({a}+{b}+{c})/3
        {a}, {b} and {c} together = {a}+{b}+{c}
        {a}, {b}, {c} added up = {a}+{b}+{c}
        """,
    True: """
        {a}加{b} = {a}+{b}
        {a}加上{b} = {a}+{b}
        {a}+{b} = {a}+{b}
        {a} + {b} = {a}+{b}
        {a}和{b}相加 = {a}+{b}
        {a}与{b}的和 = {a}+{b}
        {a}跟{b}加起来 = {a}+{b}
        {a}和{b}一共 = {a}+{b}
        把{a}和{b}加在一起 = {a}+{b}
        {a}再添{b} = {a}+{b}
        比{a}多{b} = {a}+{b}
        {a}减{b} = {a}-{b}
        {a}减去{b} = {a}-{b}
        {a}-{b} = {a}-{b}
        {a}扣掉{b} = {a}-{b}
        {a}去掉{b} = {a}-{b}
        {a}拿走{b} = {a}-{b}
        {a}和{b}的差 = {a}-{b}
        {a}与{b}相差 = {a}-{b}
        {a}比{b}多 = {a}-{b}
        比{a}少{b} = {a}-{b}
        从{a}里减{b} = {a}-{b}
        {a}用掉{b}还剩 = {a}-{b}
        {a}乘{b} = {a}*{b}
        {a}乘以{b} = {a}*{b}
        {a}*{b} = {a}*{b}
        {a}×{b} = {a}*{b}
        {a}x{b} = {a}*{b}
        {a} x {b} = {a}*{b}
        {a}和{b}相乘 = {a}*{b}
        {a}与{b}的积 = {a}*{b}
        {a}个{b} = {a}*{b}
        {a}的{b}倍 = {a}*{b}
        {a}除以{b} = {a}/{b}
        {a}/{b} = {a}/{b}
        {a}÷{b} = {a}/{b}
        {b}除{a} = {a}/{b}
        {a}和{b}的商 = {a}/{b}
        {a}分成{b}份 = {a}/{b}
        {a}平均分给{b}个人 = {a}/{b}
        {b}个人平分{a} = {a}/{b}
        {a}里有几个{b} = {a}/{b}
        {a}的{p}% = {a}*{p}/100
        {a}的百分之{p} = {a}*{p}/100
        百分之{p}的{a} = {a}*{p}/100
        {a}降{p}% = {a}*(100-{p})/100
        {a}减少百分之{p} = {a}*(100-{p})/100
        {a}少{p}% = {a}*(100-{p})/100
        {a}涨{p}% = {a}*(100+{p})/100
        {a}增加百分之{p} = {a}*(100+{p})/100
        {a}加{p}% = {a}*(100+{p})/100
        {a}打{d}折 = {a}*{d}/10
        {a}的{d}折 = {a}*{d}/10
        {a}占{b}的百分之几 = {a}*100/{b}
        {a}是{b}的百分之多少 = {a}*100/{b}
        根号{a} = sqrt({a})
        {a}开方 = sqrt({a})
        {a}的平方根 = sqrt({a})
        √{a} = sqrt({a})
        {a}的平方 = {a}^2
        {a}平方 = {a}^2
        {a}的立方 = {a}^3
        {a}的{n}次方 = {a}^{n}
        {a}^{n} = {a}^{n}
        {a}的一半 = {a}/2
        半个{a} = {a}/2
        {a}的三分之一 = {a}/3
        {a}的四分之一 = {a}/4
        {a}的五分之一 = {a}/5
        {a}的三分之二 = {a}*2/3
        {a}的四分之三 = {a}*3/4
        {a}的两倍 = {a}*2
        {a}翻一番 = {a}*2
        {a}的三倍 = {a}*3
        {a}和{b}的平均数 = ({a}+{b})/2
        {a}、{b}、{c}的平均数 = ({a}+{b}+{c})/3
        {a}、{b}、{c}加起来 = {a}+{b}+{c}
        """,
}
"""What is said, and the expression. {p} is a percentage, {n} an exponent, {d} a discount in tenths."""

GOING_ON = {
    False: """
        {e} plus {c} = {e}+{c}
        {e} minus {c} = {e}-{c}
        {e} times {c} = {e}*{c}
        {e} divided by {c} = {e}/{c}
        {e} + {c} = {e}+{c}
        {e} - {c} = {e}-{c}
        {e} and {c} more = {e}+{c}
        {e}, then plus {c} = {e}+{c}
        {e} and then minus {c} = {e}-{c}
        {e}, less {c} = {e}-{c}
        {e}, add {c} = {e}+{c}
        {e}, take off {c} = {e}-{c}
        {e}, then times {c} = ({e})*{c}
        {e}, all times {c} = ({e})*{c}
        {e} and multiply that by {c} = ({e})*{c}
        {e}, then divide by {c} = ({e})/{c}
        {e}, divided by {c} in the end = ({e})/{c}
        {e}, split {c} ways = ({e})/{c}
        """,
    True: """
        {e}加{c} = {e}+{c}
        {e}减{c} = {e}-{c}
        {e}乘{c} = {e}*{c}
        {e}除以{c} = {e}/{c}
        {e}再加{c} = {e}+{c}
        {e}，再减{c} = {e}-{c}
        {e}，减掉{c} = {e}-{c}
        {e}，加上{c} = {e}+{c}
        {e}，然后乘{c} = ({e})*{c}
        {e}，得数再乘以{c} = ({e})*{c}
        {e}，再除以{c} = ({e})/{c}
        {e}，最后除以{c} = ({e})/{c}
        {e}，再分成{c}份 = ({e})/{c}
        """,
}
"""A sum that goes on: {e} is what came before, as said and as written."""

AROUND = {
    False: """
        what is {e}|what's {e}|whats {e}?|What is {e}?|What's {e}?|how much is {e}|How much is {e}?|{e}|{e}?|{e}|{e} =|{e} = ?
        calculate {e}|compute {e}|work out {e}|Work out {e}, please|can you work out {e}|figure out {e}|{e} please|{e}, how much
        I need {e}|i need to know {e}|tell me {e}|Tell me what {e} is|{e} is what|{e} makes what|{e} gives|what does {e} make
        what do I get for {e}|could you do {e} for me|quick, {e}|{e} equals|so {e} is|give me {e}|find {e}|do {e}
        """,
    True: """
        {e}|{e}|{e}是多少|{e}等于多少|{e}等于几|{e}等于多少？|{e}得多少|{e}=|{e}=？|{e}?|算一下{e}|算{e}|帮我算{e}|帮我算一下{e}|请计算{e}
        {e}多少|{e}是几|求{e}|{e}，多少|计算{e}|{e}怎么算|我想知道{e}|麻烦算下{e}|{e}有多少|口算{e}|{e}结果是啥|告诉我{e}等于几
        """,
}
"""How a sum is asked for."""


TYPED = 0.2
"""Of the sums: signs and brackets as on a calculator, to be copied without blanks."""
SIGNS = {"+": ["+"], "-": ["-", "-", "−"], "*": ["*", "*", "x", "×"], "/": ["/", "/", "÷", ":"]}


def _pairs(table: str) -> list[tuple[str, str]]:
    return [
        (said, sum_)
        for said, _, sum_ in (line.strip().rpartition(" = ") for line in table.strip().split("\n"))
    ]


STEPS = {zh: _pairs(table) for zh, table in ONE_STEP.items()}
MORE = {zh: _pairs(table) for zh, table in GOING_ON.items()}
ASKED = {
    zh: [part.strip() for line in table.strip().split("\n") for part in line.split("|")]
    for zh, table in AROUND.items()
}


class Sums:
    """Draws sums; the same seed draws the same ones."""

    def __init__(self, values: Values) -> None:
        self.values = values

    def draw(self, zh: bool) -> Request:
        """A request for one to three steps, and its call."""
        values = self.values
        said, expression = (
            self._type(zh) if values.chance(TYPED) else self._fill(*values.rng.choice(STEPS[zh]), zh)
        )
        while values.chance(0.25):
            more, sum_ = values.rng.choice(MORE[zh])
            if "({e})" in sum_ and not re.search(r"\d[-+]", expression):
                # Brackets only where they change something.
                sum_ = sum_.replace("({e})", "{e}")
            said, expression = self._fill(more.replace("{e}", said), sum_.replace("{e}", expression), zh)
        text = values.rng.choice(ASKED[zh]).replace("{e}", said)
        return Request(text, [Call("calculator", {"expression": expression})], zh)

    def _type(self, zh: bool) -> tuple[str, str]:
        """Two to five numbers between signs, some in brackets: as typed, and as the calculator wants it."""
        values, rng = self.values, self.values.rng
        numbers = [self._number("a", zh, in_words=False) for _ in range(rng.choice([2, 2, 3, 3, 4, 5]))]
        signs = rng.choices("+-*/", k=len(numbers) - 1)
        first = last = -1
        if len(numbers) > 2 and values.chance(0.4):
            first = rng.randrange(len(numbers) - 1)
            last = rng.randrange(first + 1, len(numbers) - (first == 0))
        blank = values.pick(["", " ", " "])
        said = expression = ""
        for index, number in enumerate(numbers):
            if index > 0:
                said += blank + rng.choice(SIGNS[signs[index - 1]]) + blank
                expression += signs[index - 1]
            opening, closing = "(" * (index == first), ")" * (index == last)
            said += opening + number.text + closing
            expression += opening + number.value + closing
        return said, expression

    def _fill(self, said: str, expression: str, zh: bool) -> tuple[str, str]:
        # Numbers in words stand well in words, badly between signs.
        in_words = not re.search(r"[-+*/×÷x^=√]|\d", said) and self.values.chance(0.25)
        for slot in sorted(set(re.findall(r"\{([abcpnd])\}", said))):
            number = self._number(slot, zh, in_words)
            said = said.replace(f"{{{slot}}}", number.text)
            expression = expression.replace(f"{{{slot}}}", number.value)
        return said, expression

    def _number(self, slot: str, zh: bool, in_words: bool) -> Filled:
        values = self.values
        if slot in "pnd":
            return values.fill({"p": "pct:1-99", "n": "int:2-9", "d": "int:1-9"}[slot], zh)
        if in_words:
            return values.fill("word:2-999" if values.chance(0.3) else "word:2-99", zh)
        kinds = [
            "int:2-12",
            "int:2-99",
            "int:2-99",
            "int:2-999",
            "int:2-9999",
            "int:1000-999999",
            "dec:0.1-99:2",
            "dec:1-2000:2",
        ]
        return values.fill(values.pick(kinds), zh)
