/** What surrounds every screen: the list of chats, shortcuts, links back and dialogs. */
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { screens } from '../../src/state/route';
import { phone, show } from './show';
import { text, Told } from './told';
import { slow } from '../support/matrix';

const chat = () => new Told().you('Hi').hearth([text('Hello')], 'answered').chat;

describe('the list of chats', () => {
  test("on a phone, the browser's Back button closes the chat list without leaving the screen", async () => {
    const { screen } = await show({ ...chat(), size: phone });
    const list = screen.getByRole('list', { name: 'Chats' });
    await screen.getByRole('button', { name: 'Show the list of chats' }).click();
    await expect.element(list).toBeVisible();
    history.back();
    await expect.element(list).not.toBeInTheDocument();
    await expect.element(screen.getByText('Hello')).toBeVisible();
  });

  test('the chat list stays hidden once the user hides it', async () => {
    const { screen } = await show(chat());
    const list = screen.getByRole('list', { name: 'Chats' });
    await screen.getByRole('button', { name: 'Hide the list of chats' }).click();
    await expect.element(list).not.toBeInTheDocument();
    expect(localStorage.getItem('hearth.rail')).toBe('folded');
    await screen.getByRole('button', { name: 'Show the list of chats' }).click();
    await expect.element(list).toBeVisible();
    expect(localStorage.getItem('hearth.rail')).toBeNull();
  });
});

describe('keyboard use of the chat screen', () => {
  test('the first Tab stop is a link that skips to the message box', async () => {
    const { screen, message } = await show(chat());
    await expect.element(message).toHaveFocus();
    // The link comes before the first control of the list of chats.
    const first = screen.getByRole('button', { name: 'Hide the list of chats' });
    await expect.element(first).toBeVisible();
    (first.element() as HTMLElement).focus();
    await userEvent.tab({ shift: true });
    await expect.element(screen.getByRole('link', { name: 'Skip to the message box' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(message).toHaveFocus();
  });

  slow('Ctrl+/ opens the list of shortcuts, and Escape closes it', async () => {
    const { screen } = await show();
    const dialog = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
    // The shortcuts load shortly after the first screen.
    await expect
      .poll(async () => {
        if (!dialog.query()) await userEvent.keyboard('{Control>}/{/Control}');
        return dialog.query() !== null;
      })
      .toBe(true);
    await expect.element(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await expect.element(dialog).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
  });

  test('the up arrow in an empty message box edits the last question', async () => {
    const { screen, message } = await show(chat());
    await expect.element(message).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}');
    const edit = screen.getByRole('textbox', { name: 'Edit your question' });
    await expect.element(edit).toHaveFocus();
    await expect.element(edit).toHaveValue('Hi');
  });

  slow.for(['continued', 'again', 'edited', 'deleted'] as const)(
    'the focus returns to the message box after the action: %s',
    async (what) => {
      const stopped = () => new Told().you('Hi').hearth([text('Hel')], 'stopped').chat;
      const { screen, message, script } = await show(what === 'continued' ? stopped() : chat());
      if (what === 'continued') await screen.getByRole('button', { name: 'Continue' }).click();
      else if (what === 'again') await screen.getByRole('button', { name: 'Answer again' }).click();
      else if (what === 'edited') {
        await screen.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Edit' }).click();
        await userEvent.keyboard('!{Enter}');
      } else {
        await screen.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Delete' }).click();
        await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      }
      await expect.element(message).toHaveFocus();
      script.say({ type: 'turn-end', reason: 'stopped' });
    },
  );
});

slow('editing the first question changes the title of the chat', async () => {
  const { screen, message, script } = await show();
  await message.fill('What is 4*4?');
  await userEvent.keyboard('{Enter}');
  script.end('answered', [text('16')]);
  await expect.element(screen.getByRole('heading', { level: 1, name: 'What is 4*4?' })).toBeVisible();
  await screen.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Edit' }).click();
  await screen.getByRole('textbox', { name: 'Edit your question' }).fill('What is 8*8?');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('heading', { level: 1, name: 'What is 8*8?' })).toBeVisible();
});

test('the model status shows "offline" when the network is gone', async () => {
  const { app, screen } = await show();
  const pill = screen.getByRole('button', { name: /Ember/ });
  await expect.element(pill).toBeVisible();
  await expect.element(pill).not.toHaveTextContent('offline');
  app.isOnline = false;
  await expect.element(pill).toHaveTextContent('offline');
});

// The screen "servers" leads back to the tools.
slow.for(Object.keys(screens).filter((name) => name !== 'chat' && name !== 'servers'))(
  'the screen "%s" has a link back to the chat',
  async (name) => {
    const { screen, message } = await show();
    location.hash = `#/${name}`;
    await screen.getByRole('link', { name: 'Back to the chat' }).click();
    await expect.element(message).toBeVisible();
  },
);

test('dropping a file while Hearth is loading does not make the browser open the file', async () => {
  const { message } = await show();
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['text'], 'notes.txt'));
  const dropped = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
  message.element().dispatchEvent(dropped);
  expect(dropped.defaultPrevented).toBe(true);
});
