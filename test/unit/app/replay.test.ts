/** Ten recorded turns are replayed from every point: unchanged parts stay the same to the byte, and nothing outside happens twice. */
import { describe, expect, test } from 'vitest';
import type { MessageNode } from '../../../src/contracts/chat';
import { replayTurn } from '../../../src/state/replay';
import { textOf } from '../../../src/contracts/message-parts';
import { bytesOf, callIn, nothingChanged } from '../../support/replay-steps';
import { everyNth, slow } from '../../support/matrix';
import { type Script, stageReplay } from '../../support/replay-stage';

const call = (name: string, given: Record<string, unknown>) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;

/** The question of each turn, with the model's replies, one per round. */
const turns: Script = {
  'Good morning': ['Good morning to you.'],
  'What is 17 * 23?': [call('sum', { of: '17*23' }), 'It is 391.'],
  'Two sums at once, please': [
    `${call('sum', { of: '1+1' })}\n${call('sum', { of: '2+2' })}`,
    'They are 2 and 4.',
  ],
  'Add, look at the clock, and read': [
    call('sum', { of: '3+3' }),
    call('clock', {}),
    call('reader', { page: 'herons' }),
    'Six, noon, and herons eat fish.',
  ],
  'Use the one that breaks': [call('broken', {}), 'It did not work.'],
  把阁楼的灯打开: [call('lamp', { place: 'attic' }), '好的，我没有打开。'],
  把厨房的灯打开然后算一下: [
    call('lamp', { place: 'kitchen' }),
    call('sum', { of: '5+5' }),
    '灯开了，得数是 10。',
  ],
  算一个写错的: [
    '<tool_call>\n{"name": "sum", "arguments": {"of": \n</tool_call>',
    call('sum', { of: '6+6' }),
    '得数是 12。',
  ],
  'Let the writer do it': [call('writer', { request: 'Add 7 and 7' }), 'The writer says 14.'],
  再读两页: [call('long', { page: 'all' }), call('reader', { page: 'storks' }), '读完了。'],
};
const byAgent: Script = { 'Add 7 and 7': [call('sum', { of: '7+7' }), 'It is 14.'] };
/** In the native dialect, calls are not part of the reply's text. */
const formats = ['hermes', 'native'] as const;

const stage = (format: string, more: Script = {}) =>
  stageReplay({
    format,
    script: { ...turns, ...byAgent, ...more },
    agents: ['Writer'],
    answer: ({ call: { arguments: given } }) => (given['place'] === 'attic' ? 'deny' : 'once'),
    tools: {
      sum: {
        effects: { type: 'pure' },
        run: (input) => `${(input as { of: string }).of} is what it is`,
      },
      clock: { effects: { type: 'pure' }, run: () => '12:00' },
      reader: {
        effects: { type: 'net-hosts', hosts: ['birds.example'] },
        run: (input) => `Of ${(input as { page: string }).page}: they eat fish.`,
      },
      long: { effects: { type: 'pure' }, run: () => 'A long story about birds. '.repeat(2000) },
      lamp: { effects: { type: 'side-effect' }, run: () => 'on' },
      broken: {
        effects: { type: 'pure' },
        run: () => {
          throw new Error('It is broken.');
        },
      },
    },
  });

async function recorded(format: string, more: Script = {}) {
  const staged = stage(format, more);
  for (const question of Object.keys(turns)) await staged.chat.send(question);
  expect(staged.chat.turns).toHaveLength(10);
  return staged;
}

describe.for(everyNth(2, formats))('replaying an answer in the prompt format %s', (format) => {
  test('invariant: a replay without changes gives the same prompts and messages, and repeats no web request or side effect', async () => {
    const { chat, kept, ran, asked, options } = await recorded(format);
    const done = chat.turns;
    const prompts = async (nodes: readonly MessageNode[]) =>
      Promise.all(nodes.map(async ({ id }) => kept.loadPrompt(id)));
    // The story in the tenth turn was cut, the sub-agent was called, and the lamp in the attic was refused.
    expect(bytesOf(done[9]!.nodes)[1]).toContain('"whole":{');
    expect([...chat.agents.values()].map((agent) => agent.branch.length)).toEqual([4]);
    expect(bytesOf(done[5]!.nodes)[1]).toContain('"failure":"refused"');
    const outside = ran.filter((line) => /^(reader|lamp)/.test(line));
    expect(outside).toEqual([
      'reader {"page":"herons"}',
      'lamp {"place":"kitchen"}',
      'reader {"page":"storks"}',
    ]);
    let points = 0;
    for (const turn of done) {
      const said = textOf((turn.question!.message as { content: { type: 'text'; text: string }[] }).content);
      for (const change of nothingChanged(said, turn.nodes)) {
        points += 1;
        asked.length = 0;
        await replayTurn(chat, turn, change, options());
        const again = chat.turns.at(-1)!;
        expect(again.end).toBe(turn.end);
        expect(bytesOf(again.nodes)).toEqual(bytesOf(turn.nodes));
        expect(await prompts(again.nodes)).toEqual(await prompts(turn.nodes));
        // Only the call that was refused asks for permission again.
        expect(asked.filter((line) => !line.includes('attic'))).toEqual([]);
      }
    }
    expect(points).toBe(39);
    // No outside call was repeated.
    expect(ran.filter((line) => /^(reader|lamp)/.test(line))).toEqual(outside);
    expect(chat.agents.size).toBe(1);
  });
});

