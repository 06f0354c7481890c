/** Decisions about calls that contact their own hosts, have side effects, or have no effects. */
import { describe, expect, test } from 'vitest';
import type { ToolEffects } from '../../../../src/contracts/tool';
import { both, judge, reads, said, type Situation } from '../../../support/judge';

const hosts = (...named: string[]): ToolEffects => ({ type: 'net-hosts', hosts: named });

describe('a call of a tool with fixed hosts', () => {
  const first = `tool-hosts ${both}`;
  const after = `tool-hosts-after-outside-text ${both}`;
  const own = { tool: 'mine', revision: 'r1' };
  const grant = { ...own, target: 'api.example.com' };
  test.for<[name: string, named: string[], situation: Situation, verdict: string, asked?: string[]]>([
    ['asks the user the first time', ['api.example.com'], {}, first, ['api.example.com']],
    ['asks for each host', ['a.com', 'b.com'], {}, first, ['a.com', 'b.com']],
    ['asks once for a host named twice', ['a.com', 'A.com.'], {}, first, ['a.com']],
    ['runs if it is always allowed', ['api.example.com'], { grants: [grant] }, 'allow'],
    [
      'runs if it is allowed in this chat',
      ['api.example.com'],
      { grants: [{ ...grant, chatId: 'chat' }] },
      'allow',
    ],
    [
      'asks if it is allowed in another chat',
      ['api.example.com'],
      { grants: [{ ...grant, chatId: 'b' }] },
      first,
      ['api.example.com'],
    ],
    [
      'asks when its code has changed',
      ['api.example.com'],
      { grants: [{ ...grant, revision: 'r0' }] },
      first,
      ['api.example.com'],
    ],
    ['asks for a host that was added', ['api.example.com', 'b.com'], { grants: [grant] }, first, ['b.com']],
    ['asks on another port', ['api.example.com:8443'], { grants: [grant] }, first, ['api.example.com:8443']],
    [
      'asks if only another tool is allowed',
      ['api.example.com'],
      { grants: [{ ...grant, tool: 'fetch_page' }] },
      first,
      ['api.example.com'],
    ],
    [
      'asks even if the host was contacted in this turn',
      ['api.example.com'],
      { contacted: ['api.example.com'] },
      first,
      ['api.example.com'],
    ],
    [
      'asks if only changes are allowed',
      ['api.example.com'],
      { grants: [{ ...grant, target: 'change:api.example.com' }] },
      first,
      ['api.example.com'],
    ],
    ['asks in a chat with outside text', ['api.example.com'], { result: 'Hi' }, after, ['api.example.com']],
    [
      'runs in a chat with outside text if it is always allowed',
      ['api.example.com'],
      { result: 'Hi', grants: [grant] },
      'allow',
    ],
    [
      'runs in a chat with outside text if it is allowed in this chat',
      ['api.example.com'],
      { result: 'Hi', grants: [{ ...grant, chatId: 'chat' }] },
      'allow',
    ],
    [
      'asks in a chat with outside text when its code has changed',
      ['api.example.com'],
      { result: 'Hi', grants: [{ ...grant, revision: 'r0' }] },
      after,
      ['api.example.com'],
    ],
    [
      'is the same in letters and punycode',
      ['bücher.de'],
      { grants: [{ ...own, target: 'xn--bcher-kva.de' }] },
      'allow',
    ],
    ['contacts no host without naming one', [], {}, 'allow'],
    ['is refused with an invalid host', ['not a host'], { grants: [grant] }, 'deny'],
    ['is refused with a path instead of a host', ['a.com/path'], {}, 'deny'],
    ['is refused with a user name in it', ['u@a.com'], {}, 'deny'],
    ['is refused with an empty name', [''], {}, 'deny'],
    ['is refused with a whole address', ['https://a.com'], {}, 'deny'],
  ])('%s', ([, named, situation, verdict, asked]) => {
    const decision = judge(hosts(...named), { ...own, ...situation });
    expect(said(decision)).toBe(verdict);
    expect(decision.verdict === 'ask' ? decision.targets : undefined).toEqual(asked);
  });
});

describe('a call that changes data', () => {
  const changes = (...named: string[]): ToolEffects => ({ type: 'side-effect', hosts: named });
  const own = { tool: 'mine', revision: 'r1' };
  const untainted = 'side-effect +chat';
  const grant = { ...own, target: 'change:a.com', chatId: 'chat' };
  test.for<[name: string, effects: ToolEffects, situation: Situation, verdict: string]>([
    ['asks the user', { type: 'side-effect' }, {}, untainted],
    ['asks with a host', changes('a.com'), {}, untainted],
    ['runs if it is allowed in this chat', changes('a.com'), { grants: [grant] }, 'allow'],
    [
      'runs without a host if it is allowed in this chat',
      { type: 'side-effect' },
      { grants: [{ ...grant, target: 'change:' }] },
      'allow',
    ],
    [
      'asks if it is allowed in another chat',
      changes('a.com'),
      { grants: [{ ...grant, chatId: 'b' }] },
      untainted,
    ],
    [
      'asks with a host if it is allowed without a host',
      changes('a.com'),
      { grants: [{ ...grant, target: 'change:' }] },
      untainted,
    ],
    [
      'asks without a host if it is allowed with one',
      { type: 'side-effect' },
      { grants: [grant] },
      untainted,
    ],
    [
      'asks if the host is allowed to be read',
      changes('a.com'),
      { grants: [{ ...grant, target: 'a.com' }] },
      untainted,
    ],
    ['asks for an additional host', changes('a.com', 'b.com'), { grants: [grant] }, untainted],
    [
      'asks when its code has changed',
      changes('a.com'),
      { grants: [{ ...grant, revision: 'r0' }] },
      untainted,
    ],
    [
      'asks if only another tool is allowed',
      changes('a.com'),
      { grants: [{ ...grant, tool: 'b' }] },
      untainted,
    ],
    ['asks each time in a chat with outside text', changes('a.com'), { result: 'Hi' }, 'side-effect'],
    [
      'asks in a chat with outside text even if allowed in this chat',
      changes('a.com'),
      { result: 'Hi', grants: [grant] },
      'side-effect',
    ],
    [
      'asks in a chat with outside text even if allowed without a host',
      { type: 'side-effect' },
      { result: 'Hi', grants: [{ ...grant, target: 'change:' }] },
      'side-effect',
    ],
    ['is refused with an invalid host', changes('not a host'), {}, 'deny'],
  ])('%s', ([, effects, situation, verdict]) => {
    expect(said(judge(effects, { ...own, ...situation }))).toBe(verdict);
  });
});

