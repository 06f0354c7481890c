import { afterEach, describe, expect, test, vi } from 'vitest';
import { storeShare, readShare } from '../../../src/platform/shared-items';

const form = (fields: Record<string, string>, files: readonly File[] = []) => {
  const filled = new FormData();
  for (const [name, value] of Object.entries(fields)) filled.set(name, value);
  for (const file of files) filled.append('files', file);
  return filled;
};
const url = 'https://pages.example.com/story';

describe('the message made from shared content', () => {
  test.for([
    { name: 'is its trimmed text', fields: { text: ' Some words ' }, text: 'Some words' },
    {
      name: 'contains title, text and address on separate lines',
      fields: { title: 'A', text: 'B', url },
      text: `A\nB\n${url}`,
    },
    {
      name: 'contains an address only once if the text includes it',
      fields: { text: `See ${url}`, url },
      text: `See ${url}`,
    },
    {
      name: 'contains a title only once if the text begins with it',
      fields: { title: 'A page', text: `A page\n${url}` },
      text: `A page\n${url}`,
    },
    {
      name: 'contains the content of three equal fields only once',
      fields: { title: url, text: url, url },
      text: url,
    },
    { name: 'is empty if all fields are blank', fields: { title: ' ', text: '\n' }, text: '' },
    { name: 'contains no other fields', fields: { subject: 'A' }, text: '' },
  ])('$name', ({ fields, text }) => {
    expect(readShare(form(fields as Record<string, string>)).text).toBe(text);
  });
});

test('shared files keep their order, and empty files are dropped', () => {
  const files = [new File(['1'], 'a.txt'), new File([], 'empty.txt'), new File(['2'], 'b.csv')];
  const filled = form({}, files);
  filled.append('files', 'no file');
  expect(readShare(filled).files.map(({ name }) => name)).toEqual(['a.txt', 'b.csv']);
});

describe('content shared to the app', () => {
  afterEach(() => vi.unstubAllGlobals());
  const keep = async (waiting: number) => {
    const put = vi.fn();
    const keys = async () => Array.from({ length: waiting });
    vi.stubGlobal('caches', { open: async () => ({ keys, put }) });
    const request = new Request('https://hearth.example/share', {
      method: 'POST',
      body: form({ text: 'One more' }),
    });
    await storeShare(request, 'id');
    return put;
  };

  test('it is stored while fewer than 50 shares are waiting, and refused after that', async () => {
    expect(await keep(49)).toHaveBeenCalledOnce();
    await expect(keep(50)).rejects.toThrow('50 shares wait already.');
  });
});
