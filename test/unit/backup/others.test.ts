import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { MessageNode } from '../../../src/contracts/chat';
import { backupStage } from '../../support/backup/backup-stage';
import { pack } from '../../support/backup/forge';
import { dumpTables } from '../../support/backup/stocked-database';
import { thorough, slow } from '../../support/matrix';

const textOf = (name: string) => readFileSync(`test/fixtures/others/${name}`, 'utf8');
const fileOf = (name: string) => new Blob([textOf(name)]);

async function taken(database: string, file: Blob) {
  const stage = backupStage(database);
  const preview = await stage.stage(file);
  await stage.apply('merge');
  const dump = await dumpTables(database);
  return { preview, chats: dump['chats'] ?? [], messages: dump['messages'] ?? [], stage };
}

const text = (role: string, ...texts: string[]) => ({
  role,
  content: texts.map((one) => ({ type: 'text', text: one })),
});

describe('a ChatGPT export', () => {
  test.for([
    { as: 'a list of chats', file: async () => fileOf('chatgpt.json') },
    {
      as: 'a whole archive',
      file: () =>
        pack(
          new Map([
            ['user.json', '{}'],
            ['conversations.json', textOf('chatgpt.json')],
            ['chat.html', '<p>'],
          ]),
        ),
    },
  ])('is imported with its branches but without tool messages: given as $as', async ({ as, file }) => {
    const { preview, chats, messages } = await taken(`chatgpt ${as}`, await file());
    // Left out: a picture, a call and its result.
    expect(preview).toMatchObject({ source: 'chatgpt', leftOut: 3, parts: ['chats'] });
    expect(chats).toMatchObject([
      {
        id: 'chatgpt-c-1',
        title: 'Lighthouses 灯塔',
        createdAt: 1_700_000_000_500,
        leafId: 'chatgpt-c-1-n6',
      },
    ]);
    expect(messages).toMatchObject([
      { id: 'chatgpt-c-1-n1', parentId: null, message: text('user', 'How tall is this?') },
      { parentId: 'chatgpt-c-1-n1', message: text('assistant', 'Forty metres.'), turnEnd: 'answered' },
      {
        parentId: 'chatgpt-c-1-n1',
        message: text('assistant', 'It is **41 m** tall.'),
        createdAt: 1_700_000_005_000,
      },
      { parentId: 'chatgpt-c-1-n5', message: text('user', 'Thanks'), turnEnd: 'stopped' },
    ]);
  });

  test('is not duplicated when imported twice', async () => {
    const { stage, messages } = await taken('chatgpt twice', fileOf('chatgpt.json'));
    const { counts } = await stage.stage(fileOf('chatgpt.json'));
    expect(counts['messages']).toEqual({ total: messages.length, added: 0, differing: 0 });
  });
});

test("an import from Open WebUI keeps branches and separates the model's thinking from its answer", async () => {
  const { preview, chats, messages } = await taken('open webui', fileOf('open-webui.json'));
  expect(preview).toMatchObject({ source: 'open-webui', leftOut: 2 });
  expect(chats).toMatchObject([
    {
      title: 'Sums',
      archivedAt: 1_700_000_200_000,
      pinnedAt: 1_700_000_200_000,
      leafId: 'open-webui-w-1-m4',
    },
  ]);
  expect(messages).toMatchObject([
    { message: text('user', 'What is 17 * 23?'), createdAt: 1_700_000_010_000 },
    { message: text('assistant', '390.') },
    {
      message: {
        content: [
          { type: 'reasoning', text: '17 * 20 is 340.\n17 * 3 is 51.' },
          { type: 'text', text: '391.' },
        ],
      },
    },
    { message: text('user', 'And 18 * 23?') },
  ]);
});

test('data that cannot be imported is counted once, even if several chats share it', async () => {
  const [one] = JSON.parse(textOf('open-webui.json')) as object[];
  const meta = { tags: ['sums', 'school'] };
  const chats = [0, 1, 2].map((at) => ({ ...one, id: `w-${at}`, meta, folder_id: at < 2 ? 'f-1' : 'f-2' }));
  const { preview } = await taken('tags', new Blob([JSON.stringify(chats)]));
  expect(preview.leftOut).toBe(3 * 2 + 2 + 2);
  const [first] = JSON.parse(textOf('chatgpt-current.json')) as object[];
  const twice = [first, { ...first, id: 'again', conversation_id: 'again' }];
  const [single, both] = [[first], twice].map((list) => new Blob([JSON.stringify(list)]));
  const before = (await taken('told once', single!)).preview.leftOut;
  expect((await taken('told twice', both!)).preview.leftOut).toBe(2 * before - 2);
});

