import { expect, test } from 'vitest';
import { fetchPicture } from '../../../src/app/turn-files';
import { EgressError, type EgressBytes, type EgressRequest } from '../../../src/contracts/egress';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const bytes = new Uint8Array(Buffer.from(pixel, 'base64'));
const head = { url: 'https://a.example/x', status: 200, headers: {} };
const never = new AbortController().signal;
const url = 'https://a.example/x';

const answering = (answer: Partial<EgressBytes> | Error) => {
  const asked: EgressRequest[] = [];
  return {
    asked,
    load: async (request: EgressRequest) => {
      asked.push(request);
      if (answer instanceof Error) throw answer;
      return { ...head, bytes, isCut: false, ...answer };
    },
  };
};

test.for([
  {
    name: 'a fetched picture is returned with its type',
    answer: {},
    result: { ok: true, bytes, type: 'image/png' },
  },
  { name: 'a missing picture is reported', answer: { status: 404 }, result: { ok: false, problem: 'none' } },
  {
    name: 'a picture over the size limit is reported',
    answer: { isCut: true },
    result: { ok: false, problem: 'large' },
  },
  {
    name: 'an SVG file sent as a PNG is rejected',
    answer: { bytes: new TextEncoder().encode('<svg onload="x()"/>') },
    result: { ok: false, problem: 'other' },
  },
  {
    name: 'a URL that may not be fetched is reported',
    answer: new EgressError('refused-address', 'No.'),
    result: { ok: false, problem: 'refused-address' },
  },
])('$name', async ({ answer, result }) => {
  const egress = answering(answer);
  expect(await fetchPicture(egress, url, never)).toEqual(result);
  expect(egress.asked).toMatchObject([{ url, method: 'GET', tool: 'pictures', maxBytes: 10_000_000 }]);
});

test('a picture in a data URL is read without a network request', async () => {
  const egress = answering({});
  const read = (data: string) => fetchPicture(egress, `data:image/png;base64,${data}`, never);
  expect(await read(pixel)).toEqual({ ok: true, bytes, type: 'image/png' });
  expect(await read('%%%')).toEqual({ ok: false, problem: 'other' });
  expect(egress.asked).toEqual([]);
});
