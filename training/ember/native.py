"""The native step on the CPU: builds native_step/, hands it torch's memory and BLAS's product, and gets a loss and gradients.

On one core it is several times as fast as torch's many small kernels. Where there is no compiler, or neither BLAS nor a
processor that multiplies bf16, torch does.
"""

import ctypes
import hashlib
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch

from .model import Model
from .packing import Batch

SOURCE = Path(__file__).with_name("native_step")
BUILD = Path(__file__).parent.parent / "build"
FLAGS = [
    *("-std=c11", "-O3", "-march=native", "-mprefer-vector-width=512", "-shared", "-fPIC"),
    # What lets sums and maxima become vector code, short of -ffast-math, which would change the whole process.
    *("-fno-math-errno", "-fno-trapping-math", "-fno-signed-zeros", "-fassociative-math"),
    *("-freciprocal-math", "-ffinite-math-only"),
]
BLAS = ["libopenblas.so.0", "libblas.so.3"]


class NoNative(Exception):
    """Why the native step cannot be had here."""


def build() -> Path:
    """The shared library, compiled for this very processor unless it is there already."""
    machine = next(
        (line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("flags")), ""
    )
    parts = sorted(SOURCE.glob("*.c"))
    text = "".join(part.read_text(encoding="utf8") for part in [SOURCE / "step.h", *parts])
    mark = hashlib.sha256("\n".join([text, *FLAGS, machine]).encode()).hexdigest()[:16]
    library = BUILD / f"native-{mark}.so"
    if not library.exists():
        BUILD.mkdir(exist_ok=True)
        half = library.with_suffix(".part")
        try:
            subprocess.run(
                ["gcc", *FLAGS, "-o", str(half), *map(str, parts), "-lm"],
                check=True,
                capture_output=True,
                text=True,
            )
        except FileNotFoundError as error:
            raise NoNative("gcc is not installed") from error
        except subprocess.CalledProcessError as error:
            raise NoNative(f"gcc: {error.stderr.strip()}") from error
        half.replace(library)
    return library


def matrix_product() -> tuple[ctypes.CDLL, ctypes.c_void_p]:
    """The library and its `cblas_sgemm`, which is to use the calling thread only: other threads do other rows."""
    for name in BLAS:
        try:
            library = ctypes.CDLL(name)
            product = ctypes.cast(library.cblas_sgemm, ctypes.c_void_p)
        except (OSError, AttributeError):
            continue
        if hasattr(library, "openblas_set_num_threads"):
            library.openblas_set_num_threads(1)
        return library, product
    raise NoNative(f"none of {', '.join(BLAS)} is installed")


def segments_of(document: np.ndarray, prefix: np.ndarray) -> np.ndarray:
    """[segments, 4] of a row without padding: where each document starts, its length, where its prefix starts, its length."""
    starts = np.flatnonzero(np.diff(document, prepend=0))
    lengths = np.diff(starts, append=len(document))
    place = {int(document[start]): (start, length) for start, length in zip(starts, lengths)}
    rows = [
        (start, length, *(place[int(prefix[start])] if prefix[start] else (start, 0)))
        for start, length in zip(starts, lengths)
    ]
    return np.array(rows, dtype=np.int32).reshape(-1, 4)


class Native:
    """Computes for one model. Its gradients are those of the model's parameters."""

    def __init__(self, model: Model, threads: int = 1, bf16: bool = True) -> None:
        library = ctypes.CDLL(str(build()))
        self.bf16 = bf16 and bool(library.ember_has_bf16())
        """Whether products take their numbers as bf16 (and sum in fp32)."""
        self.blas, product = (None, None) if self.bf16 else matrix_product()
        library.ember_open.restype = ctypes.c_void_p
        library.ember_step.restype = ctypes.c_double
        self.library = library
        self.weights = [model.embedding.weight, model.norm.weight]
        for block in model.blocks:
            self.weights += [
                block.attention_norm.weight,
                block.query_key_value.weight,
                block.output.weight,
                block.feed_norm.weight,
                block.gate_up.weight,
                block.down.weight,
            ]
        self.dropout = model.shape.dropout
        shape = model.shape
        # Held here: the library keeps their addresses.
        self.turns = (model.cos.contiguous(), model.sin.contiguous())
        sizes = (shape.vocabulary, shape.width, shape.layers, shape.heads, shape.feed_forward, shape.context)
        self.engines = [
            library.ember_open(
                (ctypes.c_int * 6)(*sizes),
                ctypes.c_float(shape.epsilon),
                *(ctypes.c_void_p(table.data_ptr()) for table in self.turns),
                product,
            )
            for _ in range(threads)
        ]
        self.gradients = [[torch.zeros_like(weight) for weight in self.weights] for _ in range(threads)]
        self.pool = ThreadPoolExecutor(threads)

    def step(self, batch: Batch) -> torch.Tensor:
        """The mean loss of a batch; `grad` of each parameter is set. The same for the same number of threads.

        Dropout follows from torch's random state.
        """
        seeds = (
            torch.randint(1 << 31, (len(self.engines),)).tolist() if self.dropout else [0] * len(self.engines)
        )
        learnt = int(batch.learn[:, 1:].sum())
        rows = len(batch.tokens)
        share = [list(range(rows))[number :: len(self.engines)] for number in range(len(self.engines))]
        losses = list(
            self.pool.map(
                lambda number: self._part(number, batch, share[number], learnt, seeds[number]),
                range(len(share)),
            )
        )
        for number, weight in enumerate(self.weights):
            weight.grad = self.gradients[0][number]
            for others in self.gradients[1:]:
                weight.grad += others[number]
        return torch.tensor(sum(losses) / learnt)

    def _part(self, thread: int, batch: Batch, rows: list[int], learnt: int, seed: int) -> float:
        """Some rows of a batch on one thread; the sum of their losses."""
        gradients = self.gradients[thread]
        for gradient in gradients:
            gradient.zero_()
        tokens, targets, positions, segments = flatten(batch, rows)
        addresses = ctypes.c_void_p * len(self.weights)
        loss = self.library.ember_step(
            ctypes.c_void_p(self.engines[thread]),
            addresses(*(weight.data_ptr() for weight in self.weights)),
            addresses(*(gradient.data_ptr() for gradient in gradients)),
            ctypes.c_int(len(tokens)),
            *(ctypes.c_void_p(part.ctypes.data) for part in (tokens, targets, positions)),
            ctypes.c_int(len(segments)),
            ctypes.c_void_p(segments.ctypes.data),
            ctypes.c_float(1.0 / learnt),
            ctypes.c_float(self.dropout),
            ctypes.c_uint(seed),
        )
        if loss < 0:
            raise MemoryError("No memory for the native step: use smaller rows.")
        return float(loss)


def flatten(batch: Batch, rows: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows one behind another without padding: tokens, targets (-1: not learnt), positions, segments."""
    tokens, targets, positions, segments = [], [], [], []
    begun = 0
    for row in rows:
        real = batch.document[row, :-1] > 0
        tokens.append(batch.tokens[row, :-1][real])
        targets.append(np.where(batch.learn[row, 1:], batch.tokens[row, 1:], -1)[real])
        positions.append(batch.position[row, :-1][real])
        found = segments_of(batch.document[row, :-1][real], batch.prefix[row, :-1][real])
        found[:, [0, 2]] += begun
        segments.append(found)
        begun += int(real.sum())
    return tuple(  # type: ignore[return-value]
        np.ascontiguousarray(np.concatenate(parts), dtype=np.int32)
        for parts in (tokens, targets, positions, segments)
    )
