/**
 * `npm run eval:ember [-- weights.gguf] [--free] [--show] [--out replies.json] [--only calculator-en] [--others 50]`: the frozen evaluation set, asked through the
 * engine of the app in Chromium with the app's own prompt, greedily. Without a file, the weights that ship; another file
 * is spoken to in Ember's dialect. With `--free` no grammar holds the replies. With `--others`, so many more tools are
 * on in each chat, and the page shows the few that fit. Prints what was right for each intent and
 * language, what was called instead, and how long it took.
 */
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser, spread } from '../browser.js';
import { ownTools } from '../many-tools/tools.js';

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    free: { type: 'boolean' },
    show: { type: 'boolean' },
    out: { type: 'string' },
    only: { type: 'string', default: '' },
    others: { type: 'string', default: '0' },
  },
});
const [weights] = positionals;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const cases = (
  await Promise.all(
    ['requests', 'answers'].map((name) => readFile(here(`../../training/eval/${name}.jsonl`), 'utf8')),
  )
)
  .flatMap((text) => text.trim().split('\n'))
  .map((line) => JSON.parse(line))
  .filter(({ id }) => id.startsWith(options.only));

/** As the page is handed tools: none of them is asked for. */
const others = ownTools(Number(options.others)).map(
  ({ content: { name, title, description, inputSchema, examples } }) => ({
    ...{ name, title, description, inputSchema, examples },
  }),
);

const folder = await mkdtemp(join(tmpdir(), 'ember-'));
await build({
  root: here('.'),
  publicDir: here('../../public'),
  base: './',
  configFile: false,
  logLevel: 'error',
  build: { outDir: folder, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 4000 },
});
let changed = options.free ? { isSmall: false } : {};
if (weights !== undefined) {
  const path = 'models/other.gguf';
  await copyFile(weights, join(folder, path));
  const { size: bytes } = await stat(weights);
  changed = { ...changed, file: { path, bytes }, format: 'ember', contextTokens: 2048, maxReplyTokens: 160 };
}
const server = await serveFolder(folder);
const browser = await launchBrowser();
const page = await browser.newPage();
page.on('pageerror', (error) => console.error(error.message));
await page.goto(server.url);
await page.waitForFunction(() => 'ask' in window, undefined, { timeout: 120_000 });
const loadMs = await page.evaluate((changed) => window.load(changed), changed);

const replies = [];
for (const given of cases) {
  const reply = await page.evaluate(([given, others]) => window.ask(given, others), [given, others]);
  replies.push({ given, ...reply });
  if (options.show && !reply.isRight)
    console.log(`${given.id}: ${given.messages.at(-1).content}\n    ${reply.raw}`);
}
await browser.close();
await server.close();
await rm(folder, { recursive: true });
if (options.out !== undefined) {
  const rows = replies.map(({ given: { id }, raw, isRight, usage: { logProbability } }) => ({
    id,
    reply: raw,
    isRight,
    logProbability,
  }));
  await writeFile(options.out, JSON.stringify(rows, null, 1));
}

const nameOf = ({ intent, facts }) => (facts ? `answer/${intent}` : intent);
console.log('| intent | en | zh | all | % |\n| --- | --- | --- | --- | --- |');
for (const intent of new Set(cases.map(nameOf))) {
  const of = (lang) =>
    replies.filter(({ given }) => nameOf(given) === intent && (lang ?? given.lang) === given.lang);
  const right = (rows) => rows.filter(({ isRight }) => isRight).length;
  const cells = ['en', 'zh', undefined].map((lang) => `${right(of(lang))}/${of(lang).length}`);
  console.log(`| ${intent} | ${cells.join(' | ')} | ${((100 * right(of())) / of().length).toFixed(0)} |`);
}
const confusions = new Map();
for (const { given, calls, hasInvalid } of replies) {
  if (!given.calls) continue;
  const [wanted, got] = [given.calls[0], calls].map(
    (list) => list.map(({ name }) => name).join('+') || 'none',
  );
  if (wanted === got) continue;
  const key = `${given.intent === 'unseen' ? 'unseen' : wanted} → ${hasInvalid ? 'unreadable' : got}`;
  confusions.set(key, (confusions.get(key) ?? 0) + 1);
}
const sorted = [...confusions].sort(([, one], [, other]) => other - one);
console.log(`\nCalled instead: ${sorted.map(([key, count]) => `${key} ${count}`).join(', ') || 'nothing'}`);
const usages = replies.map(({ usage }) => usage);
const rates = usages
  .filter(({ outputTokens }) => outputTokens > 4)
  .map(({ outputTokens, decodeMs }) => (1000 * outputTokens) / decodeMs);
console.log(
  `Loaded in ${loadMs.toFixed(0)} ms. First token after ${spread(usages.map(({ firstTokenMs }) => firstTokenMs))} ms; ` +
    `prefilled ${spread(usages.map(({ prefilledTokens }) => prefilledTokens))} tokens; ${spread(rates)} tokens a second.`,
);
