"""Writes a checkpoint as GGUF for llama.cpp. usage: python3 -m ember.gguf CHECKPOINT OUT.gguf [q8_0|f16]"""

import struct
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .checkpoint import load_model
from .model import Model
from .tokenizer import CONTROL, FRAMES, Tokenizer

TEMPLATE = (
    "{%- for message in messages -%}<|{{ message.role }}|>{{ message.content }}<|end|>{%- endfor -%}"
    "{%- if add_generation_prompt -%}<|assistant|>{%- endif -%}"
)
ALIGNMENT = 32
BLOCK = 32
"""Numbers that share a scale in Q8_0."""

# Types of values and of tensors, as the format numbers them.
UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
F32, F16, Q8_0 = 0, 1, 8
FILE_TYPES = {"f16": 1, "q8_0": 7}
NORMAL, UNKNOWN, CONTROL_TOKEN, USER_DEFINED, BYTE = 1, 2, 3, 4, 6


def _string(text: str) -> bytes:
    data = text.encode("utf8")
    return struct.pack("<Q", len(data)) + data


def _value(kind: int, value: Any) -> bytes:
    match kind:
        case 4:
            return struct.pack("<I", value)
        case 5:
            return struct.pack("<i", value)
        case 6:
            return struct.pack("<f", value)
        case 7:
            return struct.pack("<?", value)
        case 8:
            return _string(value)
        case 9:
            of, items = value
            return struct.pack("<IQ", of, len(items)) + b"".join(_value(of, item) for item in items)
    raise ValueError(kind)


def quantise(weights: np.ndarray) -> bytes:
    """Q8_0: blocks of 32 numbers, one half-precision scale and 32 signed bytes. Rows are multiples of 32."""
    blocks = weights.astype(np.float32).reshape(-1, BLOCK)
    scale = np.abs(blocks).max(1) / 127.0
    whole = np.round(blocks / np.where(scale > 0, scale, 1)[:, None]).astype(np.int8)
    packed = np.empty(len(blocks), dtype=[("scale", "<f2"), ("numbers", "i1", BLOCK)])
    packed["scale"], packed["numbers"] = scale.astype(np.float16), whole
    return packed.tobytes()


def as_stored(weights: np.ndarray) -> np.ndarray:
    """The numbers that a Q8_0 file holds in place of the given ones."""
    blocks = np.frombuffer(quantise(weights), dtype=[("scale", "<f2"), ("numbers", "i1", BLOCK)])
    numbers = blocks["numbers"].astype(np.float32) * blocks["scale"].astype(np.float32)[:, None]
    return numbers.reshape(weights.shape)


def tensors_of(model: Model) -> list[tuple[str, np.ndarray]]:
    """By llama.cpp's names. The output layer is the embedding, so it is not there twice."""
    state = {name: weight.float().numpy() for name, weight in model.state_dict().items()}
    tensors = [("token_embd.weight", state["embedding.weight"]), ("output_norm.weight", state["norm.weight"])]
    for layer in range(model.shape.layers):
        source, target = f"blocks.{layer}.", f"blk.{layer}."
        query, key, value = np.split(state[source + "query_key_value.weight"], 3, 0)
        gate, up = np.split(state[source + "gate_up.weight"], 2, 0)
        tensors += [
            (target + "attn_norm.weight", state[source + "attention_norm.weight"]),
            (target + "attn_q.weight", query),
            (target + "attn_k.weight", key),
            (target + "attn_v.weight", value),
            (target + "attn_output.weight", state[source + "output.weight"]),
            (target + "ffn_norm.weight", state[source + "feed_norm.weight"]),
            (target + "ffn_gate.weight", gate),
            (target + "ffn_up.weight", up),
            (target + "ffn_down.weight", state[source + "down.weight"]),
        ]
    return tensors


