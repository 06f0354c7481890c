/** Unsaved form input survives navigation until it is saved or discarded. Secrets are never stored. */
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ProviderInfo } from '../../src/contracts/settings';
import {
  containsSecret,
  discardUnsavedExcept,
  storeUnsaved,
  readUnsaved,
} from '../../src/ui/parts/unsaved.svelte';
import { everyNth, slow } from '../support/matrix';
import { serverView } from './fake-servers';
import { emberCard, kept, modelCard } from './model-cards';
import { show } from './show';

const earlier = 'You wrote this earlier';
const held = () => JSON.stringify(localStorage);

const mine = modelCard('mine', {
  engine: 'endpoint',
  origin: 'own',
  place: 'loopback',
  kept: { ...kept, bytes: 0 },
  bytes: 0,
  endpoint: {
    address: 'http://localhost:11434/v1',
    model: 'mine',
    hasKey: false,
    isNative: false,
    canSee: false,
  },
});
const template: ProviderInfo = {
  id: 'template',
  name: 'Custom',
  isOnByDefault: false,
  fields: { url: 'needed', key: 'optional', paths: 'needed' },
};

/** `opener` opens the form, `inputs` are the values by label, and `end` discards them. */
interface Form {
  name: string;
  hash: string;
  opener?: string;
  within: ['form' | 'region' | 'group', string] | undefined;
  inputs: Readonly<Record<string, string>>;
  secrets?: readonly string[];
  end: string | undefined;
}

const forms: readonly Form[] = [
  {
    name: 'a server',
    hash: '#/tools',
    opener: 'Add server',
    within: ['form', 'Add server'],
    inputs: { Address: 'https://mcp.example.org/mcp', Name: 'Mine', Header: 'X-Api-Key', 'Client ID': 'h-7' },
    secrets: ['Key', 'Client secret'],
    end: 'Cancel',
  },
  {
    name: 'a new endpoint',
    hash: '#/models',
    opener: 'Add endpoint',
    within: ['form', 'Add endpoint'],
    inputs: { Address: 'http://192.168.1.5:8080', Model: 'qwen3', 'Context in tokens': '32768' },
    secrets: ['Key'],
    end: 'Close',
  },
  {
    name: 'an endpoint',
    hash: '#/models',
    opener: 'Edit',
    within: ['form', 'Edit mine'],
    inputs: { Address: 'http://192.168.1.5:8080', Model: 'qwen3' },
    secrets: ['Key'],
    end: 'Close',
  },
  {
    name: 'a custom model',
    hash: '#/models',
    within: ['region', 'Add a model'],
    inputs: {
      'Model URL': 'https://example.org/one.gguf',
      'Model id': 'one',
      'Overrides (JSON)': '{"a": 1',
      'Record (JSON)': '{"model": "https',
    },
    end: undefined,
  },
  {
    name: 'an allowed address',
    hash: '#/settings',
    within: undefined,
    inputs: { Address: 'http://192.168.1.5:80' },
    end: undefined,
  },
  {
    name: 'a search provider',
    hash: '#/settings',
    within: ['group', 'Custom'],
    inputs: { URL: 'https://search.example' },
    end: undefined,
  },
];

async function open({ hash, within }: Form) {
  const shown = await show({ shelf: { cards: [emberCard, mine], diagnosis: [] } });
  const { app, screen } = shown;
  app.providers = [template];
  const go = () => app.open(hash);
  await go();
  const [role, name] = within ?? [];
  const scope = role && name ? screen.getByRole(role, { name, exact: true }) : screen;
  return { ...shown, go, scope };
}

test.for(everyNth(2, forms))(
  'invariant: unsaved form input survives leaving the screen, except secret keys: $name',
  { timeout: 30_000 },
  async (form) => {
    const { app, screen, go, scope } = await open(form);
    const field = (label: string) => scope.getByLabelText(label, { exact: true });
    const labels = Object.entries(form.inputs);
    if (form.opener) await screen.getByRole('button', { name: form.opener, exact: true }).click();
    for (const [label, written] of labels) {
      await expect.element(field(label)).toBeInTheDocument();
      // Opens folded fields, which would be hidden.
      field(label).element().closest('details')?.setAttribute('open', '');
      await field(label).fill(written);
    }
    for (const label of form.secrets ?? []) await field(label).fill('sk-secret');
    await app.open('#/');
    await expect.element(field(labels[0]![0])).not.toBeInTheDocument();
    expect(held()).not.toContain('sk-secret');

    await go();
    for (const [label, written] of labels) {
      await expect.element(field(label)).toHaveValue(written);
      await expect.element(field(label)).toBeVisible();
      await expect.element(field(label)).not.toHaveFocus();
    }
    for (const label of form.secrets ?? []) await expect.element(field(label)).toHaveValue('');
    await expect.element(scope.getByText(earlier)).toBeVisible();

    if (form.end) await scope.getByRole('button', { name: form.end, exact: true }).click();
    else for (const [label] of labels) await field(label).fill('');
    await expect.element(screen.getByText(earlier)).not.toBeInTheDocument();
    await app.open('#/');
    expect(held()).not.toContain('unsaved');
  },
);

