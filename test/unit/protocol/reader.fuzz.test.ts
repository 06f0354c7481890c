import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReader, type ReaderEvent, readReply } from '../../../src/protocol/reader';
import { neutralise } from '../../../src/text/neutralise';
import { offered } from '../../fixtures/protocol/tools';
import { takesAll } from '../../support/matrix';
import { replies } from '../../support/replies';

const names = new Set(offered.map(({ name }) => name));
const texts = replies.map(({ reply }) => reply);
/** Fragments of formats that the fuzzer combines at random. */
const pieces = [
  ...[
    '<tool_call>',
    '</tool_call>',
    '<function=',
    '</function>',
    '<parameter=query>',
    '</parameter>',
    '<think>',
  ],
  ...[
    '</think>',
    '<tool_response>',
    '[TOOL_CALLS]',
    '[ARGS]',
    '<|"|>',
    '<|tool_call>',
    '<|python_tag|>',
    '<tools>',
  ],
  ...[
    '```',
    '```json\n',
    '```tool\n',
    '"',
    "'",
    '“',
    '\\',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    ',',
    ':',
    '\n',
    '\n\n',
    '<',
  ],
  ...[
    '"name": "clock"',
    '"arguments": {',
    'clock(',
    'Action: clock\n',
    '工具名称: clock\n',
    '参数: {}',
    '✿FUNCTION✿',
  ],
  ...['<|im_start|>', 'Observation:', 'For example:', '\u0000', '\ud800', '😀', '\u202e', '__proto__'],
];

const change = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), text: fc.constantFrom(...pieces) }),
  fc.record({ kind: fc.constant('graft' as const), at: fc.nat(), text: fc.constantFrom(...texts) }),
  fc.record({ kind: fc.constant('drop' as const), at: fc.nat(), length: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

function applied(text: string, one: Change): string {
  const at = one.at % (text.length + 1);
  switch (one.kind) {
    case 'insert':
    case 'graft':
      return text.slice(0, at) + one.text + text.slice(at);
    case 'drop':
      return text.slice(0, at) + text.slice(at + one.length);
    case 'cut':
      return text.slice(0, at);
  }
}

const mutated = fc
  .tuple(fc.constantFrom(...texts), fc.array(change, { maxLength: 4 }))
  .map(([text, changes]) => changes.reduce(applied, text));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

function readInPieces(text: string, lengths: readonly number[]): ReaderEvent[] {
  const reader = createReader(offered);
  const events: ReaderEvent[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    events.push(...reader.push(text.slice(at, at + length)));
    at += length;
  }
  return [...events, ...reader.end()];
}

/** The content of a reply, independent of its chunks. */
function summed(events: readonly ReaderEvent[]): string[] {
  const parts: string[] = [];
  let type = '';
  for (const event of events) {
    if (event.type === 'call-delta') continue;
    if (event.type === 'tool-call') parts.push(JSON.stringify(event.call));
    else if (event.type === type) parts.push((parts.pop() ?? '') + event.text);
    else parts.push(event.text);
    type = event.type;
  }
  return parts;
}

function callsOf(events: readonly ReaderEvent[]) {
  return events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
}

// The timeout is long, because the test is slow on a busy machine.
test(
  'for random text and chunks, the parser never throws, loses nothing and calls only offered tools',
  { timeout: 240_000 },
  () => {
    fc.assert(
      fc.property(mutated, sizes, (text, lengths) => {
        const events = readInPieces(text, lengths);
        expect(
          events.map((event) => ('text' in event && event.type !== 'call-delta' ? event.text : '')).join(''),
        ).toBe(text);
        const calls = callsOf(events);
        for (const call of calls) if (call.type === 'tool-call') expect(names).toContain(call.name);
        const ids = new Set(calls.map(({ id }) => id));
        expect(ids.size).toBe(calls.length);
        for (const event of events) if (event.type === 'call-delta') expect(ids).toContain(event.id);
        expect(summed(readReply(text, offered))).toEqual(summed(events));
      }),
      { numRuns: takesAll ? 10_000 : 400, seed: 20_261_121 },
    );
  },
);

test('neutralised text is never parsed as a tool call', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(mutated, (text) => {
      const harmless = neutralise(text, names);
      expect(callsOf(readReply(harmless, offered)).filter(({ type }) => type === 'tool-call')).toEqual([]);
      expect(neutralise(harmless, names)).toBe(harmless);
    }),
    { numRuns: takesAll ? 3_000 : 100, seed: 20_261_121 },
  );
});
