/** Row 1, reading: an answer with everything that makes it easier to read. */
import type { BrowserContext } from 'playwright';
import { expect } from 'vitest';
import { makePng } from '../support/pictures';
import { hasFocus, press, reach } from './keyboard-steps';
import type { Outside } from './outside';
import { button, main } from './tour';
import type { Walk } from './row-walk';

const answer = `## Lighthouses

It is high[^1], see [the page](https://pages.example.com/story) and [www.example.com](https://other.example).

\`\`\`js
const long = ['a line of code that is wider than a phone', 'and also wider than the column of a chat on a desktop'];
const short = 1;
\`\`\`

| Name | Height in metres | Built in | Keeper | Remarks |
| --- | ---: | :---: | --- | --- |
| The lighthouse of Ar | 42 | 1887 | Maren Holt | ${'Out of use. '.repeat(8)}|

$$\\sqrt{a^2 + b^2} = c$$

![A harbour at dusk](https://pictures.example.com/harbour.png)

[^1]: As the keeper says.`;

/** An init script: two voices, which are silent. */
function installVoices(): void {
  const voiceOf = (name: string, lang: string) => ({
    voiceURI: name,
    name,
    lang,
    localService: true,
    default: false,
  });
  const voices = [voiceOf('Anna', 'en-GB'), voiceOf('Ting', 'zh-CN')];
  const nothing = () => undefined;
  const fake = {
    getVoices: () => voices,
    speak: nothing,
    pause: nothing,
    resume: nothing,
    cancel: nothing,
    addEventListener: nothing,
    removeEventListener: nothing,
  };
  Object.defineProperty(window, 'speechSynthesis', { value: fake });
  class Utterance {
    voice = null;
    lang = '';
  }
  Object.assign(window, { SpeechSynthesisUtterance: Utterance });
}

export async function prepareReading(context: BrowserContext, outside: Outside): Promise<void> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await context.addInitScript(installVoices);
  outside.serve('pictures.example.com', (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' });
    response.end(makePng(60, 40, [200, 60, 30], [30, 60, 200]));
  });
}

export async function walkReading(walk: Walk): Promise<void> {
  const { page, words, rest, see, hears } = walk;
  const { blocks, pictures, aloud, moment } = rest.reading;
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await walk.ask(`script\n${answer}`);
  const wrap = button(main(page), blocks.wrap);
  await wrap.waitFor();
  await see('an answer');

  await reach(wrap, 'Shift+Tab');
  await expect.poll(() => wrap.getAttribute('aria-pressed')).toBe('false');
  await page.keyboard.press('Enter');
  expect(await wrap.getAttribute('aria-pressed')).toBe('true');
  await see('code that is wrapped');
  await press(button(main(page), blocks.copy));
  await hears(words.actions.copied);
  expect(await clipboard()).toContain('const short = 1;');
  await reach(main(page).getByRole('figure', { name: `${blocks.code}: js` }), 'Tab');
  await see('a block of code');
  // Waits until the button has its usual label again. Two buttons labelled “Copied” could not be told apart.
  await button(main(page), blocks.copy).waitFor();
  await press(button(main(page), blocks.csv));
  await hears(words.actions.copied);
  expect(await clipboard()).toContain('The lighthouse of Ar,42');
  const table = main(page).getByRole('figure', { name: blocks.table });
  await reach(table);
  if ((page.viewportSize()?.width ?? 0) < 600) {
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => table.evaluate((node) => node.scrollLeft)).toBeGreaterThan(0);
  }
  await see('a table');

  const note = button(main(page), blocks.note('1'));
  await press(note, 'Shift+Tab');
  const back = button(main(page), blocks.noteBack('1'));
  await expect.poll(() => hasFocus(back)).toBe(true);
  await see('a footnote');
  await page.keyboard.press('Enter');
  await expect.poll(() => hasFocus(note)).toBe(true);
  await see('back from a footnote');

  await reach(main(page).getByRole('link', { name: 'the page' }));
  await page.locator('.link-place:popover-open').waitFor();
  await see('where a link leads');
  await press(main(page).getByRole('link', { name: /^www/ }));
  await page.getByRole('dialog').waitFor();
  await see('whether to follow a link');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await see('a link that was not followed');

  const picture = main(page).getByRole('button', { name: blocks.picture('pictures.example.com') });
  await press(picture);
  await main(page).getByRole('img', { name: 'A harbour at dusk' }).waitFor();
  await see('a picture');
  await press(button(main(page), pictures.hide));
  await picture.waitFor();
  await see('a picture that is hidden again');

  const aloudButton = button(main(page), aloud.open);
  await press(aloudButton);
  expect(await aloudButton.getAttribute('aria-expanded')).toBe('true');
  const strip = main(page).getByRole('group', { name: aloud.label, exact: true });
  await press(button(strip, aloud.start));
  await button(strip, aloud.hold).waitFor();
  await see('an answer that is read aloud');
  await press(button(strip, aloud.end));
  await button(strip, aloud.end).waitFor({ state: 'detached' });
  await see('not read aloud any more');
  await press(aloudButton, 'Shift+Tab');

  const when = main(page).getByRole('button', { name: moment.open, exact: true });
  await press(when);
  await page.locator(':popover-open time').waitFor();
  await see('when it was written');
  await page.keyboard.press('Escape');
  await expect.poll(() => hasFocus(when)).toBe(true);
  const details = button(main(page), rest.turn.details);
  await press(details);
  await page.getByRole('dialog').getByText(rest.details.rawText).first().waitFor();
  await see('details');
  await page.keyboard.press('Escape');
  await expect.poll(() => hasFocus(details)).toBe(true);

  await page.keyboard.press('Alt+Shift+5');
  await page.getByRole('heading', { level: 1, name: words.navigation.settings }).waitFor();
  await see('the settings');
  const { settings } = rest;
  const choices = (name: string) => main(page).getByRole('radiogroup', { name, exact: true });
  const choose = async (group: string, choice: string) => {
    await reach(choices(group).getByRole('radio', { checked: true }));
    await page.keyboard.press('ArrowRight');
    await choices(group).getByRole('radio', { name: choice, exact: true, checked: true }).waitFor();
  };
  await choose(settings.contrast, settings.contrasts.more);
  await see('high contrast');
  await choose(settings.textSize, settings.textSizes.large);
  await see('large letters');
  await press(main(page).getByRole('link', { name: settings.back }), 'Shift+Tab');
  await wrap.waitFor();
  await see('an answer in large letters and high contrast');
}