slow('a restored unsaved setting is applied when its field loses the focus', async () => {
  storeUnsaved('proxy', { text: 'https://proxy.example.org/?u={url}' });
  const { app, screen } = await show();
  await app.open('#/settings');
  const field = screen.getByLabelText('Proxy for pages', { exact: true });
  await expect.element(field).toHaveValue('https://proxy.example.org/?u={url}');
  expect(app.settings.proxyUrl).toBe('');
  await userEvent.click(field);
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => app.settings.proxyUrl).toBe('https://proxy.example.org/?u={url}');
  await expect.element(screen.getByText(earlier)).not.toBeInTheDocument();
  await expect.poll(() => readUnsaved('proxy')).toBeUndefined();
});

slow('the form that adds a server forgets its input once the server is added', async () => {
  const { servers, app, screen } = await show();
  servers.onAdd = async () => {
    servers.say(serverView('Example'));
    return { ok: true, id: 'example' };
  };
  await app.open('#/tools');
  await screen.getByRole('button', { name: 'Add server' }).click();
  const form = screen.getByRole('form', { name: 'Add server' });
  await form.getByLabelText('Address').fill('https://mcp.example.org/mcp');
  await expect.poll(held).toContain('mcp.example.org');
  await form.getByRole('button', { name: 'Connect' }).click();
  await expect.element(form).not.toBeInTheDocument();
  expect(held()).not.toContain('unsaved');
});

slow('an unsaved address that contains a key is not stored, but the other fields are', async () => {
  const { app, screen } = await show();
  await app.open('#/tools');
  await screen.getByRole('button', { name: 'Add server' }).click();
  const form = screen.getByRole('form', { name: 'Add server' });
  await form.getByLabelText('Address').fill('https://mcp.example.org/mcp?api_key=sk-secret');
  await app.open('#/');
  await expect.element(form).not.toBeInTheDocument();
  expect(held()).not.toContain('unsaved');
  await app.open('#/tools');
  await screen.getByRole('button', { name: 'Add server' }).click();
  await form.getByLabelText('Name').fill('Mine');
  await form.getByLabelText('Address').fill('https://mcp.example.org/mcp?api_key=sk-secret');
  await app.open('#/');
  await expect.element(form).not.toBeInTheDocument();
  expect(held()).not.toContain('sk-secret');
  await app.open('#/tools');
  await expect.element(form.getByLabelText('Name')).toHaveValue('Mine');
  await expect.element(form.getByLabelText('Address')).toHaveValue('');
  await expect.element(form.getByText('without any key')).toBeVisible();
});

describe('unsaved form input in local storage', () => {
  test.for([
    ['no JSON', '{"url"'],
    ['null', 'null'],
    ['a list', '["https://mcp.example.org"]'],
    ['a text', '"https://mcp.example.org"'],
    ['a number', '7'],
  ] as const)('is ignored if it is malformed: %s', ([, json]) => {
    const place = { read: () => json, write: () => undefined };
    const found = readUnsaved('server', place);
    expect(found?.['url']).toBeUndefined();
  });

  test('is discarded if a field is unknown or has the wrong type', async () => {
    const fields =
      '{"url":7,"name":{"of":"it"},"header":true,"address":"https://mcp.example.org","__proto__":"x"}';
    localStorage.setItem('hearth.unsaved.server', fields);
    const { app, screen } = await show();
    await app.open('#/tools');
    const form = screen.getByRole('form', { name: 'Add server' });
    for (const label of ['Address', 'Name', 'Header'])
      await expect.element(form.getByLabelText(label, { exact: true })).toHaveValue('');
    await expect.element(screen.getByText(earlier)).not.toBeInTheDocument();
    expect(readUnsaved('server')).toBeUndefined();
  });

  test('is discarded if the note that it edits was deleted', async () => {
    storeUnsaved('note n1', { text: 'gone' });
    storeUnsaved('note', { text: 'a new one' });
    const { app, notes, screen } = await show();
    await notes.add({
      id: 'n2',
      text: 'Tea at four',
      createdAt: 1,
      updatedAt: 1,
      origins: [{ door: 'typed' }],
    });
    storeUnsaved('note n2', { text: 'Tea at three' });
    await app.open('#/notes');
    await expect.element(screen.getByRole('textbox', { name: 'Edit note' })).toHaveValue('Tea at three');
    expect(readUnsaved('note n1')).toBeUndefined();
    expect(readUnsaved('note')).toEqual({ text: 'a new one' });
  });

  test('is discarded for deleted prompts, but kept for existing prompts and for other types of form', () => {
    for (const form of ['prompt a', 'prompt a 1', 'prompt b', 'prompt-values b'])
      storeUnsaved(form, { text: '' });
    discardUnsavedExcept('prompt', [{ id: 'a' }]);
    const left = ['prompt a', 'prompt a 1', 'prompt b', 'prompt-values b'].filter((form) =>
      readUnsaved(form),
    );
    localStorage.clear();
    expect(left).toEqual(['prompt a', 'prompt a 1', 'prompt-values b']);
  });
});

test.for([
  ['https://ann:secret@example.org/mcp', true],
  ['https://token@example.org', true],
  ['https://example.org/mcp?api_key=abc', true],
  ['https://example.org/mcp?x=1&access-token=abc', true],
  ['https://example.org/#auth=abc', true],
  ['https://example.org/mcp', false],
  ['https://example.org/@someone/page', false],
  ['https://example.org/search?q={query}&key={key}', false],
  ['https://example.org/search?q={query}&format=json', false],
  ['https://example.org/one.gguf?download=true', false],
  ['localhost:11434', false],
] as const)('recognizes whether an address contains a secret key: %s', ([address, isKey]) => {
  expect(containsSecret(address)).toBe(isKey);
});
