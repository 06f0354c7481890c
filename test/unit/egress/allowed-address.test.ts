import { expect, test } from 'vitest';
import { readAllowedAddress } from '../../../src/egress/allowed-address';
import { checkUrl } from '../../../src/egress/gate';

test.for([
  ['http://192.168.1.5:8080', 'http://192.168.1.5:8080'],
  ['  http://192.168.1.5:8080/ ', 'http://192.168.1.5:8080'],
  ['HTTP://Localhost:80', 'http://localhost'],
  ['https://nas.lan', 'https://nas.lan'],
  ['https://NAS.lan:443/', 'https://nas.lan'],
  ['http://[fd00::5]:8080', 'http://[fd00::5]:8080'],
  ['http://[FD00:0:0:0:0:0:0:5]:8080', 'http://[fd00::5]:8080'],
  ['https://example.com:9000', 'https://example.com:9000'],
] as const)('allowing the typed address "%s" lets requests to %s through', ([text, origin]) => {
  expect(readAllowedAddress(text)).toEqual({ ok: true, origin });
  expect(checkUrl(`${origin}/a?b=c`, [origin]).ok).toBe(true);
});

test.for([
  ['', 'scheme'],
  ['192.168.1.5:8080', 'scheme'],
  ['localhost:8080', 'scheme'],
  ['nas.lan', 'scheme'],
  ['//nas.lan', 'scheme'],
  ['ftp://nas.lan', 'scheme'],
  ['file:///etc', 'scheme'],
  ['http://*', 'wildcard'],
  ['http://*.lan', 'wildcard'],
  ['http://192.168.1.*:8080', 'wildcard'],
  ['http://', 'unreadable'],
  ['http://192.168.1.500', 'unreadable'],
  ['http://nas.lan:99999', 'unreadable'],
  ['http://192.168.0.0/24', 'path'],
  ['http://nas.lan/path', 'path'],
  ['http://nas.lan/?q=1', 'path'],
  ['http://nas.lan#a', 'path'],
  ['http://a:b@nas.lan', 'credentials'],
  ['http://@nas.lan', 'credentials'],
  ['http://nas.lan http://b.lan', 'unreadable'],
] as const)('an address that cannot be allowed: "%s" has the problem "%s"', ([text, problem]) => {
  expect(readAllowedAddress(text)).toEqual({ ok: false, problem });
});
