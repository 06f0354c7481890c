/**
 * Every way by which a stranger's text comes in, times every way by which text goes out. In each pair, a model obeys the stranger and tries to
 * send a secret. Nothing may leave before the user was asked, even if the user has allowed all tools and hosts for good.
 */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/contracts/message';
import { ChatSession } from '../../src/state/chat-session.svelte';
import { findLinks } from '../../src/state/found-links';
import {
  type Arrival,
  callExits,
  type CallExit,
  canary,
  doors,
  evil,
  grantAll,
  runDoorTurn,
} from '../support/doors';
import { gives, handed } from '../support/recorded-chat';

/** The model makes one call, and the user refuses whatever is asked. */
function runTurn(arrival: Arrival, exit?: CallExit, isAllowed = true) {
  const exits = exit ? [exit] : [];
  const calls = exits.map(({ tool: { name }, input }) => ({
    type: 'tool-call' as const,
    id: 'out',
    name,
    arguments: input,
  }));
  return runDoorTurn({
    ...arrival,
    exits,
    rounds: exit ? [calls] : [],
    grants: isAllowed ? grantAll(exits) : [],
  });
}

const exits = Object.values(callExits).flatMap((group) => Object.entries(group));

describe.for(Object.entries(doors))('text that came in as %s', ([door, open]) => {
  // A voice in the room and a model's question to a sub-agent are not the user's typed words, but they are no stranger's text either: what the
  // user has allowed for good may run.
  const mayBringOrders = door !== 'dictation' && door !== 'model';

  test.for(exits)(
    'invariant: an obeyed order sends nothing before the user was asked: %s',
    async ([, exit]) => {
      const { asked, ran } = await runTurn(await open(), exit, mayBringOrders);
      expect(asked).toHaveLength(1);
      expect(asked[0]?.call.arguments).toEqual(exit.input);
      expect(ran).toEqual([]);
    },
  );

  // A model that asks a sub-agent shows nothing to the user.
  const shown = door === 'model' ? [] : ['link', 'picture'];
  test.for(shown)(
    'invariant: what the reply shows is opened only after the user confirmed it: %s',
    async (kind) => {
      const { messages } = await runTurn(await open());
      const isFound = findLinks(messages);
      expect(isFound?.(`https://${evil}/${kind}?d=${canary}`)).toBe(false);
    },
  );
});

test('invariant: the title of a chat, which names its files, comes from the user and not from the model', async () => {
  const { functions, writes } = handed(gives({ type: 'text-delta', text: canary }));
  const session = new ChatSession(functions, { id: 'chat' });
  await session.send('Go on.');
  expect(writes.filter((write) => write.startsWith('create'))).toEqual(['create Go on.']);
});

test('text that the user typed grants what it names', async () => {
  const typed: Message = {
    role: 'user',
    content: [{ type: 'text', text: `Read https://${evil}/?d=${canary}` }],
    origins: [{ door: 'typed' }],
  };
  const [[, exit]] = Object.entries(callExits['net-read']) as [[string, CallExit]];
  const { asked, ran } = await runTurn({ messages: [typed] }, { ...exit, grants: [] });
  expect(asked).toEqual([]);
  expect(ran).toHaveLength(1);
});
