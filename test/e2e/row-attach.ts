/** Row 2, attaching: by the file picker and by pasting, viewing, turning back into text, removing, and asking about a PDF. */
import { expect } from 'vitest';
import { makePdf } from '../support/files';
import { makePng } from '../support/pictures';
import { hasFocus, press, reach } from './keyboard-steps';
import type { Walk } from './row-walk';
import { button, dialog, main } from './tour';

const file = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: '',
  buffer: Buffer.from(content),
});

export async function walkAttaching(walk: Walk): Promise<void> {
  const { page, words, rest, box, see, hears, writesOn } = walk;
  const { common, files, servers } = rest;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const add = button(main(page), files.add);
  const chip = (name: string) => main(page).getByRole('button', { name: files.open(name) });
  const remove = (name: string) => button(main(page), servers.slash.remove(name));
  const pick = async (key: () => Promise<void>, ...chosen: ReturnType<typeof file>[]) => {
    const choosing = page.waitForEvent('filechooser');
    await key();
    await (await choosing).setFiles(chosen);
  };
  // Listens all the time, because starting on a key press may be too late.
  page.on('filechooser', () => undefined);
  await add.waitFor();
  await pick(
    () => press(add),
    file('diary.pdf', makePdf(['The spare key lies under the third flower pot.'])),
    file('clip.mp4', '\0\0\0\u0018ftypmp42\0\0\0\0\u0001\u0002'),
  );
  await chip('diary.pdf').waitFor();
  await hears(files.troubles.unknown('clip.mp4'), files.goWith('diary.pdf'));
  await writesOn();
  await see('a file that goes with the message, and one that does not');
  await press(button(main(page), files.dismiss('clip.mp4')));
  await main(page).getByText('clip.mp4').waitFor({ state: 'detached' });
  await see('left out');

  await page.evaluate((text) => navigator.clipboard.writeText(text), 'A line of a long text.\n'.repeat(120));
  await page.keyboard.press('Control+v');
  await chip('pasted-1.txt').waitFor();
  await hears(files.goWith(['diary.pdf', 'pasted-1.txt'].join(common.listSeparator)));
  await see('a long paste');
  await press(button(main(page), files.asText('pasted-1.txt')));
  await expect.poll(() => box.inputValue()).toContain('A line of a long text.');
  await writesOn();
  await see('back as text');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');

  await press(chip('diary.pdf'));
  await dialog(page).getByText('third flower pot').waitFor();
  await see('a file that is looked into');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await expect.poll(() => hasFocus(chip('diary.pdf'))).toBe(true);
  await see('a file that was looked into');

  await pick(() => page.keyboard.press('Alt+Shift+U'), file('notes.md', '# Notes\n\nBuy oil.'));
  await chip('notes.md').waitFor();
  await press(remove('notes.md'));
  await chip('notes.md').waitFor({ state: 'detached' });
  await writesOn();
  await page.keyboard.insertText('script\n---\nUnder the flower pot.');
  await page.keyboard.press('Enter');
  await button(main(page), rest.turn.details).waitFor();
  await see('a question about a PDF');
  const asked = main(page).getByRole('list', { name: files.list, exact: true });
  await press(asked.getByRole('button', { name: files.open('diary.pdf') }), 'Shift+Tab');
  await dialog(page).getByText('third flower pot').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  const card = main(page).getByRole('group', { name: /^read_attachment/ });
  await press(card.getByRole('button').first());
  expect(await card.getByRole('button').first().getAttribute('aria-expanded')).toBe('true');
  await see('what the page read of it');

  await pick(
    () => page.keyboard.press('Alt+Shift+U'),
    file('harbour.png', makePng(300, 200, [200, 60, 30], [30, 60, 200])),
  );
  await chip('harbour.png').waitFor();
  const seeing = button(main(page), files.askSeeing(words.model.names['browser-model']!));
  await seeing.waitFor();
  await see('a picture that the model does not see');
  await press(chip('harbour.png'), 'Shift+Tab');
  await dialog(page).getByRole('img').waitFor();
  await see('a picture that is looked into');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await press(seeing);
  await seeing.waitFor({ state: 'detached' });
  await see('a model that sees');
  await reach(remove('harbour.png'), 'Shift+Tab');
}
