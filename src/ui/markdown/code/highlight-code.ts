/** Colours complete code blocks while the page is idle, without changing their text. */
import type { parser as lezerParser } from '@lezer/json';
import type { StreamParser } from '@codemirror/streamparser';
import './code.css';
import { createElement } from '../create-element';
import type { CodeSpan, Grammar } from './line-grammar';

/** We do not colour longer code, because that would add too many elements to the page. */
const maxCodeCharacters = 200_000;
/** We colour in slices of `maxSliceMs`. Code that takes longer than `maxTotalMs` stays uncoloured. */
const maxSliceMs = 5;
const maxTotalMs = 2000;
const selectionRetryMs = 1000;

/** Resolves when the code is coloured or cannot be. Stops once `isOver` returns true: the code has left the page. */
export async function highlightCode(
  code: HTMLElement,
  language: string,
  isOver: () => boolean,
): Promise<void> {
  const text = code.textContent;
  if (text.length > maxCodeCharacters) return;
  const read = await loadGrammar(language);
  if (!read) return;
  const spans: CodeSpan[] = [];
  const isRead = await runInIdleTime(collectSpans(read(text), spans), isOver);
  if (isRead && !isOver()) await runInIdleTime(colorCode(code, spans), isOver);
}

/** A step yields true if we must wait before the next step, because the user is selecting text. */
type ColoringSteps = Generator<boolean, void>;

function* collectSpans(steps: ReturnType<Grammar>, spans: CodeSpan[]): ColoringSteps {
  for (const found of steps) {
    spans.push(...found);
    yield false;
  }
}

/** Colours one text node per step. Waits while the node contains selected text, because a change would deselect it. */
function* colorCode(code: HTMLElement, spans: readonly CodeSpan[]): ColoringSteps {
  let start = 0;
  let next = 0;
  for (const node of [...code.childNodes]) {
    if (!(node instanceof Text)) continue;
    while (isSelected(node)) yield true;
    const end = start + node.length;
    const block = createElement('span', { className: 'code-lines' });
    let at = start;
    for (let span = spans[next]; span && span.from < end; span = spans[++next]) {
      const to = Math.min(span.to, end);
      if (to > at) {
        const from = Math.max(span.from, at);
        if (from > at) block.append(node.data.slice(at - start, from - start));
        const textContent = node.data.slice(from - start, to - start);
        block.append(createElement('span', { className: `code-${span.kind}`, textContent }));
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

/** Resolves to false if the steps take too long, or if `isOver` returns true. */
async function runInIdleTime(steps: ColoringSteps, isOver: () => boolean): Promise<boolean> {
  let worked = 0;
  while (worked < maxTotalMs && !isOver()) {
    await waitForIdle();
    const start = performance.now();
    let now = start;
    let step = steps.next();
    while (!step.done && !step.value && now - start < maxSliceMs) {
      step = steps.next();
      now = performance.now();
    }
    if (step.done) return true;
    worked += now - start;
    if (step.value) await new Promise((resolve) => setTimeout(resolve, selectionRetryMs));
  }
  return false;
}

function waitForIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 500 });
    else setTimeout(resolve, 20);
  });
}

const toLezerLoader =
  (load: () => Promise<{ parser: typeof lezerParser }>, options: { dialect?: string; top?: string } = {}) =>
  async (): Promise<Grammar> => {
    const [{ createLezerGrammar }, { parser }] = await Promise.all([import('./lezer-grammar'), load()]);
    return createLezerGrammar(parser.configure(options));
  };

function toLoader<Mode extends string>(load: () => Promise<Record<Mode, StreamParser<unknown>>>, mode: Mode) {
  return async (): Promise<Grammar> => {
    const [{ createLineGrammar }, modes] = await Promise.all([import('./line-grammar'), load()]);
    return createLineGrammar(modes[mode]);
  };
}

const loadCLikeModes = () => import('@codemirror/legacy-modes/mode/clike');
const loadSqlModes = async () => {
  const { standardSQL, pgSQL, sqlite } = await import('@codemirror/legacy-modes/mode/sql');
  return { standardSQL, pgSQL, sqlite };
};
const loadCssModes = async () => {
  const { sCSS, less } = await import('@codemirror/legacy-modes/mode/css');
  return { sCSS, less };
};

const loadJavascript = () => import('@lezer/javascript');
const loadPhp = () => import('@lezer/php');

