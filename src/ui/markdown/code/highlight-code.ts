/** Colours complete blocks of code in idle time, without changing their text. */
import type { Parser } from '@lezer/common';
import type { StreamParser } from '@codemirror/streamparser';
import './code.css';
import type { CodeSpan, Grammar } from './grammar';

/** Maximum characters to colour. A page cannot hold the elements of longer code. */
const maxLength = 200_000;
/** Milliseconds of work at a time, and in total. Code that takes longer stays without colours. */
const sliceMs = 5;
const totalMs = 2000;
const selectedMs = 1000;

/** Resolves when the code has its colours or gets none. `isOver` says that the code has left the screen. */
export async function highlightCode(
  code: HTMLElement,
  language: string,
  isOver: () => boolean,
): Promise<void> {
  const text = code.textContent;
  if (text.length > maxLength) return;
  const read = await loadGrammar(language);
  if (!read) return;
  const spans: CodeSpan[] = [];
  const isRead = await inIdleTime(collect(read(text), spans), isOver);
  if (isRead && !isOver()) await inIdleTime(color(code, spans), isOver);
}

/** Yields whether to wait before the next step. */
type Steps = Generator<boolean, void>;

function* collect(steps: ReturnType<Grammar>, spans: CodeSpan[]): Steps {
  for (const found of steps) {
    spans.push(...found);
    yield false;
  }
}

/** Colours one text node per step. Replacing a node would drop a selection in it, so it waits for that to end. */
function* color(code: HTMLElement, spans: readonly CodeSpan[]): Steps {
  let start = 0;
  let next = 0;
  for (const node of [...code.childNodes]) {
    if (!(node instanceof Text)) continue;
    while (isSelected(node)) yield true;
    const end = start + node.length;
    const block = document.createElement('span');
    block.className = 'code-lines';
    let at = start;
    for (let span = spans[next]; span && span.from < end; span = spans[++next]) {
      const to = Math.min(span.to, end);
      if (to > at) {
        const from = Math.max(span.from, at);
        if (from > at) block.append(node.data.slice(at - start, from - start));
        const word = document.createElement('span');
        word.className = `code-${span.kind}`;
        word.textContent = node.data.slice(from - start, to - start);
        block.append(word);
        at = to;
      }
      if (span.to > end) break;
    }
    if (at < end) block.append(node.data.slice(at - start));
    node.replaceWith(block);
    start = end;
    yield false;
  }
}

function isSelected(node: Text): boolean {
  const selection = node.ownerDocument.getSelection();
  return selection?.isCollapsed === false && selection.containsNode(node, true);
}

/** Resolves to false if the steps took too long or `isOver`. */
async function inIdleTime(steps: Steps, isOver: () => boolean): Promise<boolean> {
  let worked = 0;
  while (worked < totalMs && !isOver()) {
    await nextIdle();
    const start = performance.now();
    let now = start;
    let step = steps.next();
    while (!step.done && !step.value && now - start < sliceMs) {
      step = steps.next();
      now = performance.now();
    }
    if (step.done) return true;
    worked += now - start;
    if (step.value) await new Promise((resolve) => setTimeout(resolve, selectedMs));
  }
  return false;
}

function nextIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 500 });
    else setTimeout(resolve, 20);
  });
}

async function treeLanguage(load: Promise<Parser>): Promise<Grammar> {
  const [{ lezerGrammar }, parser] = await Promise.all([import('./lezer-grammar'), load]);
  return lezerGrammar(parser);
}

async function lineLanguage<State>(load: Promise<StreamParser<State>>): Promise<Grammar> {
  const [{ lineGrammar }, mode] = await Promise.all([import('./line-grammar'), load]);
  return lineGrammar(mode);
}

const script = async (dialect: string) =>
  (await import('@lezer/javascript')).parser.configure({ dialect: dialect });
const likeC = async (mode: 'csharp' | 'dart' | 'kotlin' | 'objectiveC' | 'scala') =>
  (await import('@codemirror/legacy-modes/mode/clike'))[mode];

async function php(): Promise<Grammar> {
  const [{ lezerGrammar }, { parser }] = await Promise.all([import('./lezer-grammar'), import('@lezer/php')]);
  const page = lezerGrammar(parser);
  const alone = lezerGrammar(parser.configure({ top: 'Program' }));
  return (code) => (code.includes('<?') ? page : alone)(code);
}

