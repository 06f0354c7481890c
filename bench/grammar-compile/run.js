/**
 * `node bench/grammar-compile/run.js`: how long WebLLM's grammar engine takes to compile each tool's grammar, and those of five tools
 * at once, for a vocabulary of 151,936. What is counted, not timed, is in test/unit/protocol/structural-tag.test.ts.
 */
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const { module } = await runnerImport(main, { configFile: false, logLevel: 'error' });
for (const { name, ms } of module.results) console.log(`${ms.toFixed(0).padStart(6)} ms  ${name}`);
process.exit(0);
