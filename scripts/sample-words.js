/**
 * `node scripts/sample-words.js [--comments 100] [--names 50] [--titles 50] [--seed 1]`: picks comments and declared names of the source and test
 * titles at random. A reader who has not seen the code then judges each as clear, awkward or unintelligible. The same seed picks the same ones.
 */
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { readScripts } from './source-files.js';

const { values: options } = parseArgs({
  options: {
    comments: { type: 'string', default: '100' },
    names: { type: 'string', default: '50' },
    titles: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});

const source = readScripts(['src', 'workers']);
const tests = readScripts(['test']);
const pick = createPicker(Number(options.seed));
print('Comments', pick(source.flatMap(commentsOf), Number(options.comments)));
print('Names', pick(source.flatMap(namesOf), Number(options.names)));
print('Test titles', pick(tests.flatMap(titlesOf), Number(options.titles)));

function print(heading, items) {
  console.log(`\n## ${heading}\n`);
  items.forEach(({ path, line, text }, at) => console.log(`${at + 1}. ${path}:${line}\n   ${text}`));
}

/** Returns each comment with the line of code after it, as a reader would see it. */
function commentsOf({ path, text, parsed }) {
  const comments = [];
  const seen = new Set();
  const visit = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      const comment = text.slice(pos, end);
      if (/@ts-|eslint-|oxlint-|^\/\/\/|svelte-ignore/.test(comment)) continue;
      const inside = comment.replace(/\*+\/$/, '').replace(/^\/\*+|^\s*\*+ ?|^\/\/ ?/gm, '');
      const words = inside.replace(/\s+/g, ' ');
      const [behind = ''] = text.slice(end).trimStart().split('\n');
      comments.push({ path, line: lineOf(parsed, pos), text: `${words.trim()}\n      > ${behind.trim()}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  // Comments at the end of the file belong to no statement.
  visit(parsed.endOfFileToken);
  return comments;
}

/** Returns the functions, types, classes, methods and constants at the top level of a file, with the line that declares each. */
function namesOf({ path, text, parsed }) {
  const names = [];
  const add = (name) => {
    if (!name || !ts.isIdentifier(name)) return;
    const line = lineOf(parsed, name.getStart(parsed));
    names.push({ path, line, text: `${name.text}\n      > ${(text.split('\n')[line - 1] ?? '').trim()}` });
  };
  for (const statement of parsed.statements) {
    if (ts.isVariableStatement(statement))
      statement.declarationList.declarations.forEach(({ name }) => add(name));
    else add(statement.name);
    if (ts.isClassDeclaration(statement)) statement.members.forEach(({ name }) => add(name));
  }
  return names;
}

/** Returns titles as a test run prints them, after the titles of the groups around the test. */
function titlesOf({ path, parsed }) {
  const titles = [];
  const visit = (node, groups) => {
    const title = titleOf(node, parsed);
    const chain = title === undefined ? groups : [...groups, title];
    const isGroup = ts.isCallExpression(node) && node.expression.getText(parsed).startsWith('describe');
    if (title !== undefined && !isGroup)
      titles.push({ path, line: lineOf(parsed, node.getStart(parsed)), text: chain.join(' › ') });
    ts.forEachChild(node, (child) => visit(child, chain));
  };
  visit(parsed, []);
  return titles;
}

function titleOf(node, parsed) {
  if (!ts.isCallExpression(node)) return undefined;
  if (!/^(?:test|it|describe|thorough)\b/.test(node.expression.getText(parsed))) return undefined;
  const [title] = node.arguments;
  return title && ts.isStringLiteralLike(title) ? fillIn(title.text, node.expression) : undefined;
}

/** Replaces the `%s` and `$name` of a title by values from the first row of its table, if the table is written inline. */
function fillIn(title, table) {
  let row = ts.isCallExpression(table) ? table.arguments[0] : undefined;
  while (row && (ts.isAsExpression(row) || ts.isSatisfiesExpression(row))) row = row.expression;
  row = row && ts.isArrayLiteralExpression(row) ? row.elements[0] : undefined;
  if (!row) return title;
  const values = ts.isArrayLiteralExpression(row) ? [...row.elements] : [row];
  const write = (value, otherwise) => (value && ts.isLiteralExpression(value) ? value.text : otherwise);
  const fieldOf = (name) =>
    ts.isObjectLiteralExpression(row) && row.properties.find((property) => property.name?.text === name);
  return title
    .replaceAll(/%[sioj]/g, (mark) => write(values.shift(), mark))
    .replaceAll(/\$(\w+)/g, (mark, name) => write(fieldOf(name)?.initializer, mark));
}

function lineOf(parsed, position) {
  return parsed.getLineAndCharacterOfPosition(position).line + 1;
}

/** Returns a function that picks items at random, without repetition and in the order of the files. */
function createPicker(seed) {
  let state = seed;
  // mulberry32, a small random number generator of good quality.
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (items, count) => {
    const drawn = items.map((item, at) => ({ item, at, key: random() }));
    drawn.sort((one, other) => one.key - other.key);
    return drawn
      .slice(0, count)
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item);
  };
}
