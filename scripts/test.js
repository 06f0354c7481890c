/**
 * `npm test`: everything, from types to the built site in a real browser. Installs what a fresh machine lacks.
 * `npm run test:all` drives every case of the long tables through the app, where this one takes a part of them.
 */
import process from 'node:process';
import { installChromium, installPackages, runBehind, runBeside, runTogether } from './set-up.js';

const isAll = process.argv[2] === 'all';
if (isAll) process.env.HEARTH_TESTS = 'all';
installPackages();
installChromium();
await runTogether(['npx', 'vite', 'build'], ['npx', 'vite', 'build', '--mode', 'e2e']);
const checks = ['lint', 'check', 'layers', ...(isAll ? ['lint:types'] : [])];
await Promise.all([
  runTests(),
  // The tests wait for a browser, or for a limit to pass, a fifth of the time.
  runBehind(...checks.map((name) => ['npm', 'run', name])),
]);

/** Not by `npx`, which would leave them running where a check fails. */
async function runTests() {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run'];
  await runBeside(process.execPath, ...vitest, '--project', 'unit', '--project', 'browser');
  await runBeside(process.execPath, ...vitest, '--project', 'e2e');
}
