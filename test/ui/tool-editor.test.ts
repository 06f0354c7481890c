/** The tool editor: form and JSON in sync, tests, and refused tools. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from './show';
import { slow } from '../support/matrix';

async function openEditor() {
  const shown = await show();
  await shown.screen.getByRole('link', { name: 'Tools' }).click();
  await shown.screen.getByRole('button', { name: 'New tool' }).click();
  const json = shown.screen.getByRole('textbox', { name: 'Parameters (JSON Schema)' });
  await expect.element(json).toBeVisible();
  return { ...shown, json };
}

const valueOf = async (json: Awaited<ReturnType<typeof openEditor>>['json']): Promise<unknown> =>
  JSON.parse((json.element() as HTMLTextAreaElement).value);

test("editing a custom tool's parameters as a form updates their JSON, and vice versa", async () => {
  const { screen, json } = await openEditor();
  await screen.getByRole('button', { name: 'Remove sides' }).click();
  await screen.getByRole('button', { name: 'Add a parameter' }).click();
  await screen.getByRole('textbox', { name: 'Key' }).fill('city');
  await screen.getByRole('textbox', { name: 'Meaning' }).fill('Where');
  // Saved on every keystroke, so that a reload loses nothing.
  await expect.poll(async () => JSON.stringify(await valueOf(json))).toContain('Where');
  await screen.getByRole('checkbox', { name: 'Required' }).click();
  await expect
    .poll(() => valueOf(json))
    .toEqual({
      type: 'object',
      properties: { city: { type: 'string', description: 'Where' } },
      required: [],
    });

  await json.fill('{"type":"object","properties":{"days":{"type":"integer"},"who":{"type":"object"}}}');
  await expect.element(screen.getByRole('textbox', { name: 'Key' }).nth(0)).toHaveValue('days');
  await screen.getByRole('button', { name: 'Add a field' }).click();
  await expect
    .poll(() => valueOf(json))
    .toMatchObject({
      properties: { days: { type: 'integer' }, who: { properties: { parameter_1: { type: 'string' } } } },
    });
  const fields = screen.getByRole('region', { name: 'Test' }).getByRole('textbox');
  await expect.element(fields.nth(0)).toHaveAccessibleName('days');
  await expect.element(fields.nth(1)).toHaveAccessibleName('who');

  await json.fill('{');
  await expect.element(page.getByText('The JSON below is not complete yet.')).toBeVisible();
});

slow("the hint about a custom tool's description changes as the user types", async () => {
  const { screen } = await openEditor();
  const description = screen.getByRole('textbox', { name: 'Description' });
  await expect.element(description).toHaveAccessibleDescription(/when to use it/);
  await description.fill('Makes the address of a post. Use it when a slug is asked for.');
  await expect.element(description).toHaveAccessibleDescription(/^Good: it says/);
});

test('a damaged custom tool is reported, and the Tools page stays usable', async () => {
  const { app, screen } = await show();
  app.customTools.list = { tools: [], damaged: [{ id: 'bad', name: 'broken', reason: 'x' }] };
  await screen.getByRole('link', { name: 'Tools' }).click();
  await expect.element(screen.getByText(/broken cannot be read and is left out/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'New tool' })).toBeVisible();
});

slow('after adding a tool from the gallery, the focus is on the link to its editor', async () => {
  const { screen } = await show();
  await screen.getByRole('link', { name: 'Tools' }).click();
  await screen.getByRole('button', { name: 'Preview: Unit conversion' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  const way = screen.getByRole('link', { name: 'Open: Unit conversion' });
  await expect.element(way).toHaveFocus();
  await way.click();
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Unit conversion' })).toBeVisible();
});