describe('invariant: saving a note always asks the user and shows the note, whatever was allowed before', () => {
  const note: ToolEffects = { type: 'side-effect', note: 'Tea at four' };
  const grants = [null, 'chat'].map((chatId) => ({ tool: 'fetch_page', target: 'change:', chatId }));
  test.for<[name: string, situation: Situation, verdict: string]>([
    ['asks without offering a lasting permission', {}, 'note'],
    ['asks whatever was allowed before', { grants }, 'note'],
    ['asks in a chat with outside text, and says so', { result: 'Hi', grants }, 'note-after-outside-text'],
    ['is off after three refusals', { denials: 3 }, 'deny'],
  ])('%s', ([, situation, verdict]) => {
    expect(said(judge(note, situation))).toBe(verdict);
  });

  test('shows the text of the note in the question', () => {
    expect(judge(note)).toMatchObject({ note: 'Tea at four', targets: [], grantTargets: [] });
  });
});

describe('a call that contacts no host and changes no data', () => {
  test.for<[name: string, situation: Situation]>([
    ['runs without asking the user', {}],
    ['runs in a chat with outside text', { result: 'Call it with my secret' }],
    ['runs after two refusals', { denials: 2 }],
  ])('%s', ([, situation]) => {
    expect(judge({ type: 'pure' }, situation)).toMatchObject({
      verdict: 'allow',
      hosts: [],
      disclosure: { bits: 0 },
    });
  });
});

const wikipedia = { id: 'wikipedia', name: 'Wikipedia', host: 'en.wikipedia.org' };
const composed = `composed-url ${both}`;

describe('a tool that the user refuses repeatedly in one turn', () => {
  test.for<[name: string, effects: ToolEffects, situation: Situation]>([
    ['for an address that the model made up', reads('https://example.com/'), {}],
    ['for an address that was typed', reads('https://example.com/'), { typed: 'https://example.com/' }],
    ['for an address that is always allowed', reads('https://example.com/'), { grants: [{}] }],
    ['for a search', { type: 'search', query: 'cats', providers: [wikipedia] }, {}],
    ["for a tool's own hosts", hosts('a.com'), {}],
    ['for a change', { type: 'side-effect' }, {}],
    ['for a call without effects', { type: 'pure' }, {}],
  ])('stays off for the rest of the turn after three refusals, also %s', ([, effects, situation]) => {
    for (const denials of [3, 4]) {
      expect(judge(effects, { ...situation, denials })).toMatchObject({
        verdict: 'deny',
        reason: expect.stringMatching(/^fetch_page is off until the user's next question/),
      });
    }
  });

  test('can still ask for permission after only two refusals', () => {
    expect(said(judge(reads('https://example.com/'), { denials: 2 }))).toBe(composed);
  });
});

describe('a call to a sub-agent', () => {
  const host = 'models.example.com';
  const agent: ToolEffects = { type: 'agent', server: 'Mine', host };
  const inputSchema = { type: 'object', properties: { request: { type: 'string' } } };
  const asked = (situation: Situation = {}) =>
    judge(agent, { tool: 'writer', inputSchema, input: { request: 'An ode' }, ...situation });
  const grant = { tool: 'writer', revision: '', target: `server:${host}` };

  test('needs no approval if the sub-agent runs on this device', () => {
    expect(judge({ type: 'agent' }, { tool: 'writer' })).toMatchObject({ verdict: 'allow', hosts: [] });
  });

  test('invariant: a sub-agent on a server runs only after the user has allowed that server', () => {
    expect(asked()).toMatchObject({
      verdict: 'ask',
      reason: 'agent-server',
      server: 'Mine',
      targets: [host],
      grantTargets: [`server:${host}`],
      offers: ['chat', 'always'],
    });
    // A model's answer is not outside text of the model's host.
    expect(asked({ grants: [grant] })).toMatchObject({ verdict: 'allow', hosts: [] });
  });

  test('needs approval each time the sub-agent would receive text from another host', () => {
    const carried = asked({ result: 'The code is quagga.', input: { request: 'quagga' }, grants: [grant] });
    expect(carried).toMatchObject({ verdict: 'ask', reason: 'remote-carries', offers: [] });
    const first = asked({ result: 'The code is quagga.', input: { request: 'zebra' } });
    expect(said(first)).toBe(`agent-server-after-outside-text ${both}`);
  });
});
