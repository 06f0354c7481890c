import { expect, test } from 'vitest';
import { isHostShown, isMisleading, mustConfirmLink, readLink } from '../../../src/ui/markdown/safe-link';

test.for([
  { href: 'https://a.example/b?c#d', link: { href: 'https://a.example/b?c#d', host: 'a.example' } },
  { href: 'HTTP://A.example:8080', link: { href: 'http://a.example:8080/', host: 'a.example:8080' } },
  {
    href: 'https://bücher.example',
    link: { href: 'https://xn--bcher-kva.example/', host: 'xn--bcher-kva.example' },
  },
  {
    href: 'mailto:a@b.example?subject=c',
    link: { href: 'mailto:a@b.example?subject=c', host: 'a@b.example' },
  },
  { href: ' https://a.example ', link: { href: 'https://a.example/', host: 'a.example' } },
])('a link to $href is allowed', ({ href, link }) => {
  expect(readLink(href)).toEqual(link);
});

test.for([
  ...[
    '',
    'a',
    '/a',
    '//a.example',
    '#a',
    '?a',
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\nscript:alert(1)',
  ],
  ...[
    '\u0000javascript:alert(1)',
    'data:text/html,a',
    'blob:https://a.example/1',
    'file:///a',
    'ftp://a.example',
  ],
  ...[
    'tel:1',
    'about:blank',
    'vbscript:a',
    'chrome://settings',
    'https://',
    'https://a b',
    'http://[',
    'x:y',
  ],
])('an unsafe or incomplete link is not allowed: %j', (href) => {
  expect(readLink(href)).toBeUndefined();
});

test.for([
  { label: 'the page', href: 'https://a.example', misleading: false },
  { label: 'https://a.example/page', href: 'https://a.example/other', misleading: false },
  { label: 'a.example', href: 'https://a.example/x', misleading: false },
  { label: 'A.EXAMPLE', href: 'https://a.example', misleading: false },
  { label: 'me@a.example', href: 'mailto:me@a.example', misleading: false },
  { label: 'https://a.example', href: 'https://b.example', misleading: true },
  { label: 'go to a.example now', href: 'https://b.example', misleading: true },
  { label: 'www.a.example', href: 'https://a.example.evil.example', misleading: true },
  { label: 'a\u200B.example', href: 'https://b.example', misleading: true },
  { label: 'me@a.example', href: 'mailto:you@a.example', misleading: true },
  { label: 'a.example', href: 'mailto:a@b.example', misleading: true },
  { label: 'my bank', href: 'https://bank.example@evil.example', misleading: true },
  { label: 'my bank', href: 'https://xn--bnk-5na.example', misleading: true },
  { label: 'bаnk.example (with a Cyrillic а)', href: 'https://bank.example', misleading: true },
])(
  'a link label is checked for a misleading address: "$label" for $href gives $misleading',
  ({ label, href, misleading }) => {
    expect(isMisleading(label, readLink(href)!)).toBe(misleading);
  },
);

test.for([
  { label: 'a.example', href: 'https://a.example/b', isShown: true },
  { label: 'https://a.example/c', href: 'https://a.example/b', isShown: true },
  { label: 'a\u200b.example', href: 'https://a.example/b', isShown: true },
  { label: 'more', href: 'https://a.example/b', isShown: false },
  { label: 'b.example', href: 'https://a.example/b', isShown: false },
])(
  'the app detects whether a link label shows the host of the link: "$label" for $href gives $isShown',
  ({ label, href, isShown }) => {
    expect(isHostShown(label, readLink(href)!)).toBe(isShown);
  },
);

test.for([
  { name: 'a plain link opens at once', label: 'more', href: 'https://a.example/b', asks: false },
  {
    name: 'an address that is found nowhere is confirmed first',
    label: 'more',
    href: 'https://a.example/b',
    isFound: false,
    asks: true,
  },
  {
    name: 'an address whose host alone could leak something is confirmed first',
    label: 'a.example',
    href: 'https://our.talk.a.example/',
    isFound: false,
    asks: true,
  },
  {
    name: 'a link whose label names another host is confirmed first',
    label: 'b.example',
    href: 'https://a.example/',
    asks: true,
  },
  {
    name: 'a link whose label is its own host opens at once',
    label: 'a.example',
    href: 'https://a.example/',
    asks: false,
  },
  {
    name: 'a link with a user name is confirmed first',
    label: 'more',
    href: 'https://b@a.example/',
    asks: true,
  },
  {
    name: 'a link with a punycode host is confirmed first',
    label: 'more',
    href: 'https://bücher.example/',
    asks: true,
  },
])('$name', ({ label, href, isFound = true, asks }) => {
  expect(mustConfirmLink(label, readLink(href)!, isFound)).toBe(asks);
});
