/** `npm test`: everything, from types to the built site in a real browser. Installs what a fresh machine lacks. */
import { installChromium, installPackages, run } from './set-up.js';

installPackages();
installChromium();
run('npm', 'run', 'check');
run('npm', 'run', 'lint');
run('npm', 'run', 'layers');
run('npx', 'vitest', 'run', '--project', 'unit', '--project', 'browser');
run('npm', 'run', 'test:e2e');
