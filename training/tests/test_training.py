"""Resuming, generating and exporting, on a model of a few thousand weights. Skipped where torch is not installed."""

import contextlib
import io
import struct
import tempfile
import unittest
from pathlib import Path

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    import numpy as np

    from ember.dialect import Call, write_calls
    from ember.gguf import as_stored, quantise, write
    from ember.model import Model, Shape
    from ember.scoring import load_cases, run, same_call, score, table
    from ember.train import Preset, Run, rate_of, recipe_of

    from .test_data import tokenizer

    TINY = Preset(width=32, layers=2, heads=2, feed_forward=64, rows=2, length=256, steps=6, rate=1e-3)


@unittest.skipIf(torch is None, "torch is not installed")
class Training(unittest.TestCase):
    def test_a_run_that_was_stopped_ends_like_one_that_was_not(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            weights = []
            for stops in ([0.0, 0.0, 1e9], [1e9]):
                folder = Path(name) / str(len(stops))
                folder.mkdir()
                tokenizer().save(folder / "vocabulary.json")
                for stop_after in stops:
                    made = Run(TINY, folder, 3, "cpu")
                    made.resume()
                    with contextlib.redirect_stdout(io.StringIO()):
                        done = made.train(stop_after, 1e9, workers=0)
                self.assertTrue(done)
                self.assertFalse((folder / "checkpoint.part").exists())
                weights.append(made.model.state_dict())
            for key, value in weights[0].items():
                self.assertTrue(torch.equal(value, weights[1][key]), key)

    def test_a_checkpoint_of_another_run_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            tokenizer().save(Path(name) / "vocabulary.json")
            Run(TINY, Path(name), 3, "cpu").save()
            with self.assertRaisesRegex(SystemExit, "another run"):
                Run(TINY, Path(name), 4, "cpu").resume()

    def test_the_rate_rises_stays_and_falls_and_drills_give_way(self) -> None:
        preset = Preset(**{**vars(TINY), "steps": 10_000})
        self.assertLess(rate_of(preset, 0), rate_of(preset, 4000))
        self.assertLess(rate_of(preset, 9999), 0.02 * preset.rate)
        self.assertGreater(recipe_of(preset, 0).copy_share, recipe_of(preset, 9000).copy_share)
        self.assertEqual(recipe_of(preset, 9000).length, 512)


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
        targets = torch.full((1, 10), -100)
        targets[0, 5:] = ids[0, 5:]
        with torch.no_grad():
            seen, unseen = (model.loss(given, targets, document).item() for given in (ids, other))
        self.assertAlmostEqual(seen, unseen, places=5)


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
            {one.case.intent for one in talkative if one.right}, {"none", "not-offered", "followup"}
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

    def test_quantised_numbers_are_near_the_real_ones(self) -> None:
        weights = np.random.default_rng(0).normal(size=(4, 64)).astype(np.float32)
        self.assertLess(np.abs(as_stored(weights) - weights).max(), 0.02)
        self.assertEqual(quantise(np.zeros((1, 32))), b"\0" * 34)


if __name__ == "__main__":
    unittest.main()
