/** Does in the app what a scenario of the conformance suite is about, as a person would. */
import { scenarios } from './scenarios.js';
import {
  addServer,
  aliasOf,
  allowAddress,
  answerQuestion,
  askForCalls,
  openServer,
  switchOn,
  turnIsOver,
} from './steps.js';

const name = 'Suite';
/** Milliseconds for anything on the page to come. */
const patience = 20_000;
/** Nobody presses "Sign in" more often. */
const mostPresses = 5;

/**
 * @param {import('playwright').Page} page a new one
 * @param {{ siteUrl: string, serverUrl: string, name: string, given: { client_id?: string, client_secret?: string } }} scenario
 */
export async function driveScenario(page, { siteUrl, serverUrl, name: scenarioName, given }) {
  const scenario = scenarios.find((one) => one.name === scenarioName);
  if (!scenario) throw new Error(`Nobody knows what to do in ${scenarioName}.`);
  page.setDefaultTimeout(patience);
  await page.goto(siteUrl);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await allowAddress(page, new URL(serverUrl).origin);
  await addServer(page, {
    url: serverUrl,
    name,
    ...(given.client_id !== undefined && { clientId: given.client_id, clientSecret: given.client_secret }),
  });
  if (scenario.login === 'refused') return signInForEver(page);
  if (scenario.login) await signIn(page);
  await openServer(page, name);
  await page.getByText('Ready', { exact: true }).first().waitFor();
  if (!scenario.tool) return;

  await switchOn(page, name, scenario.tool);
  const call = { tool: aliasOf(scenario.tool), input: scenario.input ?? {} };
  await askForCalls(page, call);
  await answerQuestion(page);
  if (scenario.isForm) await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await turnIsOver(page);
  if (scenario.login !== 'again') return;

  await signIn(page);
  await askForCalls(page, call);
  await answerQuestion(page);
  await turnIsOver(page);
}

/** Presses "Sign in" until a window opens, and waits until it has gone again and nobody is asked to sign in. */
async function signIn(page) {
  await openServer(page, name);
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  await press(page, button);
  await button.waitFor({ state: 'hidden' });
}

/** Where no login is enough, the app must be the one who ends it. */
async function signInForEver(page) {
  await openServer(page, name);
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  for (let presses = 0; presses < mostPresses; presses++) {
    await press(page, button);
    const over = page.getByRole('button', { name: 'Sign out', exact: true });
    await button.or(over).first().waitFor();
    if (!(await button.isVisible())) return;
  }
}

/** The first press may only show which hosts it would ask. */
async function press(page, button) {
  for (let presses = 0; presses < 3; presses++) {
    const opened = page.waitForEvent('popup', { timeout: 5000 }).catch(() => undefined);
    await button.click();
    const popup = await opened;
    if (popup) {
      if (!popup.isClosed()) await popup.waitForEvent('close', { timeout: patience });
      return;
    }
  }
  throw new Error('No window to sign in was opened.');
}
