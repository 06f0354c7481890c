import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { maxNoteCharacters, maxNotes } from '../../src/contracts/note';
import { deleteItem } from '../support/stored-chat';
import { phone, show } from './show';
import { thorough, slow } from '../support/matrix';

async function showNotes(texts: string[] = [], options: Parameters<typeof show>[0] = {}) {
  const shown = await show(options);
  for (const [at, text] of texts.entries()) {
    await shown.notes.add({ id: `n${at}`, text, createdAt: at, updatedAt: at, origins: [{ door: 'typed' }] });
  }
  await shown.app.open('#/notes');
  const { screen } = shown;
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Notes' })).toBeVisible();
  const list = screen.getByRole('list', { name: 'Your notes' });
  const said = () =>
    list
      .getByRole('listitem')
      .elements()
      .map((item) => item.querySelector('.text')?.textContent);
  return { ...shown, list, said };
}

test('an empty list of notes explains what notes are and how to write one', async () => {
  const { screen } = await showNotes();
  await expect.element(screen.getByText(/stay on this device/)).toBeVisible();
  await expect.element(screen.getByText(/say “Remember that …”/)).toBeVisible();
  await expect.element(screen.getByRole('searchbox', { name: 'Search these notes' })).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Add note' })).toBeDisabled();
});

test('a new note appears at the top of the list, and its text box is cleared', async () => {
  const { screen, said } = await showNotes(['Tea at four']);
  const box = screen.getByRole('textbox', { name: 'New note' });
  await box.fill('  Two lines\nof text ');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(said).toEqual(['Two lines\nof text', 'Tea at four']);
  await expect.element(box).toHaveValue('');
  await expect.element(screen.getByText('2 notes')).toBeVisible();
});

slow('a note is edited in place, and Escape discards the edit', async () => {
  const { screen, said } = await showNotes(['Tea at four']);
  const edit = screen.getByRole('button', { name: 'Edit: Tea at four' });
  await edit.click();
  const box = screen.getByRole('textbox', { name: 'Edit note' });
  await expect.element(box).toHaveFocus();
  await box.fill('Coffee');
  await userEvent.keyboard('{Escape}');
  await expect.element(edit).toHaveFocus();
  expect(said()).toEqual(['Tea at four']);

  await edit.click();
  await box.fill('Coffee at five');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.poll(said).toEqual(['Coffee at five']);
  await expect.element(screen.getByRole('button', { name: 'Edit: Coffee at five' })).toHaveFocus();
});

slow('an unsaved note survives leaving the screen until it is saved or discarded', async () => {
  const { screen, app, said } = await showNotes(['Tea at four', 'Coffee at five']);
  const written = screen.getByRole('textbox', { name: 'New note' });
  await written.fill('Half a thought');
  await screen.getByRole('button', { name: 'Edit: Tea at four' }).click();
  const changed = screen.getByRole('textbox', { name: 'Edit note' });
  await changed.fill('Tea at three');
  await app.open('#/');
  await expect.element(changed).not.toBeInTheDocument();
  await app.open('#/notes');
  await expect.element(written).toHaveValue('Half a thought');
  await expect.element(changed).toHaveValue('Tea at three');
  await expect.element(changed).not.toHaveFocus();

  await userEvent.click(changed);
  await userEvent.keyboard('{Escape}');
  await screen.getByRole('button', { name: 'Add note' }).click();
  await expect.poll(said).toEqual(['Half a thought', 'Coffee at five', 'Tea at four']);
  await app.open('#/');
  await app.open('#/notes');
  await expect.element(written).toHaveValue('');
  await expect.element(changed).not.toBeInTheDocument();
  expect(localStorage.length).toBe(0);
});

