import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ShownReading } from '../../src/contracts/small-model-policy';
import { Choices } from '../../src/state/choices.svelte';
import { phone, show } from './show';
import { call, text } from './told';
import { slow } from '../support/matrix';

const readings: readonly ShownReading[] = [
  { calls: [call('c1', 'calculator', { expression: '45/3*7' })], results: ['105'] },
  { calls: [call('c2', 'calculator', { expression: '45*7' })], results: ['315'] },
  { calls: [call('c3', 'lamp', { room: 'hall' })], results: [undefined] },
];

/** Starts a turn that waits for the user to choose. */
async function ask(options: Parameters<typeof show>[0] = {}) {
  const shown = await show(options);
  const { app, message, screen } = shown;
  await message.fill('If 3 shirts cost 45, how much do 7 cost?');
  await userEvent.keyboard('{Enter}');
  const abort = new AbortController();
  const chosen: (number | string | undefined)[] = [];
  app.choices = new Choices();
  void app.choices.ask({ chatId: app.session!.id, readings }, abort.signal).then(
    (place) => chosen.push(place),
    () => chosen.push('stopped'),
  );
  const group = screen.getByRole('article', { name: 'Hearth' }).getByRole('group', { name: 'Did you mean' });
  await expect.element(group).toBeVisible();
  return { ...shown, group, chosen, abort };
}

describe('the choice between possible meanings in a reply', () => {
  test('shows the tool, the exact arguments and the result of each meaning', async () => {
    const { group, screen } = await ask();
    const buttons = group.getByRole('button').all();
    expect(buttons).toHaveLength(4);
    await expect
      .element(buttons[0]!)
      .toHaveAccessibleName('Calculator 45/3*7 = 105 calculator {"expression":"45/3*7"}');
    await expect
      .element(buttons[0]!.getByLabelText('Arguments'))
      .toHaveTextContent('{"expression":"45/3*7"}');
    await expect.element(buttons[0]!.getByLabelText('Result')).toHaveTextContent('105');
    await expect.element(buttons[2]!.getByLabelText('Arguments')).toHaveTextContent('{"room":"hall"}');
    await expect.element(buttons[2]!.getByLabelText('Result')).not.toBeInTheDocument();
    await expect.element(buttons[3]!).toHaveAccessibleName('None of these');
    await expect.element(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
    await expect
      .element(screen.getByRole('status').getByText(/^Ember is not sure what you mean/))
      .toBeInTheDocument();
  });

  slow('can be made by keyboard, and then the turn continues', async () => {
    const { group, chosen, message } = await ask();
    (group.getByRole('button').all()[1]!.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => chosen).toEqual([1]);
    await expect.element(group).not.toBeInTheDocument();
    await expect.element(message).toHaveFocus();
  });

  slow('includes "None of these", which lets the user rephrase the question in place', async () => {
    const { group, chosen, script, screen, message } = await ask();
    await group.getByRole('button', { name: 'None of these' }).click();
    await expect.poll(() => chosen).toEqual([undefined]);
    script.text('Please say it in other words.');
    script.end('answered', [text('Please say it in other words.')]);
    const box = screen.getByRole('article', { name: 'You' }).getByRole('textbox');
    await expect.element(box).toHaveValue('If 3 shirts cost 45, how much do 7 cost?');
    await expect.element(box).toHaveFocus();
    await expect.element(message).toHaveValue('');
  });

  test('disappears when the user presses Stop', async () => {
    const { group, chosen, abort } = await ask();
    abort.abort();
    await expect.poll(() => chosen).toEqual(['stopped']);
    await expect.element(group).not.toBeInTheDocument();
  });

  test('fits the width of a phone, in Chinese', async () => {
    const { group, app, screen } = await ask({ size: phone });
    await app.saveSettings({ language: 'zh' });
    await expect.element(screen.getByRole('group', { name: '你的意思是' })).toBeVisible();
    await expect.poll(() => document.documentElement.scrollWidth).toBe(phone[0]);
    await expect.element(group).not.toBeInTheDocument();
  });
});