slow('replaying from an edited tool result marks the result and regenerates only what follows', async () => {
  const { chat, ran, requests, options } = await recorded('hermes');
  const turn = chat.turns[3]!;
  const reads = callIn(turn.nodes, 'reader');
  const before = ran.length;
  const rounds = requests.length;
  await replayTurn(
    chat,
    turn,
    { type: 'result', callId: reads.id, text: 'They eat frogs.', isError: false, within: [] },
    options(),
  );
  const again = chat.turns.at(-1)!;
  const last = again.nodes.at(-2)!;
  expect(last.message).toMatchObject({
    results: [
      {
        content: [{ text: 'They eat frogs.' }],
        isEdited: true,
        origins: [{ door: 'hearth' }, { door: 'page', name: 'birds.example' }],
      },
    ],
  });
  expect(again.parts.filter(({ type }) => type === 'call')).toMatchObject([
    {},
    {},
    { name: 'reader', isResultEdited: true, result: 'They eat frogs.' },
  ]);
  expect(last.replayOf).toBe(turn.nodes[5]!.id);
  expect([ran.length - before, requests.length - rounds]).toEqual([0, 1]);
  // The replay is a second version. The original stays.
  expect(chat.nodes.filter(({ parentId }) => parentId === turn.question!.id)).toHaveLength(2);
});

slow(
  'replaying a tool call with edited arguments asks for permission and keeps the other results',
  async () => {
    const { chat, ran, asked, options } = await recorded('hermes');
    const two = chat.turns[2]!;
    const first = callIn(two.nodes, 'sum');
    const before = ran.length;
    await replayTurn(
      chat,
      two,
      { type: 'arguments', callId: first.id, arguments: { of: '8+8' }, within: [] },
      options(),
    );
    expect(ran.slice(before)).toEqual(['sum {"of":"8+8"}']);
    const parts = chat.turns.at(-1)!.parts.filter(({ type }) => type === 'call');
    expect(parts).toMatchObject([
      { isEdited: true, result: '8+8 is what it is' },
      { isTaken: true, result: '2+2 is what it is' },
    ]);
    await chat.showLeaf(two.nodes.at(-1)!.id);

    const lamp = (await recordedTurn(chat, 6)).nodes;
    asked.length = 0;
    await replayTurn(
      chat,
      { question: chat.nodes.find(({ id }) => id === lamp[0]!.parentId), nodes: lamp },
      { type: 'arguments', callId: callIn(lamp, 'lamp').id, arguments: { place: 'attic' }, within: [] },
      options(),
    );
    expect(asked).toEqual(['lamp {"place":"attic"}']);
    expect(chat.turns.at(-1)!.parts[0]).toMatchObject({ isEdited: true, status: 'refused' });
  },
);

slow(
  'replaying an edited question reuses a recorded web result instead of repeating the request',
  async () => {
    const otherwise: Script = {
      'Read about herons, please': [
        call('reader', { page: 'herons' }),
        call('reader', { page: 'cranes' }),
        'Done.',
      ],
    };
    const { chat, ran, options } = await recorded('hermes', otherwise);
    const turn = chat.turns[3]!;
    const before = ran.length;
    await replayTurn(chat, turn, { type: 'question', text: 'Read about herons, please' }, options());
    expect(ran.slice(before)).toEqual(['reader {"page":"cranes"}']);
    expect(chat.turns.at(-1)!.parts).toMatchObject([
      { isTaken: true },
      { isTaken: undefined },
      { type: 'text' },
    ]);
  },
);

slow("a replayed answer keeps its sub-agent's steps after the original answer is deleted", async () => {
  const { chat, kept, bin, options } = await recorded('hermes');
  const turn = chat.turns[8]!;
  await replayTurn(
    chat,
    turn,
    {
      type: 'result',
      callId: callIn(turn.nodes, 'writer').id,
      text: 'It is 15.',
      isError: false,
      within: [],
    },
    options(),
  );
  await chat.remove(turn.nodes[0]!);
  await chat.retrySaving();
  expect((await kept.load('chat'))?.agents).toHaveLength(1);
  await bin.purge([{ kind: 'messages', id: turn.nodes[0]!.id }]);
  expect((await kept.load('chat'))?.agents).toHaveLength(1);
});

/** Returns a turn of the recorded branch, which is longer than the shown branch. */
async function recordedTurn(chat: Awaited<ReturnType<typeof recorded>>['chat'], place: number) {
  await chat.showLeaf(chat.nodes.find(({ message }) => JSON.stringify(message).includes('读完了'))!.id);
  return chat.turns[place]!;
}
