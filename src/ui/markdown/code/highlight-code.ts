/** Colours complete code blocks while the page is idle, without changing their text. */
import type { Parser } from '@lezer/common';
import type { StreamParser } from '@codemirror/streamparser';
import './code.css';
import type { CodeSpan, Grammar } from './grammar';

/** Maximum length of coloured code, in characters. Longer code would need too many elements. */
const maxCodeLength = 200_000;
/** Maximum milliseconds of work at a time, and in total. Code that takes longer stays uncoloured. */
const maxSliceMs = 5;
const maxTotalMs = 2000;
const selectionRetryMs = 1000;

/** Resolves when the code is coloured or will not be. `isOver` returns whether the code has left the screen. */
export async function highlightCode(
  code: HTMLElement,
  language: string,
  isOver: () => boolean,
): Promise<void> {
  const text = code.textContent;
  if (text.length > maxCodeLength) return;
  const read = await loadGrammar(language);
  if (!read) return;
  const spans: CodeSpan[] = [];
  const isRead = await inIdleTime(collectSpans(read(text), spans), isOver);
  if (isRead && !isOver()) await inIdleTime(colorCode(code, spans), isOver);
}

/** Each step yields whether to wait before the next step. */
type ColoringSteps = Generator<boolean, void>;

function* collectSpans(steps: ReturnType<Grammar>, spans: CodeSpan[]): ColoringSteps {
  for (const found of steps) {
    spans.push(...found);
    yield false;
  }
}

/** Colours one text node per step. Waits while the user selects text in a node, because replacing it ends the selection. */
function* colorCode(code: HTMLElement, spans: readonly CodeSpan[]): ColoringSteps {
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

/** Resolves to false if the steps take too long, or if `isOver` returns true. */
async function inIdleTime(steps: ColoringSteps, isOver: () => boolean): Promise<boolean> {
  let worked = 0;
  while (worked < maxTotalMs && !isOver()) {
    await nextIdle();
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

function nextIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 500 });
    else setTimeout(resolve, 20);
  });
}

async function loadLezerGrammar(load: Promise<Parser>): Promise<Grammar> {
  const [{ lezerGrammar }, parser] = await Promise.all([import('./lezer-grammar'), load]);
  return lezerGrammar(parser);
}

async function loadLineGrammar<State>(load: Promise<StreamParser<State>>): Promise<Grammar> {
  const [{ lineGrammar }, mode] = await Promise.all([import('./line-grammar'), load]);
  return lineGrammar(mode);
}

const scriptGrammar = async (dialect: string) =>
  (await import('@lezer/javascript')).parser.configure({ dialect: dialect });
const cLikeGrammar = async (mode: 'csharp' | 'dart' | 'kotlin' | 'objectiveC' | 'scala') =>
  (await import('@codemirror/legacy-modes/mode/clike'))[mode];

async function phpGrammar(): Promise<Grammar> {
  const [{ lezerGrammar }, { parser }] = await Promise.all([import('./lezer-grammar'), import('@lezer/php')]);
  const page = lezerGrammar(parser);
  const alone = lezerGrammar(parser.configure({ top: 'Program' }));
  return (code) => (code.includes('<?') ? page : alone)(code);
}

