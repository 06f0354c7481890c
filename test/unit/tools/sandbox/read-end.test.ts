import { expect, test } from 'vitest';
import { defaultSandboxLimits } from '../../../../src/contracts/sandbox';
import { canReuseFrame, readRunEnd } from '../../../../src/tools/sandbox/read-end';

const error = (fields: object) => JSON.stringify(fields);
const at = (line: unknown) =>
  `Error: x\n    at f (blob:null/1-2:${String(line)}:5)\n    at blob:null/1-2:9:1`;

test.for([
  { said: ['r', '{"a":1}'], end: { ok: true, json: '{"a":1}' } },
  { said: ['r', ' {"a":\n1} '], end: { ok: true, json: '{"a":1}' } },
  { said: ['r', '"[[[[\\"{"'], end: { ok: true } },
  { said: ['r', '{"a":'], end: { failure: 'BAD_JSON' } },
  { said: ['r', '['.repeat(65) + ']'.repeat(65)], end: { failure: 'BAD_JSON' } },
  { said: ['r', `"${'x'.repeat(65_536)}"`], end: { failure: 'TOO_LARGE' } },
  // Short as received, but five times as long once we serialize it again.
  { said: ['r', `[${'1e20,'.repeat(13_000)}0]`], end: { failure: 'TOO_LARGE' } },
  { said: ['r', `"${'\\"'.repeat(30_000)}`], end: { failure: 'BAD_JSON' } },
  { said: ['b', 'a function'], end: { failure: 'BAD_JSON' } },
  { said: ['z', ''], end: { failure: 'TOO_LARGE' } },
  { said: ['f', ''], end: { failure: 'FLOOD' } },
  { said: ['t', ''], end: { failure: 'TIMEOUT', message: expect.stringContaining('5 s') } },
  { said: ['p', ''], end: { failure: 'PROTOCOL' } },
  { said: ['', ''], end: { failure: 'PROTOCOL' } },
  { said: ['evil', 'x'], end: { failure: 'PROTOCOL' } },
  { said: ['e', error({ message: 'x', stack: at(4) })], end: { failure: 'THROWN', message: 'x', line: 3 } },
  { said: ['e', error({ message: 'x', stack: at(1) })], end: { failure: 'THROWN', message: 'x', ok: false } },
  {
    said: ['e', error({ message: 'x', stack: at(99) })],
    end: { failure: 'THROWN', message: 'x', ok: false },
  },
  { said: ['e', error({ message: 'Uncaught Error: x', line: 2 })], end: { message: 'Error: x', line: 1 } },
  { said: ['e', error({ message: { toString: 1 }, stack: 3 })], end: { message: 'An unreadable error' } },
  { said: ['e', 'null'], end: { failure: 'THROWN' } },
  { said: ['e', 'no JSON'], end: { failure: 'THROWN' } },
  { said: ['e', error({ message: 'x'.repeat(1e6) })], end: { message: expect.stringMatching(/^x{2000}…$/) } },
  { said: ['x', error({ message: 'SyntaxError: y', line: 3 })], end: { failure: 'SCRIPT', line: 2 } },
  { said: ['x', error({ message: "SyntaxError: Unexpected token 'break'", line: 12 })], end: { line: 10 } },
  { said: ['x', error({ message: "SyntaxError: Undefined label '#end'", line: 2 })], end: { line: 10 } },
])('a message from the sandbox is read as the end of a run: $said means $end', ({ said, end }) => {
  const [letter = '', text = ''] = said;
  const read = readRunEnd(letter, text, defaultSandboxLimits, 10);
  expect(read).toMatchObject(end);
});

test("a line number outside the tool's code is not reported", () => {
  for (const line of [1, 12, 99]) {
    const read = readRunEnd('e', error({ message: 'x', stack: at(line) }), defaultSandboxLimits, 10);
    expect(read).toEqual({ ok: false, failure: 'THROWN', message: 'x' });
  }
});

test('a sandbox frame is used again only if its relay reported the end of the run', () => {
  expect(['r', 'b', 'x'].every(canReuseFrame)).toBe(true);
  expect(['e', 't', 'z', 'f', 'p', '', 're'].some(canReuseFrame)).toBe(false);
});
