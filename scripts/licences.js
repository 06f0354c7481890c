/**
 * Writes `licences.txt` into the built site: the licence texts of every package that is part of the page, the workers or the service worker, and of
 * the software compiled into those packages. The build fails if a licence text is missing.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('licences/', import.meta.url));
const root = fileURLToPath(new URL('../', import.meta.url));

/** Packages whose code the bundler itself adds to every page. */
const helpers = ['vite', 'rolldown'];
/** Software that is compiled into a package's WebAssembly and is not among its files. */
const compiledIn = {
  '@wllama/wllama': ['llama.cpp', 'emscripten'],
  '@mlc-ai/web-llm': ['emscripten'],
};

/** Software that is compiled into engine/dist. */
const inEngine = ['llama.cpp', 'emscripten'];

/** Returns the folder of the package that a module belongs to, or undefined for our own and for generated modules. */
function packageOf(id) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
    .exec(id.replace(/[?#].*$/, ''))?.[0]
    .replace(/^\0/, '');
}

/** Returns the licence texts in a package as one text, or undefined if it has none. */
function textIn(folder, name) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8'));
  // The rest of Vite's own file concerns only Vite's command.
  if (name === 'vite') return texts.join('\n').split('# Licenses of bundled dependencies')[0];
  if (texts.length > 0) return texts.join('\n\n');
  return readdirSync(here).includes(`${name}.txt`)
    ? readFileSync(join(here, `${name}.txt`), 'utf8')
    : undefined;
}

/** Writes each distinct text once, with the names of all packages that use it. */
function write(folders) {
  const names = new Map();
  const add = (name, text) => {
    const plain = text.replaceAll('\r\n', '\n').trim();
    names.set(plain, [...(names.get(plain) ?? []), name]);
  };
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text = textIn(folder, name);
    if (text === undefined)
      throw new Error(`${name} has no licence text: put it into scripts/licences/${name}.txt.`);
    add(`${name} ${version} (${license})`, text);
  }
  const parts = folders.flatMap(
    (folder) => compiledIn[folder.slice(folder.lastIndexOf('node_modules/') + 13)] ?? [],
  );
  for (const part of new Set([...parts, ...inEngine]))
    add(`${part} (MIT)`, readFileSync(join(here, `${part}.txt`), 'utf8'));

  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  return [
    `Hearth ${version}, and Ember, the model that it brings along: Apache-2.0\n\n${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}`,
    'What follows is part of this copy of Hearth, as a whole or in pieces.',
    ...[...names].map(([text, of]) => `${of.join('\n')}\n\n${text}`),
  ]
    .join(line)
    .concat('\n');
}

export function createLicences() {
  const folders = new Set();
  /** For a build whose output is part of the site. @returns {import('vite').Plugin} */
  const collect = () => ({
    name: 'licences-collect',
    apply: 'build',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const folder = packageOf(id);
        if (folder !== undefined) folders.add(folder);
      }
    },
  });
  /** For the last of these builds. Must come after the plugin that builds the service worker. @returns {import('vite').Plugin} */
  const emit = () => {
    let outDir = '';
    return {
      name: 'licences-emit',
      apply: 'build',
      configResolved: (config) => {
        outDir = resolve(config.root, config.build.outDir);
      },
      closeBundle: {
        sequential: true,
        order: 'post',
        handler() {
          for (const name of helpers) folders.add(join(root, 'node_modules', name));
          writeFileSync(join(outDir, 'licences.txt'), write([...folders].sort()));
        },
      },
    };
  };
  return { collect, emit };
}
