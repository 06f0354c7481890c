"""How weights follow their gradients: Muon for the matrices inside the blocks, AdamW for all else."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from torch import Tensor

from .model import Model

QUINTICS = (
    (8.28721201814563, -23.595886519098837, 17.300387312530933),
    (4.107059111542203, -2.9478499167379106, 0.5448431082926601),
    (3.9486908534822946, -2.908902115962949, 0.5518191394370137),
    (3.3184196573706015, -2.488488024314874, 0.51004894012372),
)
"""Of Polar Express (Amsel et al., 2025). Four rounds come as near to 1 as five of Muon's own, at a fifth less."""


def orthogonal(matrix: Tensor) -> Tensor:
    """About the nearest matrices whose singular values are all 1; [matrices, rows, columns]."""
    x = matrix.bfloat16() if matrix.is_cuda else matrix
    tall = x.shape[-2] > x.shape[-1]
    if tall:
        x = x.transpose(-1, -2)
    x = x / (x.norm(dim=(-2, -1), keepdim=True) * 1.01 + 1e-7)
    for a, b, c in QUINTICS:
        square = x @ x.transpose(-1, -2)
        x = torch.baddbmm(x, torch.baddbmm(square, square, square, beta=b, alpha=c), x, beta=a)
    return (x.transpose(-1, -2) if tall else x).to(matrix.dtype)


class Muon(torch.optim.Optimizer):
    """Steps along the orthogonalised momentum, as large as AdamW's are, so both share a rate.

    A group's `parts` says of how many matrices, one below another, each of its weights is made. Weights are shared out
    among `threads`.
    """

    def __init__(
        self, groups: list[dict[str, Any]], lr: float, momentum: float = 0.95, threads: int = 1
    ) -> None:
        super().__init__(groups, {"lr": lr, "momentum": momentum, "weight_decay": 0.0, "parts": 1})
        # Each thread has its own switch for numbers below the smallest normal one.
        self.pool = ThreadPoolExecutor(threads, initializer=torch.set_flush_denormal, initargs=(True,))

    def step(self, closure: Callable[[], float] | None = None) -> None:
        """One step with the gradients at hand."""
        alike: dict[Any, list[tuple[dict[str, Any], Tensor]]] = {}
        for group in self.param_groups:
            for weight in group["params"]:
                # A GPU would spend the step on starting small products: there, all layers' alike are one product.
                key = (weight.shape, group["parts"]) if weight.is_cuda else id(weight)
                alike.setdefault(key, []).append((group, weight))
        for _ in self.pool.map(self._advance, alike.values()):
            pass

    @torch.no_grad()
    def _advance(self, together: list[tuple[dict[str, Any], Tensor]]) -> None:
        """Weights of one shape, whose groups have the same settings."""
        weights = [weight for _, weight in together if weight.grad is not None]
        if not weights:
            return
        group = together[0][0]
        momenta = []
        for weight in weights:
            state = self.state[weight]
            if not state:
                state["momentum"] = torch.zeros_like(weight)
            momenta.append(state["momentum"])
        gradients = torch.stack([weight.grad for weight in weights])
        momentum = torch.stack(momenta).lerp_(gradients, 1 - group["momentum"])
        ahead = gradients.lerp(momentum, group["momentum"])
        matrices = ahead.view(len(weights) * group["parts"], -1, weights[0].shape[1])
        update = orthogonal(matrices) * (0.2 * max(matrices.shape[1:]) ** 0.5)
        for weight, kept, moved, step in zip(weights, momenta, momentum, update.reshape(ahead.shape)):
            kept.copy_(moved)
            weight.mul_(1 - group["lr"] * group["weight_decay"])
            weight.add_(step, alpha=-group["lr"])


def make_optimizers(
    model: Model, rate: float, decay: float, muon: bool, threads: int = 1
) -> list[torch.optim.Optimizer]:
    """One or two, whose groups want their `lr` set before each step."""
    named = list(model.named_parameters())
    inner = [(name, weight) for name, weight in named if weight.dim() == 2 and name.startswith("blocks")]
    others = [weight for name, weight in named if weight.dim() < 2 or not name.startswith("blocks")]
    groups = [{"params": others, "weight_decay": 0.0}]
    if not muon:
        groups.append({"params": [weight for _, weight in inner], "weight_decay": decay})
    options: dict[str, Any] = {"fused": True} if others[0].is_cuda else {}
    adam = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.97), eps=1e-8, **options)
    if not muon:
        return [adam]
    # Each head by itself: that is what a head is, and it costs a fifth.
    parts = {"query_key_value": 3 * model.shape.heads, "gate_up": 2}
    return [
        adam,
        Muon(
            [
                {"params": [weight], "weight_decay": decay, "parts": parts.get(name.split(".")[-2], 1)}
                for name, weight in inner
            ],
            lr=rate,
            threads=threads,
        ),
    ]
