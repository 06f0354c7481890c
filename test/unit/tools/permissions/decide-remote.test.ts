/** A server's tool needs approval until it is allowed, and whenever its call carries another host's text. */
import { describe, expect, test } from 'vitest';
import type { Grant } from '../../../../src/contracts/permission';
import type { Origin } from '../../../../src/contracts/origin';
import type { ToolEffects } from '../../../../src/contracts/tool';
import { maxDenials, type AskDecision } from '../../../../src/tools/permissions/decide';
import { both, judge, said, type Situation } from '../../../support/judge';

const host = 'mcp.example.org';
const remote: ToolEffects = { type: 'remote', server: 'Notes', serverId: 'server-1', host };
const mail: Origin = { door: 'page', name: 'mail.example.net' };
const ownText: Origin = { door: 'server', name: host, serverId: 'server-1' };
const revision = 'server-1/abc';
const grant = (changed: Partial<Grant> = {}): Partial<Grant> => ({
  tool: 'echo',
  revision,
  target: `server:${host}`,
  ...changed,
});
const inputSchema = {
  type: 'object',
  properties: { text: { type: 'string' }, kind: { type: 'string', enum: ['heron', 'otter'] } },
};
const call = (situation: Situation = {}) =>
  judge(remote, { tool: 'echo', revision, inputSchema, input: { text: 'heron' }, ...situation });

describe('a call to a server in a chat without outside text', () => {
  test('needs approval, and the question names the server and its host', () => {
    expect(call()).toMatchObject({
      verdict: 'ask',
      reason: 'remote',
      targets: [host],
      grantTargets: [`server:${host}`],
      server: 'Notes',
      offers: ['chat', 'always'],
    });
    expect(call()).not.toHaveProperty('carried');
  });

  test.for<[string, Partial<Grant>, string]>([
    ['the tool, always', grant(), 'allow'],
    ['the tool, in this chat', grant({ chatId: 'chat' }), 'allow'],
    ['the tool, in another chat', grant({ chatId: 'another' }), `remote ${both}`],
    ["the tool's previous revision", grant({ revision: 'server-1/abd' }), `remote ${both}`],
    ['the same tool of another server', grant({ revision: 'server-2/abc' }), `remote ${both}`],
    ['a built-in tool of the same name', grant({ revision: '' }), `remote ${both}`],
    ['another tool of the server', grant({ tool: 'add' }), `remote ${both}`],
    ['the tool at another host', grant({ target: 'server:other.example.org' }), `remote ${both}`],
    ['reading from the host', grant({ target: host }), `remote ${both}`],
    ['changing the host', grant({ target: `change:${host}` }), `remote ${both}`],
  ])('runs or asks depending on what the user has allowed: %s', ([, given, verdict]) => {
    expect(said(call({ grants: [given] }))).toBe(verdict);
  });

  test('needs approval even if the host was contacted in this turn', () => {
    expect(said(call({ contacted: [host] }))).toBe(`remote ${both}`);
  });

  test('may send any amount of text once it is allowed', () => {
    const written = { text: 'x'.repeat(10_000) };
    expect(call({ grants: [grant()], input: written })).toMatchObject({ verdict: 'allow', hosts: [host] });
  });

  test('is denied without asking after too many refusals, even if the user had allowed it', () => {
    expect(said(call({ denials: maxDenials, grants: [grant()] }))).toBe('deny');
  });

  test.for(['', 'a b', 'a/b', 'user@host', 'https://x.example'])(
    'is refused if the host is invalid: "%s"',
    (odd) => {
      expect(judge({ ...remote, host: odd }, { tool: 'echo' }).verdict).toBe('deny');
    },
  );
});

describe('a call to a server in a chat with outside text', () => {
  const letter = 'The code is heron, and 4711. 密码是苍鹭七号。';
  const beside = (situation: Situation = {}) => call({ result: letter, origins: [mail], ...situation });

  test('asks with a question that mentions the outside text', () => {
    expect(said(beside({ input: { text: 'zebra' } }))).toBe(`remote-after-outside-text ${both}`);
  });

  test.for<[string, unknown]>([
    ['a word', { text: 'heron' }],
    ['a number', { n: 4711 }],
    ['Chinese', { text: '苍鹭七号' }],
  ])(
    'invariant: text from another host goes to a server only after the user has seen it: %s',
    ([, input]) => {
      for (const grants of [[], [grant()], [grant({ chatId: 'chat' })]]) {
        const question = beside({ input, grants }) as AskDecision;
        expect(said(question)).toBe('remote-carries');
        expect(question.carried).toMatchObject([{ from: mail }]);
      }
    },
  );

  test("may send the server's own text back without asking", () => {
    expect(said(beside({ origins: [ownText], grants: [grant()] }))).toBe('allow');
    expect(said(beside({ origins: [ownText, mail], grants: [grant()] }))).toBe('remote-carries');
  });

  test('may send words that the user typed and values of an enum without asking', () => {
    expect(said(beside({ typed: 'Note the heron', grants: [grant()] }))).toBe('allow');
    expect(said(beside({ input: { kind: 'heron' }, grants: [grant()] }))).toBe('allow');
    expect(said(beside({ typed: 'Note the heron' }))).toBe(`remote-after-outside-text ${both}`);
  });

  test('may send up to four bytes of text composed by the model without asking', () => {
    expect(said(beside({ input: { text: 'abc' }, grants: [grant()] }))).toBe('allow');
    expect(said(beside({ input: { text: 'mhzq bvxk wqpt' }, grants: [grant()] }))).toBe('composed-text');
    const spent = { bits: 30, quoted: 0 };
    expect(said(beside({ input: { text: 'abc' }, grants: [grant()], spent }))).toBe('composed-text');
  });

  test('counts as revealing one bit even without arguments', () => {
    const decision = beside({ input: {}, grants: [grant()] });
    expect(decision).toMatchObject({ verdict: 'allow', disclosure: { bits: 1 } });
  });
});
