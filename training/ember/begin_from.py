"""Begins a run from a file that shipped, where its checkpoint is gone: weights and vocabulary as the file has them.

usage: python3 -m ember.begin_from EMBER.gguf FOLDER --preset cpu --step N

The optimizers begin anew: the file holds no more than the weights, each rounded to one of 255 steps in its block of 32.
A preset may have more layers than the file: the model grows, and begins by saying exactly what the file's says.
"""

import argparse
import json
import struct
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import torch

from .gguf import ALIGNMENT, ARRAY, BLOCK, F16, F32, Q8_0, STRING
from .model import Model
from .tokenizer import Tokenizer
from .train import PRESETS, Run

SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
"""The format's types of values, as `struct` writes them."""


class GgufReader:
    """Reads what `gguf.py` wrote, once through, from the start."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        magic, version, tensors, entries = struct.unpack("<4sIQQ", file.read(24))
        if magic != b"GGUF" or version != 3:
            raise ValueError(f"{file.name} is no GGUF file of version 3")
        self.metadata = {self._string(): self._value(self._number("<I")) for _ in range(entries)}
        heads = [self._head() for _ in range(tensors)]
        begin = -(-file.tell() // ALIGNMENT) * ALIGNMENT
        self.tensors = {name: self._tensor(shape, kind, begin + at) for name, shape, kind, at in heads}
        """By llama.cpp's names, fp32, [rows, columns]."""

    def _number(self, form: str) -> Any:
        return struct.unpack(form, self.file.read(struct.calcsize(form)))[0]

    def _string(self) -> str:
        return self.file.read(self._number("<Q")).decode("utf8")

    def _value(self, kind: int) -> Any:
        if kind == STRING:
            return self._string()
        if kind == ARRAY:
            of, count = self._number("<I"), self._number("<Q")
            return [self._value(of) for _ in range(count)]
        return self._number(SCALARS[kind])

    def _head(self) -> tuple[str, tuple[int, ...], int, int]:
        name = self._string()
        sizes = [self._number("<Q") for _ in range(self._number("<I"))]
        return name, tuple(reversed(sizes)), self._number("<I"), self._number("<Q")

    def _tensor(self, shape: tuple[int, ...], kind: int, at: int) -> np.ndarray:
        count = int(np.prod(shape))
        self.file.seek(at)
        if kind == Q8_0:
            blocks = np.fromfile(self.file, [("scale", "<f2"), ("numbers", "i1", BLOCK)], count // BLOCK)
            return (blocks["numbers"] * blocks["scale"].astype(np.float32)[:, None]).reshape(shape)
        if kind not in (F32, F16):
            raise ValueError(f"Tensors of type {kind} are not read; only F32, F16 and Q8_0")
        return np.fromfile(self.file, "<f4" if kind == F32 else "<f2", count).astype(np.float32).reshape(shape)


def tokenizer_of(metadata: dict[str, Any]) -> Tokenizer:
    """The vocabulary. Merges are the tokens with a score below 0, at the end."""
    scores = metadata["tokenizer.ggml.scores"]
    return Tokenizer(metadata["tokenizer.ggml.tokens"], next(at for at, score in enumerate(scores) if score < 0))


def layers_from(had: int, wanted: int) -> list[tuple[int, bool]]:
    """For each layer of a model of `wanted` layers, the one of `had` that it begins as, and whether it is new.

    New ones stand at even distances, each after the one it copies (block expansion: Wu et al., "LLaMA Pro", 2024).
    """
    if not had <= wanted <= 2 * had:
        raise ValueError(f"A model of {had} layers grows to {2 * had} at most, and not to {wanted}")
    copied = {round((at + 1) * had / (wanted - had)) - 1 for at in range(wanted - had)}
    return [(layer, new) for layer in range(had) for new in ((False, True) if layer in copied else (False,))]


def load_into(model: Model, tensors: dict[str, np.ndarray]) -> None:
    """The inverse of `gguf.tensors_of`. A file of another shape is refused, but for fewer layers.

    A new layer's two outputs are zero, so it adds nothing until it has learnt something.
    """
    state = {
        "embedding.weight": tensors["token_embd.weight"],
        "norm.weight": tensors["output_norm.weight"],
    }
    had = sum(name.endswith("attn_output.weight") for name in tensors)
    for layer, (copied, new) in enumerate(layers_from(had, model.shape.layers)):
        source, target = f"blk.{copied}.", f"blocks.{layer}."
        attention = [tensors[f"{source}attn_{part}.weight"] for part in "qkv"]
        adds = 0 if new else 1
        state |= {
            target + "attention_norm.weight": tensors[source + "attn_norm.weight"],
            target + "query_key_value.weight": np.concatenate(attention),
            target + "output.weight": tensors[source + "attn_output.weight"] * adds,
            target + "feed_norm.weight": tensors[source + "ffn_norm.weight"],
            target + "gate_up.weight": np.concatenate(
                [tensors[source + "ffn_gate.weight"], tensors[source + "ffn_up.weight"]]
            ),
            target + "down.weight": tensors[source + "ffn_down.weight"] * adds,
        }
    model.load_state_dict({name: torch.from_numpy(weights) for name, weights in state.items()})


def begin(shipped: Path, folder: Path, preset: str, step: int) -> None:
    """Writes the folder's vocabulary and checkpoint, unless a run is there already."""
    if (folder / "checkpoint.pt").exists():
        raise SystemExit(f"{folder} has a checkpoint already: go on from that, or choose another folder.")
    with shipped.open("rb") as file:
        read = GgufReader(file)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer_of(read.metadata).save(folder / "vocabulary.json")
    run = Run(PRESETS[preset], folder, seed=1, device="cpu")
    load_into(run.model, read.tensors)
    run.step = step
    run.save()


def main() -> None:
    parser = argparse.ArgumentParser(description="Begins a run from a file that shipped.")
    parser.add_argument("shipped", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--preset", choices=PRESETS, default="cpu")
    parser.add_argument("--step", type=int, required=True, help="how many the file's weights have behind them")
    given = parser.parse_args()
    begin(given.shipped, given.folder, given.preset, given.step)
    print(json.dumps({"begun": str(given.folder), "step": given.step}))


if __name__ == "__main__":
    main()
