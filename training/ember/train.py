"""Trains Ember. Stops and resumes at any step: the data of a step follow from the seed and its number alone.

usage: python3 -m ember.train --preset full|cpu|smoke --out FOLDER [--stop-after SECONDS] [--steps N] [--decay-over N]
"""

import argparse
import json
import math
import os
import shutil
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import torch

from .model import PLAIN, Block, Model, Parts, Shape, read_out, sparse_mask
from .native import Native, NoNative
from .optimizers import make_optimizers
from .packing import Batch, Packer, Recipe
from .tokenizer import Tokenizer
from .watch import Watch


@dataclass(frozen=True)
class Preset:
    """A model and how it is trained. Rates are those at the plateau."""

    width: int
    layers: int
    heads: int
    feed_forward: int
    rows: int
    length: int
    steps: int
    rate: float
    lower: tuple[int, float] | None = None
    """From this step on, this rate: a second plateau, once the first brings no more."""
    dropout: float = 0.0
    long_from: float = 1.0
    """Share of the steps after which rows are twice as long, and half as many."""
    muon: bool = True
    weight_decay: float = 0.05
    endless: bool = False
    """The plateau goes on until a decay is asked for; `steps` is only what the drills are measured by."""
    watch_every: int = 500
    """Steps between two looks at the frames held back."""


EMBER = Preset(
    width=256,
    layers=12,
    heads=4,
    feed_forward=672,
    rows=4,
    length=2048,
    steps=8000,
    rate=3.5e-3,
    lower=(5000, 1.2e-3),
    dropout=0.05,
    endless=True,
)
PRESETS = {
    "full": replace(EMBER, rows=32, rate=2e-3, lower=None, dropout=0.1, watch_every=2000),
    "cpu": EMBER,
    "smoke": Preset(width=64, layers=2, heads=2, feed_forward=160, rows=2, length=512, steps=300, rate=4e-3),
}
WARM_UP = 100
DECAY_FROM = 0.5
"""Share of the steps of a planned run after which the rate falls to nothing, in a line."""
LOG_EVERY = 25


class Decay(NamedTuple):
    """The way down from a plateau: first step and number of steps."""

    begin: int
    over: int


def recipe_of(preset: Preset, step: int) -> Recipe:
    """Drills first, until copying is learnt; dialogues ever after; long rows at the end."""
    share = step / preset.steps
    copying = 0.6 if share < 0.04 else max(0.05, 0.6 - (share - 0.04) / 0.10 * 0.55)
    choosing = 0.15 if share < 0.3 else 0.08
    sums = 0.3 if share > 0.1 else 0.08
    if share >= preset.long_from:
        return Recipe(max(1, preset.rows // 2), preset.length * 2, copying, choosing, sums)
    return Recipe(preset.rows, preset.length, copying, choosing, sums)


def rate_of(preset: Preset, step: int, decay: Decay | None = None) -> float:
    """Warm-up, plateau, line down: where the plan says so, or from where a decay was begun."""
    fall = 1.0
    if decay is not None:
        fall = 1 - (step - decay.begin) / decay.over
    elif not preset.endless:
        fall = min(1.0, (1 - step / preset.steps) / (1 - DECAY_FROM))
    first, lower = preset.lower or (0, preset.rate)
    rate = lower if step >= first else preset.rate
    return rate * min(1.0, (step + 1) / WARM_UP) * max(0.01, fall)


_packer: Packer | None = None


def _begin_worker(vocabulary: str, seed: int) -> None:
    global _packer
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _packer = Packer(Tokenizer.load(Path(vocabulary)), seed)


def _work(step: int, recipe: Recipe) -> Batch:
    if _packer is None:
        raise RuntimeError("The worker has not begun")
    return _packer.batch(step, recipe)


def batches(
    preset: Preset, vocabulary: Path, seed: int, first: int, end: float, workers: int
) -> Iterator[Batch]:
    """The batches from step `first` up to `end`, in order, made ahead by other processes."""
    if workers == 0:
        packer = Packer(Tokenizer.load(vocabulary), seed)
        for step in count(first):
            if step >= end:
                return
            yield packer.batch(step, recipe_of(preset, step))
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), _begin_worker, (str(vocabulary), seed)) as pool:
        ahead: deque[Future[Batch]] = deque()
        following = first
        try:
            while following < end or ahead:
                while following < end and len(ahead) < 3 * workers:
                    ahead.append(pool.submit(_work, following, recipe_of(preset, following)))
                    following += 1
                yield ahead.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


