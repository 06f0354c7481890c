"""A small decoder of the Llama architecture in plain torch, so that llama.cpp runs its weights as they are."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class Shape:
    """`width` and `feed_forward` are multiples of 32, so that Q8_0 fits."""

    vocabulary: int
    width: int
    layers: int
    heads: int
    feed_forward: int
    context: int = 2048
    theta: float = 10000.0
    epsilon: float = 1e-5
    dropout: float = 0.0
    """Of what a block adds, while training."""

    def as_dict(self) -> dict[str, Any]:
        """For a checkpoint."""
        return asdict(self)


class Norm(nn.Module):
    """Root mean square, in fp32."""

    def __init__(self, width: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        wide = x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.epsilon) * self.weight).type_as(
            x
        )


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary positions on neighbouring pairs, as llama.cpp does for this architecture. x is [batch, heads, time, size]."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2).type_as(x)


Mask = Any
"""A tensor that is true where a position may look, a `BlockMask` that skips what none looks at, or None: all of it."""


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Mask) -> Tensor:
    """Fused where torch has it (2.0 and later)."""
    if mask is not None and not isinstance(mask, Tensor):
        from torch.nn.attention.flex_attention import flex_attention

        return flex_attention(query, key, value, block_mask=mask)
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    scores = query @ key.transpose(-1, -2) * (1.0 / math.sqrt(query.shape[-1]))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores.float(), -1).type_as(value) @ value


Cache = list[tuple[Tensor, Tensor] | None]


class Block(nn.Module):
    """Attention, then a gated feed-forward."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.dropout = nn.Dropout(shape.dropout)
        self.attention_norm = Norm(shape.width, shape.epsilon)
        self.feed_norm = Norm(shape.width, shape.epsilon)
        self.query_key_value = nn.Linear(shape.width, 3 * shape.width, bias=False)
        self.output = nn.Linear(shape.width, shape.width, bias=False)
        self.gate_up = nn.Linear(shape.width, 2 * shape.feed_forward, bias=False)
        self.down = nn.Linear(shape.feed_forward, shape.width, bias=False)

    def forward(
        self, x: Tensor, cos: Tensor, sin: Tensor, mask: Mask, cache: Cache | None, layer: int
    ) -> Tensor:
        batch, time, width = x.shape
        parts = self.query_key_value(self.attention_norm(x)).view(
            batch, time, 3, self.heads, width // self.heads
        )
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        query, key = rotate(query, cos, sin), rotate(key, cos, sin)
        if cache is not None:
            before = cache[layer]
            if before is not None:
                key, value = torch.cat((before[0], key), 2), torch.cat((before[1], value), 2)
            cache[layer] = (key, value)
        seen = attend(query, key, value, mask)
        x = x + self.output(self.dropout(seen.transpose(1, 2).reshape(batch, time, width)))
        gate, up = self.gate_up(self.feed_norm(x)).chunk(2, -1)
        return x + self.down(self.dropout(F.silu(gate) * up))


def read_out(states: Tensor, embedding: Tensor, targets: Tensor) -> Tensor:
    """Mean cross entropy of what follows each state, where `targets` is not -100."""
    logits = F.linear(states, embedding)
    return F.cross_entropy(logits.float(), targets, ignore_index=-100)


class Parts(NamedTuple):
    """What a step spends its time in, as it is or compiled. One block's code serves all of them."""

    block: Callable[..., Tensor]
    read_out: Callable[..., Tensor]
    mask: Callable[[Tensor, Tensor], Mask]


def dense_mask(document: Tensor, prefix: Tensor) -> Tensor:
    """[batch, 1, time, time]: a position sees what stands before it in its own document and in that one's prefix."""
    time = document.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool, device=document.device).tril()
    # Padding has document 0, as the absent prefix has: what real rows see is all before it.
    seen = (document[:, :, None] == document[:, None, :]) | (prefix[:, :, None] == document[:, None, :])
    return (causal & seen)[:, None]


def sparse_mask(document: Tensor, prefix: Tensor) -> Mask:
    """The same for a GPU: documents are short and rows long, so most blocks of a row's square are skipped."""
    from torch.nn.attention.flex_attention import create_block_mask

    def sees(batch: Tensor, _head: Tensor, at: Tensor, other: Tensor) -> Tensor:
        owner = document[batch, other]
        return (at >= other) & ((document[batch, at] == owner) | (prefix[batch, at] == owner))

    rows, time = document.shape
    return torch.compile(create_block_mask)(sees, rows, None, time, time, device=document.device)


