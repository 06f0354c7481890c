/**
 * `npm run exam:tools`: how often and how fast the search finds the right tool, beside MiniSearch with the same terms. With `--tune`, it looks for
 * better weights instead, on other tools.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const folder = await mkdtemp(join(tmpdir(), 'tool-search-'));
await build({
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  build: {
    outDir: folder,
    emptyOutDir: false,
    target: 'es2023',
    lib: {
      entry: fileURLToPath(new URL('./main.ts', import.meta.url)),
      formats: ['es'],
      fileName: () => 'exam.mjs',
    },
  },
});
const { runExam, measureGrowth, runTuning } = await import(pathToFileURL(join(folder, 'exam.mjs')).href);
await rm(folder, { recursive: true });

const now = () => performance.now();
const busy = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
if (process.argv.includes('--tune')) {
  console.log(runTuning());
} else {
  const { tools, rows } = runExam(now);
  console.log(`${tools} tools`);
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const ms = (time) => `${time.toFixed(time < 1 ? 3 : 1)} ms`;
  console.table(
    rows.map(({ recall1, recall5, ndcg5, p50, p99, ...row }) => ({
      ...row,
      'recall@1': percent(recall1),
      'recall@5': percent(recall5),
      'nDCG@5': percent(ndcg5),
      p50: ms(p50),
      p99: ms(p99),
    })),
  );
  console.table(
    measureGrowth(now, busy).map(({ tools: count, ...times }) => ({
      tools: count,
      ...Object.fromEntries(Object.entries(times).map(([name, time]) => [name, ms(time)])),
    })),
  );
}