class Run:
    """One training run in a folder: its vocabulary, checkpoint and log."""

    def __init__(
        self,
        preset: Preset,
        folder: Path,
        seed: int,
        device: str,
        threads: int = 1,
        eager: bool = False,
        bf16: bool = True,
    ) -> None:
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
        self.optimizers = make_optimizers(self.model, preset.rate, preset.weight_decay, preset.muon, threads)
        self.eager = eager
        self.native: Native | None = None
        self.engine = f"torch {torch.__version__} on {device}"
        if device == "cpu" and not eager:
            try:
                self.native = Native(self.model, threads, bf16)
                self.engine = f"native, {threads} thread(s), {'bf16' if self.native.bf16 else 'fp32'}"
            except NoNative as reason:
                self.engine += f", since the native step cannot be had: {reason}"
        self.decay: Decay | None = None
        self.step = 0
        self.seconds = 0.0

    @property
    def end(self) -> float:
        """The step at which the run is done."""
        if self.decay is not None:
            return self.decay.begin + self.decay.over
        return math.inf if self.preset.endless else self.preset.steps

    @property
    def checkpoint(self) -> Path:
        """All that is needed to go on."""
        return self.folder / "checkpoint.pt"

    def save(self) -> None:
        """Whole or not at all: a reader never sees half a file."""
        state = {
            "shape": self.model.shape.as_dict(),
            "model": self.model.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "step": self.step,
            "seconds": self.seconds,
            "seed": self.seed,
            "steps": self.preset.steps,
            # Not the class, which the readers of the file would need under the same name.
            "decay": None if self.decay is None else tuple(self.decay),
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
            # A rate and a dropout may change on the way.
            or state["shape"] | {"dropout": 0} != self.model.shape.as_dict() | {"dropout": 0}
        ):
            raise SystemExit(
                f"{self.checkpoint} is of another run (seed, steps or shape differ). Choose another --out."
            )
        self.model.load_state_dict(state["model"])
        for optimizer, values in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(values)
        self.step, self.seconds = state["step"], state["seconds"]
        self.decay = None if state["decay"] is None else Decay(*state["decay"])

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
        compute = self._compute()
        watch = Watch(self.tokenizer)
        begun, saved, losses, tokens, learnt = time.monotonic(), time.monotonic(), [], 0, 0
        began_at = self.seconds
        source = batches(
            self.preset, self.folder / "vocabulary.json", self.seed, self.step, self.end, workers
        )
        try:
            for batch in source:
                losses.append(self._advance(compute, batch))
                tokens += int((batch.document > 0).sum())
                learnt += int(batch.learn.sum())
                self.step += 1
                now = time.monotonic()
                self.seconds = began_at + now - begun
                if self.step % LOG_EVERY == 0:
                    mean = float(torch.stack(losses).mean())
                    self.log(
                        step=self.step,
                        loss=round(mean, 4),
                        rate=f"{rate_of(self.preset, self.step, self.decay):.2e}",
                        tokens_per_second=round(tokens / (now - begun)),
                        learnt_per_second=round(learnt / (now - begun)),
                        seconds=round(self.seconds),
                    )
                    losses.clear()
                if self.step % self.preset.watch_every == 0 or self.step == self.end:
                    self.log(step=self.step, watch=watch.look(self.model))
                if stopping or now - begun > stop_after:
                    break
                if now - saved > save_every:
                    self.save()
                    saved = now
        finally:
            source.close()  # type: ignore[attr-defined]
        self.save()
        return self.step >= self.end

    def _compute(self) -> Callable[[Batch], torch.Tensor]:
        """What gives the loss of a batch and sets the gradients."""
        if self.native is not None:
            return self.native.step
        parts = PLAIN
        if self.device == "cuda" and hasattr(torch, "compile") and not self.eager:
            block, loss_of = (torch.compile(part, dynamic=False) for part in (Block.forward, read_out))
            parts = Parts(block, loss_of, sparse_mask)

        def compute(batch: Batch) -> torch.Tensor:
            tokens = torch.from_numpy(batch.tokens).long()
            targets = tokens[:, 1:].masked_fill(~torch.from_numpy(batch.learn[:, 1:]), -100)
            others = (
                torch.from_numpy(part[:, :-1]) for part in (batch.document, batch.prefix, batch.position)
            )
            given = [
                part.to(self.device, non_blocking=True).contiguous()
                for part in (tokens[:, :-1], targets, *others)
            ]
            with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
                loss = self.model.loss(*given, parts=parts)
            loss.backward()
            return loss.detach()

        return compute

    def _advance(self, compute: Callable[[Batch], torch.Tensor], batch: Batch) -> torch.Tensor:
        # So that dropout, too, follows from the number of the step.
        torch.manual_seed(self.seed * 1_000_003 + self.step)
        loss = compute(batch)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        rate = rate_of(self.preset, self.step, self.decay)
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        return loss


