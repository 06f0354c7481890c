import { describe, expect, test } from 'vitest';
import { type Locator, userEvent } from 'vitest/browser';
import type { CustomToolContent } from '../../src/contracts/custom-tool';
import type { ToolSpec } from '../../src/contracts/tool';
import { emberCard, kept, modelCard } from './model-cards';
import { setToolInNewChats } from '../../src/state/app-actions';
import { show } from './show';
import { slow } from '../support/matrix';

const tools: readonly ToolSpec[] = [
  { name: 'calculator', title: 'Calculator', description: 'x', inputSchema: {} },
  {
    name: 'web_search',
    title: 'Web search',
    description: 'x',
    inputSchema: {},
    annotations: { openWorldHint: true },
  },
  { name: 'heron_facts', title: 'Heron facts', description: 'Tells of herons.', inputSchema: {} },
];

test('every tool is listed with its description, what it can access, and its call statistics', async () => {
  const { screen } = await show({ tools });
  await screen.getByRole('link', { name: 'Tools' }).click();
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Tools' })).toBeVisible();
  const items = screen.getByRole('list', { name: 'Tools' }).getByRole('listitem');
  await expect
    .element(items.nth(0))
    .toHaveTextContent(
      /Calculator calculator.*Works out sums and converts units exactly\..*nothing leaves this device\..*4 calls, 1 failed, 2 repaired, 200 ms on average/,
    );
  await expect
    .element(items.nth(1))
    .toHaveTextContent(/Web search web_search.*where you allow it.*Not used yet/);
  await expect.element(items.nth(2)).toHaveTextContent(/Heron facts heron_facts.*Tells of herons\./);
});

slow('switching off a built-in tool affects new and empty chats, but not started ones', async () => {
  const { app, screen, script, message } = await show({ tools });
  await screen.getByRole('link', { name: 'Tools' }).click();
  const search = screen.getByRole('switch', { name: 'web_search' });
  await expect.element(search).toBeChecked();
  await search.click();
  await expect.element(search).not.toBeChecked();
  expect(app.settings.toolsOff).toEqual(['web_search']);
  await screen.getByRole('button', { name: 'New chat' }).first().click();
  await expect.element(screen.getByRole('button', { name: '2 tools' })).toBeVisible();
  await message.fill('Hi');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => script.toolsOff).toEqual([['web_search']]);
  // A started chat keeps its tools.
  await setToolInNewChats(app, 'web_search', true);
  expect(app.session?.settings.toolsOff).toEqual(['web_search']);
  expect(app.settings.toolsOff).toEqual([]);
});

