"""llama.cpp itself, from the Python package xllamacpp: FILE THREADS MAX_TOKENS RUNS WAY, with JSON prompts on standard input.

With RUNS, it times the first prompt and prints the best figures as one line of JSON. With 0 runs, it answers each prompt
greedily, and prints each token's bytes and how far its logit lies above the second, as one line of JSON. WAY is "usual"
(what llama.cpp does by itself) or "simple" (without repacked weights and without flash attention).
"""

import json
import sys

import xllamacpp

path, threads, max_tokens, runs, way = sys.argv[1:6]
prompts = json.load(sys.stdin)
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
            'n_predict': int(max_tokens),
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


if int(runs) == 0:
    print(json.dumps([write(prompt) for prompt in prompts]))
else:
    best = {'reads': 0, 'writes': 0}
    for run in range(int(runs)):
        timings = ask(f'{run} {prompts[0]}')['timings']
        best['reads'] = max(best['reads'], timings['prompt_per_second'])
        best['writes'] = max(best['writes'], timings['predicted_per_second'])
    print(json.dumps(best))
