/** MCP servers in each state, with the protocol's reference server on this machine. */
import { startEverything } from '../support/mcp/everything';
import { turnEnds } from './site';
import { button, dialog, folded, goTo, main, pressAll, type Tour } from './tour';

const call = (name: string, input: object) =>
  `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`;

export async function seeServers(tour: Tour): Promise<void> {
  const server = await startEverything();
  try {
    await seeAdding(tour, server.url);
    await seeServer(tour);
    await seeCalls(tour);
    await seeSlashMenu(tour);
    await server.kill();
    await seeAway(tour);
  } finally {
    await server.close();
  }
}

async function seeAdding(tour: Tour, url: string): Promise<void> {
  const { page, rest, look } = tour;
  const { servers: words, common } = rest;
  const field = (label: string) => main(page).getByLabel(label, { exact: true });
  await goTo(page, 'tools');
  await button(main(page), words.add).click();
  await field(common.address).waitFor();
  await pressAll(main(page).locator('form').locator(folded));
  await look('a server is added');
  await field(common.address).fill('herons');
  await button(main(page), words.connect).click();
  await main(page).getByText(words.problemCodes['url-form']).waitFor();
  await look('an address that is none');
  await field(common.address).fill(url);
  await field(common.name).fill('Everything');
  await button(main(page), words.connect).click();
  const allow = button(main(page), words.allow(new URL(url).origin));
  await allow.waitFor();
  await look('an address that is to be allowed');
  await allow.click();
  await main(page).getByRole('switch', { name: 'echo', exact: true }).waitFor();
  await look('a server with its tools');
}

async function seeServer(tour: Tour): Promise<void> {
  const { page, rest, look } = tour;
  const { servers: words } = rest;
  for (const tool of ['echo', 'get-tiny-image', 'trigger-elicitation-request']) {
    await main(page).getByRole('switch', { name: tool, exact: true }).click();
  }
  await main(page)
    .getByRole('link', { name: words.open('Everything'), exact: true })
    .click();
  await main(page).getByRole('heading', { level: 1, name: 'Everything' }).waitFor();
  await pressAll(main(page).locator(folded));
  await look('the page of a server');
}

async function seeCalls(tour: Tour): Promise<void> {
  const { page, words, rest, look } = tour;
  const ask = async (text: string) => {
    await page.getByRole('textbox', { name: words.composer.label, exact: true }).fill(text);
    await button(page, words.composer.send).click();
  };
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(page.getByRole('navigation'), words.navigation.newChat).click();
  await ask(`script\n${call('get_tiny_image', {})}\n---\nDone.`);
  await dialog(page).waitFor();
  await look('whether a tool of a server may be called');
  await button(dialog(page), rest.approval.once).click();
  await turnEnds(page, words.composer.stop);
  await look('a picture of a server');
  await ask(`script\n${call('trigger_elicitation_request', {})}\n---\nDone.`);
  await button(dialog(page), rest.approval.once).click();
  await dialog(page).getByText(rest.servers.question.warning).waitFor();
  await look('what a server asks');
  await button(dialog(page), rest.servers.question.decline).click();
  await turnEnds(page, words.composer.stop);
}

async function seeSlashMenu(tour: Tour): Promise<void> {
  const { page, words, rest, look } = tour;
  const box = page.getByRole('textbox', { name: words.composer.label, exact: true });
  const combobox = page.getByRole('combobox', { name: words.composer.label, exact: true });
  await box.or(combobox).fill('/');
  const list = page.getByRole('listbox', { name: rest.servers.slash.title });
  const options = list.getByRole('group', { name: rest.servers.slash.resources }).getByRole('option');
  await options.first().waitFor();
  await look('the menu behind a slash');
  await options.last().click();
  await page.getByRole('list', { name: rest.servers.slash.attached }).waitFor();
  await look('a resource that goes with the message');
  await page.getByRole('list', { name: rest.servers.slash.attached }).getByRole('button').click();
  await box.or(combobox).fill('');
}

async function seeAway(tour: Tour): Promise<void> {
  const { page, rest, look } = tour;
  const { servers: words } = rest;
  await goTo(page, 'tools');
  await button(
    main(page).getByRole('listitem').filter({ hasText: 'Everything' }).first(),
    words.refresh,
  ).click();
  await main(page).getByText(words.problems.cors).waitFor();
  await look('a server that is away');
}
