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
])('Hearth knows whether a call sends data to another server: %s', ([, effects, isOutside]) => {
  expect(reachesOutside(effects)).toBe(isOutside);
});
