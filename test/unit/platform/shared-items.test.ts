import { afterEach, describe, expect, test, vi } from 'vitest';
import { storeShare, readShare } from '../../../src/platform/shared-items';

const form = (fields: Record<string, string>, files: readonly File[] = []) => {
  const filled = new FormData();
  for (const [name, value] of Object.entries(fields)) filled.set(name, value);
  for (const file of files) filled.append('files', file);
  return filled;
};
const url = 'https://pages.example.com/story';

describe('the text of a share', () => {
  test.for([
    { name: 'is its text', fields: { text: ' Some words ' }, text: 'Some words' },
    {
      name: 'is title, text and address, a line each',
      fields: { title: 'A', text: 'B', url },
      text: `A\nB\n${url}`,
    },
    {
      name: 'has an address once that stands in the text too',
      fields: { text: `See ${url}`, url },
      text: `See ${url}`,
    },
    {
      name: 'has a title once that the text begins with',
      fields: { title: 'A page', text: `A page\n${url}` },
      text: `A page\n${url}`,
    },
    { name: 'has what is in three fields once', fields: { title: url, text: url, url }, text: url },
    { name: 'is none of blanks', fields: { title: ' ', text: '\n' }, text: '' },
    { name: 'is none of other fields', fields: { subject: 'A' }, text: '' },
  ])('$name', ({ fields, text }) => {
    expect(readShare(form(fields as Record<string, string>)).text).toBe(text);
  });
});

test('files keep their order; empty files and texts in their place are dropped', () => {
  const files = [new File(['1'], 'a.txt'), new File([], 'empty.txt'), new File(['2'], 'b.csv')];
  const filled = form({}, files);
  filled.append('files', 'no file');
  expect(readShare(filled).files.map(({ name }) => name)).toEqual(['a.txt', 'b.csv']);
});

describe('one more share', () => {
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

  test('it is stored next to 49 others, but not next to 50', async () => {
    expect(await keep(49)).toHaveBeenCalledOnce();
    await expect(keep(50)).rejects.toThrow('50 shares wait already.');
  });
});
