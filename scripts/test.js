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
// By itself, not by `npx`, which would leave it running where a check fails.
const vitest = (...projects) =>
  runBeside(
    process.execPath,
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects.flatMap((project) => ['--project', project]),
  );
await vitest('unit', 'browser');
const checks = ['lint', 'check', 'layers', ...(isAll ? ['lint:types'] : [])];
// The end-to-end tests wait for a browser, or for a limit to pass, a fifth of the time.
await Promise.all([vitest('e2e'), runBehind(...checks.map((name) => ['npm', 'run', name]))]);
