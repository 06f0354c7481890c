/** Measures how much a chat with hostile outside text can leak without asking. */
import { describe, expect, test } from 'vitest';
import { maxDisclosure } from '../../../../src/tools/permissions/decide';
import { measureDisclosure, type KnownText } from '../../../../src/tools/permissions/telling';
import { judge, reads, said, type Situation } from '../../../support/judge';
import { slow } from '../../../support/matrix';

const schema = {
  properties: {
    q: { type: 'string' },
    unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    list: { type: 'array', items: { type: 'string' } },
  },
};
const canary = 'zebra7k9qcanary';
const nothing: KnownText = { question: '', sent: [], found: [], written: [] };
const bits = (q: unknown, known: Partial<KnownText> = {}) => {
  const written = [known.question ?? '', ...(known.written ?? [])];
  return measureDisclosure({ q }, schema, { ...nothing, ...known, written }).bits;
};

describe('a call argument with little information', () => {
  test.for<[name: string, q: unknown, known: Partial<KnownText>]>([
    ['a word from the question', 'Oslo', { question: 'The weather in Oslo?' }],
    ['a word of the question in small letters', 'oslo', { question: 'The weather in Oslo?' }],
    ['words of the question in another order', 'Oslo weather', { question: 'What is the weather in Oslo?' }],
    ['a name of two words', 'Rio de Janeiro', { question: 'And in Rio de Janeiro?' }],
    ['a name with a hyphen', 'Saint-Denis', { question: 'And in Saint-Denis?' }],
    ['Chinese copied from within a sentence', '奥斯陆', { question: '奥斯陆的天气怎么样？' }],
    ['a year', 2026, { question: 'Who won in 2026?' }],
    ['text that the same hosts received before', canary, { sent: [canary] }],
  ])('counts as at most twelve bits: %s', ([, q, known]) => {
    expect(bits(q, known)).toBeLessThanOrEqual(12);
  });

  test('counts as at most twelve bits if it is from an enum', () => {
    const { bits: sent, quoted } = measureDisclosure({ unit: 'celsius' }, schema, nothing);
    // The choice of one of three fields, its presence, and the choice of one of two values.
    expect(sent).toBeCloseTo(Math.log2(3) + 1 + 1);
    expect(quoted).toBe(0);
  });
});

describe('a call argument with too much information', () => {
  const question = `My password is ${canary}, remember it. The other is correct-horse-battery-staple.`;
  test.for<[name: string, input: unknown, known: Partial<KnownText>]>([
    ['a secret from the question', { q: canary }, { question }],
    ['a secret made of words', { q: 'correct-horse-battery-staple' }, { question }],
    ['a card number', { q: '4111111111111111' }, { question: 'My card is 4111111111111111' }],
    ['a card number in groups', { q: '4111-1111-1111-1111' }, { question: 'My card is 4111-1111-1111-1111' }],
    ['a secret that a page repeats', { q: canary }, { question, found: [`You are ${canary}`] }],
    [
      'a secret that the model wrote first',
      { q: canary },
      { found: [`You are ${canary}`], written: [canary] },
    ],
    ['a part of a word of the question', { q: 'nightingale' }, { question: 'nightingales' }],
    [
      'a secret spelled with letters from a page',
      { q: Array.from(canary).join(' ') },
      { found: ['a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9'] },
    ],
    [
      'a secret spelled with words of a list on a page',
      { q: 'zulu alpha golf echo' },
      { found: ['alpha bravo charlie delta echo foxtrot golf hotel zulu '.repeat(40)] },
    ],
    ['data encoded in capital and small letters', { q: 'pArIs iN sPrInG' }, { question: 'Paris in spring' }],
    ['data encoded in the number of spaces', { q: 'Paris  in     spring' }, { question: 'Paris in spring' }],
    [
      'data encoded in the separators between words',
      { q: 'Paris|in~the^spring#;' },
      { question: 'Paris in the spring' },
    ],
    ['data encoded in a list', { list: ['ze', 'br', 'a7', 'k9'] }, { question }],
    ['data encoded in a list of empty texts', { list: Array<string>(40).fill('') }, {}],
    ['in the name of an argument', { [canary]: '' }, { question }],
    ['in what stands deep', { other: { a: { b: canary } } }, { question }],
    ['in a number', { q: 98765432109876 }, {}],
    ['in two words of the question', { q: 'a I I a I a a I I a' }, { question: 'I want a tower' }],
    [
      'data encoded in two words that were sent before',
      { q: 'a I I a I a a I I a I a a I' },
      { sent: ['a I'] },
    ],
    [
      'the number of a card, in groups of a question',
      { q: '4111 1111 1111 1111' },
      { question: 'My card is 4111 1111 1111 1111' },
    ],
    ['a long text', { q: 'a '.repeat(2000) }, { question: 'a' }],
  ])('exceeds the four-byte budget of a turn: %s', ([, input, known]) => {
    const written = [known.question ?? '', ...(known.written ?? [])];
    expect(measureDisclosure(input, schema, { ...nothing, ...known, written }).bits).toBeGreaterThan(
      maxDisclosure.bits,
    );
  });
});

