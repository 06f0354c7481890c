/** Checks which texts a grammar matches, byte by byte, against the notation's definition. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStartPosition } from '../../../../src/engines/gguf/gbnf-matcher';
import { constrainReply } from '../../../../src/protocol/constraint';
import { dialectOf } from '../../../../src/protocol/dialects';
import { slow } from '../../../support/matrix';

const encoder = new TextEncoder();

/** 'whole': the text may end here. 'begun': it may continue but not end. 'no': it does not match. */
function follow(grammar: string, text: string | Uint8Array): 'whole' | 'begun' | 'no' {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text;
  const position = createStartPosition(grammar).advance(bytes);
  if (!position) return 'no';
  return position.canEnd ? 'whole' : 'begun';
}

describe('the grammar matcher', () => {
  test.each([
    ['a literal', 'root ::= "cat"', 'cat', 'ca', 'cow'],
    ['an escaped quote', String.raw`root ::= "\"a\""`, '"a"', '"a', 'a'],
    ['a line break', String.raw`root ::= "a\nb"`, 'a\nb', 'a\n', 'anb'],
    ['a hexadecimal code point', String.raw`root ::= "\x41\u00e9\U0001F600"`, 'Aé😀', 'Aé', 'Ae'],
    ['a sequence', 'root ::= "a" "b"  "c"', 'abc', 'ab', 'ac'],
    ['a choice', 'root ::= "on" | "off"', 'off', 'of', 'ox'],
    ['a choice in a sequence', 'root ::= "a" ("b" | "c" "d") "e"', 'acde', 'acd', 'abde'],
    ['a character class', 'root ::= [a-cx] "!"', 'x!', 'x', 'd!'],
    ['a negated character class', 'root ::= [^<>] "!"', 'é!', 'é', '<!'],
    ['a character class with a bracket', String.raw`root ::= [\]a] "!"`, ']!', ']', '[!'],
    ['a character class with a dash at its end', 'root ::= [a-] "!"', '-!', '-', 'b!'],
    ['a character class of code points', String.raw`root ::= [^"\\\x00-\x1F\x7F] "!"`, 'a!', 'a', '\u0001!'],
    ['any character', 'root ::= . "!"', '字!', '字', ''],
    ['any number of repetitions', 'root ::= "a"* "b"', 'aaab', 'aaa', 'aac'],
    ['at least one repetition', 'root ::= "a"+ "b"', 'ab', 'a', 'b'],
    ['an optional part', 'root ::= "a"? "b"', 'b', 'a', 'aab'],
    ['an exact number of repetitions', 'root ::= "a"{3} "b"', 'aaab', 'aaa', 'aab'],
    ['a minimum number of repetitions', 'root ::= "a"{2,} "b"', 'aaaab', 'aa', 'ab'],
    ['a maximum number of repetitions', 'root ::= [0-9]{1,3} "."', '123.', '123', '1234'],
    ['zero repetitions', 'root ::= "a"{0} "b"', 'b', '', 'ab'],
    ['a reference to a rule', 'root ::= word " " word\nword ::= [a-z]+', 'ab cd', 'ab ', 'ab 1'],
    ['a rule name with a dash', 'root ::= tool0-1 "."\ntool0-1 ::= "x"', 'x.', 'x', 'y'],
    ['a recursive rule', 'root ::= "(" root? ")"', '(())', '(()', '())'],
    ['comments and line breaks', 'root ::= "a" # the first\n  ( "b"\n  | "c" )\n', 'ac', 'a', 'ad'],
    ['a repeated group', 'root ::= ("ab" | "c"){2}', 'cab', 'ca', 'abb'],
    ['an empty literal', 'root ::= "" "a"', 'a', '', 'b'],
  ])('it supports %s', (_, grammar, whole, begun, wrong) => {
    expect(follow(grammar, whole)).toBe('whole');
    if (begun !== wrong) expect(follow(grammar, begun)).toBe('begun');
    if (wrong !== '') expect(follow(grammar, wrong)).toBe('no');
    else expect(follow(grammar, wrong)).toBe('begun');
  });

  test('it handles optional parts, lists of any length and ambiguous grammars', () => {
    expect(follow('root ::= "a" "b"?', 'a')).toBe('whole');
    expect(follow('root ::= "a"*', 'a'.repeat(5000))).toBe('whole');
    expect(follow('root ::= list\nlist ::= "a" list | "a"', 'a'.repeat(5000))).toBe('whole');
    expect(follow('root ::= [a-z]* | "abc" [0-9]', 'abc7')).toBe('whole');
    expect(follow('root ::= ("a"*)* "b"', 'aab')).toBe('whole');
  });

  test('computing the next position leaves the current one unchanged', () => {
    const begun = createStartPosition('root ::= [a-z]+ "."').advance(encoder.encode('ab'));
    expect(begun?.advance(encoder.encode('.'))?.canEnd).toBe(true);
    expect(begun?.advance(encoder.encode('1'))).toBeUndefined();
    expect(begun?.advance(encoder.encode('c.'))?.canEnd).toBe(true);
    expect(begun?.canEnd).toBe(false);
  });
});

