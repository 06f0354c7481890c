"""A look at the frames held back while training goes on: would the model write the right call, token for token?"""

import random
from collections import Counter

import torch
import torch.nn.functional as F

from .dialect import CALL_OPEN, Call, Message, describe_tools, write_calls
from .frames import REAL_TOOLS, Corpus, as_tool, fill_arguments, fill_slots, fill_text
from .model import Model
from .tokenizer import Tokenizer
from .toolbox import REAL, SCHEMAS, real_tool
from .values import Values

PART = 32
"""Prompts at a time."""


class Watch:
    """The held-back frames, each filled once."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.opening = tokenizer.ids[CALL_OPEN]
        values = Values(random.Random(20))
        *offered, weather = (real_tool(name, values) for name in REAL)
        held = Corpus(held=True)
        self.cases: list[tuple[str, list[int], list[int]]] = []
        for (kind, zh), frames in held.requests.items():
            for frame in frames:
                filled = fill_slots(frame, values, zh)
                name, _ = REAL_TOOLS[kind]
                call = Call(name, fill_arguments(frame["call"], filled, {"inputSchema": SCHEMAS[name]}))
                beside = [weather] if kind == "weather" else []
                self._add(kind, [*offered, *beside], fill_text(frame["text"], filled), call)
        for zh, frames in held.plain.items():
            for frame in frames:
                self._add("none", offered, fill_text(frame["text"], fill_slots(frame, values, zh)), None)
        for entry in held.invented:
            tool = as_tool(entry)
            for frame in entry["requests"]:
                zh = any("\u4e00" <= character <= "\u9fff" for character in frame["text"])
                filled = fill_slots(frame, values, zh)
                call = Call(tool["name"], fill_arguments(frame["call"], filled, tool))
                self._add("invented", [*offered, tool], fill_text(frame["text"], filled), call)

    def _add(self, kind: str, offered: list[dict], text: str, call: Call | None) -> None:
        prompt = self.tokenizer.encode_chat(
            [Message("system", describe_tools(offered)), Message("user", text)]
        )
        said = [] if call is None else [*self.tokenizer.encode(write_calls([call])), self.tokenizer.end]
        self.cases.append((kind, prompt, said))

    @torch.no_grad()
    def look(self, model: Model) -> dict[str, str]:
        """Right of all by kind. For small talk right means no call; other replies are as good as the frame's."""
        was_training = model.training
        model.eval()
        right: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for first in range(0, len(self.cases), PART):
            part = self.cases[first : first + PART]
            for (kind, _, said), guesses in zip(part, self._guesses(model, part)):
                total[kind] += 1
                right[kind] += guesses == said if said else guesses[0] != self.opening
        model.train(was_training)
        return {kind: f"{right[kind]}/{count}" for kind, count in total.items()}

    def _guesses(self, model: Model, part: list[tuple[str, list[int], list[int]]]) -> list[list[int]]:
        """The likeliest token at each position of what should be said, given all before it."""
        device = model.embedding.weight.device
        longest = max(len(prompt) + len(said) for _, prompt, said in part)
        ids = torch.full((len(part), longest), self.tokenizer.pad, device=device)
        for row, (_, prompt, said) in enumerate(part):
            ids[row, : len(prompt) + len(said)] = torch.tensor(prompt + said, device=device)
        mask = torch.ones(longest, longest, dtype=torch.bool, device=device).tril()
        states = model.hidden(ids, mask)
        guesses = []
        for row, (_, prompt, said) in enumerate(part):
            wanted = states[row, len(prompt) - 1 : len(prompt) - 1 + max(1, len(said))]
            guesses.append(F.linear(wanted, model.embedding.weight).argmax(-1).tolist())
        return guesses
