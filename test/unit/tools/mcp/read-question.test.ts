/** Only a form of plain fields, or an address, ever reaches the screen. */
import { expect, test } from 'vitest';
import { readServerQuestion } from '../../../../src/tools/mcp/remote-server';

const form = { type: 'object', properties: { name: { type: 'string', default: 'Ada' } }, required: ['name'] };

test("a form in a server's question has all its fields and their defaults", () => {
  const asked = {
    ok: true,
    value: { message: 'Who?', ask: { type: 'form', fields: [{ name: 'name', value: 'Ada' }] } },
  };
  expect(readServerQuestion({ message: 'Who?', requestedSchema: form })).toMatchObject(asked);
  expect(
    readServerQuestion({ mode: 'form', message: 'Who?', requestedSchema: form, url: 'https://a.example/' }),
  ).toMatchObject(asked);
});

test("an address in a server's question is shown unchanged", () => {
  const url = 'https://login.example/?a=1#b';
  expect(
    readServerQuestion({ mode: 'url', message: 'Pay.', url, elicitationId: '1', requestedSchema: form }),
  ).toEqual({
    ok: true,
    value: { message: 'Pay.', ask: { type: 'url', url } },
  });
  expect(readServerQuestion({ mode: 'url', message: '', url: 'http://localhost:3000/' }).ok).toBe(true);
});

test('a very long question from a server is shortened', () => {
  const read = readServerQuestion({ message: 'x'.repeat(1e6), requestedSchema: form });
  expect(read.ok && read.value.message.length).toBe(2_000);
});

test.for<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'Who?'],
  ['no message', { requestedSchema: form }],
  ['a message that is not text', { message: 7, requestedSchema: form }],
  ['no form', { message: 'Who?' }],
  ['a form that describes a list', { message: 'Who?', requestedSchema: [] }],
  [
    'a form with nested forms',
    { message: 'Who?', requestedSchema: { type: 'object', properties: { a: form } } },
  ],
  ['a mode that nobody knows', { mode: 'phone', message: 'Who?' }],
  ['no address', { mode: 'url', message: 'Go' }],
  ['half an address', { mode: 'url', message: 'Go', url: '//evil.example' }],
  ['a script', { mode: 'url', message: 'Go', url: 'javascript:alert(1)' }],
  ['a script with a blank before it', { mode: 'url', message: 'Go', url: ' javascript:alert(1)' }],
  ['a file', { mode: 'url', message: 'Go', url: 'file:///etc/passwd' }],
  ['data', { mode: 'url', message: 'Go', url: 'data:text/html,x' }],
  ['an address of a program', { mode: 'url', message: 'Go', url: 'ms-settings:x' }],
  [
    'an address that is too long',
    { mode: 'url', message: 'Go', url: `https://a.example/${'x'.repeat(3_000)}` },
  ],
])('an invalid question from a server is declined with a short reason: %s', ([, params]) => {
  const read = readServerQuestion(params);
  expect(read.ok).toBe(false);
  if (!read.ok) expect(read.reason.length).toBeLessThan(300);
});
