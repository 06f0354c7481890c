import { expect, test } from 'vitest';
import { shortHost, splitHost } from '../../../src/ui/permissions/registrable-domain';

test.for([
  ['example.org', '', 'example.org'],
  ['en.wikipedia.org', 'en.', 'wikipedia.org'],
  ['en.wikipedia.org.aaaa.evil.example.net', 'en.wikipedia.org.aaaa.evil.', 'example.net'],
  ['www.bbc.co.uk', 'www.', 'bbc.co.uk'],
  ['a.b.example.com.cn:8443', 'a.b.', 'example.com.cn:8443'],
  ['someone.github.io', '', 'someone.github.io'],
  ['x.someone.github.io', 'x.', 'someone.github.io'],
  ['github.io', '', 'github.io'],
  ['co.uk', '', 'co.uk'],
  ['evil-github.io', '', 'evil-github.io'],
  ['xn--e1afmkfd.xn--80akhbyknj4f', '', 'xn--e1afmkfd.xn--80akhbyknj4f'],
  ['8.8.8.8', '', '8.8.8.8'],
  ['8.8.8.8:8443', '', '8.8.8.8:8443'],
  ['[2a00::1]:8443', '', '[2a00::1]:8443'],
  ['localhost', '', 'localhost'],
  ['Wikipedia', '', 'Wikipedia'],
  ['My search 2.0', '', 'My search 2.0'],
  ['a@b.example', '', 'a@b.example'],
] as const)('%s', ([host, below, own]) => {
  expect(splitHost(host)).toEqual({ below, own });
});

test('what a button names is short, and says whose it is', () => {
  expect(shortHost('en.wikipedia.org')).toBe('en.wikipedia.org');
  expect(shortHost(`en.wikipedia.org.${'a'.repeat(60)}.evil.example.net`)).toBe('…example.net');
});
