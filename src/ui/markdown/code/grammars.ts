/** The languages that have colours: one line each. A grammar is fetched with the first block of its language. */
import type { Parser } from '@lezer/common';
import type { StreamParser } from '@codemirror/streamparser';
import type { Grammar } from './grammar';

async function tree(load: Promise<Parser>): Promise<Grammar> {
  const [{ lezerGrammar }, parser] = await Promise.all([import('./lezer-grammar'), load]);
  return lezerGrammar(parser);
}

async function lines<State>(load: Promise<StreamParser<State>>): Promise<Grammar> {
  const [{ lineGrammar }, mode] = await Promise.all([import('./line-grammar'), load]);
  return lineGrammar(mode);
}

const script = async (dialect: string) =>
  (await import('@lezer/javascript')).parser.configure({ dialect: dialect });
const likeC = async (mode: 'csharp' | 'dart' | 'kotlin' | 'objectiveC' | 'scala') =>
  (await import('@codemirror/legacy-modes/mode/clike'))[mode];

/** A page with code in it, or code alone. */
async function php(): Promise<Grammar> {
  const [{ lezerGrammar }, { parser }] = await Promise.all([import('./lezer-grammar'), import('@lezer/php')]);
  const page = lezerGrammar(parser);
  const alone = lezerGrammar(parser.configure({ top: 'Program' }));
  return (code) => (code.includes('<?') ? page : alone)(code);
}

/** What a block may be called, first the name of the language and then what else is written. */
const languages: readonly (readonly [names: string, load: () => Promise<Grammar>])[] = [
  ['javascript js mjs cjs node jsx', () => tree(script('jsx'))],
  ['typescript ts mts cts', () => tree(script('ts'))],
  ['tsx', () => tree(script('ts jsx'))],
  ['json jsonc json5 jsonl', () => tree(import('@lezer/json').then(({ parser }) => parser))],
  ['python py python3 py3', () => tree(import('@lezer/python').then(({ parser }) => parser))],
  ['html htm vue svelte', () => tree(import('./html-grammar').then(({ parser }) => parser))],
  ['xml svg xsl rss plist', () => tree(import('@lezer/xml').then(({ parser }) => parser))],
  ['css', () => tree(import('@lezer/css').then(({ parser }) => parser))],
  ['java', () => tree(import('@lezer/java').then(({ parser }) => parser))],
  ['cpp c++ c cc cxx h hpp arduino', () => tree(import('@lezer/cpp').then(({ parser }) => parser))],
  ['rust rs', () => tree(import('@lezer/rust').then(({ parser }) => parser))],
  ['go golang', () => tree(import('@lezer/go').then(({ parser }) => parser))],
  ['php', () => php()],
  ['yaml yml', () => tree(import('@lezer/yaml').then(({ parser }) => parser))],
  ['csharp cs c#', () => lines(likeC('csharp'))],
  ['kotlin kt kts', () => lines(likeC('kotlin'))],
  ['scala', () => lines(likeC('scala'))],
  ['dart', () => lines(likeC('dart'))],
  ['objectivec objective-c objc', () => lines(likeC('objectiveC'))],
  [
    'bash sh shell zsh console shellscript',
    () => lines(import('@codemirror/legacy-modes/mode/shell').then(({ shell }) => shell)),
  ],
  [
    'powershell ps1 pwsh ps',
    () => lines(import('@codemirror/legacy-modes/mode/powershell').then(({ powerShell }) => powerShell)),
  ],
  [
    'sql mysql',
    () => lines(import('@codemirror/legacy-modes/mode/sql').then(({ standardSQL }) => standardSQL)),
  ],
  [
    'postgresql postgres pgsql',
    () => lines(import('@codemirror/legacy-modes/mode/sql').then(({ pgSQL }) => pgSQL)),
  ],
  ['sqlite', () => lines(import('@codemirror/legacy-modes/mode/sql').then(({ sqlite }) => sqlite))],
  ['ruby rb', () => lines(import('@codemirror/legacy-modes/mode/ruby').then(({ ruby }) => ruby))],
  ['swift', () => lines(import('@codemirror/legacy-modes/mode/swift').then(({ swift }) => swift))],
  ['lua', () => lines(import('@codemirror/legacy-modes/mode/lua').then(({ lua }) => lua))],
  ['perl pl', () => lines(import('@codemirror/legacy-modes/mode/perl').then(({ perl }) => perl))],
  ['r rscript', () => lines(import('@codemirror/legacy-modes/mode/r').then(({ r }) => r))],
  ['julia jl', () => lines(import('@codemirror/legacy-modes/mode/julia').then(({ julia }) => julia))],
  ['haskell hs', () => lines(import('@codemirror/legacy-modes/mode/haskell').then(({ haskell }) => haskell))],
  ['matlab octave', () => lines(import('@codemirror/legacy-modes/mode/octave').then(({ octave }) => octave))],
  ['latex tex', () => lines(import('@codemirror/legacy-modes/mode/stex').then(({ stex }) => stex))],
  ['scss', () => lines(import('@codemirror/legacy-modes/mode/css').then(({ sCSS }) => sCSS))],
  ['less', () => lines(import('@codemirror/legacy-modes/mode/css').then(({ less }) => less))],
  ['toml', () => lines(import('@codemirror/legacy-modes/mode/toml').then(({ toml }) => toml))],
  [
    'ini properties env dotenv conf',
    () => lines(import('@codemirror/legacy-modes/mode/properties').then(({ properties }) => properties)),
  ],
  [
    'dockerfile docker',
    () => lines(import('@codemirror/legacy-modes/mode/dockerfile').then(({ dockerFile }) => dockerFile)),
  ],
  ['nginx', () => lines(import('@codemirror/legacy-modes/mode/nginx').then(({ nginx }) => nginx))],
  ['diff patch', () => lines(import('@codemirror/legacy-modes/mode/diff').then(({ diff }) => diff))],
];

const byName = new Map(
  languages.flatMap(([names, load]) => names.split(' ').map((name) => [name, load] as const)),
);

/** Undefined for a language that has none. Rejects where it cannot be fetched, as when the app was replaced meanwhile. */
export async function loadGrammar(language: string): Promise<Grammar | undefined> {
  return byName.get(language.toLowerCase())?.();
}
