/** Claims of an answer that have no source: they are listed below it and underlined in it, and nothing else is. */
import { expect, test } from 'vitest';
import { show } from './show';
import { call, result, text, Told } from './told';
import { slow } from '../support/matrix';

const weather = 'Oslo, Norway\nNow: clear, 4 °C, wind 9 km/h\n2026-11-26 Thursday: clear, 1 to 6 °C';

const told = () =>
  new Told()
    .you('How warm is it in Oslo?')
    .hearth([call('c1', 'weather', { place: 'Oslo' })])
    .results(result('c1', 'weather', weather))
    .hearth([text('It is **4 °C** now, at most 6 °C on Thursday.')], 'answered')
    .you('And the humidity?')
    .hearth([call('c2', 'weather', { place: 'Oslo' })])
    .results(result('c2', 'weather', weather))
    .hearth([text('It is 4 °C. The humidity is *87.3%*, as on 3 May.')], 'answered').chat;

const underlined = () =>
  [...(CSS.highlights.get('unfounded') ?? [])].map((range) => String(range as Range)).sort();

test('a number or date that is in no source is listed and underlined', async () => {
  const { screen } = await show(told());
  const note = screen.getByRole('note');
  await expect.element(note).toHaveTextContent('Not from a result: 87.3%, 3 May. The model wrote this');
  expect(note.elements()).toHaveLength(1);
  await expect
    .element(screen.getByRole('article', { name: 'Hearth' }).nth(1))
    .toContainElement(note.element());
  await expect.poll(underlined).toEqual(['3 May', '87.3%']);
});

test('numbers without a source are not marked while the setting is off', async () => {
  const { app, calls, screen } = await show(told());
  await expect.element(screen.getByRole('note')).toBeVisible();
  await app.saveSettings({ areClaimsChecked: false });
  await expect.element(screen.getByRole('note')).not.toBeInTheDocument();
  await expect.poll(underlined).toEqual([]);
  expect(calls).toContainEqual(['saveSettings', { areClaimsChecked: false }]);
});

slow('Settings has a switch for marking claims and explains it', async () => {
  const { app, calls, screen } = await show(told());
  await screen.getByRole('link', { name: 'Settings' }).click();
  const choice = screen.getByRole('switch', { name: 'Check answers against results' });
  await expect.element(choice).toBeChecked();
  await expect.element(choice).toHaveAccessibleDescription(/stand in no result/);
  await choice.click();
  expect(app.settings.areClaimsChecked).toBe(false);
  expect(calls).toEqual([['saveSettings', { areClaimsChecked: false }]]);
});

test('a claim to have done something is marked only if no tool did it', async () => {
  const sent = "I've sent Anna an email.";
  const chat = new Told()
    .you('Mail Anna')
    .hearth([call('c1', 'send_mail', { to: 'Anna' })])
    .results(result('c1', 'send_mail', 'ok'))
    .hearth([text(sent)], 'answered')
    .you('Mail Anna')
    .hearth([text(sent)], 'answered').chat;
  const { screen } = await show(chat);
  const note = screen.getByRole('note');
  await expect
    .element(note)
    .toHaveTextContent("No tool did this, so it has most likely not happened: I've sent Anna an email");
  expect(note.elements()).toHaveLength(1);
  await expect.poll(underlined).toHaveLength(1);
});

test('a number that appeared in an earlier turn is not marked', async () => {
  const chat = new Told()
    .you('My room is 1473.')
    .hearth([text('I see.')], 'answered')
    .you('What time is it, and where do I sleep?')
    .hearth([call('c1', 'clock', {})])
    .results(result('c1', 'clock', '2026-11-21 15:58 Saturday'))
    .hearth([text('It is 15:58, and you sleep in 1473. Breakfast costs 18 euros.')], 'answered').chat;
  const { screen } = await show(chat);
  await expect.element(screen.getByRole('note')).toHaveTextContent(/^Not from a result: 18\D/);
});
