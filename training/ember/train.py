"""Trains Ember. Stops and resumes at any step: the data of a step follow from the seed and its number alone.

usage: python3 -m ember.train --preset full|cpu|smoke --out FOLDER [--stop-after SECONDS] [--steps N] [--workers N]
"""

import argparse
import json
import math
import os
import signal
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch

from .model import Model, Shape
from .packing import Batch, Packer, Recipe
from .tokenizer import Tokenizer
from .watch import Watch


@dataclass(frozen=True)
class Preset:
    """A model and how it is trained. Rates are those of AdamW at the plateau."""

    width: int
    layers: int
    heads: int
    feed_forward: int
    rows: int
    length: int
    steps: int
    rate: float
    dropout: float = 0.0
    long_from: float = 0.75
    """Share of the steps after which rows are twice as long, and half as many."""


PRESETS = {
    "full": Preset(
        width=320,
        layers=8,
        heads=5,
        feed_forward=768,
        rows=64,
        length=1024,
        steps=14000,
        rate=2e-3,
        dropout=0.05,
    ),
    "cpu": Preset(
        width=256, layers=6, heads=4, feed_forward=672, rows=8, length=512, steps=20000, rate=2.5e-3
    ),
    "smoke": Preset(width=64, layers=2, heads=2, feed_forward=160, rows=4, length=256, steps=300, rate=4e-3),
}
WARM_UP = 150
DECAY_FROM = 0.5
"""Share of the steps after which the rate falls to nothing, in a line."""
LOG_EVERY = 25
WATCH_EVERY = 500
"""Steps between two looks at the frames held back."""


def recipe_of(preset: Preset, step: int) -> Recipe:
    """Drills first, until copying is learnt; dialogues ever after; long rows at the end."""
    share = step / preset.steps
    copying = 0.6 if share < 0.04 else max(0.05, 0.6 - (share - 0.04) / 0.10 * 0.55)
    choosing = 0.15 if share < 0.3 else 0.08
    if share >= preset.long_from:
        return Recipe(max(1, preset.rows // 2), preset.length * 2, copying, choosing)
    return Recipe(preset.rows, preset.length, copying, choosing)


def rate_of(preset: Preset, step: int) -> float:
    """Warm-up, plateau, line down."""
    share = step / preset.steps
    fall = 1.0 if share < DECAY_FROM else max(0.01, (1 - share) / (1 - DECAY_FROM))
    return preset.rate * min(1.0, (step + 1) / WARM_UP) * fall


_packer: Packer | None = None


def _begin_worker(vocabulary: str, seed: int) -> None:
    global _packer
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _packer = Packer(Tokenizer.load(Path(vocabulary)), seed)


def _work(step: int, recipe: Recipe) -> Batch:
    if _packer is None:
        raise RuntimeError("The worker has not begun")
    return _packer.batch(step, recipe)


def batches(preset: Preset, vocabulary: Path, seed: int, first: int, workers: int) -> Iterator[Batch]:
    """The batches from step `first` on, in order, made ahead by other processes."""
    if workers == 0:
        packer = Packer(Tokenizer.load(vocabulary), seed)
        for step in range(first, preset.steps):
            yield packer.batch(step, recipe_of(preset, step))
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), _begin_worker, (str(vocabulary), seed)) as pool:
        ahead: deque[Future[Batch]] = deque()
        following = first
        try:
            while following < preset.steps or ahead:
                while following < preset.steps and len(ahead) < 3 * workers:
                    ahead.append(pool.submit(_work, following, recipe_of(preset, following)))
                    following += 1
                yield ahead.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


