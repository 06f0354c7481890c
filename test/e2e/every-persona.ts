/** The screens of personas, and what a chat shows of one, in each state. */
import { turnEnds } from './site';
import { button, close, dialog, folded, goTo, main, pressAll, type Tour } from './tour';

const fromFile = JSON.stringify({
  kind: 'hearth-persona',
  version: 1,
  persona: {
    name: 'Guest',
    description: 'Came in a file.',
    instructions: 'Be short.\nBe kind.',
    language: null,
    sampling: { temperature: 0.5 },
    tools: ['clock', 'no_such_tool'],
    areCardsFolded: true,
    isTool: true,
    questions: ['Who keeps the lighthouse?', 'Was steht in der Leuchtturmwärterdienstanweisung? '.repeat(3)],
    model: { id: 'elsewhere', name: 'Elsewhere', engine: 'llama', bytes: 1 },
    inputSchema: { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] },
    outputSchema: { type: 'array', items: { type: 'string' } },
  },
});

export async function seePersonas(tour: Tour): Promise<void> {
  const { page, rest, look } = tour;
  const { personas: words, common } = rest;
  await goTo(page, 'personas');
  await main(page).getByText(words.none).waitFor();
  const add = main(page).getByRole('button', { name: new RegExp(`^${common.add}: `) });
  await add.last().waitFor();
  await look('no personas');
  await add.last().click();
  await main(page).getByText(common.added).waitFor();
  const file = (text: string) => ({
    name: 'a.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
  await page.locator('input[type="file"]').setInputFiles(file('{"kind": "hearth-persona", "version": 1}'));
  await main(page).getByRole('alert').waitFor();
  await look('a persona of the gallery, and a file that is none');

  await main(page)
    .getByRole('link', { name: `${common.edit} typed_writer` })
    .click();
  await button(main(page), words.duplicate).waitFor();
  await pressAll(main(page).locator(folded));
  await look('a persona that is offered as a tool');
  await page.locator('input[type="file"]').setInputFiles(file(fromFile));
  await dialog(page).waitFor();
  await pressAll(dialog(page).locator(folded));
  await look('a persona from a file');
  await button(dialog(page), common.save).click();
  await main(page).getByText(words.arrivedAsTool.trim(), { exact: false }).waitFor();
  await look('a persona that has arrived');
  await main(page).getByLabel(common.name, { exact: true }).fill('');
  await main(page).getByLabel(common.temperature, { exact: true }).fill('hot');
  await button(main(page), common.save).click();
  await main(page).getByRole('alert').waitFor();
  await look('a persona that cannot be saved');
  await button(main(page), common.delete).click();
  await button(page, rest.chats.deletion.undo).waitFor();
  await look('a persona that was deleted, and can be brought back');
  await button(page, rest.chats.deletion.undo).click();
  await goTo(page, 'personas/none');
  await main(page).getByRole('alert').getByText(words.missing).waitFor();
  await look('a persona that is not here');
  await goTo(page, 'tools');
  await page.getByRole('list', { name: tour.words.navigation.personas }).waitFor();
  await look('personas among the tools');
  await seeInChat(tour);
}

async function seeInChat({ page, words, rest, look }: Tour): Promise<void> {
  const choice = page.getByRole('combobox', { name: words.persona.label, exact: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(page.getByRole('navigation'), words.navigation.newChat).click();
  await page.getByRole('heading', { name: words.empty.title }).waitFor();
  await choice.selectOption({ label: 'Guest' });
  await main(page).getByRole('link', { name: rest.personas.inChat.models }).waitFor();
  await look('an empty chat with a persona whose model is not here');
  await page.getByRole('textbox', { name: words.composer.label, exact: true }).fill('script\nGood evening.');
  await button(page, words.composer.send).click();
  await turnEnds(page, words.composer.stop);
  await look('a chat with a persona');
  await choice.selectOption({ label: words.persona.none });
  await look('a chat without a persona');

  // It repeats its request, which does not match the schema, twice.
  const asked = { topic: 'Spring', wordCount: 20, style: 'prose' };
  const call = `<tool_call>${JSON.stringify({ name: 'typed_writer', arguments: asked })}</tool_call>`;
  const box = page.getByRole('textbox', { name: words.composer.label, exact: true });
  await box.fill(`script\n${call}\n---\nDone.`);
  await button(page, words.composer.send).click();
  await turnEnds(page, words.composer.stop);
  const card = page.getByRole('group', { name: /^typed_writer:/ });
  if ((await card.locator('[aria-expanded="false"]').count()) > 0)
    await card.getByRole('button').first().click();
  await card.getByText('You said:').first().waitFor();
  await look('an answer for which an agent was asked');
  await button(main(page), rest.turn.details).last().click();
  await dialog(page)
    .getByRole('heading', { name: /^typed_writer/ })
    .first()
    .waitFor();
  await look('the details of an answer for which an agent was asked');
  await close(page);
}
