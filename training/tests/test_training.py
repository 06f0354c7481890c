"""Resuming, generating and exporting, on a model of a few thousand weights. Skipped where torch is not installed."""

import contextlib
import ctypes
import io
import itertools
import struct
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    import numpy as np

    from ember.begin_from import begin, layers_from
    from ember.checkpoint import load_model
    from ember.dialect import Call, write_calls
    from ember.gguf import as_stored, quantise, write
    from ember.model import Model, Shape
    from ember.native import Native, NoNative, build, segments_of
    from ember.optimizers import make_optimizers, orthogonal
    from ember.packing import Packer, Recipe
    from ember.scoring import load_cases, run, same_call, score, table
    from ember.train import PRESETS, Decay, Preset, Run, begin_decay, rate_of, recipe_of

    from .test_data import tokenizer

    SHAPE = Shape(50, 32, 2, 2, 64, context=64)
    TINY = Preset(
        width=32, layers=2, heads=2, feed_forward=64, rows=2, length=256, steps=6, rate=1e-3, long_from=0.75
    )


@unittest.skipIf(torch is None, "torch is not installed")
class Training(unittest.TestCase):
    def train(self, folder: Path, stops: list[float], preset: "Preset") -> "Run":
        if not (folder / "vocabulary.json").exists():
            folder.mkdir(exist_ok=True)
            tokenizer().save(folder / "vocabulary.json")
        for stop_after in stops:
            made = Run(preset, folder, 3, "cpu")
            made.resume()
            with contextlib.redirect_stdout(io.StringIO()):
                made.train(stop_after, 1e9, workers=0)
        self.assertFalse((folder / "checkpoint.part").exists())
        return made

    def assert_same(self, one: "Run", other: "Run") -> None:
        self.assertEqual(one.step, other.step)
        for key, value in one.model.state_dict().items():
            self.assertTrue(torch.equal(value, other.model.state_dict()[key]), key)

    def test_a_run_that_was_stopped_ends_like_one_that_was_not(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            stopped = self.train(Path(name) / "a", [0.0, 0.0, 1e9], TINY)
            whole = self.train(Path(name) / "b", [1e9], TINY)
            self.assertEqual(whole.step, TINY.steps)
            self.assert_same(stopped, whole)

    def test_a_plateau_is_kept_when_a_decay_is_made_of_it(self) -> None:
        endless = replace(TINY, endless=True)
        with tempfile.TemporaryDirectory() as name:
            plateau = Path(name) / "run"
            self.train(plateau, [0.0, 0.0], endless)
            kept = (plateau / "checkpoint.pt").read_bytes()
            down = begin_decay(plateau, 4)
            stopped = self.train(down, [0.0], endless)
            self.assertEqual((stopped.step, stopped.end), (3, 6))
            self.assertEqual(begin_decay(plateau, 4), down, "goes on with the one under way")
            stopped = self.train(down, [1e9], endless)
            self.assertEqual((plateau / "checkpoint.pt").read_bytes(), kept)
            (down / "checkpoint.pt").unlink()
            down.rename(down.with_name("elsewhere"))
            self.assert_same(stopped, self.train(begin_decay(plateau, 4), [1e9], endless))
            self.train(plateau, [0.0], endless)
            self.assertEqual(begin_decay(plateau, 4).name, "decay-3-over-4", "a new one from further on")

    def test_a_checkpoint_of_another_run_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            tokenizer().save(Path(name) / "vocabulary.json")
            Run(TINY, Path(name), 3, "cpu").save()
            with self.assertRaisesRegex(SystemExit, "another run"):
                Run(TINY, Path(name), 4, "cpu").resume()
            # The same run all the same.
            Run(replace(TINY, rate=1.0, dropout=0.3), Path(name), 3, "cpu").resume()

    def test_the_rate_rises_stays_and_falls_and_drills_give_way(self) -> None:
        preset = replace(TINY, steps=10_000)
        self.assertLess(rate_of(preset, 0), rate_of(preset, 4000))
        self.assertLess(rate_of(preset, 9999), 0.02 * preset.rate)
        self.assertGreater(recipe_of(preset, 0).copy_share, recipe_of(preset, 9000).copy_share)
        self.assertEqual(recipe_of(preset, 9000).length, 512)
        endless = replace(preset, endless=True)
        self.assertEqual(rate_of(endless, 10**6), preset.rate)
        self.assertEqual(rate_of(endless, 500, Decay(500, 100)), preset.rate)
        self.assertLess(rate_of(endless, 599, Decay(500, 100)), 0.02 * preset.rate)
        lower = replace(endless, lower=(700, preset.rate / 3))
        self.assertEqual([rate_of(lower, step) for step in (699, 700)], [preset.rate, preset.rate / 3])


@unittest.skipIf(torch is None, "torch is not installed")
class Generating(unittest.TestCase):
    def test_neither_cache_nor_company_changes_a_reply(self) -> None:
        torch.manual_seed(0)
        model = Model(Shape(50, 32, 2, 2, 64, context=64)).eval()
        prompts = [[5, 9, 3, 7], [1, 2], [8, 8, 8, 4, 4, 1, 30]]
        for prompt, said in zip(prompts, model.greedy(prompts, 8, stop=-1)):
            self.assertEqual(len(said), 8)
            for count in range(len(said)):
                ids = torch.tensor([prompt + said[:count]])
                time = ids.shape[1]
                mask = torch.ones(time, time, dtype=torch.bool).tril()
                states = model.hidden(ids, mask)[0, -1]
                self.assertEqual(int((states @ model.embedding.weight.T).argmax()), said[count])

    def test_a_reply_ends_at_the_stop_token_alone(self) -> None:
        torch.manual_seed(0)
        model = Model(Shape(50, 32, 2, 2, 64, context=64)).eval()
        (free,) = model.greedy([[5, 9, 3]], 8, stop=-1)
        stopped = model.greedy([[5, 9, 3], [7]], 8, stop=free[3])
        self.assertEqual(stopped[0], free[: free.index(free[3])])

    def test_a_position_sees_only_its_own_document(self) -> None:
        torch.manual_seed(0)
        model = Model(Shape(50, 32, 2, 2, 64, context=64)).eval()
        ids = torch.randint(0, 50, (1, 10))
        other = ids.clone()
        other[0, :5] = (other[0, :5] + 1) % 50
        document = torch.tensor([[1] * 5 + [2] * 5])
        position = torch.tensor([list(range(5)) * 2])
        targets = torch.full((1, 10), -100)
        targets[0, 5:] = ids[0, 5:]
        for prefix, same in ((0, True), (1, False)):
            of = torch.tensor([[0] * 5 + [prefix] * 5])
            with torch.no_grad():
                seen, unseen = (
                    model.loss(given, targets, document, of, position).item() for given in (ids, other)
                )
            self.assertEqual(abs(seen - unseen) < 1e-5, same)

    def test_a_chat_behind_a_shared_prefix_is_read_as_if_it_were_alone(self) -> None:
        model = Model(SHAPE).eval()
        torch.manual_seed(0)
        ids = torch.randint(0, 50, (1, 12))
        document = torch.tensor([[1] * 4 + [2] * 3 + [3] * 5])
        prefix = torch.tensor([[0] * 4 + [1] * 8])
        position = torch.tensor([[*range(4), *range(4, 7), *range(4, 9)]])
        targets = torch.full((1, 12), -100)
        targets[0, 7:] = ids[0, 7:]
        alone = torch.cat((ids[:, :4], ids[:, 7:]), 1)
        one = torch.ones_like(alone)
        with torch.no_grad():
            shared = model.loss(ids, targets, document, prefix, position).item()
            single = model.loss(
                alone, torch.cat((targets[:, :4], targets[:, 7:]), 1), one, 0 * one, torch.arange(9)[None]
            ).item()
        self.assertAlmostEqual(shared, single, places=5)


@unittest.skipIf(torch is None, "torch is not installed")
class NativeStep(unittest.TestCase):
    def test_loss_and_gradients_are_those_of_torch(self) -> None:
        made = tokenizer()
        torch.manual_seed(0)
        model = Model(Shape(len(made.tokens), 64, 3, 2, 96, context=1024))
        try:
            natives = [Native(model, threads, bf16=False) for threads in (1, 2)]
        except NoNative as reason:
            self.skipTest(str(reason))
        # Rows of chats behind prefixes, drills without, and chats longer than one tile of attention.
        batch = Packer(made, 5).batch(1, Recipe(3, 700, 0.2, 0.1, 0.1))
        tokens = torch.from_numpy(batch.tokens).long()
        targets = tokens[:, 1:].masked_fill(~torch.from_numpy(batch.learn[:, 1:]), -100)
        others = [
            torch.from_numpy(part[:, :-1]).long() for part in (batch.document, batch.prefix, batch.position)
        ]
        loss = model.loss(tokens[:, :-1], targets, *others)
        loss.backward()
        wanted = {name: weight.grad.clone() for name, weight in model.named_parameters()}
        for native in natives:
            for _ in range(2):
                # Twice: nothing may be left over from the step before.
                self.assertAlmostEqual(native.step(batch).item(), loss.item(), places=4)
            for name, weight in model.named_parameters():
                furthest = (weight.grad - wanted[name]).abs().max() / wanted[name].abs().max()
                self.assertLess(furthest.item(), 1e-4, name)
        native = Native(model, 2)
        if not native.bf16:
            self.skipTest("this processor multiplies no bf16")
        self.assertAlmostEqual(native.step(batch).item(), loss.item(), places=2)
        for name, weight in model.named_parameters():
            # A number as bf16 is off by up to a 256th of itself; sums of many are off by less than one alone.
            self.assertLess(((weight.grad - wanted[name]).norm() / wanted[name].norm()).item(), 0.02, name)

    def test_products_in_bf16_are_those_of_the_rounded_numbers(self) -> None:
        try:
            library = ctypes.CDLL(str(build()))
        except NoNative as reason:
            self.skipTest(str(reason))
        if not library.ember_has_bf16():
            self.skipTest("this processor multiplies no bf16")
        drawn = np.random.default_rng(3)
        # Around the sizes of a tile and of a block, and odd ones.
        sizes = [(1, 1, 1), (12, 32, 2), (13, 33, 3), (25, 1057, 31), (530, 47, 256), (300, 90, 513)]
        for rows, columns, deep in sizes:
            for flip_a, flip_b, keep in itertools.product((0, 1), (0, 1), (0.0, 0.5)):
                a, b, c = (
                    drawn.standard_normal(size, dtype=np.float32)
                    for size in ((rows, deep), (deep, columns), (rows, columns))
                )
                near = [torch.from_numpy(part).bfloat16().double() for part in (a, b)]
                wanted = 0.25 * (near[0] @ near[1]) + keep * torch.from_numpy(c)
                a, b = (np.ascontiguousarray(part.T if flip else part) for part, flip in ((a, flip_a), (b, flip_b)))
                addresses = [ctypes.c_void_p(part.ctypes.data) for part in (a, b, c)]
                library.multiply_bf16(
                    *(flip_a, flip_b, rows, columns, deep, ctypes.c_float(0.25)),
                    *(addresses[0], a.shape[1], addresses[1], b.shape[1]),
                    *(ctypes.c_float(keep), addresses[2], columns),
                )
                self.assertLess((torch.from_numpy(c) - wanted).abs().max().item(), 1e-4, (rows, columns, deep))

    def test_with_dropout_the_gradient_is_that_of_the_loss(self) -> None:
        made = tokenizer()
        torch.manual_seed(0)
        model = Model(Shape(len(made.tokens), 64, 2, 2, 96, context=512, dropout=0.5))
        try:
            # In full: a small step along the gradient is to be seen in the loss.
            native = Native(model, bf16=False)
        except NoNative as reason:
            self.skipTest(str(reason))
        with torch.no_grad():
            for block in model.blocks:
                # So that it attends to some places more than to others.
                block.query_key_value.weight *= 5
        batch = Packer(made, 5).batch(1, Recipe(2, 300, 0.2, 0.1, 0.1))

        def loss_of(seed: int) -> float:
            torch.manual_seed(seed)
            return native.step(batch).item()

        loss = loss_of(1)
        gradients = {name: weight.grad.clone() for name, weight in model.named_parameters()}
        self.assertEqual(loss_of(1), loss)
        self.assertNotEqual(loss_of(2), loss)
        # A small step along the gradient of one matrix changes the loss by as much as it says.
        for name, weight in model.blocks.named_parameters():
            along = gradients[f"blocks.{name}"]
            if "query_key" in name:
                # The values' part is far greater, and would hide the others'.
                along[2 * 64 :] = 0
            size = along.norm().item()
            # Until the loss moves by a thousandth: farther, a steep one curves; less is lost in rounding.
            by = min(0.001 / size, 0.03) / size
            with torch.no_grad():
                weight += by * along
                above = loss_of(1)
                weight -= 2 * by * along
                below = loss_of(1)
                weight += by * along
            said = 2 * by * (along**2).sum().item()
            self.assertAlmostEqual((above - below) / said, 1, delta=0.05, msg=name)

    def test_numbers_below_the_smallest_normal_one_count_as_nothing(self) -> None:
        made = tokenizer()
        try:
            native = Native(Model(Shape(len(made.tokens), 64, 1, 1, 96, context=512)))
        except NoNative as reason:
            self.skipTest(str(reason))
        native.step(Packer(made, 5).batch(1, Recipe(1, 200, 0.2, 0.1, 0.1)))
        # In the thread that computed: its products with such numbers took many times as long.
        product = native.pool.submit(lambda: np.float32(1e-25) * np.float32(1e-15)).result()
        self.assertEqual(product, 0)

    def test_segments_hold_each_document_and_its_prefix(self) -> None:
        document = np.array([1, 1, 2, 2, 2, 3, 4])
        prefix = np.array([0, 0, 1, 1, 1, 1, 0])
        self.assertEqual(
            segments_of(document, prefix).tolist(), [[0, 2, 0, 0], [2, 3, 0, 2], [5, 1, 0, 2], [6, 1, 6, 0]]
        )


@unittest.skipIf(torch is None, "torch is not installed")
class Optimizing(unittest.TestCase):
    def test_muon_brings_singular_values_near_one(self) -> None:
        torch.manual_seed(0)
        for shape in ((1, 24, 32), (1, 48, 16), (2, 16, 48)):
            values = torch.linalg.svdvals(orthogonal(torch.randn(shape)))
            self.assertTrue(((values > 0.3) & (values < 1.6)).all(), values)

    def test_each_weight_has_one_optimizer(self) -> None:
        model = Model(SHAPE)
        for muon in (True, False):
            weights = [
                weight
                for optimizer in make_optimizers(model, 1e-3, 0.1, muon)
                for group in optimizer.param_groups
                for weight in group["params"]
            ]
            self.assertEqual(sorted(map(id, weights)), sorted(map(id, model.parameters())))


@unittest.skipIf(torch is None, "torch is not installed")
class Scoring(unittest.TestCase):
    def test_the_right_replies_score_all_and_silence_none_but_small_talk(self) -> None:
        cases = load_cases()
        best = [
            score(case, (write_calls(case.calls[0]) if case.calls else " ".join(case.facts)) or "ok")
            for case in cases
        ]
        self.assertTrue(all(one.right for one in best), [one.case.id for one in best if not one.right][:5])
        talkative = run(lambda chats: ["Hello!"] * len(chats), cases)
        self.assertEqual(
            {one.case.intent for one in talkative if one.right},
            {"none", "no weather", "not-offered", "followup"},
        )
        silent = run(lambda chats: [""] * len(chats), cases)
        self.assertFalse(any(one.right for one in silent))
        self.assertIn("| calculator | 40/40 | 40/40 | 80/80 | 100 |", table(best))

    def test_arithmetic_is_compared_by_value(self) -> None:
        sum_of = lambda expression: Call("calculator", {"expression": expression})
        self.assertTrue(same_call(sum_of("2*(3+4)"), sum_of("(4+3)*2")))
        self.assertFalse(same_call(sum_of("2*(3+4)"), sum_of("2*3+4")))
        self.assertFalse(same_call(sum_of("2*3"), sum_of("two")))
        self.assertFalse(same_call(Call("clock", {}), Call("clock", {"place": "Oslo"})))


@unittest.skipIf(torch is None, "torch is not installed")
class Exporting(unittest.TestCase):
    def test_a_file_holds_what_llama_cpp_reads(self) -> None:
        made = tokenizer()
        model = Model(Shape(len(made.tokens), 32, 2, 1, 64, context=128)).eval()
        for kind, bytes_a_row in (("f16", 64), ("q8_0", 34)):
            with self.subTest(kind):
                file = io.BytesIO()
                size = write(model, made, file, kind)
                data = file.getvalue()
                self.assertEqual(len(data), size)
                magic, version, tensors, pairs = struct.unpack_from("<4sIQQ", data)
                self.assertEqual((magic, version, tensors), (b"GGUF", 3, 2 + 9 * 2))
                self.assertGreater(pairs, 20)
                for name in (b"llama.embedding_length", b"tokenizer.ggml.scores", b"blk.1.ffn_down.weight"):
                    self.assertIn(name, data)
                self.assertNotIn(
                    struct.pack("<Q", 13) + b"output.weight", data, "tied: the embedding is the output layer"
                )
                self.assertGreater(size, len(made.tokens) * bytes_a_row)

    def test_a_run_begins_with_the_weights_and_the_vocabulary_of_a_file(self) -> None:
        made = tokenizer()
        model = Model(Shape(len(made.tokens), 32, 2, 2, 64, context=2048)).eval()
        with tempfile.TemporaryDirectory() as name, patch.dict(PRESETS, {"tiny": TINY}):
            shipped, folder = Path(name) / "ember.gguf", Path(name) / "run"
            with shipped.open("wb") as file:
                write(model, made, file, "q8_0")
            begin(shipped, folder, "tiny", 4)
            run = Run(TINY, folder, 1, "cpu")
            run.resume()
            self.assertEqual(run.step, 4)
            self.assertEqual((run.tokenizer.tokens, run.tokenizer.first_merge), (made.tokens, made.first_merge))
            for key, value in run.model.state_dict().items():
                wanted = model.state_dict()[key].numpy()
                stored = as_stored(wanted) if wanted.ndim == 2 else wanted
                np.testing.assert_array_equal(value.numpy(), stored, key)
            with self.assertRaisesRegex(SystemExit, "has a checkpoint already"):
                begin(shipped, folder, "tiny", 4)
            shipped.write_bytes(b"<!doctype html>" + bytes(20))
            with self.assertRaisesRegex(ValueError, "no GGUF file"):
                begin(shipped, Path(name) / "other", "tiny", 4)

    def test_a_model_that_grows_says_what_it_said_before(self) -> None:
        self.assertEqual([copied for copied, _ in layers_from(6, 8)], [0, 1, 2, 2, 3, 4, 5, 5])
        self.assertEqual([at for at, (_, new) in enumerate(layers_from(6, 8)) if new], [3, 7])
        self.assertEqual(layers_from(2, 2), [(0, False), (1, False)])
        with self.assertRaisesRegex(ValueError, "of 2 layers grows to 4 at most"):
            layers_from(2, 5)
        made = tokenizer()
        small = Model(Shape(len(made.tokens), 32, 1, 2, 64, context=2048)).eval()
        for weight in small.parameters():
            weight.data = weight.data.half().float()
        with tempfile.TemporaryDirectory() as name, patch.dict(PRESETS, {"tiny": TINY}):
            shipped, folder = Path(name) / "ember.gguf", Path(name) / "run"
            with shipped.open("wb") as file:
                write(small, made, file, "f16")
            begin(shipped, folder, "tiny", 4)
            grown, _ = load_model(folder / "checkpoint.pt")
        ids = torch.arange(40).unsqueeze(0)
        self.assertEqual(len(grown.blocks), 2)
        with torch.no_grad():
            torch.testing.assert_close(grown.hidden(ids, None), small.hidden(ids, None))

    def test_quantised_numbers_are_near_the_real_ones(self) -> None:
        weights = np.random.default_rng(0).normal(size=(4, 64)).astype(np.float32)
        self.assertLess(np.abs(as_stored(weights) - weights).max(), 0.02)
        self.assertEqual(quantise(np.zeros((1, 32))), b"\0" * 34)


if __name__ == "__main__":
    unittest.main()
