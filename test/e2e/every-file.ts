/** Attached files in each state. */
import { makePng } from '../support/pictures';
import { turnEnds } from './site';
import { button, close, dialog, main, type Tour } from './tour';

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: '',
  buffer: Buffer.from(content),
});

export async function seeFiles({ page, words, rest, look }: Tour): Promise<void> {
  const { files, servers } = rest;
  await button(page.getByRole('navigation'), words.navigation.newChat).click();
  await page.getByRole('heading', { name: words.empty.title }).waitFor();
  await button(page, files.add).waitFor();
  const chip = (name: string) => page.getByRole('button', { name: files.open(name) });
  const row = 'A line of a long text, of which a model is given a part.\n';
  await page
    .locator('form input[type=file]')
    .setInputFiles([
      file('harbour.png', makePng(300, 200, [200, 60, 30], [30, 60, 200])),
      file('notes.md', row.repeat(3000)),
      file('ThatIsOneNameWithoutAnyBlankInIt'.repeat(3), row),
      file('nothing.txt', ''),
      file('program.txt', '\u007fELF\0\0\0\0\0\0'),
    ]);
  await page.getByText(files.troubles.unknown('program.txt')).waitFor();
  await page.getByText(files.findSeeing).waitFor();
  await look('files that go with a message, and some that do not');
  await chip('harbour.png').click();
  await dialog(page).getByRole('img').waitFor();
  await look('a picture, opened');
  await close(page);
  await chip('notes.md').click();
  await dialog(page).getByText(files.whole.wholeText).waitFor();
  await look('a file, opened');
  await close(page);
  await button(page, servers.slash.remove('notes.md')).waitFor();
  await page.getByRole('textbox', { name: words.composer.label, exact: true }).fill('What is in them?');
  await button(page, words.composer.send).click();
  await turnEnds(page, words.composer.stop);
  await main(page).getByRole('list', { name: files.list, exact: true }).waitFor();
  await look('the files of a question');
}
