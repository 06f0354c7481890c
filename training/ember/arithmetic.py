"""Computes an expression and writes the result as the app's calculator does: the number first, then how exact it is."""

import ast
import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction

Value = Fraction | Decimal
"""A fraction is exact, a decimal is rounded."""

PRECISION = 60
MAX_DIGITS = 1000
SHORT_DIGITS = 20
ROUNDED_DIGITS = 12


class ArithmeticFault(ValueError):
    """The expression has no value; the message says why."""


def evaluate(expression: str) -> Value:
    """Raises `ArithmeticFault` for what cannot be computed."""
    text = re.sub(r"(\d+(?:\.\d+)?)%", r"(\1/100)", expression)
    for sign, plain in {"×": "*", "÷": "/", "−": "-", "^": "**", "[": "(", "]": ")"}.items():
        text = text.replace(sign, plain)
    text = re.sub(r"(?<![\w.])0+(?=\d)", "", re.sub(r"\s+", " ", text)).strip()
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ArithmeticFault("Not an expression") from error
    with localcontext(Context(prec=PRECISION)):
        return _value(tree.body, text)


def _value(node: ast.AST, text: str) -> Value:
    match node:
        case ast.Constant(value=int() | float()):
            return Fraction(ast.get_source_segment(text, node) or "0")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, text)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, text)
        case ast.BinOp(left=left, op=op, right=right):
            return _combine(op, _value(left, text), _value(right, text))
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
            return _power(_value(argument, text), Fraction(1, 2))
    raise ArithmeticFault("Not an expression")


def _combine(op: ast.operator, left: Value, right: Value) -> Value:
    if isinstance(op, ast.Pow):
        return _power(left, right)
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        left, right = _decimal(left), _decimal(right)
    match op:
        case ast.Add():
            return left + right  # type: ignore[operator]
        case ast.Sub():
            return left - right  # type: ignore[operator]
        case ast.Mult():
            return left * right  # type: ignore[operator]
        case ast.Div():
            if right == 0:
                raise ArithmeticFault("Division by zero")
            return left / right  # type: ignore[operator]
    raise ArithmeticFault("Not an expression")


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        if exponent.denominator == 1:
            if base == 0 and exponent < 0:
                raise ArithmeticFault("Division by zero")
            if abs(exponent) * max(base.numerator.bit_length(), base.denominator.bit_length()) > 40_000:
                raise ArithmeticFault("The result is too long")
            return Fraction(base) ** int(exponent)
        if base < 0:
            raise ArithmeticFault("This root or power of a negative number is not real")
        if exponent == Fraction(1, 2):
            top, bottom = math.isqrt(base.numerator), math.isqrt(base.denominator)
            if top * top == base.numerator and bottom * bottom == base.denominator:
                return Fraction(top, bottom)
            return _decimal(base).sqrt()
    left, right = _decimal(base), _decimal(exponent)
    if left < 0:
        raise ArithmeticFault("This root or power of a negative number is not real")
    if abs(right) > 10_000:
        raise ArithmeticFault("The result is too long")
    return left**right


def _decimal(value: Value) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(value.numerator) / Decimal(value.denominator)


def write_number(value: Value) -> str:
    """`391`, `0.3`, `0.333333333333 (exactly 1/3)`, `1.41421356237 (rounded)`. Raises `ArithmeticFault` if too long."""
    with localcontext(Context(prec=PRECISION)):
        if isinstance(value, Decimal):
            return f"{_rounded(value)} (rounded)"
        if value.denominator == 1:
            if len(str(abs(value.numerator))) > MAX_DIGITS:
                raise ArithmeticFault(f"The result has more than {MAX_DIGITS} digits")
            return str(value.numerator)
        finite = _finite(value)
        if finite is not None and len(finite.lstrip("-0.").replace(".", "")) <= SHORT_DIGITS:
            return finite
        exact = finite or f"{value.numerator}/{value.denominator}"
        return f"{_rounded(_decimal(value))} ({'exactly ' + exact if len(exact) <= 80 else 'rounded'})"


def _finite(value: Fraction) -> str | None:
    rest, places = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest, count = rest // prime, count + 1
        places = max(places, count)
    if rest != 1:
        return None
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return ("-" if value < 0 else "") + digits[:-places] + "." + digits[-places:]


def _rounded(value: Decimal) -> str:
    if value == 0:
        return "0"
    exponent = value.adjusted()
    if exponent > 20 or exponent < -7:
        short = Context(prec=ROUNDED_DIGITS, rounding=ROUND_HALF_UP).plus(value).normalize()
        digits = "".join(map(str, short.as_tuple().digits))
        power = short.adjusted()
        return f"{'-' if short < 0 else ''}{digits[0]}{'.' + digits[1:] if digits[1:] else ''}e{'+' if power > 0 else ''}{power}"
    places = ROUNDED_DIGITS - 1 - exponent if exponent < 0 else max(ROUNDED_DIGITS - 1 - exponent, 4)
    text = f"{value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def calculate(expression: str) -> str:
    """What the tool answers. Raises `ArithmeticFault`."""
    return write_number(evaluate(expression))
