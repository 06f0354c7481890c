import { expect, test } from 'vitest';
import { shortenHost, splitHost, decodePunycodeHost } from '../../../src/ui/permissions/host-names';

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
] as const)('the host name %s is split into subdomains and domain', ([host, subdomains, domain]) => {
  expect(splitHost(host)).toEqual({ subdomains, domain });
});

test('a long host name is shortened to its registered domain', () => {
  expect(shortenHost('en.wikipedia.org')).toBe('en.wikipedia.org');
  expect(shortenHost(`en.wikipedia.org.${'a'.repeat(60)}.evil.example.net`)).toBe('…example.net');
});

// The samples of RFC 3492 are too long for a host label, so we encode our own with `new URL`.
test.for([
  'bücher.example',
  'пример.испытание',
  '例え.テスト',
  '例子.测试',
  'مثال.إختبار',
  'παράδειγμα.δοκιμή',
  '실례.테스트',
  'straße.example',
  'a-ü-b.example',
  'münchen-ost.bücher.example',
  'аррӏе.com',
  '😀.example',
])('the host name %s is decoded from its punycode', (host) => {
  const url = new URL(`https://${host}/`);
  expect(url.hostname).toMatch(/xn--/);
  expect(decodePunycodeHost(url.hostname)).toBe(host);
});

test.for(['example.com', 'xn--', 'xn--\u00fc', 'xn--a!', 'xn--99999999', 'xn--zzzzzzzzzzzz', ''])(
  'a host name in plain ASCII or malformed punycode is not decoded: "%s"',
  (host) => {
    const letters = decodePunycodeHost(host);
    expect(letters === undefined || letters === '').toBe(true);
  },
);
