/** The command palette in each state. */
import { turnEnds } from './site';
import { button, close, goTo, main, type Tour } from './tour';

export async function seeFollowUps({ page, words, rest, look }: Tour): Promise<void> {
  const { command } = rest;
  await button(page.getByRole('navigation'), words.navigation.newChat).click();
  await page.getByRole('heading', { name: words.empty.title }).waitFor();
  const box = page.getByRole('textbox', { name: words.composer.label, exact: true });
  // Slow, so that it does not end before the check.
  await box.fill('script 500\nword {{repeat 400}}');
  await button(page, words.composer.send).click();
  for (const text of ['And then? '.repeat(40), 'ThatIsOneWordWithoutAnyBlankInIt'.repeat(9)]) {
    await box.fill(text);
    await button(page, words.composer.queue).click();
    await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
  }
  await button(main(page), command.followUps.steerOne(2)).click();
  await look('messages that wait');
  await button(page, words.composer.stop).click();
  await turnEnds(page, words.composer.stop);
  await button(main(page), command.followUps.change(1)).click();
  await look('a message that waits, as it is changed');
  await button(main(page), words.actions.cancel).click();
  for (const place of [2, 1]) await button(main(page), command.followUps.remove(place)).click();
}

export async function seePalette({ page, rest, look }: Tour): Promise<void> {
  const { palette, names } = rest.command;
  const box = page.getByRole('combobox', { name: palette.label });
  const open = (typed: string) => async () => {
    if (!(await box.isVisible())) await page.keyboard.press('Control+k');
    await box.fill(typed);
  };
  await open('')();
  await look('the commands', open(''));
  await open('script')();
  await page.getByRole('group', { name: palette.groups.said }).waitFor();
  await look('the commands that fit', open('script'));
  await open('zebra')();
  await page.getByText(palette.none).waitFor();
  await look('no command that fits', open('zebra'));
  await open(names.rename)();
  await page.keyboard.press('Enter');
  await look('the new name of a chat');
  await close(page);
}

export async function seePrompts({ page, words, rest, look }: Tour): Promise<void> {
  const { prompts } = rest.command;
  await goTo(page, 'prompts');
  await main(page).getByText(prompts.none).waitFor();
  await look('no prompts of one’s own');
  await button(main(page), prompts.takeExample).click();
  await main(page).getByLabel(prompts.name, { exact: true }).fill('x'.repeat(61));
  await main(page).getByRole('alert').waitFor();
  await look('a prompt whose name is too long');
  await main(page).getByLabel(prompts.name, { exact: true }).fill(prompts.example.name);
  await button(main(page), prompts.add).click();
  await button(main(page), prompts.new).click();
  await main(page).getByLabel(prompts.name, { exact: true }).fill('EinePromptbezeichnungOhneLeerzeichen');
  await main(page)
    .getByLabel(prompts.text, { exact: true })
    .fill('ThatIsOneWordWithoutAnyBlankInIt'.repeat(9));
  await button(main(page), prompts.add).click();
  await button(main(page), prompts.edit(prompts.example.name)).click();
  await look('prompts, and one that is changed');
  await page.keyboard.press('Escape');
  await main(page).getByRole('link', { name: rest.settings.back }).click();
  const box = page.getByRole('textbox', { name: words.composer.label, exact: true });
  await box.fill('/');
  const option = page.getByRole('option', { name: prompts.example.name });
  await option.waitFor();
  await look('what a slash offers of one’s own');
  await option.click();
  await page.getByRole('dialog').waitFor();
  await look('what a prompt asks for');
  await close(page);
  await box.fill('');
}
