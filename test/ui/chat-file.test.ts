/** A chat exported as a file that anybody may open: its content, and that no text of the chat is executed. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { MessageNode } from '../../src/contracts/chat';
import { copyFormatted } from '../../src/ui/chat-file/write-chat';
import { writeHtml, writeMarkdown } from '../../src/ui/chat-file/write-chat';
import enRest from '../../src/ui/i18n/en.json?rest';
import { answer, chatRecord } from '../support/stored-chat';
import { show } from './show';

const words = { ...enRest.turn, ...enRest.chatFile.inFile };
const call: MessageNode = {
  id: 'c',
  chatId: 'chat',
  parentId: 'q',
  createdAt: 2,
  message: {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Thought aloud.' },
      { type: 'tool-call', id: 'call', name: 'fetch_page', arguments: { url: 'https://example.com' } },
    ],
    finishReason: 'tool-calls',
  },
};
const result: MessageNode = {
  id: 'r',
  chatId: 'chat',
  parentId: 'c',
  createdAt: 3,
  message: {
    role: 'tool',
    results: [
      {
        toolCallId: 'call',
        toolName: 'fetch_page',
        isError: false,
        content: [
          { type: 'text', text: 'A ``` fence\n</pre><script>document.title="gone"</script>' },
          { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
        ],
        origins: [{ door: 'hearth' }],
      },
    ],
  },
};
const asking: MessageNode = {
  id: 'q',
  chatId: 'chat',
  parentId: null,
  createdAt: 1,
  message: {
    role: 'user',
    content: [{ type: 'text', text: 'What is <b>there</b>?\n\nSay all.' }],
    attached: [
      { fileId: 'f', name: 'a <b>plan</b>.pdf', kind: 'pdf', bytes: 3 },
      { serverId: 's', uri: 'file:///notes', title: 'Notes' },
    ],
    origins: [{ door: 'typed' }],
  },
};
const branch = [
  asking,
  call,
  result,
  answer(
    'a',
    'r',
    '# Found\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[a link](https://example.com) <img src=x onerror=alert(1)>',
  ),
];

describe('a chat exported as Markdown', () => {
  test('contains questions, tool calls and answers, but no thinking', () => {
    const text = writeMarkdown({ title: 'A\nchat' }, branch, words);
    expect(text).toMatch(/^# A chat\n\n## You\n\nWhat is <b>there<\/b>\?/);
    expect(text).toContain('> **Called fetch_page**');
    expect(text).toContain('Say all.\n\n> With: a <b>plan</b>.pdf, Notes\n');
    // The fence around the result is longer than any fence in it.
    expect(text).toContain('> ````\n> A ``` fence');
    expect(text).toContain('| 1 | 2 |');
    expect(text).not.toContain('Thought aloud');
  });
});

describe('a chat exported as a web page', () => {
  const html = () =>
    writeHtml({ title: '</title><script>1</script>' }, branch, { words, language: 'en', when: 'today' });

  test('forbids scripts and network requests at the start of the page', async () => {
    const page = new DOMParser().parseFromString(await html(), 'text/html');
    const [first, second] = page.head.children;
    expect(first?.getAttribute('charset')).toBe('utf-8');
    expect(second?.getAttribute('http-equiv')).toBe('Content-Security-Policy');
    expect(second?.getAttribute('content')).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; img-src data:;/,
    );
  });

  test('shows HTML from the chat as plain text', async () => {
    const page = new DOMParser().parseFromString(await html(), 'text/html');
    expect(page.querySelectorAll('script, iframe, object, embed, link, base, form')).toHaveLength(0);
    const handlers = [...page.querySelectorAll('*')].flatMap((node) =>
      node.getAttributeNames().filter((name) => name.startsWith('on')),
    );
    expect(handlers).toEqual([]);
    expect(page.title).toBe('</title><script>1</script>');
    expect(page.body.textContent).toContain('<img src=x onerror=alert(1)>');
    expect(page.body.textContent).toContain('With: a <b>plan</b>.pdf, Notes');
    expect([...page.images].map(({ src }) => src)).toEqual(['data:image/png;base64,iVBORw0KGgo=']);
    expect(page.querySelector('td')?.textContent).toBe('1');
    expect(page.querySelector('a')?.getAttribute('href')).toBe('https://example.com/');
  });
});

describe('the export dialog', () => {
  test.for([
    { kind: 'Markdown', name: 'Kept chat.md', type: 'text/markdown' },
    { kind: 'Web page', name: 'Kept chat.html', type: 'text/html' },
    { kind: 'JSON', name: 'Kept chat.json', type: 'application/json' },
  ])('saves a file named after the chat: $kind', async ({ kind, name, type }) => {
    const saved: { name: string; file: Blob }[] = [];
    const made: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      made.push(file as Blob);
      return 'blob:test';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, file: made.at(-1) ?? new Blob() });
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { screen } = await show({
      chats: [chatRecord('chat', { title: 'Kept/chat', leafId: 'a' })],
      nodes: branch,
    });
    await screen.getByRole('button', { name: 'Rename or delete' }).click({ force: true });
    await screen.getByRole('button', { name: 'Export' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Export “Kept/chat”' });
    await expect.element(dialog.getByRole('radio', { name: 'Markdown' })).toHaveFocus();
    await dialog.getByRole('radio', { name: kind }).click();
    await dialog.getByRole('button', { name: 'Export' }).click();
    await expect.poll(() => saved).toHaveLength(1);
    await expect.element(dialog).not.toBeInTheDocument();
    expect(saved[0]?.name).toBe(name);
    expect(saved[0]?.file.type).toBe(type);
    expect(await saved[0]?.file.text()).toContain('fetch_page');
  });
});

test('an answer is copied both as formatted text and as plain text', async () => {
  const written: ClipboardItem[] = [];
  vi.spyOn(navigator.clipboard, 'write').mockImplementation(async (items) => void written.push(...items));
  onTestFinished(() => void vi.restoreAllMocks());
  await copyFormatted('# Title\n\n- **one**\n- two');
  const html = await (await written[0]?.getType('text/html'))?.text();
  expect(html?.replace(/\s+/g, '')).toBe(
    '<h1>Title</h1><ul><li><p><strong>one</strong></p></li><li><p>two</p></li></ul>',
  );
  expect(await (await written[0]?.getType('text/plain'))?.text()).toBe('# Title\n\n- **one**\n- two');
});