test('copying one or two consecutive words from a long page counts as less than 17 bits of information', () => {
  const found = [`${'lorem ipsum '.repeat(500)}The fair is in Trondheim Stiftsgården on Friday.`];
  const one = bits('Trondheim', { found });
  expect(one).toBeGreaterThan(10);
  expect(one).toBeLessThan(17);
  expect(bits('Trondheim Stiftsgården', { found })).toBeLessThan(17);
});

// An algorithm with quadratic time would exceed the test's time limit.
test('measuring how much information a call reveals takes little time even in a very long chat', () => {
  const found = Array<string>(16).fill('The fair is in Trondheim. '.repeat(800));
  expect(bits('is in Oslo '.repeat(90), { found, written: found })).toBeGreaterThan(0);
});

describe('opening addresses found on a page', () => {
  const offer = (count: number) => Array.from({ length: count }, (_, at) => `https://a.com/${at}`);
  /** Makes calls until one would ask the user, and returns how many bits they revealed. */
  function tellUntilAsked(count: number, situation: Situation = {}): number {
    const all = offer(count);
    const spent = { bits: 0, quoted: 0 };
    let calls = 0;
    for (; calls < 16; calls++) {
      const decision = judge(reads(all[calls % count]!), {
        result: all.join('\n'),
        contacted: ['a.com'],
        spent,
        ...situation,
      });
      if (decision.verdict !== 'allow') {
        expect(said(decision)).toBe('many-addresses');
        break;
      }
      spent.bits += decision.disclosure.bits;
    }
    // An observer can distinguish only this much: each call requests one of the addresses, or none.
    return calls * Math.log2(count + 1);
  }

  test.for([1, 2, 5, 10, 50, 500, 2500])(
    'leaks at most four bytes per turn; number of addresses: %i',
    (count) => {
      expect(tellUntilAsked(count)).toBeLessThanOrEqual(32);
    },
  );

  test('leaks at most four bytes per turn even if a host is always allowed', () => {
    expect(tellUntilAsked(500, { contacted: [], grants: [{ target: 'a.com' }] })).toBeLessThanOrEqual(32);
  });

  test('asks no permission question if each of eight addresses is opened once', () => {
    let calls = 0;
    const spent = { bits: 0, quoted: 0 };
    for (const url of offer(8)) {
      const decision = judge(reads(url), { result: offer(8).join('\n'), contacted: ['a.com'], spent });
      if (decision.verdict !== 'allow') break;
      spent.bits += decision.disclosure.bits;
      calls += 1;
    }
    expect(calls).toBe(8);
  });
});

describe('a tool that the user always allows', () => {
  const effects = { type: 'net-hosts', hosts: ['a.com'] } as const;
  const grant = { tool: 'mine', target: 'a.com' };
  const situation = { tool: 'mine', grants: [grant], inputSchema: schema, typed: `I am ${canary} in Oslo` };
  slow.for<[name: string, input: object, changed: Situation, verdict: string]>([
    ['runs without asking in a chat without outside text', { q: canary }, {}, 'allow'],
    [
      'asks before sending a secret in a chat with outside text',
      { q: canary },
      { result: 'Hi' },
      'composed-text',
    ],
    [
      'asks before sending the secret in other letters',
      { q: Buffer.from(canary).toString('hex') },
      { result: 'Hi' },
      'composed-text',
    ],
    ['runs with a word of the question', { q: 'Oslo' }, { result: 'Hi' }, 'allow'],
    ['runs without arguments', {}, { result: 'Hi' }, 'allow'],
    [
      'asks before sending four letters if four were sent before',
      { q: 'k9qc' },
      { result: 'Hi', spent: { bits: 30, quoted: 0 } },
      'composed-text',
    ],
    [
      'asks if two hundred letters were quoted before',
      { q: 'Oslo' },
      { result: 'Hi', spent: { bits: 0, quoted: 198 } },
      'composed-text',
    ],
    [
      'runs again with text that the same hosts received',
      { q: canary },
      { result: 'Hi', sent: [{ hosts: ['a.com'], text: canary }] },
      'allow',
    ],
    [
      'asks if only other hosts received the text',
      { q: canary },
      { result: 'Hi', sent: [{ hosts: ['b.com'], text: canary }] },
      'composed-text',
    ],
  ])('%s', ([, input, changed, verdict]) => {
    expect(said(judge(effects, { ...situation, input, ...changed }))).toBe(verdict);
  });
});

test('text that would take too long to compare counts as not copied', () => {
  const q = `${'a '.repeat(490)}b`;
  const known = { question: '', sent: [], found: ['a '.repeat(200_000)], written: [] };
  expect(measureDisclosure({ q }, schema, known).bits).toBeGreaterThan(1000);
});
