import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { Persona, PersonaContent } from '../../src/contracts/persona';
import { writePersonaFile } from '../../src/tools/personas/persona-file';
import { personaContent } from '../support/persona';
import { malformedFiles } from '../unit/tools/personas/malformed-files';
import { phone, show } from './show';
import { slow } from '../support/matrix';

async function showPersonas(contents: PersonaContent[] = [], options: Parameters<typeof show>[0] = {}) {
  const shown = await show(options);
  for (const [at, content] of contents.entries()) {
    await shown.personas.save({ id: `p${at}`, content, createdAt: at, updatedAt: at });
  }
  const { app, screen } = shown;
  const open = async (hash: string) => {
    app.services.setHash(hash, false);
    if (!hash.startsWith('#/personas')) return;
    // The first test also waits for the code of the screen.
    const imports = () => screen.getByRole('button', { name: 'Import' }).elements().length;
    await expect.poll(imports, { timeout: 15_000 }).toBe(1);
  };
  const stored = async () => (await shown.personas.list()).personas.map(({ content }) => content);
  return { ...shown, open, stored };
}

const choose = async (screen: Awaited<ReturnType<typeof show>>['screen'], text: string) => {
  const input = screen.container.querySelector('input[type="file"]');
  await userEvent.upload(input!, new File([text], 'a.json', { type: 'application/json' }));
};

test('switching off one tool of a persona keeps the others on', async () => {
  const { screen, open, stored } = await showPersonas([
    personaContent('Writer', { isTool: true }),
    personaContent('Editor'),
  ]);
  await open('#/personas/p1');
  const tools = screen.getByRole('group', { name: 'Tools', exact: true });
  const named = () => tools.getByRole('switch').elements().length;
  await expect.poll(named).toBe(3);
  await tools.getByRole('switch', { name: 'calculator', exact: true }).click();
  await expect.element(screen.getByRole('switch', { name: 'All tools' })).not.toBeChecked();
  await expect.element(tools.getByRole('switch', { name: 'writer', exact: true })).toBeChecked();
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText('Saved.', { exact: true })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Save' })).toHaveFocus();
  expect((await stored())[1]?.tools).toEqual(['clock', 'writer']);
  await screen.getByRole('switch', { name: 'All tools' }).click();
  await expect.element(tools.getByRole('switch', { name: 'calculator' })).toBeChecked();
  await screen.getByRole('switch', { name: 'All tools' }).click();
  await expect.element(tools.getByRole('switch', { name: 'clock' })).not.toBeChecked();
});

slow('a tool or model of a persona stays selected when it is missing', async () => {
  const model = { id: 'far', name: 'Far', engine: 'llama', bytes: 1 };
  const { screen, open, stored } = await showPersonas([personaContent('A', { tools: ['gone_tool'], model })]);
  await open('#/personas/p0');
  await expect.element(screen.getByRole('switch', { name: 'gone_tool', exact: true })).toBeChecked();
  const select = screen.getByRole('combobox', { name: 'Model', exact: true });
  await expect.element(select).toHaveTextContent('Far (not on this device)');
  await expect.element(select).toHaveValue('far');
  await screen.getByRole('textbox', { name: 'Name', exact: true }).fill('B');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText('Saved.', { exact: true })).toBeVisible();
  expect((await stored())[0]).toMatchObject({ name: 'B', tools: ['gone_tool'], model });
});

slow("the form and the JSON Schema for a persona's input fields update each other", async () => {
  const { screen, open, stored } = await showPersonas([
    personaContent('Writer', { isTool: true, description: 'Writes what it is asked to.' }),
  ]);
  await open('#/personas/p0');
  const json = screen.getByRole('textbox', { name: 'Input (JSON Schema)' });
  await screen.getByRole('button', { name: 'Add an input field' }).click();
  await expect.poll(() => json.element()).toHaveProperty('value', expect.stringContaining('parameter_1'));
  await json.fill('{"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]}');
  const fields = screen.getByRole('list', { name: 'Input', exact: true });
  await expect.element(fields.getByRole('textbox', { name: 'Key' })).toHaveValue('topic');
  await screen.getByRole('textbox', { name: 'Output (JSON Schema)' }).fill('{"type": "date"}');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('This schema cannot be used.');
  await screen.getByRole('textbox', { name: 'Output (JSON Schema)' }).fill('');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText('Saved.', { exact: true })).toBeVisible();
  expect((await stored())[0]).toMatchObject({ inputSchema: { required: ['topic'] } });
  expect((await stored())[0]?.outputSchema).toBeUndefined();
  // A persona without fields takes plain text again.
  await fields.getByRole('button', { name: 'Remove topic' }).click();
  await expect.element(json).toHaveValue('');
});

