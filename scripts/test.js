/**
 * `npm test`: builds Hearth and runs its tests, up to the built site in a real browser. `npm run verify` also checks types, style and layers, and
 * runs the slow tests. `npm run test:all` also drives every case of the long tables through the app. Each installs what a fresh machine lacks.
 */
import process from 'node:process';
import { installChromium, installPackages, run, runTogether } from './set-up.js';

const mode = process.argv[2];
if (mode) process.env.HEARTH_TESTS = mode;
installPackages();
installChromium();
const checks = ['lint', 'check', 'layers'].map((name) => ['npm', 'run', name]);
await runTogether(
  ...(mode ? checks : []),
  ['npx', 'vite', 'build'],
  ['npx', 'vite', 'build', '--mode', 'e2e'],
);
if (mode === 'all') run('npm', 'run', 'lint:types');
run('npx', 'vitest', 'run', '--project', 'unit', '--project', 'browser');
run('npx', 'vitest', 'run', '--project', 'e2e');
