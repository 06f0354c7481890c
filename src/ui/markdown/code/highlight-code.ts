/**
 * Colours a block of code that is whole, in the page's idle time. Its text stays as it is: each text node becomes a line block of the
 * same text, with the words that have a colour in elements of their own.
 */
import './code.css';
import type { CodeSpan, Grammar } from './grammar';
import { loadGrammar } from './grammars';

/** Characters; more would make more elements than a page can hold. */
const longest = 200_000;
/** Milliseconds at a time, and in all: what a grammar cannot read by then stays without colours. */
const atOnce = 5;
const inAll = 2000;
/** Until it is looked again whether something in it is still selected. */
const selectedMs = 1000;

/** Resolves when it has its colours, or will have none. `isOver`: it is not to be seen any more. */
export async function highlightCode(
  code: HTMLElement,
  language: string,
  isOver: () => boolean,
): Promise<void> {
  const text = code.textContent;
  if (text.length > longest) return;
  const read = await loadGrammar(language);
  if (!read) return;
  const spans: CodeSpan[] = [];
  const isRead = await inIdleTime(collect(read(text), spans), isOver);
  if (isRead && !isOver()) await inIdleTime(color(code, spans), isOver);
}

/** Whether the next step is better made later. */
type Steps = Generator<boolean, void>;

function* collect(steps: ReturnType<Grammar>, spans: CodeSpan[]): Steps {
  for (const found of steps) {
    spans.push(...found);
    yield false;
  }
}

/** A step for each text node. What is selected in it would be let go, so that is waited for. */
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
      // A comment may go on in the next node.
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

/** False where it took too long or is not wanted any more. */
async function inIdleTime(steps: Steps, isOver: () => boolean): Promise<boolean> {
  let worked = 0;
  while (worked < inAll && !isOver()) {
    await idle();
    const start = performance.now();
    let now = start;
    let step = steps.next();
    while (!step.done && !step.value && now - start < atOnce) {
      step = steps.next();
      now = performance.now();
    }
    if (step.done) return true;
    worked += now - start;
    if (step.value) await new Promise((resolve) => setTimeout(resolve, selectedMs));
  }
  return false;
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Not in every browser.
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 500 });
    else setTimeout(resolve, 20);
  });
}
