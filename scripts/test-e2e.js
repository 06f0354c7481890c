/** `npm run test:e2e [file …]`: builds the site and drives it in a real Chromium. Without a file, it runs every end-to-end test. */
import process from 'node:process';
import { installChromium, installPackages, run } from './set-up.js';

installPackages();
installChromium();
run('npx', 'vite', 'build');
run('npx', 'vite', 'build', '--mode', 'e2e');
run('npx', 'vitest', 'run', '--project', 'e2e', ...process.argv.slice(2));
