import { describe, expect, test } from 'vitest';
import { editQuestion } from '../../../src/state/versions';
import { summariesOf } from '../../../src/contracts/message-parts';
import { PlainChat } from '../../support/plain-chat';
import { gives, handed, nodes, record, says } from '../../support/recorded-chat';

describe('a summary of a chat', () => {
  const summary = {
    text: 'Notes.',
    by: 'rule' as const,
    origins: [{ door: 'summary' as const }],
    nonce: 'n',
  };
  const stored = nodes.map((node) => (node.id === 'a1' ? { ...node, summary } : node));

  test('is stored with the last message it covers, and used in the next turn', async () => {
    const told: unknown[] = [];
    const { functions, writes } = handed(async function* (history, options) {
      told.push(summariesOf(options.branch));
      yield { type: 'summing-up', messages: 2 };
      yield { type: 'summary', messages: 2, summary };
      yield* gives(...says('Hello'))(history, options);
      return [];
    });
    const session = new PlainChat(functions, { chat: record, nodes });
    await session.send('And then?');
    expect(writes.slice(0, 3)).toEqual(['save id0 under a1: user', 'summary a1 Notes.', 'delta id1: 1']);
    expect(session.turns).toMatchObject([{ hasSummary: true }, { hasSummary: false }]);
    await session.send('And now?');
    expect(told).toEqual([[], [{ ...summary, messages: 2 }]]);
  });

  test('is announced while it is being written', async () => {
    let isSummingUp: (boolean | undefined)[] = [];
    const { functions } = handed(async function* (history, options) {
      yield { type: 'summing-up', messages: 2 };
      isSummingUp = [session.reply?.isSummingUp];
      yield { type: 'summary', messages: 2, summary };
      isSummingUp.push(session.reply?.isSummingUp);
      yield* gives(...says('Hello'))(history, options);
      return [];
    });
    const session: PlainChat = new PlainChat(functions, { chat: record, nodes });
    await session.send('And then?');
    expect(isSummingUp).toEqual([true, false]);
  });

  test('does not apply to a branch that starts before the summary', async () => {
    const told: unknown[] = [];
    const { functions, writes } = handed(async function* (history, options) {
      told.push(summariesOf(options.branch));
      yield* gives(...says('Hello'))(history, options);
      return [];
    });
    const session = new PlainChat(functions, { chat: record, nodes: stored });
    await editQuestion(session, nodes[0]!, 'Goodbye');
    expect(told).toEqual([[]]);
    expect(session.nodes.find(({ id }) => id === 'a1')).toMatchObject({ summary });
    expect(writes.filter((write) => write.startsWith('summary'))).toEqual([]);
  });

  test('is removed when the chat fits into the context of the model without it', async () => {
    const { functions, writes } = handed(gives({ type: 'summary', messages: 2 }, ...says('Hello')));
    const session = new PlainChat(functions, { chat: record, nodes: stored });
    await session.send('And then?');
    expect(writes).toContain('summary a1 undefined');
    expect(session.turns.some(({ hasSummary }) => hasSummary)).toBe(false);
  });
});