def metadata_of(model: Model, tokenizer: Tokenizer, kind: str) -> list[tuple[str, int, Any]]:
    """Key, type and value of all that is no tensor."""
    shape, count = model.shape, len(tokenizer.tokens)
    frames = len(CONTROL) + len(FRAMES)
    kinds = [
        UNKNOWN
        if index == 0
        else CONTROL_TOKEN
        if index < len(CONTROL)
        else USER_DEFINED
        if index < frames
        else BYTE
        if index < tokenizer.first_text
        else NORMAL
        for index in range(count)
    ]
    # Earlier merges score higher: that is their order.
    scores = [
        0.0 if index < tokenizer.first_merge else -float(index - tokenizer.first_merge) - 1
        for index in range(count)
    ]
    return [
        ("general.architecture", STRING, "llama"),
        ("general.name", STRING, "Ember"),
        ("general.license", STRING, "apache-2.0"),
        ("general.file_type", UINT32, FILE_TYPES[kind]),
        ("llama.context_length", UINT32, shape.context),
        ("llama.embedding_length", UINT32, shape.width),
        ("llama.block_count", UINT32, shape.layers),
        ("llama.feed_forward_length", UINT32, shape.feed_forward),
        ("llama.attention.head_count", UINT32, shape.heads),
        ("llama.attention.head_count_kv", UINT32, shape.heads),
        ("llama.attention.layer_norm_rms_epsilon", FLOAT32, shape.epsilon),
        ("llama.rope.dimension_count", UINT32, shape.width // shape.heads),
        ("llama.rope.freq_base", FLOAT32, shape.theta),
        ("llama.vocab_size", UINT32, count),
        ("tokenizer.ggml.model", STRING, "llama"),
        ("tokenizer.ggml.tokens", ARRAY, (STRING, tokenizer.tokens)),
        ("tokenizer.ggml.scores", ARRAY, (FLOAT32, scores)),
        ("tokenizer.ggml.token_type", ARRAY, (INT32, kinds)),
        ("tokenizer.ggml.bos_token_id", UINT32, tokenizer.ids["<s>"]),
        ("tokenizer.ggml.eos_token_id", UINT32, tokenizer.end),
        ("tokenizer.ggml.unknown_token_id", UINT32, 0),
        ("tokenizer.ggml.padding_token_id", UINT32, tokenizer.pad),
        ("tokenizer.ggml.add_bos_token", BOOL, False),
        ("tokenizer.ggml.add_eos_token", BOOL, False),
        ("tokenizer.ggml.add_space_prefix", BOOL, False),
        ("tokenizer.chat_template", STRING, TEMPLATE),
    ]


def write(model: Model, tokenizer: Tokenizer, file: BinaryIO, kind: str) -> int:
    """Writes the whole file; bytes written."""
    tensors, metadata = tensors_of(model), metadata_of(model, tokenizer, kind)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    head += b"".join(_string(key) + struct.pack("<I", of) + _value(of, value) for key, of, value in metadata)
    bodies: list[bytes] = []
    offset = 0
    for name, weights in tensors:
        of = F32 if weights.ndim == 1 else Q8_0 if kind == "q8_0" else F16
        body = (
            weights.astype("<f4").tobytes()
            if of == F32
            else quantise(weights)
            if of == Q8_0
            else weights.astype("<f2").tobytes()
        )
        sizes = b"".join(struct.pack("<Q", size) for size in reversed(weights.shape))
        head += _string(name) + struct.pack("<I", weights.ndim) + sizes + struct.pack("<IQ", of, offset)
        body += b"\0" * (-len(body) % ALIGNMENT)
        bodies.append(body)
        offset += len(body)
    head += b"\0" * (-len(head) % ALIGNMENT)
    for part in (head, *bodies):
        file.write(part)
    return len(head) + offset


def main(checkpoint: Path, out: Path, kind: str = "q8_0") -> None:
    """Whole or not at all."""
    model, tokenizer = load_model(checkpoint)
    half = out.with_suffix(".part")
    with half.open("wb") as file:
        size = write(model, tokenizer, file, kind)
    half.replace(out)
    print(f"{out}: {size} bytes, {model.size()} parameters, {kind}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:4])
