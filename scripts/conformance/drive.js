/** Performs a scenario of the conformance suite in the app, as a user would. */
import { scenarios } from './scenarios.js';
import {
  addServer,
  aliasOf,
  allowAddress,
  answerQuestion,
  askForCalls,
  isConnected,
  openServer,
  pressSignIn,
  serverOn,
  switchOn,
  turnIsOver,
} from './steps.js';

const name = 'Suite';
/** Timeout in milliseconds for anything to appear on the page. */
const patience = 20_000;
/** Maximum presses of "Sign in", more than any user would make. */
const mostPresses = 5;

/**
 * @param {import('playwright').Page} page a new page
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
  await isConnected(page, name);
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

/** Presses "Sign in", and allows the hosts on this machine that the first press may list. @returns {Promise<string>} what the page then says */
async function pressUntilAsked(page) {
  let said = '';
  for (let presses = 0; presses < 4; presses++) {
    said = await pressSignIn(page, name);
    const allow = serverOn(page, name).getByRole('button', { name: /^Allow http/ });
    if ((await allow.count()) > 0) await allow.click();
    else if (!said.includes('other hosts')) break;
  }
  return said;
}

async function signIn(page) {
  await openServer(page, name);
  const said = await pressUntilAsked(page);
  if (!said.includes('Signed in.')) throw new Error(`Signing in ended so: ${said}`);
}

/** Keeps signing in to a server that no login satisfies, until the app no longer offers to sign in. */
async function signInForEver(page) {
  await openServer(page, name);
  const button = serverOn(page, name).getByRole('button', { name: 'Sign in', exact: true });
  await button.waitFor();
  for (let presses = 0; presses < mostPresses && (await button.isVisible()); presses++) {
    await pressUntilAsked(page);
  }
}
