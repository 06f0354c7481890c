/** Replays of a turn from a point within a sub-agent. */
import { describe, expect, test } from 'vitest';
import type { MessageNode } from '../../../src/contracts/chat';
import { replayTurn } from '../../../src/state/replay';
import { isCopied, listStepsWithPaths, traceOf } from '../../../src/state/trace';
import { type Script, stageReplay } from '../../support/replay-stage';
import { bytesOf, callIn, nothingChanged } from '../../support/replay-steps';
import { slow } from '../../support/matrix';

const call = (name: string, given: Record<string, unknown>) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;

const lights: Script = {
  'Let it light the room': [call('writer', { request: 'Light the kitchen' }), 'The writer lit it.'],
  'Light the kitchen': [call('lamp', { place: 'kitchen' }), call('sum', { of: '9+9' }), 'Lit; it is 18.'],
};

describe.for(['hermes', 'native'])('replaying a step of a sub-agent, in the prompt format %s', (format) => {
  async function asked() {
    const staged = stageReplay({
      format,
      script: lights,
      agents: ['Writer'],
      answer: () => 'once',
      tools: {
        sum: { effects: { type: 'pure' }, run: (input) => `${(input as { of: string }).of} is what it is` },
        lamp: { effects: { type: 'side-effect' }, run: () => 'on' },
      },
    });
    await staged.chat.send('Let it light the room');
    const turn = staged.chat.turns[0]!;
    const asking = callIn(turn.nodes, 'writer');
    const agent = staged.chat.agents.get(asking.id)!;
    const again = () => {
      const made = callIn(staged.chat.turns.at(-1)!.nodes, 'writer');
      return { id: made.id, branch: staged.chat.agents.get(made.id)!.branch };
    };
    return { ...staged, turn, agent, again, within: [asking.id] };
  }

  test('without changes, gives the same messages and does not repeat tool calls that change data', async () => {
    const { chat, kept, turn, agent, again, within, ran, asked: questions, options } = await asked();
    const done = agent.branch;
    const prompts = (nodes: readonly MessageNode[]) =>
      Promise.all(nodes.map(async ({ id }) => kept.loadPrompt(id)));
    questions.length = 0;
    for (const change of nothingChanged('', done).slice(1)) {
      if (change.type === 'question') continue;
      await replayTurn(chat, turn, { ...change, within }, options());
      expect(chat.turns.at(-1)!.end).toBe('answered');
      expect(bytesOf(again().branch)).toEqual(bytesOf(done));
      expect(await prompts(again().branch)).toEqual(await prompts(done));
      expect(chat.turns.at(-1)!.parts.at(-1)).toMatchObject({ text: 'The writer lit it.' });
    }
    expect(ran.filter((line) => line.startsWith('lamp'))).toEqual(['lamp {"place":"kitchen"}']);
    expect(questions).toEqual([]);
    // Each version has its own sub-agent, which is deleted together with that version.
    expect(chat.agents.size).toBe(5);
    await chat.retrySaving();
    const first = chat.nodes.find(({ parentId }) => parentId === turn.question!.id)!;
    await kept.binFrom(first.id);
    expect((await kept.load('chat'))?.agents).toHaveLength(4);
  });

  test('marks an edited tool result and generates a new answer in the chat', async () => {
    const { chat, turn, agent, again, within, ran, options } = await asked();
    const { id } = callIn(agent.branch, 'sum');
    const before = ran.length;
    const change = { type: 'result', callId: id, text: '19', isError: false, within } as const;
    await replayTurn(chat, turn, change, options());
    expect(ran.length).toBe(before);
    expect(JSON.stringify(again().branch.at(-2)!.message)).toContain('"isEdited":true');
    expect(again().id).not.toBe(within[0]);
    const trace = traceOf(chat.turns.at(-1)!, chat.agents);
    expect(
      listStepsWithPaths(trace.steps).map(({ step, path }) => [...path, isCopied(step)].join(' ')),
    ).toEqual([
      ...[
        'true',
        'false',
        'writer true',
        'writer true',
        'writer true',
        'writer true',
        'writer false',
        'false',
      ],
    ]);
  });

  test('asks for permission before running a tool call with edited arguments', async () => {
    const { chat, turn, agent, again, within, ran, asked: questions, options } = await asked();
    const { id } = callIn(agent.branch, 'lamp');
    questions.length = 0;
    const change = { type: 'arguments', callId: id, arguments: { place: 'hall' }, within } as const;
    await replayTurn(chat, turn, change, options());
    expect(questions).toEqual(['lamp {"place":"hall"}']);
    expect(ran.filter((line) => line.startsWith('lamp'))).toHaveLength(2);
    expect(JSON.stringify(again().branch[2]!.message)).toContain('on');
  });
});

