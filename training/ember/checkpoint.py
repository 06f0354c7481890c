"""Reads what the trainer wrote."""

from pathlib import Path

import torch

from .model import Model, Shape
from .tokenizer import Tokenizer


def load_model(checkpoint: Path) -> tuple[Model, Tokenizer]:
    """With the vocabulary beside it."""
    state = torch.load(checkpoint, map_location="cpu")
    model = Model(Shape(**state["shape"]))
    model.load_state_dict(state["model"])
    return model.eval(), Tokenizer.load(checkpoint.parent / "vocabulary.json")