/** The languages with colours, one line each: the name, its aliases, and the grammar to load with the first block. */
const languages: readonly (readonly [names: string, load: () => Promise<Grammar>])[] = [
  ['javascript js mjs cjs node jsx', () => treeLanguage(script('jsx'))],
  ['typescript ts mts cts', () => treeLanguage(script('ts'))],
  ['tsx', () => treeLanguage(script('ts jsx'))],
  ['json jsonc json5 jsonl', () => treeLanguage(import('@lezer/json').then(({ parser }) => parser))],
  ['python py python3 py3', () => treeLanguage(import('@lezer/python').then(({ parser }) => parser))],
  ['html htm vue svelte', () => treeLanguage(import('./html-grammar').then(({ parser }) => parser))],
  ['xml svg xsl rss plist', () => treeLanguage(import('@lezer/xml').then(({ parser }) => parser))],
  ['css', () => treeLanguage(import('@lezer/css').then(({ parser }) => parser))],
  ['java', () => treeLanguage(import('@lezer/java').then(({ parser }) => parser))],
  ['cpp c++ c cc cxx h hpp arduino', () => treeLanguage(import('@lezer/cpp').then(({ parser }) => parser))],
  ['rust rs', () => treeLanguage(import('@lezer/rust').then(({ parser }) => parser))],
  ['go golang', () => treeLanguage(import('@lezer/go').then(({ parser }) => parser))],
  ['php', () => php()],
  ['yaml yml', () => treeLanguage(import('@lezer/yaml').then(({ parser }) => parser))],
  ['csharp cs c#', () => lineLanguage(likeC('csharp'))],
  ['kotlin kt kts', () => lineLanguage(likeC('kotlin'))],
  ['scala', () => lineLanguage(likeC('scala'))],
  ['dart', () => lineLanguage(likeC('dart'))],
  ['objectivec objective-c objc', () => lineLanguage(likeC('objectiveC'))],
  [
    'bash sh shell zsh console shellscript',
    () => lineLanguage(import('@codemirror/legacy-modes/mode/shell').then(({ shell }) => shell)),
  ],
  [
    'powershell ps1 pwsh ps',
    () =>
      lineLanguage(import('@codemirror/legacy-modes/mode/powershell').then(({ powerShell }) => powerShell)),
  ],
  [
    'sql mysql',
    () => lineLanguage(import('@codemirror/legacy-modes/mode/sql').then(({ standardSQL }) => standardSQL)),
  ],
  [
    'postgresql postgres pgsql',
    () => lineLanguage(import('@codemirror/legacy-modes/mode/sql').then(({ pgSQL }) => pgSQL)),
  ],
  ['sqlite', () => lineLanguage(import('@codemirror/legacy-modes/mode/sql').then(({ sqlite }) => sqlite))],
  ['ruby rb', () => lineLanguage(import('@codemirror/legacy-modes/mode/ruby').then(({ ruby }) => ruby))],
  ['swift', () => lineLanguage(import('@codemirror/legacy-modes/mode/swift').then(({ swift }) => swift))],
  ['lua', () => lineLanguage(import('@codemirror/legacy-modes/mode/lua').then(({ lua }) => lua))],
  ['perl pl', () => lineLanguage(import('@codemirror/legacy-modes/mode/perl').then(({ perl }) => perl))],
  ['r rscript', () => lineLanguage(import('@codemirror/legacy-modes/mode/r').then(({ r }) => r))],
  ['julia jl', () => lineLanguage(import('@codemirror/legacy-modes/mode/julia').then(({ julia }) => julia))],
  [
    'haskell hs',
    () => lineLanguage(import('@codemirror/legacy-modes/mode/haskell').then(({ haskell }) => haskell)),
  ],
  [
    'matlab octave',
    () => lineLanguage(import('@codemirror/legacy-modes/mode/octave').then(({ octave }) => octave)),
  ],
  ['latex tex', () => lineLanguage(import('@codemirror/legacy-modes/mode/stex').then(({ stex }) => stex))],
  ['scss', () => lineLanguage(import('@codemirror/legacy-modes/mode/css').then(({ sCSS }) => sCSS))],
  ['less', () => lineLanguage(import('@codemirror/legacy-modes/mode/css').then(({ less }) => less))],
  ['toml', () => lineLanguage(import('@codemirror/legacy-modes/mode/toml').then(({ toml }) => toml))],
  [
    'ini properties env dotenv conf',
    () =>
      lineLanguage(import('@codemirror/legacy-modes/mode/properties').then(({ properties }) => properties)),
  ],
  [
    'dockerfile docker',
    () =>
      lineLanguage(import('@codemirror/legacy-modes/mode/dockerfile').then(({ dockerFile }) => dockerFile)),
  ],
  ['nginx', () => lineLanguage(import('@codemirror/legacy-modes/mode/nginx').then(({ nginx }) => nginx))],
  ['diff patch', () => lineLanguage(import('@codemirror/legacy-modes/mode/diff').then(({ diff }) => diff))],
];

const byName = new Map(
  languages.flatMap(([names, load]) => names.split(' ').map((name) => [name, load] as const)),
);

/** Undefined for a language without colours. Rejects if the chunk fails to load, for example after an update of the app. */
async function loadGrammar(language: string): Promise<Grammar | undefined> {
  return byName.get(language.toLowerCase())?.();
}
