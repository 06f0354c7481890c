/** Row 3, commands: the palette, the list of shortcuts, saved prompts after `/`, and messages sent during a turn. */
import { expect } from 'vitest';
import { hasFocus, press, reach } from './keyboard-steps';
import type { Walk } from './row-walk';
import { turnEnds } from './site';
import { button, dialog, main } from './tour';

export async function walkCommanding(walk: Walk): Promise<void> {
  await walkPalette(walk);
  await walkPrompts(walk);
}

async function walkPalette(walk: Walk): Promise<void> {
  const { page, words, rest, see, hears, writesOn } = walk;
  const { palette, names } = rest.command;
  await walk.ask('script\nThe heron stands in the pond.');
  await see('a chat');
  const input = dialog(page).getByRole('combobox', { name: palette.label });
  const option = (name: string) => dialog(page).getByRole('option', { name }).first();
  const find = async (typed: string) => {
    await page.keyboard.press('Control+k');
    await input.waitFor();
    if (typed === '') return;
    await page.keyboard.insertText(typed);
  };
  /** Moves down to an option, as someone does who hears which one is active. */
  const choose = async (name: string) => {
    const place = async () =>
      option(name).evaluate(
        (node) => node.id === document.activeElement?.getAttribute('aria-activedescendant'),
      );
    await option(name).waitFor();
    for (let step = 0; step < 60 && !(await place()); step++) await page.keyboard.press('ArrowDown');
    expect(await place()).toBe(true);
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
  };
  await find('');
  await dialog(page).getByRole('group', { name: palette.groups.settings }).waitFor();
  await hears(palette.count(2).replace(/\d+/, '').trim());
  await see('the commands');
  await page.keyboard.insertText('zebra');
  await hears(palette.count(0));
  await see('no command that fits');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await writesOn();

  await find('heron');
  await dialog(page).getByRole('group', { name: palette.groups.said }).waitFor();
  await see('what was said in chats');
  await choose('heron');
  await see('a message that was found');

  const { common } = rest;
  await page.keyboard.press('Alt+Shift+2');
  await page.getByRole('heading', { level: 1, name: words.navigation.personas }).waitFor();
  const add = main(page).getByRole('button', { name: new RegExp(`^${common.add}: `) });
  await add.first().waitFor();
  await see('the personas');
  await press(add.first());
  await main(page).getByText(common.added).first().waitFor();
  await see('a persona that was added');
  const persona = await main(page).getByRole('listitem').first().getByRole('heading').innerText();
  await press(main(page).getByRole('link', { name: rest.settings.back }), 'Shift+Tab');
  await find(persona);
  await dialog(page).getByRole('group', { name: palette.groups.personas }).waitFor();
  await choose(persona);
  await expect
    .poll(() =>
      main(page)
        .getByRole('combobox', { name: words.persona.label })
        .first()
        .locator('option:checked')
        .innerText(),
    )
    .toBe(persona);
  await hears(rest.chats.actions.personaChanged);
  await see('a persona was chosen');

  const calculator = rest.tools.titles['calculator']!;
  await find(palette.switchOff(calculator));
  await choose(palette.switchOff(calculator));
  await hears(rest.chats.actions.switchedOff);
  await see('a tool was switched off');
  await find(rest.settings.textSize);
  await dialog(page).getByRole('group', { name: palette.groups.settings }).waitFor();
  await choose(rest.settings.appearance);
  await page.getByRole('heading', { level: 1, name: words.navigation.settings }).waitFor();
  await see('a part of the settings');
  await find('Ember');
  await dialog(page).getByRole('group', { name: palette.groups.models }).waitFor();
  await choose('Ember');
  await see('another model was chosen');
  await find('script');
  await choose('script');
  await main(page).getByText('The heron').first().waitFor();
  await see('a chat was chosen');
  await find(names['new-chat']);
  await choose(names['new-chat']);
  await page.getByRole('heading', { name: words.empty.title }).waitFor();
  await writesOn();
  await find('Scripted');
  await choose('Scripted');
  await page.keyboard.press('Control+/');
  await dialog(page).waitFor();
  await see('the list of keys');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await see('the list of keys is closed');
}

async function walkPrompts(walk: Walk): Promise<void> {
  const { page, rest, box, see, hears, writesOn } = walk;
  const { prompts } = rest.command;
  await page.keyboard.press('Alt+Shift+9');
  await press(button(main(page), prompts.takeExample));
  await see('a prompt to begin with');
  await press(button(main(page), prompts.add));
  await main(page).getByRole('list', { name: prompts.list }).waitFor();
  await see('a prompt of one’s own');
  await page.keyboard.press('Alt+Shift+O');
  await writesOn();
  await page.keyboard.insertText('/');
  await page.getByRole('option', { name: prompts.example.name }).waitFor();
  await hears(rest.servers.slash.count(2));
  await see('what a slash offers');
  await page.keyboard.press('ArrowDown');
  await see('the second thing that a slash offers');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
  await see('what a prompt asks for');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.insertText('A long text');
  await page.keyboard.press('Enter');
  await expect.poll(() => box.inputValue()).toContain('A long text');
  await writesOn();
  await see('a prompt that is filled in');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  const use = button(main(page), prompts.use);
  await press(use);
  await page.getByRole('listbox').waitFor();
  await see('prompts by the button');
  await page.keyboard.press('Escape');
  await see('no prompt after all');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
}

/** Separate, because it needs a longer turn. */
export async function walkFollowUps(walk: Walk): Promise<void> {
  const { page, words, rest, box, see, hears } = walk;
  const { followUps } = rest.command;
  await reach(box);
  await page.keyboard.insertText('script 40\nword {{repeat 2000}}');
  await page.keyboard.press('Enter');
  await button(main(page), words.composer.stop).waitFor();
  await see('an answer that is being written');
  for (const text of ['And then?', 'And after that?', 'At last?']) {
    await page.keyboard.insertText(text);
    await page.keyboard.press('Enter');
    await expect.poll(() => box.inputValue()).toBe('');
  }
  await hears(followUps.count(3));
  const rows = main(page).getByRole('region', { name: followUps.title }).getByRole('listitem');
  await see('messages that wait');
  await press(button(main(page), followUps.change(1)), 'Shift+Tab');
  await expect.poll(() => hasFocus(main(page).getByRole('textbox', { name: followUps.text(1) }))).toBe(true);
  await see('a message that waits is changed');
  await page.keyboard.insertText(' Then.');
  await page.keyboard.press('Enter');
  await expect.poll(() => hasFocus(button(main(page), followUps.change(1)))).toBe(true);
  await see('a message that waits was changed');
  await press(button(main(page), followUps.moveUp(3)));
  await expect.poll(() => rows.nth(1).innerText()).toContain('At last?');
  await see('a message that waits was moved');
  await press(button(main(page), followUps.remove(3)));
  await hears(followUps.count(2));
  await see('a message that waits was removed');
  await press(button(main(page), followUps.steerOne(2)), 'Shift+Tab');
  await hears(followUps.comesIn);
  await see('a message that steers');
  await reach(box);
  await page.keyboard.press('Escape');
  await turnEnds(page, words.composer.stop);
  await see('an answer that was stopped');
  await press(button(main(page), followUps.askNowOne(1)), 'Shift+Tab');
  await expect.poll(() => rows.count()).toBe(0);
  await turnEnds(page, words.composer.stop);
  await see('what waited was asked');
}
