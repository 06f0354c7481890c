import { expect, test } from 'vitest';
import { reachesOutside, type ToolEffects } from '../../../src/contracts/tool';

test.for<[string, ToolEffects, boolean]>([
  ['a call without effects', { type: 'pure' }, false],
  ['reading an address', { type: 'net-read', urls: ['https://a.org/'] }, true],
  ['a web search', { type: 'search', query: 'tea', providers: [] }, true],
  ["a tool's own hosts", { type: 'net-hosts', hosts: ['a.org'] }, true],
  ['a change on this device', { type: 'side-effect' }, false],
  ['a change that names no host', { type: 'side-effect', hosts: [] }, false],
  ['a change on a host', { type: 'side-effect', hosts: ['a.org'] }, true],
])('a call is known to send data outside or not: %s', ([, effects, isOutside]) => {
  expect(reachesOutside(effects)).toBe(isOutside);
});
