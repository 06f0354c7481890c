/** The steps of a user with MCP servers in the built app. The e2e tests use them too. */

/** @typedef {import('playwright').Page} Page */

/**
 * @typedef {object} Typed the values to type into the form. Missing ones keep what the form shows.
 * @property {string} url
 * @property {string} name
 * @property {string} [header]
 * @property {string} [key]
 * @property {string} [clientId]
 * @property {string} [clientSecret]
 */

/** @param {Page} page */
export const serversOn = (page) => page.getByRole('region', { name: 'MCP servers' });

/**
 * @param {Page} page
 * @param {string} name of the server
 */
export const serverOn = (page, name) => serversOn(page).getByRole('listitem', { name, exact: true });

/** @param {Page} page */
async function goToServers(page) {
  await page.getByRole('link', { name: 'Tools' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
  await serversOn(page).waitFor();
}

/**
 * Allows an address of the local network in Settings.
 *
 * @param {Page} page
 * @param {string} origin
 */
export async function allowAddress(page, origin) {
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill(origin);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByRole('list', { name: 'Allowed addresses' }).getByText(origin, { exact: true }).waitFor();
}

/**
 * Fills in the form and presses "Connect". The caller checks the outcome.
 *
 * @param {Page} page
 * @param {Typed} typed
 */
export async function connectServer(page, { url, name, header, key, clientId, clientSecret }) {
  await goToServers(page);
  const region = serversOn(page);
  const add = region.getByRole('button', { name: 'Add server' });
  // Input for a server that could not be added stays until it is discarded.
  const cancel = region.getByRole('form').getByRole('button', { name: 'Cancel' });
  await add.or(cancel).first().waitFor();
  if (await cancel.isVisible()) await cancel.click();
  await add.click();
  const fill = async (label, value) => {
    if (value !== undefined) await region.getByLabel(label, { exact: true }).fill(value);
  };
  await fill('Address', url);
  await fill('Name', name);
  await fill('Header', header);
  await fill('Key', key);
  if (clientId !== undefined) await region.getByRole('form').getByText('More', { exact: true }).click();
  await fill('Client ID', clientId);
  await fill('Client secret', clientSecret);
  await region.getByRole('button', { name: 'Connect', exact: true }).click();
}

/**
 * Adds a server and waits until it is in the list.
 *
 * @param {Page} page
 * @param {Typed} typed
 */
export async function addServer(page, typed) {
  await connectServer(page, typed);
  await serverOn(page, typed.name).waitFor();
}

/**
 * Opens the page of a server, with its tools, its state and its buttons.
 *
 * @param {Page} page
 * @param {string} name
 */
export async function openServer(page, name) {
  await goToServers(page);
  await serverOn(page, name).waitFor();
}

/** @param {Page} page @param {string} name */
export async function isConnected(page, name) {
  await openServer(page, name);
  await serverOn(page, name)
    .getByText(/^Connected, MCP/)
    .waitFor();
}

/**
 * @param {Page} page
 * @param {string} server
 * @param {string} tool the server's name for the tool
 */
export const toolSwitch = (page, server, tool) =>
  serverOn(page, server).getByRole('switch', { name: tool, exact: true });

/**
 * @param {Page} page
 * @param {string} server
 * @param {...string} tools
 */
export async function switchOn(page, server, ...tools) {
  await openServer(page, server);
  for (const tool of tools) await toolSwitch(page, server, tool).check();
}

/**
 * Removes every server in the list.
 *
 * @param {Page} page
 */
export async function removeServers(page) {
  await goToServers(page);
  const button = serversOn(page).getByRole('button', { name: 'Remove', exact: true });
  await serversOn(page).getByText('Loading.').waitFor({ state: 'detached' });
  for (let left = await button.count(); left > 0; left--) {
    await button.first().click();
    while ((await button.count()) >= left) await page.waitForTimeout(20);
  }
}

/**
 * Presses "Sign in" once and waits for the outcome.
 *
 * @param {Page} page
 * @param {string} server a server whose page is open
 * @returns {Promise<string>} what the page then says about the server
 */
export async function pressSignIn(page, server) {
  const item = serverOn(page, server);
  await item.getByRole('button', { name: 'Sign in', exact: true }).click();
  await item.getByText('Signing in.').waitFor({ state: 'hidden' });
  return item.getByRole('status').last().innerText();
}

/**
 * Returns the name of a tool as models see it.
 *
 * @param {string} name
 */
export const aliasOf = (name) => name.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '_');

/**
 * Starts a new chat in which a model calls tools in this order and then says "Done.".
 *
 * @param {Page} page
 * @param {tool: string, input?: object} calls with the tool names that models see
 */
export async function askForCalls(page, ...calls) {
  await page.getByRole('button', { name: 'New chat' }).first().click();
  const rounds = calls.map(
    ({ tool, input = {} }) => `<tool_call>${JSON.stringify({ name: tool, arguments: input })}</tool_call>`,
  );
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill(`script\n${[...rounds, 'Done.'].join('\n---\n')}`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** @param {Page} page */
export const questionOn = (page) => page.getByRole('dialog', { name: /^Allow/ });

/**
 * @param {Page} page
 * @param {'Allow once' | 'Allow in this chat' | 'Deny'} answer
 */
export async function answerQuestion(page, answer = 'Allow once') {
  await questionOn(page).getByRole('button', { name: answer, exact: true }).click();
}

/**
 * Waits until no turn is running.
 *
 * @param {Page} page
 */
export async function turnIsOver(page) {
  await page.getByRole('article', { name: 'Hearth' }).last().getByText('Done.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' });
}
