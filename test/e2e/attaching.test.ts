/** Files in a message: chosen, dropped or pasted, read in a worker, shortened for the model by the question, and stored with the chat. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDocument, makePdf, paragraph } from '../support/files';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';
import { slow } from '../support/matrix';

const call = (name: string, input: object) =>
  `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`;
const script = (...rounds: string[]) => `script\n${rounds.join('\n---\n')}`;

const pages = Array.from({ length: 60 }, (_, at) =>
  at === 41 ? 'The spare key lies under the third flower pot.' : `Nothing of note on day ${at}. `.repeat(8),
);
const csv = `city,people\n${Array.from({ length: 3000 }, (_, at) => `City ${at},${at * 10}`).join('\n')}\n`;

let site: Site;
beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e' });
});
afterAll(() => site.close());

const file = (name: string, content: Uint8Array | string, mimeType = '') => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});
const attach = async (...files: ReturnType<typeof file>[]) => {
  await site.page.locator('input[type=file]').setInputFiles(files);
};
const composer = () => site.page.getByRole('textbox', { name: 'Message' });
const chips = () =>
  site.page.getByRole('list', { name: 'Goes with the message' }).getByRole('button', { name: /^Look into/ });
const kept = async () =>
  JSON.parse((await dumpDatabase(site.page))['attachments'] ?? '[]') as { name: string }[];

slow('the model gets the relevant section of a long PDF and can read more of it', async () => {
  const { page } = site;
  await page.getByRole('button', { name: 'Attach' }).waitFor();
  await attach(file('diary.pdf', makePdf(pages)), file('people.csv', csv));
  await expect.poll(() => chips().count(), { timeout: 20_000 }).toBe(2);
  expect(await chips().first().innerText()).toMatch(/diary\.pdf\s+PDF, [\d.]+ (?:k|M)B/);
  await ask(
    page,
    script(
      // A part that the page reads first counts as a round.
      '',
      [
        call('query_table', { aggregate: 'sum', of: 'people' }),
        call('read_attachment', { name: 'diary.pdf', query: 'day 7' }),
      ].join('\n'),
      'Where is the spare key? {{result}}',
    ),
  );
  await turnEnds(page);
  const reply = lastReply(page);
  expect(await reply.getByRole('group', { name: /^read_attachment/ }).count()).toBe(3);
  await expect.poll(() => reply.textContent()).toContain('sum of people: 44985000');
  const files = page.getByRole('list', { name: 'Files of this question' });
  await files.getByRole('button', { name: 'Look into diary.pdf' }).click();
  const whole = page.getByRole('dialog', { name: 'diary.pdf' });
  await expect.poll(() => whole.textContent()).toContain('third flower pot');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    whole.getByRole('button', { name: 'Save the file' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('diary.pdf');
  expect(await readFile(await saved.path())).toEqual(Buffer.from(makePdf(pages)));
  await page.keyboard.press('Escape');
  expect((await kept()).map(({ name }) => name).sort()).toEqual(['diary.pdf', 'people.csv']);
});

slow('a draft keeps its attached files across a reload, and removed files are deleted', async () => {
  const { page } = site;
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await page.getByRole('button', { name: 'Attach' }).waitFor();
  await attach(
    file('letter.docx', await makeDocument(paragraph('Dear keeper') + paragraph('Come soon'))),
    file('notes.md', '# Notes\n\nBuy oil.'),
  );
  await expect.poll(() => chips().count()).toBe(2);
  // Leaving the page while it writes the draft would cancel the write.
  await expect.poll(async () => (await dumpDatabase(page))['drafts']).toContain('notes.md');
  await page.reload();
  await expect.poll(() => chips().count()).toBe(2);
  await page.getByRole('button', { name: 'Remove notes.md' }).click();
  await expect.poll(() => chips().count()).toBe(1);
  await expect.poll(async () => (await kept()).length).toBe(3);
});

slow('a long pasted text becomes an attached file that can be turned back into text', async () => {
  const { page } = site;
  const text = 'A line of a long text.\n'.repeat(120);
  await composer().focus();
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector('textarea')?.dispatchEvent(event);
  }, text);
  await page.getByRole('button', { name: 'Look into pasted-1.txt' }).waitFor();
  await page.getByRole('button', { name: 'Put pasted-1.txt back as text' }).click();
  await expect.poll(() => composer().inputValue()).toBe(text);
  await attach(
    file('scan.pdf', makePdf(['', ''])),
    file('clip.mp4', '\0\0\0\u0018ftypmp42\0\0\0\0\u0001\u0002'),
  );
  await page.getByText('scan.pdf holds pictures of pages and no text.').waitFor();
  await page.getByText('clip.mp4 is no file that Hearth can read.').waitFor();
  await page.getByRole('button', { name: 'Leave out scan.pdf' }).click();
  await expect.poll(() => page.getByText('scan.pdf').count()).toBe(0);
});

test('invariant: an attached file never runs, opens or starts anything', async () => {
  const { page } = site;
  await page.getByRole('button', { name: 'New chat' }).first().click();
  const action = (code: string) =>
    makePdf(['Harmless words'], { entries: '/OpenAction 6 0 R', more: [code] });
  await attach(
    file('script.pdf', action('<< /S /JavaScript /JS (app.alert\\(1\\)) >>')),
    file('opens.pdf', action('<< /S /URI /URI (https://a.example/) >>')),
    file('starts.csv', action('<< /S /Launch /F (cmd.exe) >>')),
    file('half.pdf', '%PDF-1.7\n1 0 obj'),
    file(
      'page.html',
      '<base href=https://a.example><meta http-equiv=refresh content="0;url=/"><script src=/alert.js></script><img src=/x><p>Harmless words',
    ),
  );
  await page.getByText('half.pdf could not be read').waitFor();
  for (const name of ['script.pdf', 'opens.pdf', 'starts.csv', 'page.html']) {
    await page.getByRole('button', { name: `Look into ${name}` }).click();
    const whole = page.getByRole('dialog', { name });
    await expect.poll(() => whole.textContent()).toContain('Harmless words');
    expect(await whole.textContent()).not.toMatch(/alert|a\.example|cmd/);
    await page.keyboard.press('Escape');
  }
});

test('one click sends a suggested question about an attached file', async () => {
  const { page } = site;
  await page.getByRole('button', { name: 'New chat' }).first().click();
  // Removes what earlier tests have left.
  await composer().fill('');
  await page
    .getByRole('button', { name: /^Remove / })
    .first()
    .waitFor();
  for (const remove of (await page.getByRole('button', { name: /^Remove / }).all()).reverse())
    await remove.click();
  await attach(file('notes.md', '# Notes\n\nBuy oil.'));
  const question = page.getByRole('button', { name: 'What is this about?' });
  await question.waitFor();
  // The user typed a question, so none is suggested.
  await composer().fill('Which oil?');
  await expect.poll(() => question.count()).toBe(0);
  await composer().fill('');
  await question.press('Enter');
  await turnEnds(page);
  expect(await page.getByRole('article', { name: 'You' }).last().innerText()).toContain(
    'What is this about?',
  );
  await page.getByRole('list', { name: 'Files of this question' }).getByText('notes.md').waitFor();
  await expect.poll(() => composer().inputValue()).toBe('');
  await expect.poll(() => composer().evaluate((box) => box === document.activeElement)).toBe(true);
});