test('deleting a note takes effect at once, can be undone, and keeps the focus', async () => {
  const { screen, said } = await showNotes(['Tea at four', 'Coffee at five']);
  await screen.getByRole('button', { name: 'Delete: Tea at four' }).click();
  await expect.poll(said).toEqual(['Coffee at five']);
  await expect.element(screen.getByRole('heading', { name: 'Your notes' })).toHaveFocus();
  await expect.element(screen.getByText('The note was deleted.')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(said).toEqual(['Coffee at five', 'Tea at four']);
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Notes' })).toHaveFocus();
  await expect.element(screen.getByText('The note was deleted.')).not.toBeInTheDocument();
});

slow('the search finds notes by any form of a word', async () => {
  const { screen, said } = await showNotes(['我的车停在B2层', 'Boxes are in the cellar', 'Tea at four']);
  const search = screen.getByRole('searchbox', { name: 'Search these notes' });
  await search.fill('box');
  await expect.poll(said).toEqual(['Boxes are in the cellar']);
  await search.fill('停车');
  await expect.poll(said).toEqual(['我的车停在B2层']);
  await search.fill('nothing like it');
  await expect.element(screen.getByText('No note has these words. Try another word.')).toBeVisible();
  await search.fill('');
  await expect.poll(said).toHaveLength(3);
});

test('a note that is too long is reported with its length and stays in the box', async () => {
  const { screen, notes } = await showNotes();
  await screen.getByRole('textbox', { name: 'New note' }).fill('x'.repeat(maxNoteCharacters + 1));
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('at most 2,000 characters, and this is 2,001');
  await expect.element(screen.getByRole('button', { name: 'Add note' })).toBeDisabled();
  expect((await notes.list()).notes).toEqual([]);
});

thorough('2,000 notes are shown in pages, and adding one more is refused with advice', async () => {
  const texts = Array.from({ length: maxNotes }, (_, at) => `Plant ${at} wants water`);
  const { screen, said } = await showNotes(texts);
  await expect.poll(said).toHaveLength(50);
  await screen.getByRole('button', { name: 'Show more of the 1,950 left' }).click();
  await expect.poll(said).toHaveLength(100);
  await screen.getByRole('searchbox', { name: 'Search these notes' }).fill('1234');
  await expect.poll(said).toEqual(['Plant 1234 wants water']);
  const box = screen.getByRole('textbox', { name: 'New note' });
  await box.fill('One more');
  await screen.getByRole('button', { name: 'Add note' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Delete some that you no longer need');
  await expect.element(box).toHaveValue('One more');
});

slow('saving an edit of a note that another tab deleted reports the deletion', async () => {
  const { screen, notes, bin, said } = await showNotes(['Tea at four']);
  await screen.getByRole('button', { name: 'Edit: Tea at four' }).click();
  const box = screen.getByRole('textbox', { name: 'Edit note' });
  await box.fill('Coffee');
  await notes.add({
    id: 'other',
    text: 'From another tab',
    createdAt: 9,
    updatedAt: 9,
    origins: [{ door: 'typed' }],
  });
  await expect.poll(said).toEqual(['From another tab', undefined]);
  await deleteItem(bin, 'note', 'n0');
  await deleteItem(bin, 'note', 'other');
  await expect.element(screen.getByText('From another tab')).not.toBeInTheDocument();
  await expect.element(box).toHaveValue('Coffee');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('deleted in another tab');
  await expect.element(box).toHaveValue('Coffee');
  await screen.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(box).not.toBeInTheDocument();
});

test('a note shows which website its text may come from, and its invisible characters', async () => {
  const { screen, notes } = await showNotes();
  await notes.add({
    id: 'n',
    text: 'Tea\u202eeert',
    createdAt: 1,
    updatedAt: 1,
    origins: [{ door: 'page', name: 'news.example.com' }],
  });
  await expect.element(screen.getByText('Tea\\u202eeert')).toBeVisible();
  await expect.element(screen.getByText(/text from news\.example\.com was in the chat/)).toBeVisible();
});

test('long words do not make the notes screen wider than a phone', async () => {
  await showNotes(['x'.repeat(500)], { size: phone });
  const { scrollWidth, clientWidth } = document.querySelector('.scroll')!;
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});
