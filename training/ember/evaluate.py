"""Scores a checkpoint on the frozen evaluation set: calls exactly, arithmetic by value, answers by their facts.

usage: python3 -m ember.evaluate CHECKPOINT [--quantised] [--report FILE] [--references FILE] [--show]
"""

import argparse
import json
from pathlib import Path

import torch

from .checkpoint import load_model
from .dialect import Message
from .gguf import as_stored
from .scoring import load_cases, run, table

MOST = 160
"""Tokens of a reply."""
TOGETHER = 32
"""Prompts at a time."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Scores a checkpoint.")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--report", type=Path, help="write the table here")
    parser.add_argument(
        "--references", type=Path, help="write prompts and replies here, to compare another engine with"
    )
    parser.add_argument("--show", action="store_true", help="print what was wrong")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--quantised", action="store_true", help="round the weights as the Q8_0 file does")
    given = parser.parse_args()
    if given.threads:
        torch.set_num_threads(given.threads)
    model, tokenizer = load_model(given.checkpoint)
    if given.quantised:
        for weight in model.parameters():
            if weight.dim() == 2:
                weight.data = torch.from_numpy(as_stored(weight.detach().numpy()))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model.to(device)

    def replies(chats: list[list[Message]]) -> list[str]:
        prompts = [tokenizer.encode_chat(chat) for chat in chats]
        # Prompts of about the same length together: little padding.
        order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
        said = [""] * len(prompts)
        for first in range(0, len(order), TOGETHER):
            part = order[first : first + TOGETHER]
            for index, ids in zip(
                part, model.greedy([prompts[index] for index in part], MOST, tokenizer.end)
            ):
                said[index] = tokenizer.decode(ids)
        return said

    scores = run(replies, load_cases())
    text = table(scores)
    print(text)
    if given.show:
        for one in scores:
            if not one.right:
                print(f"{one.case.id}: {one.case.messages[-1].text!r}\n    {one.reply!r}")
    if given.report:
        given.report.write_text(text + "\n", encoding="utf8")
    if given.references:
        rows = [
            {
                "id": one.case.id,
                "messages": [message._asdict() for message in one.case.messages],
                "reply": one.reply,
            }
            for one in scores
        ]
        given.references.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf8")


if __name__ == "__main__":
    main()
