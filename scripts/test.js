/**
 * `npm test`: runs everything, from types to the built site in a real browser. Installs what a fresh machine lacks. `npm run test:all` also drives
 * every case of the long tables through the app. `npm test` drives a part of them.
 */
import process from 'node:process';
import { installChromium, installPackages, run, runTogether } from './set-up.js';

const isAll = process.argv[2] === 'all';
if (isAll) process.env.HEARTH_TESTS = 'all';
installPackages();
installChromium();
await runTogether(
  ['npm', 'run', 'lint'],
  ['npm', 'run', 'check'],
  ['npm', 'run', 'layers'],
  ['npx', 'vite', 'build'],
  ['npx', 'vite', 'build', '--mode', 'e2e'],
);
if (isAll) run('npm', 'run', 'lint:types');
run('npx', 'vitest', 'run', '--project', 'unit', '--project', 'browser');
run('npx', 'vitest', 'run', '--project', 'e2e');
