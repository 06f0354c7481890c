/** Which pictures of a conversation a model receives, and what the page replies for a very small model. */
import { expect, test, vi } from 'vitest';
import { createPictureReader } from '../../../src/app/attachment-functions';
import type { Message } from '../../../src/contracts/message';
import { maxSentPictures } from '../../../src/contracts/attachment';
import { noFallback, stageTurn } from '../../support/turn-stage';
import { small as large } from '../../support/web-llm-model';

// The worker's security policies need a page.
vi.mock('../../../src/platform/start-worker', () => ({}));

const asked = (text: string, ...ids: string[]): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  attached: ids.map((fileId) => ({ fileId, name: `${fileId}.png`, kind: 'picture', bytes: 3 })),
  origins: [{ door: 'typed' }],
});
const kept = (text: string) => ({
  kind: 'picture' as const,
  type: 'image/png',
  data: new TextEncoder().encode(text),
});

function stage(canSee: boolean) {
  const loads: string[] = [];
  const pictures = createPictureReader({
    async load(id) {
      loads.push(id);
      if (id === 'broken') throw new Error('The disk is gone.');
      return id === 'gone' ? undefined : kept(id);
    },
    spec: () => ({ ...large, engine: 'endpoint', canSee }),
  });
  return { loads, pictures };
}

test("a model with vision gets the chat's pictures, and each is read from storage once per answer", async () => {
  const { loads, pictures } = stage(true);
  const chat = [asked('One', 'a', 'gone'), asked('Two', 'broken')];
  const image = { type: 'image', data: btoa('a'), mimeType: 'image/png' };
  expect(await pictures(chat)).toEqual({ a: image });
  expect(await pictures(chat)).toEqual({ a: image });
  expect(loads).toEqual(['a', 'gone', 'broken']);
});

test('only the newest of many pictures are sent to the model', async () => {
  const { loads, pictures } = stage(true);
  const ids = Array.from({ length: maxSentPictures + 5 }, (_, at) => `p${at}`);
  const shown = await pictures(ids.map((id) => asked('What?', id)));
  expect(Object.keys(shown ?? {})).toEqual(ids.slice(5));
  expect(loads).toHaveLength(maxSentPictures);
});

test('no picture is read from storage for a model without vision', async () => {
  const { loads, pictures } = stage(false);
  expect(await pictures([asked('What?', 'a')])).toBeUndefined();
  expect(loads).toEqual([]);
});

test('asked about a picture, Hearth replies that a very small model cannot see pictures', async () => {
  const ember = { ...large, id: 'ember', name: 'Ember', isSmall: true };
  const { run, model } = stageTurn({
    fallbacks: {
      specFor: async () => ember,
      untold: () => undefined,
      forTurn: () => noFallback,
    },
  });
  const { result } = await run([asked('What is in it?', 'a')]);
  expect(result).toMatchObject([
    { role: 'assistant', content: [{ text: expect.stringContaining('I see no pictures') }] },
  ]);
  expect(model.requests).toEqual([]);
  const chinese = await run([asked('图里是什么？', 'a')]);
  expect(chinese.result).toMatchObject([{ content: [{ text: expect.stringContaining('看不到图片') }] }]);
});
