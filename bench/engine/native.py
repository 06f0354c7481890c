"""Times llama.cpp itself, from the Python package xllamacpp: FILE THREADS PROMPT MAX_TOKENS RUNS. Prints one line of JSON."""

import json
import sys

import xllamacpp

path, threads, prompt, max_tokens, runs = sys.argv[1:6]
params = xllamacpp.CommonParams()
params.model.path = path
params.n_ctx = 2048
params.n_parallel = 1
params.n_gpu_layers = 0
params.warmup = False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(threads)
server = xllamacpp.Server(params)
best = {'reads': 0, 'writes': 0, 'promptTokens': 0}
for run in range(int(runs)):
    request = {
        'prompt': f'{run} {prompt}',
        'n_predict': int(max_tokens),
        'temperature': 0,
        'cache_prompt': False,
        'ignore_eos': True,
    }
    timings = server.handle_completions(request)['timings']
    best['promptTokens'] = timings['prompt_n']
    best['reads'] = max(best['reads'], timings['prompt_per_second'])
    best['writes'] = max(best['writes'], timings['predicted_per_second'])
print(json.dumps(best))
