/** `npm run bench`: runs every benchmark, one after another, on the output of `npm run build`. The figures mean something only on an idle machine. */
import { run } from '../scripts/set-up.js';

run('npx', 'vite', 'build');
run('node', 'bench/first-answer.js');
run('node', 'bench/ready-to-type/run.js');
run('node', 'bench/worker-port/run.js');
run('node', 'bench/markdown/run.js');
run('node', 'bench/long-tasks/run.js');
run('node', 'bench/parser/run.js');
run('node', 'bench/constraint/run.js', '10');
run('node', 'bench/grammar-compile/run.js');
run('node', 'bench/sandbox/run.js');
run('node', 'bench/search-first.js');
run('node', 'bench/whole-results/run.js');
run('node', 'bench/long-chats/run.js');
run('node', 'bench/search/run.js');
run('node', 'bench/kept-chats/run.js');
run('node', 'bench/backup/run.js');
run('node', 'bench/agents/run.js');
run('node', 'bench/tabs/run.js');
