/** Row 6, dictation. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { type StagedRecognition } from './every-dictation';
import { hasFocus, press } from './keyboard-steps';
import type { Walk } from './row-walk';
import { button, main } from './tour';

const stage = (page: Page, onDevice: StagedRecognition['onDevice']) =>
  page.evaluate(
    (now) =>
      void ((globalThis as typeof globalThis & { recognition: StagedRecognition }).recognition.onDevice =
        now),
    onDevice,
  );

export async function walkDictation(walk: Walk): Promise<void> {
  const { page, rest, box, see, hears } = walk;
  const { dictation, command } = rest;
  const strip = main(page).getByRole('group', { name: dictation.title, exact: true });
  const microphone = button(main(page), command.names.dictate);
  await microphone.waitFor();
  const say = (words: string, isFinal: boolean) =>
    page.evaluate(
      ([said, isFinal]) =>
        (globalThis as typeof globalThis & { recognition: StagedRecognition }).recognition.say?.(
          said,
          isFinal,
        ),
      [words, isFinal] as const,
    );

  await stage(page, 'unavailable');
  await page.keyboard.press('Alt+Shift+K');
  await button(strip, dictation.agree).waitFor();
  await see('whether what is said may leave the device');
  await press(button(strip, dictation.notNow));
  await strip.waitFor({ state: 'detached' });
  await expect.poll(() => hasFocus(microphone)).toBe(true);
  await see('not dictated');

  await stage(page, 'downloadable');
  await page.keyboard.press('Enter');
  await button(strip, dictation.fetchPack).waitFor();
  await see('a language pack');
  await press(button(strip, dictation.fetchPack));
  await strip.getByRole('alert').waitFor();
  await hears(dictation.troubles['no-pack']);
  await see('a language pack that did not come');
  await page.keyboard.press('Escape');
  await strip.waitFor({ state: 'detached' });

  await stage(page, 'available');
  await press(microphone);
  await strip.getByText(dictation.here).waitFor();
  await hears(dictation.here);
  expect(await microphone.getAttribute('aria-pressed')).toBe('true');
  await say('And which lighthouse', false);
  await strip.getByText('And which').waitFor();
  await see('listening');
  await say('And which lighthouse is it?', true);
  await expect.poll(() => box.inputValue()).toContain('lighthouse is it?');
  await hears('lighthouse is it?');
  await page.keyboard.press('Escape');
  await strip.waitFor({ state: 'detached' });
  await hears(dictation.ended);
  await see('dictated');

  await stage(page, 'unavailable');
  await press(microphone);
  await press(button(strip, dictation.agree));
  await strip.getByText(dictation.goesTo(dictation.makers.unknown)).waitFor();
  await see('dictated elsewhere');
  await press(microphone, 'Shift+Tab');
  await strip.waitFor({ state: 'detached' });
}
