"""From nothing to the model of the app: check, vocabulary, training, evaluation, export. Resumes what was begun.

usage: python3 training/make.py [--preset full|cpu|smoke] [--steps N] [--stop-after SECONDS] [--decay-over STEPS] [--target FILE]
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TARGET = HERE.parent / "public" / "models" / "ember.gguf"


def run(module: str, *arguments: object) -> None:
    """Runs one step; a failed one ends everything with its own message."""
    command = [sys.executable, "-m", f"ember.{module}", *map(str, arguments)]
    # OpenBLAS' idle threads would else spin on the cores that make the data.
    environment = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE"}
    finished = subprocess.run(command, cwd=HERE, env=environment, check=False)
    if finished.returncode:
        sys.exit(f"{module} failed.")


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes Ember.")
    parser.add_argument("--preset", default="full", choices=["full", "cpu", "smoke"])
    parser.add_argument("--steps", type=int, help="instead of the preset's")
    parser.add_argument("--stop-after", type=float, help="seconds of training, to go on another time")
    parser.add_argument(
        "--decay-over",
        type=int,
        metavar="STEPS",
        help="not for smoke: after the plateau, let the rate fall over so many steps",
    )
    parser.add_argument("--workers", type=int, help="processes that make data")
    parser.add_argument("--threads", type=int, help="of torch on the CPU")
    parser.add_argument(
        "--target",
        type=Path,
        default=TARGET,
        help="where the model goes; nowhere else is written outside training/build",
    )
    given = parser.parse_args()
    if given.preset != "smoke" and not given.stop_after:
        parser.error(f"the {given.preset} preset goes on until it is stopped: say --stop-after SECONDS")

    folder = HERE / "build" / given.preset
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary, checkpoint = folder / "vocabulary.json", folder / "checkpoint.pt"

    run("check")
    if not vocabulary.exists():
        run("vocabulary", vocabulary)
    options = {"--steps": given.steps, "--workers": given.workers, "--threads": given.threads}
    train = ["train", "--preset", given.preset, "--out", folder]
    train += [part for name, value in options.items() if value is not None for part in (name, value)]
    run(*train, *(["--stop-after", given.stop_after] if given.stop_after else []))
    if given.decay_over:
        run(*train, "--decay-over", given.decay_over)
        checkpoint = max(folder.glob("decay-*/checkpoint.pt"), key=lambda path: path.stat().st_mtime)
    run(
        "evaluate",
        checkpoint,
        "--report",
        folder / "evaluation.md",
        "--references",
        folder / "references.json",
    )
    run("evaluate", checkpoint, "--quantised", "--report", folder / "evaluation-q8_0.md")
    run("gguf", checkpoint, folder / "ember-f16.gguf", "f16")
    given.target.parent.mkdir(parents=True, exist_ok=True)
    run("gguf", checkpoint, given.target.resolve(), "q8_0")


if __name__ == "__main__":
    main()
