/** Row 5, tracing: the timeline of a reply, replaying it with a change, and comparing two replies. */
import { expect } from 'vitest';
import { hasFocus, press, reach } from './keyboard-steps';
import type { Walk } from './row-walk';
import { turnEnds } from './site';
import { button, dialog, main } from './tour';

const sum = '<tool_call>{"name": "calculator", "arguments": {"expression": "17*23"}}</tool_call>';

export async function walkTracing(walk: Walk): Promise<void> {
  const { page, words, rest, see, hears, writesOn } = walk;
  const { trace, details } = rest;
  const { replay, compare } = trace;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await walk.ask(`script\n${sum}\n---\nIt is {{result}}, says the calculator.`);
  const openDetails = async () => {
    await press(button(main(page), rest.turn.details).last(), 'Shift+Tab');
    await dialog(page).getByText(details.rawText).first().waitFor();
  };
  await openDetails();
  const timeline = dialog(page).getByRole('list', { name: trace.timeline, exact: true });
  await expect.poll(() => timeline.getByRole('listitem').count()).toBe(3);
  await see('the timeline');
  const copies = dialog(page).getByRole('button', { name: `${words.actions.copy} ${details.promptText}` });
  expect(await copies.count()).toBe(2);
  await press(button(dialog(page), trace.asJson));
  await hears(words.actions.copied);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"expression": "17*23"');

  const begin = async () => {
    await press(button(dialog(page), replay.start));
    await dialog(page).waitFor({ state: 'detached' });
    await hears(rest.waiting.finished);
    await turnEnds(page, words.composer.stop);
    await writesOn();
  };
  const step = (name: string) => button(dialog(page), replay.of(name, 'calculator', '2'));
  await press(step(replay.otherResult));
  const field = (name: string) => dialog(page).getByLabel(name, { exact: true });
  await expect.poll(() => hasFocus(field(replay.fields.result))).toBe(true);
  await see('a result to be changed');
  await press(button(dialog(page), replay.back));
  await timeline.waitFor();
  await see('back at the timeline');
  await press(step(replay.otherResult));
  await expect.poll(() => hasFocus(field(replay.fields.result))).toBe(true);
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('392');
  await begin();
  await main(page).getByText('2 / 2').waitFor();
  await see('run on with another result');

  await openDetails();
  await see('the timeline of what was changed');
  await press(step(replay.otherArguments));
  await expect.poll(() => hasFocus(field(replay.fields.arguments))).toBe(true);
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"expression": ');
  await hears(replay.notJson);
  await see('arguments that are no JSON');
  await page.keyboard.insertText('"2+2"}');
  await begin();
  await main(page).getByText('3 / 3').waitFor();

  await openDetails();
  await press(button(dialog(page), replay.otherQuestion));
  await expect.poll(() => hasFocus(field(replay.fields.question))).toBe(true);
  await see('another question');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(`script\nNo sum at all.`);
  await begin();
  await main(page).getByText('No sum at all.').last().waitFor();
  await see('run on with another question');

  // The question has versions of its own. The answers to compare belong to the first one.
  const previous = button(main(page), rest.chats.versions.previous);
  await press(previous.first(), 'Shift+Tab');
  await main(page).getByText('3 / 3').waitFor();
  await see('an earlier question');
  await press(button(main(page), compare.open));
  await dialog(page).getByRole('region').first().waitFor();
  await see('two answers');
  await reach(dialog(page).getByRole('combobox', { name: compare.sides[0]!, exact: true }));
  await page.keyboard.press('ArrowUp');
  await see('two other answers');
  await page.keyboard.press('Escape');
  await expect.poll(() => hasFocus(button(main(page), compare.open))).toBe(true);
  await see('back from two answers');
}