describe('multi-byte characters in a grammar', () => {
  test('they may arrive one byte at a time, and a text cannot end inside one', () => {
    for (const text of ['é', '字', '😀']) {
      let position = createStartPosition('root ::= .*');
      const bytes = encoder.encode(text);
      bytes.forEach((byte, index) => {
        const next = position.advance(Uint8Array.of(byte));
        if (!next) throw new Error(`Byte ${index} of ${text} is refused.`);
        position = next;
        expect(position.canEnd).toBe(index === bytes.length - 1);
      });
    }
  });

  test('a byte that cannot begin an allowed character is refused at once', () => {
    const [first = 0, second = 0] = encoder.encode('字');
    expect(follow('root ::= "字"', Uint8Array.of(first))).toBe('begun');
    expect(follow('root ::= "字"', Uint8Array.of(first, second))).toBe('begun');
    expect(follow('root ::= "字"', Uint8Array.of(0xf0))).toBe('no');
    expect(follow('root ::= "字"', Uint8Array.of(first, second ^ 1))).toBe('no');
    expect(follow('root ::= [a-z]', Uint8Array.of(0xc3))).toBe('no');
    expect(follow('root ::= [^é]', Uint8Array.of(0xc3))).toBe('begun');
  });

  test.each([
    ['a continuation byte without a start', [0x80]],
    ['an incomplete character', [0xe5, 0x41]],
    ['an overlong character of two bytes', [0xc0, 0x80]],
    ['an overlong character of three bytes', [0xe0, 0x80, 0x80]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a character beyond the last code point', [0xf4, 0x90, 0x80, 0x80]],
    ['a byte that UTF-8 never uses', [0xff]],
  ])('invalid UTF-8 is rejected: %s', (_, bytes) => {
    expect(follow('root ::= .*', Uint8Array.from(bytes))).toBe('no');
  });
});

describe('an invalid grammar', () => {
  test.each([
    ['no rule "root"', 'word ::= "a"'],
    ['no rule "missing"', 'root ::= missing'],
    ['wants a rule', 'root "a"'],
    ['wants an end', 'root ::= "a'],
    ['wants ")"', 'root ::= ("a"'],
    ['hexadecimal digits', String.raw`root ::= "\xg1"`],
    ['begins with itself', 'root ::= root "a" | "b"'],
    ['too large', 'root ::= ((("a"{100}){100}){100})'],
  ])('its error explains the problem: %s', (said, grammar) => {
    expect(() => createStartPosition(grammar).advance(encoder.encode('a'))).toThrow(SyntaxError);
    expect(() => createStartPosition(grammar).advance(encoder.encode('a'))).toThrow(said);
  });
});

/** An independent reference: the same parts as a regular expression, matched by the JavaScript engine. */
const atoms = fc.constantFrom(
  ['"a"', 'a'],
  ['"bc"', 'bc'],
  ['[ab]', '[ab]'],
  ['[^b]', '[^b]'],
  ['""', ''],
  ['.', '[^]'],
);
type Pair = [string, string];
const expressions = fc.letrec<{ one: Pair }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    atoms as fc.Arbitrary<Pair>,
    fc.tuple(tie('one'), tie('one')).map(([[a, x], [b, y]]): Pair => [`(${a}) (${b})`, `(?:${x})(?:${y})`]),
    fc.tuple(tie('one'), tie('one')).map(([[a, x], [b, y]]): Pair => [`(${a} | ${b})`, `(?:${x}|${y})`]),
    fc
      .tuple(tie('one'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,3}', '{1,}'))
      .map(([[a, x], sign]): Pair => [`(${a})${sign}`, `(?:${x})${sign}`]),
  ),
}));

slow('a grammar matches the same texts as an equivalent regular expression', () => {
  fc.assert(
    fc.property(
      expressions.one,
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 }),
      ([grammar, pattern], letters) => {
        const text = letters.join('');
        const takes = follow(`root ::= ${grammar}`, text) === 'whole';
        expect(takes).toBe(new RegExp(`^(?:${pattern})$`, 'u').test(text));
      },
    ),
    { numRuns: 500 },
  );
});

describe("the grammar for Ember's replies", () => {
  const clock = {
    name: 'clock',
    title: 'Clock',
    description: 'Date and time',
    inputSchema: { type: 'object', properties: { place: { type: 'string' } }, additionalProperties: false },
  };
  const said = [{ role: 'user' as const, content: 'What time is it in New York, or 上海?' }];
  const { grammar } = constrainReply(said, [clock], dialectOf('ember'));
  const call = (args: string) => `<tool_call>{"name":"clock","arguments":${args}}</tool_call>`;

  test.each([
    ['prose', 'It is late.', 'whole'],
    ['a call without arguments', call('{}'), 'whole'],
    ['a call with words of the chat', call('{"place":"New York"}'), 'whole'],
    ['a call with Chinese words of the chat', call('{"place":"上海"}'), 'whole'],
    ['two calls', `${call('{"place":"New York"}')}\n${call('{"place":"上海"}')}`, 'whole'],
    ['a call that has not ended', '<tool_call>{"name":"clock","arguments":{"pla', 'begun'],
    ['a call with words that were not said', call('{"place":"Paris"}'), 'no'],
    ['a call of another tool', '<tool_call>{"name":"calculator"', 'no'],
    ['a call with another field', '<tool_call>{"name":"clock","arguments":{"city"', 'no'],
    ['prose after a call', `${call('{}')} There.`, 'no'],
    ['a tag in prose', 'Well <tool_call>', 'no'],
  ])('it allows or rejects a reply correctly: %s', (_, text, expected) => {
    expect(follow(grammar, text)).toBe(expected);
  });
});
