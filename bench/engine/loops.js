/**
 * `node bench/engine/loops.js FILE`: asks a GGUF model with ChatML short requests for words, longer ones, and ones for data, in which lines repeat on
 * purpose. Each with and without the sampler that avoids loops, with seeds 1 and 2. Prints how many answers are right and how many go in circles.
 *
 * --seeds 1,2    seeds of the answers
 * --kinds a,b    words, long, data
 * --keep FILE    keeps all answers there
 */
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openBuilt } from '../open-built.js';

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string' }, kinds: { type: 'string' }, keep: { type: 'string' } },
});
const file = resolve(positionals[0]);
const kinds = options.kinds?.split(',') ?? ['words', 'long', 'data'];
const seeds = options.seeds?.split(',').map(Number) ?? [1, 2];
const rules = JSON.parse(await readFile(new URL('loops.json', import.meta.url), 'utf8')).filter(({ kind }) =>
  kinds.includes(kind),
);

/** `says`: patterns, and how often each occurs at least: once, or the number after it. */
function isRight({ says }, { text, isLoop }) {
  return (
    !isLoop &&
    says.every((one) => {
      const [pattern, times] = Array.isArray(one) ? one : [one, 1];
      return [...text.matchAll(new RegExp(pattern, 'gimu'))].length >= times;
    })
  );
}

const { page, close } = await openBuilt(
  import.meta.url,
  (folder) => symlink(file, join(folder, 'model.gguf')),
  {
    isIsolated: true,
  },
);
const place = { path: new URL('model.gguf', page.url()).href, bytes: (await stat(file)).size, threads: 2 };
const kept = [];
console.log(`${basename(file)}\n| avoids loops | seed | kind | right | in circles | tokens |`);
for (const seed of seeds)
  for (const avoidsLoops of [false, true]) {
    const sampling = { temperature: 0.3, topP: 0.9, seed };
    const asked = {
      ...place,
      requests: rules.map(({ request }) => request),
      avoidsLoops,
      sampling,
      maxTokens: 700,
    };
    const answers = await page.evaluate((one) => window.answerAll(one), asked);
    const rows = answers.map((answer, at) => ({
      avoidsLoops,
      seed,
      ...rules[at],
      ...answer,
      isRight: isRight(rules[at], answer),
    }));
    kept.push(...rows);
    if (options.keep) await writeFile(options.keep, JSON.stringify(kept, undefined, 1));
    for (const kind of kinds) {
      const own = rows.filter((row) => row.kind === kind);
      const right = own.filter((row) => row.isRight).length;
      const loops = own.filter(({ isLoop }) => isLoop).length;
      const tokens = own.reduce((sum, row) => sum + row.tokens, 0);
      console.log(
        `| ${avoidsLoops} | ${seed} | ${kind} | ${right} of ${own.length} | ${loops} | ${tokens} |`,
      );
    }
  }
await close();