PLAIN = Parts(Block.forward, read_out, dense_mask)


class Model(nn.Module):
    """Tied embeddings; [batch, time] token ids in, hidden states or logits out."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList([Block(shape) for _ in range(shape.layers)])
        self.norm = Norm(shape.width, shape.epsilon)
        size = shape.width // shape.heads
        angles = torch.outer(
            torch.arange(shape.context).float(), shape.theta ** -(torch.arange(0, size, 2).float() / size)
        )
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)
        self._start()

    def _start(self) -> None:
        for name, weight in self.named_parameters():
            if weight.dim() < 2:
                continue
            deviation = 0.02 if name.startswith("embedding") else 0.7 / math.sqrt(weight.shape[1])
            if name.endswith(("output.weight", "down.weight")):
                deviation /= math.sqrt(2 * self.shape.layers)
            nn.init.normal_(weight, std=deviation)

    def hidden(
        self,
        ids: Tensor,
        mask: Mask,
        cache: Cache | None = None,
        start: int = 0,
        position: Tensor | None = None,
        run_block: Callable[..., Tensor] = Block.forward,
    ) -> Tensor:
        """[batch, time, width]. `start` is the position of the first id, when a cache holds those before it; or
        `position`, [batch, time], says where each one stands."""
        x = self.embedding(ids)
        # A position of its own for each row is the same for all heads.
        at = slice(start, start + ids.shape[1]) if position is None else position[:, None]
        cos, sin = self.cos[at], self.sin[at]
        for layer, block in enumerate(self.blocks):
            # Without a cache the number of the layer is nothing to a block: compiled, it is the same code for all.
            x = run_block(block, x, cos, sin, mask, cache, 0 if cache is None else layer)
        return self.norm(x)

    def loss(
        self,
        ids: Tensor,
        targets: Tensor,
        document: Tensor,
        prefix: Tensor,
        position: Tensor,
        parts: Parts = PLAIN,
    ) -> Tensor:
        """Mean cross entropy where `targets` is not -100. All [batch, time], as packing.Batch holds them."""
        mask = parts.mask(document, prefix)
        states = self.hidden(ids, mask, position=position, run_block=parts.block).flatten(0, 1)
        wanted = targets.flatten()
        if not ids.is_cuda:
            # A third of the positions teach; the head over the others is wasted. A compiled graph wants fixed sizes.
            states, wanted = states[wanted >= 0], wanted[wanted >= 0]
        return parts.read_out(states, self.embedding.weight, wanted)

    @torch.no_grad()
    def greedy(self, prompts: list[list[int]], most: int, stop: int) -> list[list[int]]:
        """The likeliest continuation of each prompt, without the stop token.

        Shorter prompts are padded in front: rotary positions are relative, so where a text begins changes nothing.
        """
        device = self.embedding.weight.device
        longest = max(map(len, prompts))
        most = min(most, self.shape.context - longest)
        part = torch.tensor([[0] * (longest - len(prompt)) + prompt for prompt in prompts], device=device)
        starts = torch.tensor([longest - len(prompt) for prompt in prompts], device=device)
        places = torch.arange(longest + most, device=device)
        real = places >= starts[:, None]
        cache: Cache = [None] * self.shape.layers
        # Padding sees itself, or its softmax would be over nothing.
        itself = torch.eye(longest, dtype=torch.bool, device=device)
        causal = places[:longest, None] >= places[None, :longest]
        mask = ((causal & real[:, None, :longest]) | itself)[:, None]
        said: list[list[int]] = [[] for _ in prompts]
        going = [True] * len(prompts)
        begun = 0
        for _ in range(most):
            last = self.hidden(part, mask, cache, begun)[:, -1]
            begun += part.shape[1]
            tokens = F.linear(last, self.embedding.weight).argmax(-1)
            for row, token in enumerate(tokens.tolist()):
                going[row] = going[row] and token != stop
                if going[row]:
                    said[row].append(token)
            if not any(going):
                break
            part = tokens[:, None]
            mask = real[:, None, None, : begun + 1]
        return said

    def size(self) -> int:
        """Parameters."""
        return sum(weight.numel() for weight in self.parameters())