describe('an export of llama.cpp', () => {
  test('is imported from JSON lines', async () => {
    const { preview, chats, messages } = await taken('llama lines', fileOf('llama-ui.jsonl'));
    expect(preview).toMatchObject({ source: 'llama-ui', leftOut: 2 });
    expect(chats).toMatchObject([{ title: 'Hello there', leafId: 'llama-ui-l-1-c' }, { title: 'Second' }]);
    expect(messages).toMatchObject([
      { message: text('user', 'Hello'), createdAt: Date.parse('2026-06-16T10:00:00Z') },
      { message: { content: [{ type: 'reasoning', text: 'They greet me.' }, { text: 'Hi' }] } },
      { parentId: 'llama-ui-l-1-b', message: text('assistant', '\n\nIt is 42.') },
      { parentId: null, message: text('user', 'One') },
      { parentId: 'llama-ui-l-2-line-0', message: text('assistant', 'Two'), turnEnd: 'answered' },
    ]);
  });

  slow('is imported from the older format and from several files in an archive', async () => {
    const { chats, messages } = await taken('llama older', fileOf('llama-ui-older.json'));
    expect(chats).toMatchObject([{ title: 'Older', updatedAt: 1_700_000_300_000 }]);
    expect(messages).toMatchObject([{ parentId: null }, { parentId: 'llama-ui-l-3-2' }]);
    const lines = textOf('llama-ui.jsonl').split('\n');
    const archive = await pack(
      new Map([
        ['one.jsonl', lines.slice(0, 5).join('\n')],
        ['two.jsonl', lines.slice(5).join('\n')],
      ]),
    );
    expect((await taken('llama archive', archive)).chats).toHaveLength(2);
  });
});

describe('an export from the current version of another chat app', () => {
  const saidOf = (messages: readonly unknown[]) =>
    (messages as MessageNode[]).map(({ id, parentId, message, model }) => {
      const parts = 'content' in message && typeof message.content !== 'string' ? message.content : [];
      const texts = parts.map((part) => ('text' in part ? part.text : ''));
      return { id: id.split('-').at(-1), under: parentId?.split('-').at(-1), texts, model: model?.id };
    });

  test("ChatGPT's thinking, documents, speech and links are imported as plain Markdown", async () => {
    const { preview, chats, messages } = await taken('chatgpt now', fileOf('chatgpt-current.json'));
    // Left out: three pictures and sounds, a search and its result, two document messages, a requested picture and its result, an error,
    // two custom instructions.
    expect(preview.leftOut).toBe(12);
    expect(chats).toMatchObject([{ pinnedAt: 1_760_000_100_500 }, { title: 'Run 1+1', isNamed: false }]);
    const said = saidOf(messages);
    const of = (id: string) => said.find((one) => one.id === id);
    expect(said).toHaveLength(14);
    expect(of('q1')).toMatchObject({
      under: undefined,
      texts: ['Which lighthouse is this, and how tall is it?'],
    });
    expect(of('a1')).toEqual({
      id: 'a1',
      under: 'q1',
      model: 'gpt-5-thinking',
      texts: [
        '**Looking at the picture**\n\nWhite tower, red top.\n\n**Searching**\n\nI should look up its height.',
        'It is Westerheversand, **41 m** tall. ([example.org](https://example.org/tower))\n\n| Part | Height |\n| --- | --- |\n| Tower | 40 m |\n| Lantern | 1 m |',
      ],
    });
    expect(of('a1b')).toMatchObject({ under: 'q1', texts: ['A lighthouse. I cannot say which.'] });
    expect(of('doc')?.texts).toEqual([
      '**Lighthouse poem**\n\n# The tower\n\nRed and white, it keeps the night.',
    ]);
    expect(of('doc2')?.texts).toEqual(['\n\n**Drawing**\n\n````python\nprint("```")\nprint("|")\n````']);
    expect(of('v1')).toMatchObject({ under: 'a2', texts: ['And how old is it?'] });
    expect(of('va1')?.texts).toEqual(['It was built in 1908.']);
    expect(of('o2')).toMatchObject({ under: 'o1', texts: ['```python\n1 + 1\n```'] });
    expect(of('o3')).toMatchObject({ under: 'o2', texts: ['\n\n2'] });
  });

  test("Open WebUI's edited, failed and parallel answers are imported", async () => {
    const { preview, messages } = await taken('open webui now', fileOf('open-webui-current.json'));
    // Left out: two files, two calls and a tag.
    expect(preview.leftOut).toBe(5);
    expect(saidOf(messages)).toMatchObject([
      { under: 'u1', texts: ['They differ in **one** line.'], model: 'llama3.2:3b' },
      {
        under: 'u1',
        texts: [
          `It's "one" & <two>.\n\nDone.`,
          'They are the same, but for a title:\n\n```diff\n- One\n+ Two\n```',
        ],
        model: 'qwen3:8b',
      },
      { under: 'u2', texts: ['数一数。', '各有三行。'] },
      { under: 'u3', texts: ['Model not found'] },
      { under: undefined, texts: ['Compare the two files.'], model: undefined },
      { under: 'r2', texts: ['两个文件有多少行？'] },
      { under: 'r3', texts: ['And in a month?'] },
    ]);
  });

  test("llama.cpp's branches are imported, and its tool calls and files are counted as left out", async () => {
    const { preview, chats, messages } = await taken('llama now', fileOf('llama-ui-current.jsonl'));
    // Left out: a system prompt, three files, a call and its result.
    expect(preview.leftOut).toBe(6);
    expect(chats).toMatchObject([{ title: 'Weather in Oslo' }, { leafId: expect.stringMatching(/x2$/) }]);
    expect(saidOf(messages)).toMatchObject([
      { under: undefined, texts: ['What is in these files, and what will the weather be?'] },
      { under: 'l2', texts: ['I need the forecast.', ''], model: 'Qwen3-8B-Q4_K_M.gguf' },
      { under: 'l3', texts: ['\n\nSay it shortly.', '\n\nRain, **3 mm**.'] },
      { under: 'l2', texts: ['I cannot say.'] },
      { under: 'l5', texts: ['谢谢'] },
      { texts: ['One'] },
      { texts: ['Two'] },
    ]);
  });
});

