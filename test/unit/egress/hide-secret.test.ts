import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecretHider, createStreamRedactor } from '../../../src/egress/hide-secret';
import { takesAll } from '../../support/matrix';

const secrets = [
  { name: 'key', value: 'Bearer abcabcab' },
  { name: 'pin', value: 'aab' },
];
const hideAll = (text: string) => secrets.reduce((hidden, secret) => createSecretHider(secret)(hidden), text);

test.for([
  { name: 'in its original form', text: 'Bearer abcabcab!', says: '[key]!' },
  { name: 'as its second word alone', text: '"abcabcab"', says: '"[key]"' },
  { name: 'in capitals', text: 'BEARER ABCABCAB', says: '[key]' },
  { name: 'backwards', text: 'bacbacba', says: '[key]' },
  {
    name: 'in Base64',
    text: btoa('Bearer abcabcab'),
    says: expect.not.stringContaining('QmVhcmVyIGFiY2FiY2'),
  },
  {
    name: 'in URL-safe Base64',
    text: btoa('user:abcabcab').slice(0, -2),
    says: expect.stringContaining('[key]'),
  },
  { name: 'with percent encoding', text: encodeURIComponent('Bearer abcabcab'), says: '[key]' },
  { name: 'next to another secret', text: '1aab2', says: '1[pin]2' },
  { name: 'unless it is short and in capitals, like a word', text: 'AAB', says: 'AAB' },
])('a secret in a response is hidden: $name', ({ text, says }) => {
  expect(hideAll(text)).toEqual(says);
});

test('a streamed response hides the same secrets as the whole text, however it is split', () => {
  const words = ['Bearer abcabcab', 'abcabcab', 'ABCABC', 'abc', 'a', 'b', 'aa', 'Bearer ', 'bac', ' ', 'x'];
  const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }), (said, sizes) => {
      const hider = createStreamRedactor(secrets);
      let out = '';
      for (let at = 0, turn = 0; at < said.length; turn++) {
        const size = (sizes[turn % sizes.length] ?? 0) + 1;
        out += hider.push(said.slice(at, at + size));
        at += size;
      }
      expect(out + hider.end()).toBe(hideAll(said));
    }),
    { seed: 25, numRuns: takesAll ? 2000 : 300 },
  );
});

test('a stream without secrets passes each chunk on at once', () => {
  const hider = createStreamRedactor([{ name: 'key', value: '' }]);
  expect([hider.push('ab'), hider.push('c'), hider.end()]).toEqual(['ab', 'c', '']);
});

test.for([
  { encoder: 'PHP', escape: (text: string) => text.replaceAll('/', '\\/') },
  { encoder: 'Gson', escape: (text: string) => text.replaceAll('=', '\\u003d') },
  { encoder: 'System.Text.Json', escape: (text: string) => text.replaceAll('+', '\\u002B') },
  {
    encoder: 'HTML, decimal',
    escape: (text: string) => text.replace(/[^a-z\d]/gi, (mark) => `&#${mark.charCodeAt(0)};`),
  },
  {
    encoder: 'HTML, hexadecimal',
    escape: (text: string) =>
      text.replace(/[^a-z\d]/gi, (mark) => `&#x${mark.charCodeAt(0).toString(16).toUpperCase()};`),
  },
  {
    encoder: 'a form',
    escape: (text: string) =>
      encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`),
  },
])('a key is hidden in the spelling of $encoder', ({ escape }) => {
  for (const value of ['wJalr/XUtnFEMI+K7MDENG==', "pa!ss'word(1)*"]) {
    const hidden = createSecretHider({ name: 'key', value })(`{"said":"${escape(value)}"}`);
    expect(hidden).toBe('{"said":"[key]"}');
  }
});