const house: Script = {
  'Let them light the house': [call('writer', { request: 'Light every room' }), 'They lit it.'],
  'Light every room': [
    call('sum', { of: '1+1' }),
    call('helper', { request: 'Light the attic' }),
    'All is lit.',
  ],
  'Light the attic': [call('lamp', { place: 'attic' }), call('sum', { of: '9+9' }), 'The attic is lit.'],
};

describe.for(['hermes', 'native'])(
  'replaying a step of a nested sub-agent, in the prompt format %s',
  (format) => {
    async function asked() {
      const staged = stageReplay({
        format,
        script: house,
        agents: ['Writer', 'Helper'],
        answer: () => 'once',
        tools: {
          sum: { effects: { type: 'pure' }, run: (input) => `${(input as { of: string }).of} is what it is` },
          lamp: { effects: { type: 'side-effect' }, run: () => 'on' },
        },
      });
      await staged.chat.send('Let them light the house');
      const { chat } = staged;
      /** Follows the shown turn down to the helper's messages. */
      const line = () => {
        const outer = callIn(chat.turns.at(-1)!.nodes, 'writer').id;
        const writer = chat.agents.get(outer)!.branch;
        const inner = callIn(writer, 'helper').id;
        return { ids: [outer, inner], writer, helper: chat.agents.get(inner)!.branch };
      };
      const first = line();
      staged.asked.length = 0;
      return { ...staged, turn: chat.turns[0]!, line, first, within: first.ids };
    }

    slow('without changes, gives the same messages on all three levels', async () => {
      const { chat, turn, line, first, within, ran, asked: questions, options } = await asked();
      for (const change of nothingChanged('', first.helper).slice(1)) {
        if (change.type === 'question') continue;
        await replayTurn(chat, turn, { ...change, within }, options());
        expect(chat.turns.at(-1)!.end).toBe('answered');
        const again = line();
        expect(bytesOf(again.helper)).toEqual(bytesOf(first.helper));
        expect(again.writer.map(({ message }) => message.role)).toEqual(
          first.writer.map(({ message }) => message.role),
        );
        expect(again.ids.some((id) => within.includes(id))).toBe(false);
      }
      expect(ran.filter((made) => made.startsWith('lamp'))).toEqual(['lamp {"place":"attic"}']);
      expect(questions).toEqual([]);
    });

    slow('after a tool result is edited two levels down, generates new answers on each level', async () => {
      const { chat, kept, turn, line, first, within, ran, requests, options } = await asked();
      const before = { ran: ran.length, asked: requests.length };
      const { id } = callIn(first.helper, 'sum');
      await replayTurn(
        chat,
        turn,
        { type: 'result', callId: id, text: '19', isError: false, within },
        options(),
      );
      expect(ran.length).toBe(before.ran);
      const told = requests.slice(before.asked).map(({ messages }) => messages.at(-1)?.content ?? '');
      expect(told.map((text) => /19|The attic is lit|All is lit/.exec(text)?.[0])).toEqual([
        ...['19', 'The attic is lit', 'All is lit'],
      ]);
      const again = line();
      expect(JSON.stringify(again.helper.at(-2)!.message)).toContain('"isEdited":true');
      // The old version is unchanged.
      expect(JSON.stringify(first.helper)).not.toContain('isEdited');
      const steps = listStepsWithPaths(traceOf(chat.turns.at(-1)!, chat.agents).steps);
      const run = steps.filter(({ step }) => !isCopied(step)).map(({ step, path }) => [...path, step.type]);
      expect(run).toEqual([
        ...[['call'], ['writer', 'call'], ['writer', 'helper', 'round'], ['writer', 'round'], ['round']],
      ]);
      await chat.retrySaving();
      expect((await kept.load('chat'))?.agents).toHaveLength(4);
    });

    test('asks for permission before running a tool call with arguments edited two levels down', async () => {
      const { chat, turn, line, first, within, ran, asked: questions, options } = await asked();
      const { id } = callIn(first.helper, 'lamp');
      const change = { type: 'arguments', callId: id, arguments: { place: 'hall' }, within } as const;
      await replayTurn(chat, turn, change, options());
      expect(questions).toEqual(['lamp {"place":"hall"}']);
      expect(ran.filter((made) => made.startsWith('lamp'))).toHaveLength(2);
      expect(JSON.stringify(line().helper[2]!.message)).toContain('on');
      expect(chat.turns.at(-1)!.parts.at(-1)).toMatchObject({ text: 'They lit it.' });
    });
  },
);
