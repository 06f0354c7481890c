import { describe, expect, test } from 'vitest';
import { checkUrl, originOf } from '../../../src/egress/gate';
import { publicAddresses, refusedAddresses } from '../../fixtures/egress/addresses';

describe('public addresses', () => {
  test.for(publicAddresses)('a request is allowed: %s', (url) => {
    expect(checkUrl(url, [])).toEqual({ ok: true, url: new URL(url) });
  });
});

describe.for(refusedAddresses)('refused addresses: $why', ({ urls, says }) => {
  test.for(urls)('a request is refused: %s', (url) => {
    const checked = checkUrl(url, []);
    expect(checked).toMatchObject({ ok: false, reason: expect.stringMatching(says) });
    // A reason is one or two sentences long.
    expect(checked.ok ? '' : checked.reason).toMatch(/^.{10,300}\.$/s);
  });
});

describe('addresses that the user has allowed', () => {
  const allowed = [
    'http://192.168.1.5:8080',
    'https://nas.lan',
    'http://localhost:11434',
    'http://[fd00::5]:80',
  ];
  test.for([
    { url: 'http://192.168.1.5:8080/', passes: true },
    { url: 'http://192.168.1.5:8080/search?q=a', passes: true },
    { url: 'http://0xc0a80105:8080/', passes: true },
    { url: 'https://nas.lan/a', passes: true },
    { url: 'https://nas.lan:443/a', passes: true },
    { url: 'http://localhost:11434/v1', passes: true },
    { url: 'http://[fd00::5]/', passes: true },
    { url: 'https://192.168.1.5:8080/', passes: false },
    { url: 'http://192.168.1.5/', passes: false },
    { url: 'http://192.168.1.5:8081/', passes: false },
    { url: 'http://192.168.1.50:8080/', passes: false },
    { url: 'http://192.168.1.5.nip.io:8080/', passes: false },
    { url: 'http://nas.lan/', passes: false },
    { url: 'https://a.nas.lan/', passes: false },
    { url: 'https://nas.lan:8443/', passes: false },
    { url: 'https://user@nas.lan/', passes: false },
    { url: 'https://nas.lan@evil.org:99/', passes: false },
    { url: 'http://127.0.0.1:11434/', passes: false },
    { url: 'ftp://192.168.1.5:8080/', passes: false },
    { url: `https://nas.lan/${'a'.repeat(2048)}`, passes: false },
  ])('decide whether a request may be sent: request to $url, allowed = $passes', ({ url, passes }) => {
    expect(checkUrl(url, allowed).ok).toBe(passes);
  });

  test('invalid entries in the list of allowed addresses are ignored', () => {
    for (const text of ['', '*', 'http://*', 'null', '192.168.1.5', 'file:///']) {
      expect(checkUrl('http://192.168.1.5/', [text]).ok).toBe(false);
      expect(checkUrl('file:///etc/passwd', [text]).ok).toBe(false);
    }
    expect(originOf('file:///')).toBeUndefined();
  });

  test('the reason for a refusal names the address that the user can allow', () => {
    expect(checkUrl('http://192.168.1.5:8080/secret?a=b', [])).toMatchObject({
      reason: expect.stringContaining('The person can allow http://192.168.1.5:8080 in Settings.'),
    });
  });
});