async function loadPhpGrammar(): Promise<Grammar> {
  const page = await toLezerLoader(loadPhp)();
  const alone = await toLezerLoader(loadPhp, { top: 'Program' })();
  return (code) => (code.includes('<?') ? page : alone)(code);
}

/** Maps the names of a language to a function that loads its grammar. */
const grammarLoaders: Readonly<Record<string, () => Promise<Grammar>>> = {
  'javascript js mjs cjs node jsx': toLezerLoader(loadJavascript, { dialect: 'jsx' }),
  'typescript ts mts cts': toLezerLoader(loadJavascript, { dialect: 'ts' }),
  tsx: toLezerLoader(loadJavascript, { dialect: 'ts jsx' }),
  'json jsonc json5 jsonl': toLezerLoader(() => import('@lezer/json')),
  'python py python3 py3': toLezerLoader(() => import('@lezer/python')),
  'html htm vue svelte': toLezerLoader(() => import('./html-grammar')),
  'xml svg xsl rss plist': toLezerLoader(() => import('@lezer/xml')),
  css: toLezerLoader(() => import('@lezer/css')),
  java: toLezerLoader(() => import('@lezer/java')),
  'cpp c++ c cc cxx h hpp arduino': toLezerLoader(() => import('@lezer/cpp')),
  'rust rs': toLezerLoader(() => import('@lezer/rust')),
  'go golang': toLezerLoader(() => import('@lezer/go')),
  php: loadPhpGrammar,
  'yaml yml': toLezerLoader(() => import('@lezer/yaml')),
  'csharp cs c#': toLoader(loadCLikeModes, 'csharp'),
  'kotlin kt kts': toLoader(loadCLikeModes, 'kotlin'),
  scala: toLoader(loadCLikeModes, 'scala'),
  dart: toLoader(loadCLikeModes, 'dart'),
  'objectivec objective-c objc': toLoader(loadCLikeModes, 'objectiveC'),
  'bash sh shell zsh console shellscript': toLoader(
    () => import('@codemirror/legacy-modes/mode/shell'),
    'shell',
  ),
  'powershell ps1 pwsh ps': toLoader(() => import('@codemirror/legacy-modes/mode/powershell'), 'powerShell'),
  'sql mysql': toLoader(loadSqlModes, 'standardSQL'),
  'postgresql postgres pgsql': toLoader(loadSqlModes, 'pgSQL'),
  sqlite: toLoader(loadSqlModes, 'sqlite'),
  'ruby rb': toLoader(() => import('@codemirror/legacy-modes/mode/ruby'), 'ruby'),
  swift: toLoader(() => import('@codemirror/legacy-modes/mode/swift'), 'swift'),
  lua: toLoader(() => import('@codemirror/legacy-modes/mode/lua'), 'lua'),
  'perl pl': toLoader(() => import('@codemirror/legacy-modes/mode/perl'), 'perl'),
  'r rscript': toLoader(() => import('@codemirror/legacy-modes/mode/r'), 'r'),
  'julia jl': toLoader(() => import('@codemirror/legacy-modes/mode/julia'), 'julia'),
  'haskell hs': toLoader(() => import('@codemirror/legacy-modes/mode/haskell'), 'haskell'),
  'matlab octave': toLoader(() => import('@codemirror/legacy-modes/mode/octave'), 'octave'),
  'latex tex': toLoader(() => import('@codemirror/legacy-modes/mode/stex'), 'stex'),
  scss: toLoader(loadCssModes, 'sCSS'),
  less: toLoader(loadCssModes, 'less'),
  toml: toLoader(() => import('@codemirror/legacy-modes/mode/toml'), 'toml'),
  'ini properties env dotenv conf': toLoader(
    () => import('@codemirror/legacy-modes/mode/properties'),
    'properties',
  ),
  'dockerfile docker': toLoader(() => import('@codemirror/legacy-modes/mode/dockerfile'), 'dockerFile'),
  nginx: toLoader(() => import('@codemirror/legacy-modes/mode/nginx'), 'nginx'),
  'diff patch': toLoader(() => import('@codemirror/legacy-modes/mode/diff'), 'diff'),
};

const loaderByName = new Map(
  Object.entries(grammarLoaders).flatMap(([names, load]) =>
    names.split(' ').map((name) => [name, load] as const),
  ),
);

/** Undefined for an unknown language. Rejects if the grammar fails to load, for example after an update. */
async function loadGrammar(language: string): Promise<Grammar | undefined> {
  return loaderByName.get(language.toLowerCase())?.();
}
