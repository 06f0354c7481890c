"""llama.cpp itself, from the Python package xllamacpp: FILE THREADS MAX_TOKENS RUNS, with JSON prompts on standard input.

With RUNS, it times the first prompt and prints the best figures as one line of JSON. With 0 runs, it writes what it
answers to each prompt, greedily, as one line of JSON.
"""

import json
import sys

import xllamacpp

path, threads, max_tokens, runs = sys.argv[1:5]
prompts = json.load(sys.stdin)
params = xllamacpp.CommonParams()
params.model.path = path
params.n_ctx = 2048
params.n_parallel = 1
params.n_gpu_layers = 0
params.warmup = False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(threads)
server = xllamacpp.Server(params)


def ask(prompt):
    return server.handle_completions(
        {'prompt': prompt, 'n_predict': int(max_tokens), 'temperature': 0, 'cache_prompt': False, 'ignore_eos': True}
    )


if int(runs) == 0:
    print(json.dumps([ask(prompt)['choices'][0]['text'] for prompt in prompts]))
else:
    best = {'reads': 0, 'writes': 0}
    for run in range(int(runs)):
        timings = ask(f'{run} {prompts[0]}')['timings']
        best['reads'] = max(best['reads'], timings['prompt_per_second'])
        best['writes'] = max(best['writes'], timings['predicted_per_second'])
    print(json.dumps(best))