class Run:
    """One training run in a folder: its vocabulary, checkpoint and log."""

    def __init__(self, preset: Preset, folder: Path, seed: int, device: str, eager: bool = False) -> None:
        self.preset, self.folder, self.seed, self.device = preset, folder, seed, device
        self.tokenizer = Tokenizer.load(folder / "vocabulary.json")
        torch.manual_seed(seed)
        shape = Shape(
            len(self.tokenizer.tokens),
            preset.width,
            preset.layers,
            preset.heads,
            preset.feed_forward,
            context=max(2048, preset.length * 2),
            dropout=preset.dropout,
        )
        self.model = Model(shape).to(device)
        self.optimizer = self._optimizer()
        self.eager = eager
        self.step = 0
        self.seconds = 0.0

    def _optimizer(self) -> torch.optim.Optimizer:
        named = list(self.model.named_parameters())
        decayed = [weight for name, weight in named if weight.dim() == 2 and not name.startswith("embedding")]
        others = [weight for name, weight in named if weight.dim() < 2 or name.startswith("embedding")]
        groups = [{"params": decayed, "weight_decay": 0.05}, {"params": others, "weight_decay": 0.0}]
        options: dict[str, Any] = {"fused": True} if self.device == "cuda" else {}
        return torch.optim.AdamW(groups, lr=self.preset.rate, betas=(0.9, 0.97), eps=1e-8, **options)

    @property
    def checkpoint(self) -> Path:
        """All that is needed to go on."""
        return self.folder / "checkpoint.pt"

    def save(self) -> None:
        """Whole or not at all: a reader never sees half a file."""
        state = {
            "shape": self.model.shape.as_dict(),
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
            "seed": self.seed,
            "steps": self.preset.steps,
        }
        half = self.checkpoint.with_suffix(".part")
        torch.save(state, half)
        os.replace(half, self.checkpoint)

    def resume(self) -> None:
        """Goes on from the checkpoint, if there is one."""
        if not self.checkpoint.exists():
            return
        state = torch.load(self.checkpoint, map_location=self.device)
        if (
            state["seed"] != self.seed
            or state["steps"] != self.preset.steps
            or state["shape"] != self.model.shape.as_dict()
        ):
            raise SystemExit(
                f"{self.checkpoint} is of another run (seed, steps or shape differ). Choose another --out."
            )
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.seconds = state["step"], state["seconds"]

    def log(self, **values: Any) -> None:
        """One line of JSON, also on the screen."""
        line = json.dumps(values)
        with (self.folder / "train.log").open("a", encoding="utf8") as file:
            file.write(line + "\n")
        print(line, flush=True)

    def train(self, stop_after: float, save_every: float, workers: int) -> bool:
        """Until the last step or `stop_after` seconds. True when all steps are done."""
        stopping = False

        def stop(*_: object) -> None:
            nonlocal stopping
            stopping = True

        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, stop)
        compute = self._compiled()
        watch = Watch(self.tokenizer)
        begun, saved, losses, tokens = time.monotonic(), time.monotonic(), [], 0
        began_at = self.seconds
        source = batches(self.preset, self.folder / "vocabulary.json", self.seed, self.step, workers)
        try:
            for batch in source:
                losses.append(self._advance(compute, batch))
                tokens += batch.tokens.shape[0] * (batch.tokens.shape[1] - 1)
                self.step += 1
                now = time.monotonic()
                self.seconds = began_at + now - begun
                if self.step % LOG_EVERY == 0:
                    mean = float(torch.stack(losses).mean())
                    self.log(
                        step=self.step,
                        loss=round(mean, 4),
                        rate=f"{rate_of(self.preset, self.step):.2e}",
                        tokens_per_second=round(tokens / (now - begun)),
                        seconds=round(self.seconds),
                    )
                    losses.clear()
                if self.step % WATCH_EVERY == 0 or self.step == self.preset.steps:
                    self.log(step=self.step, watch=watch.look(self.model))
                if stopping or now - begun > stop_after:
                    break
                if now - saved > save_every:
                    self.save()
                    saved = now
        finally:
            source.close()  # type: ignore[attr-defined]
        self.save()
        return self.step >= self.preset.steps

    def _compiled(self) -> Any:
        if self.device == "cuda" and hasattr(torch, "compile") and not self.eager:
            return torch.compile(self.model.loss, dynamic=False)
        return self.model.loss

    def _advance(self, compute: Any, batch: Batch) -> torch.Tensor:
        # So that dropout, too, follows from the number of the step.
        torch.manual_seed(self.seed * 1_000_003 + self.step)
        rate = rate_of(self.preset, self.step)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        tokens = torch.from_numpy(batch.tokens).long()
        targets = tokens[:, 1:].masked_fill(~torch.from_numpy(batch.learn[:, 1:]), -100)
        document = torch.from_numpy(batch.document[:, :-1])
        ids, targets, document = (
            part.to(self.device, non_blocking=True) for part in (tokens[:, :-1], targets, document)
        )
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            loss = compute(ids.contiguous(), targets.contiguous(), document.contiguous())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.detach()


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains Ember.")
    parser.add_argument("--preset", choices=PRESETS, default="full")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, help="instead of the preset's; must stay the same when resumed")
    parser.add_argument("--stop-after", type=float, default=math.inf, metavar="SECONDS")
    parser.add_argument("--save-every", type=float, default=60, metavar="SECONDS")
    parser.add_argument(
        "--workers",
        type=int,
        default=max(1, (os.cpu_count() or 2) - 1),
        help="processes that make data; 0: none",
    )
    parser.add_argument("--threads", type=int, help="of torch on the CPU")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--eager", action="store_true", help="do not compile, where the compiler fails")
    given = parser.parse_args()
    preset = PRESETS[given.preset]
    if given.steps:
        preset = Preset(**{**vars(preset), "steps": given.steps})
    if given.threads:
        torch.set_num_threads(given.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        torch.set_float32_matmul_precision("high")
    run = Run(preset, given.out, given.seed, device, given.eager)
    run.resume()
    run.log(
        begin=run.step,
        steps=preset.steps,
        parameters=run.model.size(),
        device=device,
        torch=torch.__version__,
    )
    done = run.train(given.stop_after, given.save_every, given.workers)
    run.log(end=run.step, done=done)


if __name__ == "__main__":
    main()
