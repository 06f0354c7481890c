"""Results as the app's calculator writes them."""

import unittest

from ember.arithmetic import ArithmeticFault, calculate, evaluate

RESULTS = [
    ("17*23", "391"),
    ("0.1+0.2", "0.3"),
    ("1/3", "0.333333333333 (exactly 1/3)"),
    ("sqrt(2)", "1.41421356237 (rounded)"),
    ("sqrt(144)", "12"),
    ("2^10-1", "1023"),
    ("-7*3", "-21"),
    ("10000/3", "3333.33333333 (exactly 10000/3)"),
    ("5-12.75", "-7.75"),
    ("(88+12)*7", "700"),
    ("2^64", "18446744073709551616"),
    ("15%*80", "12"),
    ("8×9÷4", "18"),
    ("1/3*3", "1"),
]


class Arithmetic(unittest.TestCase):
    def test_results(self) -> None:
        for expression, text in RESULTS:
            with self.subTest(expression):
                self.assertEqual(calculate(expression), text)

    def test_faults_say_why(self) -> None:
        for expression, reason in [
            ("1/0", "Division by zero"),
            ("2+", "Not an expression"),
            ("__import__('os')", "Not an expression"),
            ("sqrt(-4)", "not real"),
            ("9^99999999", "too long"),
        ]:
            with self.subTest(expression), self.assertRaisesRegex(ArithmeticFault, reason):
                calculate(expression)

    def test_the_same_value_in_other_words_is_equal(self) -> None:
        self.assertEqual(evaluate("64.5*18/100"), evaluate("18/100*64.50"))
        self.assertNotEqual(evaluate("64.5*18"), evaluate("64.5*19"))


if __name__ == "__main__":
    unittest.main()
