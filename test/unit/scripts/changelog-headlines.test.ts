import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { headlinesOf } from '../../../scripts/changelog-headlines.js';

test.for([
  {
    name: 'up to a colon',
    entry: '- Prompts of your own: type `/`\n  in the box.',
    is: 'Prompts of your own',
  },
  { name: 'up to the end of a sentence', entry: '- Lamps are lit. They burn.', is: 'Lamps are lit' },
  { name: 'not up to a point in a name', entry: '- Ministral 3.1 is there.', is: 'Ministral 3.1 is there' },
  { name: 'without addresses', entry: '- Cores ([how](docs/how.md)) are used.', is: 'Cores (how) are used' },
  {
    name: 'cut at a comma if it is long',
    entry: `- Lamps are lit by themselves in the evening, ${'and so on '.repeat(9)}`,
    is: 'Lamps are lit by themselves in the evening',
  },
  { name: 'cut between words otherwise', entry: `- ${'word '.repeat(30)}`, is: `${'word '.repeat(17)}word…` },
])('the headline of a changelog entry is shown $name', ({ entry, is }) => {
  expect(headlinesOf(`# Changelog\n\n## [Unreleased]\n\n### Added\n\n${entry}\n`)).toEqual([is]);
});

test('the headlines of our changelog are short and all different', () => {
  const headlines = headlinesOf(readFileSync('CHANGELOG.md', 'utf8'));
  expect(headlines.length).toBeGreaterThan(30);
  expect(new Set(headlines).size).toBe(headlines.length);
  for (const headline of headlines) expect(headline).toMatch(/^.{5,91}$/);
});
