/**
 * `node bench/constraint/run.js [replies [first schema]]`: constrained replies of the real engine with Ember's weights at temperature 1, the same
 * number for each of ten schemas. Each reply must parse and match its schema.
 */
import { openBuilt } from '../open-built.js';

const replies = Number(process.argv[2] ?? 100);
const first = Number(process.argv[3] ?? 0);
const { page, close } = await openBuilt(import.meta.url);

let failed = 0;
for (let index = first; index < (await page.evaluate(() => window.schemaCount)); index++) {
  const { name, fitting, tokens, failure } = await page.evaluate(
    ([index, replies]) => window.ask(index, replies),
    [index, replies],
  );
  failed += replies - fitting;
  console.log(`${name}: ${fitting} of ${replies} fit, ${(tokens / replies).toFixed(0)} tokens each`);
  if (failure !== undefined) console.log(`  ${failure}`);
}
await close();
process.exitCode = failed === 0 ? 0 : 1;
