/**
 * `node scripts/count-source.js`: measures the size of the source, for comparison with another commit. Counts the lines of src/ and workers/. In
 * dist/, which must be built first, it counts the files and the bytes that the service worker caches.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { listFiles, readScripts, readSource } from './source-files.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const folders = ['src', 'workers'];
const maxFunctionLines = 60;

const generated = 'src/ui/i18n/words.ts';

const files = listFiles(folders).filter((path) => path !== generated);
const scripts = readScripts(folders).filter(({ path }) => path !== generated);
const counts = { code: 0, types: 0, comments: 0, imports: 0, css: 0, markup: 0, words: 0, blank: 0 };
for (const path of files) countLines(path);
const lines = Object.values(counts).reduce((sum, count) => sum + count, 0);
const importers = countImporters();
const single = scripts.filter(({ path }) => importers.get(path)?.size === 1).map(({ path }) => path);
const siblings = single.filter((path) => {
  const [importer] = importers.get(path);
  return path.endsWith('.ts') && dirname(importer) === dirname(path);
});

print('files', files.length);
print('lines', lines);
for (const [kind, count] of Object.entries(counts)) print(`  ${kind}`, count);
print('average file, lines', Math.round(lines / files.length));
print('files with one importer', single.length);
print('  TypeScript siblings', siblings.length);
print(
  'exports',
  scripts.reduce((sum, { parsed }) => sum + exportsOf(parsed), 0),
);
print(
  `functions over ${maxFunctionLines} lines`,
  scripts.reduce((sum, { parsed }) => sum + longFunctions(parsed), 0),
);
if (existsSync(join(root, 'dist/assets'))) {
  const assets = readdirSync(join(root, 'dist/assets'));
  print('built files', assets.length);
  print('  scripts', assets.filter((name) => name.endsWith('.js')).length);
  const worker = readFileSync(join(root, 'dist/service-worker.js'), 'utf8');
  const entries = [...worker.matchAll(/\{[^{}]*"?url"?:[`"]([^`"]+)[`"][^{}]*\}/g)];
  const precached = entries.filter(([entry]) => !entry.includes('isOnDemand'));
  const kept = [...new Set(precached.map(([, url]) => url))];
  const bytes = kept.map((url) => join(root, 'dist', url)).filter((file) => existsSync(file));
  print('precached files', kept.length);
  print(
    'precached bytes',
    bytes.reduce((sum, file) => sum + statSync(file).size, 0),
  );
}

function print(name, value) {
  console.log(`${name.padEnd(32)}${value}`);
}

/** Sorts each line of a file into one of the kinds. */
function countLines(path) {
  const text = readSource(path);
  // The texts of the screen, in any file format that commits have used.
  if (path.endsWith('.json') || /i18n\/(?:en|zh)[^/]*\.ts$/.test(path)) {
    counts.words += text.split('\n').length - 1;
    return;
  }
  if (path.endsWith('.css')) {
    countPlain(text.split('\n').slice(0, -1), 'css');
    return;
  }
  if (!/\.(?:ts|js|svelte)$/.test(path)) return;
  const kinds = kindsOf(path, text);
  text
    .split('\n')
    .slice(0, -1)
    .forEach((line, at) => {
      if (line.trim() === '') counts.blank += 1;
      else counts[kinds[at] ?? 'markup'] += 1;
    });
}

function countPlain(all, kind) {
  let isComment = false;
  for (const line of all) {
    if (line.includes('/*')) isComment = true;
    if (line.trim() === '') counts.blank += 1;
    else counts[isComment ? 'comments' : kind] += 1;
    if (line.includes('*/')) isComment = false;
  }
}

/** Returns the kind of each line of a script or component. */
function kindsOf(path, text) {
  const { parsed, text: script } = scripts.find((one) => one.path === path) ?? {
    parsed: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
    text,
  };
  const kinds = script.split('\n').map((line) => (line.trim() === '' ? undefined : 'code'));
  const mark = (from, to, kind, isWhole = false) => {
    const first = parsed.getLineAndCharacterOfPosition(from).line;
    const last = parsed.getLineAndCharacterOfPosition(to).line;
    for (let at = first; at <= last; at++) if (isWhole || kinds[at] !== 'comments') kinds[at] = kind;
  };
  for (const statement of parsed.statements) {
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    if (isType) mark(statement.getStart(parsed), statement.end - 1, 'types');
    if (ts.isImportDeclaration(statement)) mark(statement.getStart(parsed), statement.end - 1, 'imports');
  }
  // Only counts lines that contain nothing but a comment.
  for (const { index, 0: comment } of script.matchAll(/^[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/[ \t]*)$/gm))
    mark(index, index + comment.length - 1, 'comments', true);
  for (const { index, 0: block, 1: css = '' } of text.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)) {
    const begin = text.slice(0, index + block.indexOf('>') + 1).split('\n').length - 1;
    css.split('\n').forEach((_line, at) => (kinds[begin + at] = 'css'));
  }
  for (const { index, 0: comment } of text.matchAll(/<!--[\s\S]*?-->/g)) {
    const begin = text.slice(0, index).split('\n').length - 1;
    comment.split('\n').forEach((_line, at) => (kinds[begin + at] = 'comments'));
  }
  return kinds;
}

/** Returns the importers of each file, static and dynamic. */
function countImporters() {
  const found = new Map();
  for (const { path, text } of scripts) {
    for (const [, target] of text.matchAll(/(?:from|import|import\() ?'(\.[^']+)'/g)) {
      const whole = normalize(join(dirname(path), target));
      const imported = [whole, `${whole}.ts`, `${whole}.svelte.ts`].find((file) => files.includes(file));
      if (imported && imported !== path) found.set(imported, new Set(found.get(imported)).add(path));
    }
  }
  return found;
}

function exportsOf(parsed) {
  return parsed.statements.filter(
    (statement) =>
      ts.isExportDeclaration(statement) ||
      statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
  ).length;
}

function longFunctions(parsed) {
  let count = 0;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const [from, to] = [node.getStart(parsed), node.end].map(
        (position) => parsed.getLineAndCharacterOfPosition(position).line,
      );
      if (to - from >= maxFunctionLines) count += 1;
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return count;
}