slow('importing a file that is not a valid persona is refused with an explanation', async () => {
  const { screen, open, stored } = await showPersonas();
  await open('#/personas');
  const said = {
    'too-large': 'It is too large',
    'not-json': 'It is not JSON',
    'other-kind': 'It is not a persona',
    newer: 'It is from a newer Hearth',
    damaged: 'Something in it is missing or wrong',
  };
  for (const [problem, sentence] of Object.entries(said)) {
    const { text } = malformedFiles.find((file) => file.problem === problem)!;
    await choose(screen, text);
    await expect.element(screen.getByRole('alert')).toHaveTextContent(sentence);
    expect(await stored()).toEqual([]);
  }
});

slow('the background worker also refuses files that are not valid personas', async () => {
  const { app, stored } = await showPersonas([personaContent('Writer')]);
  const { readFile } = app.services.personas;
  for (const { name, text, problem } of malformedFiles) {
    expect(await readFile(new Blob([text])), name).toMatchObject({ ok: false, problem });
  }
  expect(await stored()).toEqual([personaContent('Writer')]);
});

test('invariant: a persona is shown in full before import, and imported with its tools switched off', async () => {
  const { screen, open, stored } = await showPersonas();
  await open('#/personas');
  const content = personaContent('Guest', { instructions: 'One.\nTwo\u202e.', tools: ['clock'] });
  await choose(screen, writePersonaFile(content));
  const asked = screen.getByRole('dialog');
  // A bidirectional control character is visible.
  await expect.element(asked.getByRole('figure', { name: 'Instructions' })).toHaveTextContent('Two\\u202e.');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  expect(await stored()).toEqual([]);
  await choose(screen, writePersonaFile(content));
  await asked.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText('It came with these tools switched off: clock.')).toBeVisible();
  expect((await stored())[0]).toEqual({ ...content, tools: [] });
});

slow('an unreadable persona is reported and can be removed', async () => {
  const { screen, personas, open } = await showPersonas();
  await personas.save({ id: 'odd', content: { name: 'Odd one' } } as Persona);
  await open('#/personas');
  await expect.element(screen.getByText(/^Odd one cannot be read/)).toBeVisible();
  await screen.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.element(screen.getByText(/^Odd one cannot be read/)).not.toBeInTheDocument();
});

slow('on a phone, a chat has one persona menu with a link to the Personas screen', async () => {
  const { screen, app, open } = await showPersonas([personaContent('Pip', { tools: ['clock'] })], {
    size: phone,
  });
  await open('#/');
  const choice = screen.getByRole('combobox', { name: 'Persona', exact: true });
  await expect.poll(() => choice.elements().length).toBe(1);
  await expect.element(choice).toHaveTextContent('Pip');
  await choice.selectOptions('Pip');
  await expect.poll(() => app.persona?.content.name).toBe('Pip');
  expect(app.offeredTools.map(({ name }) => name)).toEqual(['clock']);
  await screen.getByRole('button', { name: '1 tool', exact: true }).click();
  await expect.element(screen.getByText('Pip may use only these.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await choice.selectOptions('Personas …');
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Personas' })).toBeVisible();
  expect(app.persona?.content.name).toBe('Pip');
});

test("choosing a persona switches the chat to the persona's model if it is on this device", async () => {
  const here = { id: 'ember', name: 'Ember', engine: 'llama', bytes: 6_200_000 };
  const far = { id: 'far', name: 'Far', engine: 'llama', bytes: 1 };
  const { screen, app, open, calls } = await showPersonas([
    personaContent('Near', { model: here }),
    personaContent('Remote', { model: far }),
  ]);
  await app.saveSettings({ model: { ...far, id: 'other', name: 'Other' } });
  await open('#/');
  const choice = screen.getByRole('combobox', { name: 'Persona', exact: true });
  await choice.selectOptions('Remote');
  await expect.element(screen.getByText(/^Remote would answer with Far/)).toBeVisible();
  expect(app.chosen.id).toBe('other');
  expect(calls.filter(([name]) => name === 'retry')).toEqual([]);
  await choice.selectOptions('Near');
  await expect.poll(() => app.chosen.id).toBe('ember');
  // The model of other chats does not change.
  expect(app.settings.model?.id).toBe('other');
  await expect.poll(() => calls.filter(([name]) => name === 'retry').length).toBe(1);
});

slow("a persona's example questions appear as buttons in chats with that persona", async () => {
  const { app, screen, open, stored, message } = await showPersonas([personaContent('Writer')]);
  await open('#/personas/p0');
  await screen
    .getByRole('textbox', { name: 'First questions' })
    .fill(' A poem about rain \n\nThree titles\n');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await stored())[0]?.questions)
    .toEqual(['A poem about rain', 'Three titles']);
  app.openNewChat();
  await open('#/');
  await app.session?.set({ persona: 'p0' });
  await expect.element(screen.getByRole('button', { name: /^A poem about rain/ })).toBeVisible();
  await open('#/ask');
  await screen.getByRole('button', { name: /^Three titles/ }).click();
  await expect.element(message).toHaveValue('Three titles');
});
