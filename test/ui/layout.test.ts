import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { chatRecord } from '../support/stored-chat';
import { phone, show } from './show';
import { call, result, text, Told } from './told';
import { slow } from '../support/matrix';

const longWord = 'https://example.com/' + 'a'.repeat(400);
const inside = 'article, form, [role=group], [role=group] [role=status]';
const wide = () =>
  new Told()
    .you(longWord)
    .hearth([
      { type: 'reasoning', text: longWord },
      call('c1', 'calculator', { expression: '1+'.repeat(300) }),
      call('c2', 'calculator', { expression: '1+'.repeat(300) }),
    ])
    .results(result('c1', 'calculator', longWord, true))
    .hearth(
      [text(`${longWord}\n\n| a | b |\n|---|---|\n| ${longWord} | 2 |\n\n\`\`\`\n${longWord}\n\`\`\``)],
      'stopped',
    );

describe.for([
  { name: 'a desktop screen', size: [1280, 800] as const },
  { name: 'a phone', size: phone },
  { name: 'the narrowest screen, or 400 % zoom', size: [320, 480] as const },
])('the layout on $name', ({ size }) => {
  test('is not widened by long words', async () => {
    const { app, screen } = await show({ ...wide().chat, size });
    if (app.session) app.session.context = { promptTokens: 9, limitTokens: 10, droppedMessages: 1 };
    app.update = { phase: 'ready', news: [`${'W'.repeat(60)} of it`], apply: () => undefined };
    app.model.phase = { type: 'failed', code: 'engine-crashed', detail: '' };
    await expect.element(screen.getByText(/You stopped this answer/)).toBeInTheDocument();
    await expect.element(screen.getByText('Update now')).toBeInTheDocument();
    const { scrollWidth, clientWidth } = document.documentElement;
    expect(scrollWidth).toBe(clientWidth);
    for (const element of screen.getByRole('main').element().querySelectorAll(inside)) {
      const { left, right } = element.getBoundingClientRect();
      expect({ element, isInside: left >= 0 && right <= innerWidth }).toMatchObject({ isInside: true });
    }
  });

  test('shows the whole message box and its Send button', async () => {
    const { screen, message } = await show({ size });
    const { bottom } = message.element().getBoundingClientRect();
    expect(bottom).toBeLessThanOrEqual(innerHeight);
    const send = screen.getByRole('button', { name: 'Send' }).element().getBoundingClientRect();
    expect(send.right).toBeLessThanOrEqual(innerWidth);
    expect(send.bottom).toBeLessThanOrEqual(innerHeight);
  });
});

describe('the list of chats', () => {
  const chats = [chatRecord('a', { title: 'Rent' }), chatRecord('b', { title: 'Tokyo' })];

  slow('is hidden on a phone until it is opened, and then blocks the rest of the screen', async () => {
    const { screen, message } = await show({ chats, size: phone });
    const list = screen.getByRole('list', { name: 'Chats' });
    await expect.element(list).not.toBeInTheDocument();
    const menu = screen.getByRole('button', { name: 'Show the list of chats' });
    await menu.click();
    await expect.element(list).toBeVisible();
    await expect
      .element(screen.getByRole('button', { name: 'Close the list of chats' }).first())
      .toHaveFocus();
    (message.element() as HTMLElement).focus();
    await expect.element(message).not.toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(list).not.toBeInTheDocument();
    await expect.element(menu).toHaveFocus();
  });

  slow('closes on a phone when a chat is opened or created', async () => {
    const { screen } = await show({ chats, size: phone });
    const list = screen.getByRole('list', { name: 'Chats' });
    const menu = screen.getByRole('button', { name: 'Show the list of chats' });
    await menu.click();
    await screen.getByRole('link', { name: 'Tokyo' }).click();
    await expect.element(list).not.toBeInTheDocument();
    await expect.element(screen.getByRole('heading', { level: 1, name: 'Tokyo' })).toBeVisible();
    await menu.click();
    await screen.getByRole('button', { name: 'New chat' }).click();
    await expect.element(list).not.toBeInTheDocument();
    await expect.element(screen.getByText('What would you like to know?')).toBeVisible();
  });

  slow('keeps the focus inside while it is open on a phone', async () => {
    const { screen } = await show({ chats, size: phone });
    await screen.getByRole('button', { name: 'Show the list of chats' }).click();
    await expect.element(screen.getByRole('button', { name: 'New chat' })).toBeVisible();
    const rail = screen.getByRole('navigation').element();
    for (let presses = 0; presses < 12; presses++) {
      await userEvent.tab();
      const { activeElement } = document;
      expect(activeElement === document.body || rail.contains(activeElement)).toBe(true);
    }
  });

  test('is always visible in a wide window', async () => {
    const { screen } = await show({ chats });
    await expect.element(screen.getByRole('list', { name: 'Chats' })).toBeVisible();
    await expect
      .element(screen.getByRole('button', { name: 'Show the list of chats' }))
      .not.toBeInTheDocument();
  });
});

test('a new chat can be started by keyboard', async () => {
  const { screen } = await show(new Told().you('Hi').hearth([text('Hello')], 'answered').chat);
  await expect.element(screen.getByText('Hello')).toBeVisible();
  await userEvent.keyboard('{Alt>}{Shift>}o{/Shift}{/Alt}');
  await expect.element(screen.getByText('What would you like to know?')).toBeVisible();
});
