/** The documents match the code: every folder is in the layer table, and every path in a document exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/glossary.md',
  'docs/invariants.md',
  'docs/parts.md',
  ...['docs/how-to', 'docs/decisions'].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file)),
  ),
];

/** Paths that a build creates, and examples of files to be written. */
const isNotInRepository = (path: string) => /^dist|node_modules|[<*…{]|my-|\bname\b/.test(path);

test('every folder of src/ is in the layer table of ARCHITECTURE.md', () => {
  const map = readFileSync('ARCHITECTURE.md', 'utf8');
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.length).toBeGreaterThan(8);
  for (const { name } of folders) expect(map).toContain(`\`src/${name}\``);
});

/** The table under "Layers": what each folder may import. */
function mapOf(text: string): Record<string, string> {
  const rows = [...text.matchAll(/^\| `([\w/]+)` +\| .+ \| (.+?) +\|$/gm)];
  return Object.fromEntries(rows.map(([, folder = '', imports = '']) => [folder, imports]));
}

interface LayerRule {
  name: string;
  to: { pathNot?: string };
}

/** What `.dependency-cruiser.cjs` lets each folder import, in the form of the table. */
function rulesOf({ forbidden }: { forbidden: readonly LayerRule[] }): Record<string, string> {
  const rules = forbidden.filter(({ name }) => name.endsWith(' imports'));
  return Object.fromEntries(
    rules.map(({ name, to }) => {
      const folder = name.slice(0, -' imports'.length);
      const [, allowed = ''] = /^\^\((.+)\)\/$/.exec(to.pathNot ?? '') ?? [];
      const others = allowed.split('|').filter((other) => other !== folder);
      return [folder, others.map((other) => other.slice('src/'.length)).join(', ') || '–'];
    }),
  );
}

test('the layer table in ARCHITECTURE.md allows the same imports as dependency-cruiser', () => {
  const config = createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as Parameters<
    typeof rulesOf
  >[0];
  const { 'src/app': all, ...map } = mapOf(readFileSync('ARCHITECTURE.md', 'utf8'));
  expect(all).toBe('everything');
  expect(map).toEqual(rulesOf(config));
});

describe.for(documents)('the document %s', (document) => {
  const text = readFileSync(document, 'utf8');

  test('it links only to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link);
    for (const link of links.filter((link) => !/^https?:/.test(link))) {
      expect(existsSync(normalize(join(dirname(document), link))), link).toBe(true);
    }
  });

  test('it mentions only paths that exist', () => {
    const paths = [...text.matchAll(/`((?:src|workers|test|scripts|bench|docs|public|training)\/[^`\s]*)`/g)];
    for (const [, path = ''] of paths.filter(([, path = '']) => !isNotInRepository(path))) {
      expect(existsSync(path), path).toBe(true);
    }
  });
});