slow('the web search tool links to the search providers', async () => {
  const { screen } = await show({ tools });
  await screen.getByRole('link', { name: 'Tools' }).click();
  await screen.getByRole('link', { name: 'Search providers' }).click();
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

slow('a long list of tools can be searched and filtered, and is shown in pages', async () => {
  const many = Array.from({ length: 14 }, (_, at): ToolSpec => ({
    name: `heron_${at}`,
    title: `Heron ${at}`,
    description: 'x',
    inputSchema: {},
  }));
  const { app, screen, customTools } = await show({ tools: many });
  const content = (at: number): CustomToolContent => ({
    name: `own_${at}`,
    title: `Own ${at}`,
    description: 'Mine.',
    inputSchema: {},
    code: '',
    class: 'pure',
    hosts: [],
    secrets: [],
    examples: [],
    limits: { timeMs: 1, outputCharacters: 1, hostCalls: 0 },
  });
  for (let at = 0; at < 60; at++) {
    const times = { createdAt: at, updatedAt: at, versions: [] };
    await customTools.save({ id: `${at}`, content: content(at), isOn: at % 2 === 0, ...times });
  }
  await screen.getByRole('link', { name: 'Tools' }).click();
  const own = screen.getByRole('list', { name: 'Your own' }).getByRole('listitem');
  const builtIn = screen.getByRole('list', { name: 'Tools' }).getByRole('listitem');
  await expect.poll(() => [own.elements().length, builtIn.elements().length]).toEqual([50, 14]);
  await screen.getByRole('button', { name: 'Show more of the 10 left' }).click();
  await expect.poll(() => own.elements().length).toBe(60);

  await screen.getByRole('combobox', { name: 'Show' }).selectOptions('off');
  await expect.poll(() => [own.elements().length, builtIn.elements().length]).toEqual([30, 0]);
  await screen.getByRole('combobox', { name: 'Show' }).selectOptions('all');
  await screen.getByRole('searchbox', { name: 'Search these tools' }).fill('heron_1');
  await expect.poll(() => builtIn.elements().length).toBe(5);
  await expect.element(screen.getByText('No tool found. Try another word.')).toBeVisible();
  await screen.getByRole('button', { name: 'Always list heron_11' }).click();
  expect(app.settings.pins).toEqual({ heron_11: false });
});

describe('the setting to find tools by meaning', () => {
  const many = Array.from({ length: 14 }, (_, at): ToolSpec => ({
    name: `heron_${at}`,
    title: `Heron ${at}`,
    description: 'x',
    inputSchema: {},
  }));
  const cards = [
    emberCard,
    modelCard('Mine', { engine: 'llama', makesVectors: true, kept }),
    modelCard('Away', { engine: 'llama', makesVectors: true }),
    modelCard('Large', { kept }),
  ];
  const label = 'Find tools by meaning too, with';

  async function showTools(staged: Parameters<typeof show>[0] = {}) {
    const shown = await show({ tools: many, shelf: { cards, diagnosis: [] }, ...staged });
    await shown.screen.getByRole('link', { name: 'Tools' }).click();
    return { ...shown, choice: shown.screen.getByRole('combobox', { name: label }) };
  }
  const options = (choice: Locator) =>
    [...choice.element().querySelectorAll('option')].map(({ textContent }) => textContent);

  slow('is off by default and offers the suitable downloaded models', async () => {
    const { app, choice } = await showTools();
    await expect.poll(() => options(choice)).toEqual(['off', 'Ember', 'Mine']);
    await expect.element(choice).toHaveValue('');
    await expect.element(choice).toHaveAccessibleDescription(/reads every tool once, on this device/);
    await choice.selectOptions('Mine');
    expect(app.settings.meaningModel).toBe('Mine');
    await expect.element(choice).toHaveValue('Mine');
    await choice.selectOptions('off');
    expect(app.settings.meaningModel).toBeNull();
  });

  slow('applies a newly chosen model at once', async () => {
    const { app, choice } = await showTools();
    const told: unknown[] = [];
    app.services.agent.findTools = async (words) => {
      told.push([words, app.settings.meaningModel]);
      return { names: [] };
    };
    await expect.poll(() => options(choice)).toHaveLength(3);
    await choice.selectOptions('Ember');
    await choice.selectOptions('off');
    await expect
      .poll(() => told)
      .toEqual([
        ['', 'ember'],
        ['', null],
      ]);
  });

  test('still lists a chosen model that was deleted, so that it can be deselected', async () => {
    const { app, screen } = await show({ tools });
    app.settings = { ...app.settings, meaningModel: 'Gone' };
    await screen.getByRole('link', { name: 'Tools' }).click();
    const choice = screen.getByRole('combobox', { name: label });
    await expect.element(choice).toHaveValue('Gone');
    await choice.selectOptions('off');
    await expect.element(choice).not.toBeInTheDocument();
  });

  test('updates the search results when matches by meaning arrive, and reports a failure', async () => {
    const { app, screen } = await showTools();
    let settle: (later: readonly string[] | 'failed') => void = () => undefined;
    app.services.agent.findTools = async () => ({
      names: ['heron_1'],
      later: new Promise((resolve) => (settle = resolve)),
    });
    const items = screen.getByRole('list', { name: 'Tools' }).getByRole('listitem');
    const names = () => items.elements().map((item) => item.querySelector('code')?.textContent);
    const field = screen.getByRole('searchbox', { name: 'Search these tools' });
    await field.fill('wading');
    await expect.poll(names).toEqual(['heron_1']);
    settle(['heron_2', 'heron_1']);
    await expect.poll(names).toEqual(['heron_2', 'heron_1']);
    await field.fill('birds');
    await expect.poll(names).toEqual(['heron_1']);
    settle('failed');
    await expect
      .element(screen.getByText(/could not be used, so they are found by their words/))
      .toBeVisible();
    await expect.poll(names).toEqual(['heron_1']);
  });
});

slow("closing a tool's preview before its check has finished causes no error", async () => {
  const { screen } = await show({ tools });
  await screen.getByRole('link', { name: 'Tools' }).click();
  // Checking this pattern takes a second.
  const text = { type: 'string', pattern: '^(a+)+$' };
  const content: CustomToolContent = {
    name: 'slow',
    title: 'Slow',
    description: 'Is checked for long.',
    code: 'return 1',
    class: 'pure',
    hosts: [],
    secrets: [],
    inputSchema: { type: 'object', properties: { text } },
    examples: [{ request: '', arguments: { text: `${'a'.repeat(50)}!` } }],
    limits: { timeMs: 1000, outputCharacters: 1000, hostCalls: 0 },
  };
  const tool = JSON.stringify({ kind: 'hearth-tool', version: 1, tool: content });
  const failed: unknown[] = [];
  const onFailed = (event: PromiseRejectionEvent) => failed.push(event.reason);
  addEventListener('unhandledrejection', onFailed);
  await expect.element(screen.getByRole('button', { name: 'New tool' })).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('input[accept*=json]');
  if (!input) throw new Error('no field for a file');
  await userEvent.upload(input, new File([tool], 'slow.json'));
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByRole('button', { name: 'Keep, switched off' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await new Promise((resolve) => setTimeout(resolve));
  removeEventListener('unhandledrejection', onFailed);
  expect(failed).toEqual([]);
});
