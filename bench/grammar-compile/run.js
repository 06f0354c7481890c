/**
 * `node bench/grammar-compile/run.js`: how long WebLLM's grammar engine takes to compile the grammar of each tool, and that of five tools at once,
 * for a vocabulary of 151,936 tokens. test/unit/protocol/structural-tag.test.ts has the counts that need no timing.
 */
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const { module } = await runnerImport(main, { configFile: false, logLevel: 'error' });
for (const { name, ms } of module.results) console.log(`${ms.toFixed(0).padStart(6)} ms  ${name}`);
process.exit(0);