def begin_decay(folder: Path, over: int) -> Path:
    """The folder of a way down of so many steps: one that is under way, or a new one from the plateau's checkpoint.

    The plateau's own files stay as they are: it can go on, and another way down can be begun from it later.
    """
    for under_way in sorted(folder.glob(f"decay-*-over-{over}")):
        state = torch.load(under_way / "checkpoint.pt", map_location="cpu")
        if state["step"] < Decay(*state["decay"]).begin + over:
            return under_way
    plateau = folder / "checkpoint.pt"
    if not plateau.exists():
        raise SystemExit(f"{plateau} is not there: train without --decay-over first.")
    state = torch.load(plateau, map_location="cpu")
    state["decay"] = (state["step"], over)
    begun = folder / f"decay-{state['step']}-over-{over}"
    begun.mkdir(exist_ok=True)
    shutil.copyfile(folder / "vocabulary.json", begun / "vocabulary.json")
    half = begun / "checkpoint.part"
    torch.save(state, half)
    half.replace(begun / "checkpoint.pt")
    return begun


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains Ember.")
    parser.add_argument("--preset", choices=PRESETS, default="full")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, help="instead of the preset's; must stay the same when resumed")
    parser.add_argument(
        "--decay-over",
        type=int,
        metavar="STEPS",
        help="let the rate of an endless run fall to nothing, in a folder below --out; the plateau is kept",
    )
    parser.add_argument("--stop-after", type=float, default=math.inf, metavar="SECONDS")
    parser.add_argument("--save-every", type=float, default=60, metavar="SECONDS")
    parser.add_argument(
        "--workers",
        type=int,
        default=max(1, (os.cpu_count() or 2) - 1),
        help="processes that make data; 0: none",
    )
    parser.add_argument("--threads", type=int, help="of torch on the CPU")
    parser.add_argument(
        "--rate", type=float, help="of the plateau, instead of the preset's; may change on the way"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fp32", action="store_true", help="on a processor: products in full, half as fast")
    parser.add_argument("--eager", action="store_true", help="torch as it is: neither compiled nor native")
    given = parser.parse_args()
    preset = PRESETS[given.preset]
    if given.steps:
        preset = replace(preset, steps=given.steps)
    if given.rate:
        preset = replace(preset, rate=given.rate, lower=None)
    if given.decay_over and not preset.endless:
        parser.error(f"--preset {given.preset} has its own decay")
    if given.decay_over:
        given.out = begin_decay(given.out, given.decay_over)
    if given.threads:
        torch.set_num_threads(given.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        torch.set_float32_matmul_precision("high")
    # The optimizers' sums of squares get that small; the native step sees to itself.
    torch.set_flush_denormal(True)
    run = Run(preset, given.out, given.seed, device, given.threads or 1, given.eager, not given.fp32)
    run.resume()
    run.log(
        begin=run.step,
        steps=None if math.isinf(run.end) else run.end,
        parameters=run.model.size(),
        engine=run.engine,
    )
    done = run.train(given.stop_after, given.save_every, given.workers)
    run.log(end=run.step, done=done)


if __name__ == "__main__":
    main()
