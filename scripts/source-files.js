/** Reads the scripts of the repository: TypeScript files, and the script blocks of Svelte components. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * Returns the paths of all files in some folders, relative to the root of the repository.
 * @param {readonly string[]} folders
 */
export function listFiles(folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
      .sort(),
  );
}

/** @param {string} path */
export function readSource(path) {
  return readFileSync(join(root, path), 'utf8');
}

/**
 * Returns each script with its syntax tree. Everything else in a component is replaced by spaces, so lines and offsets stay the same.
 * @param {readonly string[]} folders
 * @param {RegExp} [pattern] Skips files without a match, because parsing takes long.
 */
export function readScripts(folders, pattern = /(?:)/) {
  return listFiles(folders)
    .filter((path) => /\.(?:ts|svelte)$/.test(path))
    .map((path) => ({ path, whole: readSource(path) }))
    .filter(({ whole }) => pattern.test(whole))
    .map(({ path, whole }) => {
      const text = path.endsWith('.svelte') ? scriptsOf(whole) : whole;
      return { path, text, parsed: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
    });
}

/** @param {string} component */
function scriptsOf(component) {
  let script = component.replace(/[^\n]/g, ' ');
  for (const { 1: text = '', index, 0: block } of component.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) {
    const begin = index + block.indexOf('>') + 1;
    script = script.slice(0, begin) + text + script.slice(begin + text.length);
  }
  return script;
}
