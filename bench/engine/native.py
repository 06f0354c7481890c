"""llama.cpp itself, from the Python package xllamacpp: ACTION FILE THREADS MAX_TOKENS WAY, with JSON on standard input.

ACTION is one of these. Each prints one line of JSON.
  time   reads and answers the first of the prompts twice, and prints the best tokens per second of both.
  write  answers each prompt greedily. Prints each token's bytes and how far its logit lies above the second.
  score  takes windows of token ids. Reads all but the last MAX_TOKENS tokens of a window at once and the others one by
         one, and prints the natural logarithm of the probability of each of these others.
WAY is "usual" (what llama.cpp does by itself) or "simple" (without repacked weights and without flash attention).
"""

import json
import sys

import xllamacpp

action, path, threads, max_tokens, way = sys.argv[1:6]
prompts = json.load(sys.stdin)
max_tokens = int(max_tokens)
params = xllamacpp.CommonParams()
params.model.path = path
params.n_ctx = 2048
params.n_parallel = 1
params.n_gpu_layers = 0
params.warmup = False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(threads)
if way == 'simple':
    params.no_extra_bufts = True
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
server = xllamacpp.Server(params)


def ask(prompt, **options):
    return server.handle_completions(
        {
            'prompt': prompt,
            'n_predict': max_tokens,
            'temperature': 0,
            'cache_prompt': False,
            'ignore_eos': True,
            **options,
        }
    )


def write(prompt):
    tokens = ask(prompt, n_probs=2)['choices'][0]['logprobs']['content']
    tops = [token['top_logprobs'] for token in tokens]
    return [{'bytes': first['bytes'], 'gap': first['logprob'] - second['logprob']} for first, second in tops]


def score(window):
    scores = []
    for at in range(len(window) - max_tokens, len(window)):
        # The bias makes sure that the token is chosen. The probability is reported without it.
        forced = {'n_predict': 1, 'n_probs': 1, 'logit_bias': [[window[at], 1000]], 'cache_prompt': True}
        content = ask(window[:at], **forced)['choices'][0]['logprobs']['content']
        scores.append(content[0]['logprob'])
    return scores


if action == 'time':
    best = {'reads': 0, 'writes': 0}
    for run in range(2):
        timings = ask(f'{run} {prompts[0]}')['timings']
        best['reads'] = max(best['reads'], timings['prompt_per_second'])
        best['writes'] = max(best['writes'], timings['predicted_per_second'])
    print(json.dumps(best))
else:
    print(json.dumps([{'write': write, 'score': score}[action](prompt) for prompt in prompts]))