describe('importing an unknown or broken file', () => {
  const chatgpt = JSON.parse(textOf('chatgpt.json')) as { mapping: Record<string, { parent: string }> }[];
  const circle = structuredClone(chatgpt);
  circle[0]!.mapping['n1']!.parent = 'n6';
  test.for([
    { what: 'an empty list', text: '[]', code: 'backup-unknown' },
    { what: 'unknown JSON', text: '{"a":1}', code: 'backup-unknown' },
    { what: 'an incomplete list', text: textOf('chatgpt.json').slice(0, 900), code: 'backup-damaged' },
    {
      what: 'an incomplete file of lines',
      text: textOf('llama-ui.jsonl').slice(0, 300),
      code: 'backup-damaged',
    },
    { what: 'a tree with a cycle', text: JSON.stringify(circle), code: 'backup-refused' },
    {
      what: 'two chats with the same id',
      text: JSON.stringify([...chatgpt, ...chatgpt]),
      code: 'backup-refused',
    },
    {
      what: 'a `__proto__` key',
      text: textOf('chatgpt.json').replace('"title"', '"__proto__":{},"title"'),
      code: 'backup-refused',
    },
    {
      what: 'text with the wrong type',
      text: textOf('open-webui.json').replace('"390."', '390'),
      code: 'backup-damaged',
    },
  ])('is refused with the code $code: $what', async ({ text: content, code }) => {
    const stage = backupStage('none of these');
    await expect(stage.stage(new Blob([content]))).rejects.toMatchObject({ code });
    expect(await stage.staged()).toBeUndefined();
  });
});

describe('a large export', () => {
  thorough('is imported completely, even with 500 chats', async () => {
    const [one] = JSON.parse(textOf('open-webui.json')) as object[];
    const many = Array.from({ length: 500 }, (_, at) => ({ ...one, id: `w-${at}` }));
    const { preview } = await taken('many', new Blob([JSON.stringify(many)]));
    expect(preview.counts['chats']).toMatchObject({ total: 500, added: 500 });
    expect(preview.leftOut).toBe(1000);
  });

  thorough('is refused if it is too large for the free space', async () => {
    const small = backupStage('no room', 1000);
    await expect(small.stage(fileOf('chatgpt.json'))).rejects.toMatchObject({ code: 'backup-too-large' });
    const bomb = pack(new Map([['conversations.json', `[${' '.repeat(70_000_000)}]`]]));
    const stage = backupStage('bomb');
    await expect(stage.stage(await bomb)).rejects.toMatchObject({ code: 'backup-refused' });
  });
});
