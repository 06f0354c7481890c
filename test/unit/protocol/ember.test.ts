import { expect, test } from 'vitest';
import { dialectOf } from '../../../src/protocol/dialects';
import { buildPrompt } from '../../../src/protocol/prompt';
import { createBuiltinTools } from '../../../src/tools/registry';
import lines from '../../../training/tests/tool-lines.json';
import { builtinParts } from '../../support/outside';

const dialect = dialectOf('ember');
const spec = (tool: (typeof lines)[number]['tool']) => ({ title: tool.name, ...tool });

// The trainer's test reads the same file, so the app writes exactly what Ember has learned to read.
test.for(lines)("a tool becomes one line of Ember's prompt ($says): $line", ({ tool, line }) => {
  expect(dialect.describe([spec(tool)])).toBe(line);
});

test("Ember's system prompt has one line per tool, and is missing without tools", () => {
  const tools = lines.slice(0, 2).map(({ tool }) => spec(tool));
  const { system } = buildPrompt([], tools, dialect);
  expect(system).toEqual([{ role: 'system', content: `${lines[0]?.line}\n${lines[1]?.line}` }]);
  expect(buildPrompt([], [], dialect).system).toEqual([]);
});

test("the descriptions of the built-in tools match Ember's training data", () => {
  const names = ['calculator', 'clock', 'fetch_page', 'web_search'];
  const tools = createBuiltinTools(builtinParts()).filter(({ name }) => names.includes(name));
  expect(dialect.describe(tools).split('\n')).toEqual([
    'calculator(expression) Calculates an expression exactly',
    'clock(place?) The date, weekday and time now, here or in a place',
    'fetch_page(url) Reads a web page and gives its title and text',
    'web_search(query, depth?: quick|deep) Searches the web and gives titles, addresses and summaries',
  ]);
});
