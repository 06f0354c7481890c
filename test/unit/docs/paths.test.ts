/** The documents speak of what is there: every folder is on the map, and every path in them exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/glossary.md',
  ...['docs/how-to', 'docs/decisions'].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file)),
  ),
];

/** Made by a build, or named as an example of a file to be written. */
const isNotKept = (path: string) => /^dist|node_modules|[<*…{]|my-|\bname\b/.test(path);

test('every folder of src/ is on the map', () => {
  const map = readFileSync('ARCHITECTURE.md', 'utf8');
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.length).toBeGreaterThan(8);
  for (const { name } of folders) expect(map).toContain(`\`src/${name}\``);
});

describe.for(documents)('%s', (document) => {
  const text = readFileSync(document, 'utf8');

  test('links to what exists', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link);
    for (const link of links.filter((link) => !/^https?:/.test(link))) {
      expect(existsSync(normalize(join(dirname(document), link))), link).toBe(true);
    }
  });

  test('names paths that exist', () => {
    const paths = [...text.matchAll(/`((?:src|workers|test|scripts|bench|docs|public|training)\/[^`\s]*)`/g)];
    for (const [, path = ''] of paths.filter(([, path = '']) => !isNotKept(path))) {
      expect(existsSync(path), path).toBe(true);
    }
  });
});
