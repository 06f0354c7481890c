"""What must be copied sign by sign: addresses of every shape, codes, numbers, file names."""

from . import words
from .draw import Draw


class Addresses(Draw):
    """Drawn from words, made-up words and digits."""

    def code(self) -> str:
        letters = "".join(self.any(*"ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(self.rng.randint(1, 3)))
        return self.any(
            letters + self.digits(self.rng.randint(1, 5)),
            f"{letters}-{self.digits(self.rng.randint(2, 5))}",
            self.digits(self.rng.randint(3, 9)),
            f"{self.digits(2)}{letters}{self.digits(3)}",
            f"{self.pseudo(2)}-{self.digits(2)}",
        )

    def phone(self, zh: bool) -> str:
        return (
            f"1{self.digits(10)}"
            if zh
            else self.any("0", "+44", "+1", "") + self.digits(self.rng.randint(7, 10))
        )

    def email(self) -> str:
        return f"{self.pick(words.NAMES).lower()}{self.any('', '.', '_')}{self.pseudo(2)}@{self._host()}"

    def filename(self, endings: list[str]) -> str:
        base = self.any(
            self.pick(words.NOUNS),
            self.pseudo(),
            f"{self.pick(words.NOUNS)}_{self.any('final', 'v2', 'old', 'draft')}",
            f"{self.pseudo()}-{self.digits(2)}",
        )
        return base + "." + self.pick(endings)

    def _path_word(self, zh: bool = False) -> str:
        if zh and self.chance(0.05):
            return self.characters(2, 4)
        return self.one(
            lambda: self.pick(words.NOUNS),
            self.pseudo,
            self.pseudo,
            lambda: self.pick(words.VERBS),
            lambda: self.pick(words.ADJECTIVES),
            lambda: "".join(self.any(*"abcdefghijklmnopqrstuvwxyz") for _ in range(self.rng.randint(2, 6))),
        )

    def _host(self) -> str:
        empty = lambda: ""
        base = self._path_word() + self.one(
            empty, empty, empty, self._path_word, lambda: "-" + self._path_word(), lambda: self.digits(2)
        )
        base = (
            self.any(
                "", "", "", "www.", "www.", "docs.", "blog.", "api.", "en.", "m.", self._path_word() + "."
            )
            + base
        )
        return (
            base
            + "."
            + self.any(
                "com",
                "com",
                "com",
                "org",
                "org",
                "net",
                "io",
                "dev",
                "cn",
                "com.cn",
                "co.uk",
                "edu",
                "app",
                "me",
                "ai",
                "de",
                "jp",
                "gov",
                "info",
                "fr",
                "xyz",
                "edu.cn",
                "example",
            )
        )

    def url(self, zh: bool = False) -> str:
        """An address of any shape: with and without scheme, with path, query, port, fragment."""
        text = self.any("https://", "https://", "https://", "https://", "http://", "", "") + self._host()
        if self.chance(0.03):
            text += f":{self.rng.choice([8080, 3000, 8443, 5000])}"
        for _ in range(self.rng.choice([0, 0, 1, 1, 1, 2, 2, 3, 4])):
            text += "/" + self.one(
                lambda: self._path_word(zh),
                self._path_word,
                lambda: f"{self._path_word()}{self.any('-', '_')}{self._path_word()}",
                lambda: self.digits(self.rng.randint(1, 6)),
                lambda: self._path_word().capitalize(),
                lambda: f"{self.any('v', 'p', 'id', 'n')}{self.rng.randint(1, 99)}",
                lambda: "~" + self._path_word(),
                lambda: f"{self.rng.randint(2008, 2030)}/{self.rng.randint(1, 12):02d}",
                lambda: f"{self._path_word()}-{self._path_word()}-{self._path_word()}",
                lambda: "".join(self.any(*"0123456789abcdef") for _ in range(self.rng.randint(5, 10))),
                lambda: "".join(
                    self.any(*"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
                    for _ in range(self.rng.randint(6, 11))
                ),
            )
        style = self.rng.random()
        if style < 0.08:
            text += "/"
        elif style < 0.22:
            text += ("" if text.count("/") > 2 else "/" + self._path_word()) + self.any(
                ".html", ".txt", ".json", ".md", ".php", ".htm", ".pdf", ".xml", ".csv"
            )
        if self.chance(0.15):
            text += (
                ("" if "/" in text[8:] else "/")
                + "?"
                + "&".join(
                    f"{self.any('q', 'id', 'page', 'ref', 'lang', 'v', 'tag', 'sort', 't')}={self.any(self._path_word(), self.digits(3))}"
                    for _ in range(self.rng.choice([1, 1, 2, 3]))
                )
            )
        if self.chance(0.06):
            text += "#" + self._path_word()
        return text
