/**
 * `npm run exam:parser`: runs the reader on the labelled texts of an exam in a folder beside the project, and prints its score by file and by format.
 * If that folder is missing, it says so and stops. Passes its options to the exam's runner.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildReader } from '../bench/parser/build-reader.js';

const runner = fileURLToPath(new URL('../../shared/parser-exam/run.mjs', import.meta.url));
if (!existsSync(runner)) {
  console.log('There is no exam beside the project: nothing to do.');
  process.exit(0);
}

const folder = await mkdtemp(join(tmpdir(), 'exam-'));
const adapter = await buildReader(folder);
const report = join(folder, 'report.json');
const options = process.argv.slice(2);
const exam = spawnSync(
  process.execPath,
  [runner, adapter, '--stream', '--perf', '--json', report, ...options],
  {
    stdio: 'inherit',
  },
);
if (exam.status === 0) printTables(JSON.parse(await readFile(report, 'utf8')).adapters.hearth);
await rm(folder, { recursive: true });
process.exitCode = exam.status ?? 1;

function printTables({ byFile, byFormat, why, byKind }) {
  const percent = ({ ok, n }) => `${((100 * ok) / n).toFixed(1)} %`;
  const table = (rows) =>
    console.table(
      Object.fromEntries(
        Object.entries(rows).map(([name, row]) => [name, { exact: percent(row), of: row.n }]),
      ),
    );
  table(byFile);
  table(byFormat);
  const wrong = ['wrong_args', 'wrong_name', 'extra', 'fewer'].reduce(
    (sum, kind) => sum + (why[`positive:${kind}`] ?? 0),
    0,
  );
  console.log(
    `answered but not exactly: ${((100 * wrong) / byKind.positive.n).toFixed(2)} % of ${byKind.positive.n}`,
  );
}
