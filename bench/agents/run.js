/**
 * `node bench/agents/run.js`: how much an outer turn reads again after the agents that it called, on each engine that can run here. Prints the
 * prefilled tokens ÷ the new tokens in all rounds after the first.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, runnerImport } from 'vite';
import { serveFolder } from '../../scripts/static-server.js';
import { openWebLlmRuntime } from '../../scripts/web-llm-runtime.js';
import { launchBrowser } from '../browser.js';

const folder = await mkdtemp(join(tmpdir(), 'agents-'));
await build({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: fileURLToPath(new URL('../../public', import.meta.url)),
  base: './',
  configFile: false,
  logLevel: 'error',
  build: { outDir: folder, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 9000 },
});
const server = await serveFolder(folder);
const browser = await launchBrowser();

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const { module } = await runnerImport(main, {
  configFile: false,
  logLevel: 'error',
  mode: 'test',
  plugins: [openWebLlmRuntime()],
  environments: { inline: { resolve: { noExternal: ['@mlc-ai/web-llm'] } } },
});

/** Measures in a new page each time, so that nothing an engine cached is left for the next scenario. */
async function measureInPage(name, scenario) {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error.message));
  await page.goto(server.url);
  await page.waitForFunction(() => 'measureIn' in window, undefined, { timeout: 120_000 });
  const measured = await page.evaluate(([engine, at]) => window.measureIn(engine, at), [name, scenario]);
  await page.close();
  return measured;
}

const engines = [
  ['GGUF', (scenario) => measureInPage('GGUF', scenario)],
  ['Ember', (scenario) => measureInPage('Ember', scenario)],
  ['web-llm', module.measureWebLlm],
];
console.log(`${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model ?? ''}, ${cpus().length} cores\n`);
console.log('| engine | agents in between | prompt | new | prefilled | ÷ new | first token after | reason |');
console.log('| --- | --- | --: | --: | --: | --: | --: | --- |');
for (const [engine, measure] of engines) {
  for (const [scenario, name] of module.names.entries()) {
    const { prompt, prefilled, fresh, waitMs, reasons } = await measure(scenario);
    const wait = engine === 'web-llm' ? '–' : `${(waitMs / 1000).toFixed(1)} s`;
    const cells = [engine, name, prompt, fresh, prefilled, (prefilled / fresh).toFixed(2), wait];
    console.log(`| ${cells.join(' | ')} | ${[...new Set(reasons)].join(', ')} |`);
  }
}
await browser.close();
await server.close();
await rm(folder, { recursive: true });
// In Node, WebLLM leaves something running that would keep the process alive.
process.exit(0);
