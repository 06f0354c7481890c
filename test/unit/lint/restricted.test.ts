/** Rules that only lint enforces. A test fails if a rule leaves the configuration or a part of src/ switches it off. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import ts from 'typescript';
import { expect, test } from 'vitest';
import eslint from '../../../eslint.config.js';
import oxlint from '../../../oxlint.config.js';
import { readScripts } from '../../../scripts/source-files.js';
import contentSecurityPolicySource from '../../../scripts/content-security-policy.js?raw';

type Rules = Record<string, unknown>;
interface Override {
  files: string[];
  rules: Rules;
}
interface LayerRule {
  name: string;
  to: { pathNot?: string };
}

const { rules, overrides } = oxlint as unknown as { rules: Rules; overrides: Override[] };
const componentRules = Object.assign({}, ...eslint.map((config) => config.rules)) as Rules;
const pureLayers = ['contracts', 'protocol', 'text', 'agent'];

/** Returns the globals that a setting of `no-restricted-globals` forbids. */
function forbiddenGlobals(setting: unknown): string[] {
  const [level, options] = setting as [string, { globals: string[]; checkGlobalObject: boolean }];
  expect([level, options.checkGlobalObject]).toEqual(['error', true]);
  return options.globals;
}

/** Returns the files of src/ and workers/ for which an override switches a rule off. */
const exempt = (rule: string) =>
  overrides
    .filter((override) => override.rules[rule] === 'off')
    .flatMap(({ files }) => files)
    .filter((path) => /^(src|workers)\//.test(path));

test('invariant: only src/egress may use network APIs', () => {
  const network = [
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'EventSource',
    'WebTransport',
    'RTCPeerConnection',
  ];
  for (const found of [rules, componentRules]) {
    expect(forbiddenGlobals(found['no-restricted-globals'])).toEqual(expect.arrayContaining(network));
    expect(JSON.stringify(found['no-restricted-properties'])).toContain('"property":"sendBeacon"');
  }
  const egress = ['src/egress/**', 'workers/egress.worker.ts'];
  expect(exempt('no-restricted-globals')).toEqual(egress);
  expect(exempt('no-restricted-properties')).toEqual(egress);
});

test('invariant: the folders contracts, text, protocol and agent import no engine, tool or screen, and use no browser API', () => {
  const pure = overrides.find(({ files }) =>
    files.includes(`src/{${[...pureLayers, 'ember'].join(',')}}/**`),
  );
  const browser = ['document', 'navigator', 'indexedDB', 'Worker', 'crypto', 'Date', 'fetch'];
  expect(forbiddenGlobals(pure?.rules['no-restricted-globals'])).toEqual(expect.arrayContaining(browser));
  const { forbidden } = createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as {
    forbidden: LayerRule[];
  };
  for (const layer of pureLayers) {
    const rule = forbidden.find(({ name }) => name === `src/${layer} imports`);
    const [, allowed = ''] = /^\^\((.+)\)\/$/.exec(rule?.to.pathNot ?? '') ?? [];
    const others = allowed.split('|').filter((other) => other !== `src/${layer}`);
    expect(['src/contracts', 'src/text']).toEqual(expect.arrayContaining(others));
  }
});

test('invariant: no component inserts an HTML string, and the page accepts none without a trusted type', () => {
  expect(componentRules['svelte/no-at-html-tags']).toBe('error');
  const components = import.meta.glob<string>('../../../src/**/*.svelte', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  expect(Object.keys(components).length).toBeGreaterThan(100);
  const inserting = /\{@html|\.innerHTML\s*=|\.outerHTML\s*=|insertAdjacentHTML|svelte\/no-at-html-tags/;
  const found = Object.entries(components).filter(([, source]) => inserting.test(source));
  expect(found.map(([file]) => file)).toEqual([]);
  expect(contentSecurityPolicySource).toContain(`"require-trusted-types-for 'script'"`);
});

test('these tests read the same lint rules as `npm run lint`', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(scripts['lint']).toMatch(/oxlint -c oxlint\.config\.js .*eslint --cache src/);
});

test('no object literal is spread into another, because TypeScript does not check its properties', () => {
  const found: string[] = [];
  for (const { path, parsed } of readScripts(['src', 'workers', 'test', 'bench'], /\.\.\.\s*\(?\s*\{/)) {
    const visit = (node: ts.Node): void => {
      if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) {
        const { line } = parsed.getLineAndCharacterOfPosition(node.getStart(parsed));
        found.push(`${path}:${line + 1}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(parsed);
  }
  expect(found).toEqual([]);
});
