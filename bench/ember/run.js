/**
 * `npm run eval:ember [-- weights.gguf] [--free] [--show] [--out replies.json] [--only calculator-en] [--others 50]`: asks the frozen evaluation set
 * through the app's engine in Chromium, with the app's own prompt, greedily. Without a file it uses the shipped weights. Another file is prompted in
 * Ember's dialect. With `--free`, no grammar constrains the replies. With `--others`, that many more tools are on in each chat, and the page shows
 * the few that fit. Prints the share of right answers by intent and language, what was called instead, and the time.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { spread } from '../browser.js';
import { ownTools } from '../many-tools/tools.js';
import { openEmber, readCases } from './open.js';

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
const files = ['requests', 'answers'].map((name) => readCases(`training/eval/${name}.jsonl`));
const cases = (await Promise.all(files)).flat().filter(({ id }) => id.startsWith(options.only));

/** Tools as the page receives them. No request needs any of these. */
const others = ownTools(Number(options.others)).map(
  ({ content: { name, title, description, inputSchema, examples } }) => ({
    name,
    title,
    description,
    inputSchema,
    examples,
  }),
);

const { page, loadMs, close } = await openEmber({ weights, isFree: options.free });
const replies = [];
for (const given of cases) {
  const reply = await page.evaluate(([given, others]) => window.ask(given, { others }), [given, others]);
  replies.push({ given, ...reply });
  if (options.show && !reply.isRight)
    console.log(`${given.id}: ${given.messages.at(-1).content}\n    ${reply.raw}`);
}
await close();
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
