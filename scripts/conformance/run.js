/** Runs scenarios of the conformance suite against the built app, one after another in the same browser. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { driveScenario } from './drive.js';
import { openPlace } from './place.js';
import { clockWarning } from './scenarios.js';

const require = createRequire(import.meta.url);
const hooks = new URL('register.js', import.meta.url).href;
const suite = join(
  dirname(require.resolve('@modelcontextprotocol/conformance/package.json')),
  'dist',
  'index.js',
);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Milliseconds after which the suite gives up on a client. */
const timeout = 90_000;

/**
 * @typedef {{ id: string, status: string, description: string, errorMessage?: string }} Check
 * @typedef {object} Outcome
 * @property {boolean} isPassed whether nothing failed and there was no warning except about timing
 * @property {readonly Check[]} checks the checks that passed or failed, without the suite's notes
 * @property {readonly string[]} problems a sentence for each check that did not pass
 */

/**
 * @param {string} folder the folder of the build for end-to-end tests
 * @returns {Promise<{ run: (name: string) => Promise<Outcome>, close: () => Promise<void> }>}
 */
export async function openConformance(folder) {
  const place = await openPlace(folder);
  let said = '';
  const driver = createServer(async (request, response) => {
    said = await drive(place, JSON.parse(await text(request)));
    response.writeHead(said === '' ? 200 : 500).end(said);
  });
  await new Promise((done, reject) => driver.once('error', reject).listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${driver.address().port}/`;
  return {
    async run(name) {
      said = '';
      return judge(await runSuite(name, address), said);
    },
    async close() {
      await place.close();
      await new Promise((done) => {
        driver.close(() => done());
        driver.closeAllConnections();
      });
    },
  };
}

/** Returns '' or the error that stopped the scenario. Each scenario gets a fresh browser profile. */
async function drive({ browser, url }, { url: serverUrl, scenario, context }) {
  const visit = await browser.newContext({ serviceWorkers: 'block', locale: 'en-US' });
  const page = await visit.newPage();
  try {
    await driveScenario(page, { siteUrl: url, serverUrl, name: scenario, given: context });
    return '';
  } catch (error) {
    const shown = await page
      .getByRole('main')
      .innerText({ timeout: 1000 })
      .catch(() => '');
    return `${error instanceof Error ? error.message : String(error)}\nThe page says: ${shown.slice(0, 2000)}`;
  } finally {
    await visit.close();
  }
}

async function runSuite(name, address) {
  const command = 'node scripts/conformance/client.js';
  const options = ['--command', command, '--scenario', name, '--timeout', String(timeout), '--verbose'];
  const child = spawn(process.execPath, ['--import', hooks, suite, 'client', ...options], {
    cwd: root,
    env: { ...process.env, HEARTH_DRIVER: address },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    return JSON.parse(output);
  } catch {
    throw new Error(`The conformance suite did not come to an end: ${errors}${output}`);
  }
}

/** @returns {Outcome} */
function judge(all, said) {
  const checks = all.filter(({ status }) => status !== 'INFO');
  const bad = checks.filter(({ id, status }) =>
    id === clockWarning ? status === 'FAILURE' : status !== 'SUCCESS',
  );
  const problems = bad.map(({ id, description, errorMessage }) => `${id}: ${errorMessage ?? description}`);
  if (said !== '') problems.push(`The app: ${said}`);
  return { isPassed: problems.length === 0, checks, problems };
}