/** The languages that we can colour: name, aliases, and how to load the grammar for the first code block. */
const grammarLoaders: readonly (readonly [names: string, load: () => Promise<Grammar>])[] = [
  ['javascript js mjs cjs node jsx', () => loadLezerGrammar(scriptGrammar('jsx'))],
  ['typescript ts mts cts', () => loadLezerGrammar(scriptGrammar('ts'))],
  ['tsx', () => loadLezerGrammar(scriptGrammar('ts jsx'))],
  ['json jsonc json5 jsonl', () => loadLezerGrammar(import('@lezer/json').then(({ parser }) => parser))],
  ['python py python3 py3', () => loadLezerGrammar(import('@lezer/python').then(({ parser }) => parser))],
  [
    'html htm vue svelte',
    () => loadLezerGrammar(import('./html-grammar').then(({ htmlParser: parser }) => parser)),
  ],
  ['xml svg xsl rss plist', () => loadLezerGrammar(import('@lezer/xml').then(({ parser }) => parser))],
  ['css', () => loadLezerGrammar(import('@lezer/css').then(({ parser }) => parser))],
  ['java', () => loadLezerGrammar(import('@lezer/java').then(({ parser }) => parser))],
  [
    'cpp c++ c cc cxx h hpp arduino',
    () => loadLezerGrammar(import('@lezer/cpp').then(({ parser }) => parser)),
  ],
  ['rust rs', () => loadLezerGrammar(import('@lezer/rust').then(({ parser }) => parser))],
  ['go golang', () => loadLezerGrammar(import('@lezer/go').then(({ parser }) => parser))],
  ['php', () => phpGrammar()],
  ['yaml yml', () => loadLezerGrammar(import('@lezer/yaml').then(({ parser }) => parser))],
  ['csharp cs c#', () => loadLineGrammar(cLikeGrammar('csharp'))],
  ['kotlin kt kts', () => loadLineGrammar(cLikeGrammar('kotlin'))],
  ['scala', () => loadLineGrammar(cLikeGrammar('scala'))],
  ['dart', () => loadLineGrammar(cLikeGrammar('dart'))],
  ['objectivec objective-c objc', () => loadLineGrammar(cLikeGrammar('objectiveC'))],
  [
    'bash sh shell zsh console shellscript',
    () => loadLineGrammar(import('@codemirror/legacy-modes/mode/shell').then(({ shell }) => shell)),
  ],
  [
    'powershell ps1 pwsh ps',
    () =>
      loadLineGrammar(
        import('@codemirror/legacy-modes/mode/powershell').then(({ powerShell }) => powerShell),
      ),
  ],
  [
    'sql mysql',
    () => loadLineGrammar(import('@codemirror/legacy-modes/mode/sql').then(({ standardSQL }) => standardSQL)),
  ],
  [
    'postgresql postgres pgsql',
    () => loadLineGrammar(import('@codemirror/legacy-modes/mode/sql').then(({ pgSQL }) => pgSQL)),
  ],
  ['sqlite', () => loadLineGrammar(import('@codemirror/legacy-modes/mode/sql').then(({ sqlite }) => sqlite))],
  ['ruby rb', () => loadLineGrammar(import('@codemirror/legacy-modes/mode/ruby').then(({ ruby }) => ruby))],
  ['swift', () => loadLineGrammar(import('@codemirror/legacy-modes/mode/swift').then(({ swift }) => swift))],
  ['lua', () => loadLineGrammar(import('@codemirror/legacy-modes/mode/lua').then(({ lua }) => lua))],
  ['perl pl', () => loadLineGrammar(import('@codemirror/legacy-modes/mode/perl').then(({ perl }) => perl))],
  ['r rscript', () => loadLineGrammar(import('@codemirror/legacy-modes/mode/r').then(({ r }) => r))],
  [
    'julia jl',
    () => loadLineGrammar(import('@codemirror/legacy-modes/mode/julia').then(({ julia }) => julia)),
  ],
  [
    'haskell hs',
    () => loadLineGrammar(import('@codemirror/legacy-modes/mode/haskell').then(({ haskell }) => haskell)),
  ],
  [
    'matlab octave',
    () => loadLineGrammar(import('@codemirror/legacy-modes/mode/octave').then(({ octave }) => octave)),
  ],
  ['latex tex', () => loadLineGrammar(import('@codemirror/legacy-modes/mode/stex').then(({ stex }) => stex))],
  ['scss', () => loadLineGrammar(import('@codemirror/legacy-modes/mode/css').then(({ sCSS }) => sCSS))],
  ['less', () => loadLineGrammar(import('@codemirror/legacy-modes/mode/css').then(({ less }) => less))],
  ['toml', () => loadLineGrammar(import('@codemirror/legacy-modes/mode/toml').then(({ toml }) => toml))],
  [
    'ini properties env dotenv conf',
    () =>
      loadLineGrammar(
        import('@codemirror/legacy-modes/mode/properties').then(({ properties }) => properties),
      ),
  ],
  [
    'dockerfile docker',
    () =>
      loadLineGrammar(
        import('@codemirror/legacy-modes/mode/dockerfile').then(({ dockerFile }) => dockerFile),
      ),
  ],
  ['nginx', () => loadLineGrammar(import('@codemirror/legacy-modes/mode/nginx').then(({ nginx }) => nginx))],
  [
    'diff patch',
    () => loadLineGrammar(import('@codemirror/legacy-modes/mode/diff').then(({ diff }) => diff)),
  ],
];

const loaderByName = new Map(
  grammarLoaders.flatMap(([names, load]) => names.split(' ').map((name) => [name, load] as const)),
);

/** Undefined for an unknown language. Rejects if the chunk fails to load, for example after an update of the app. */
async function loadGrammar(language: string): Promise<Grammar | undefined> {
  return loaderByName.get(language.toLowerCase())?.();
}
