/**
 * The measured page: draws a reply piece by piece, one per frame, either as the app does (with heads, colours and formulas if `isDecorated`) or in the
 * cheapest way possible.
 */
import '../../src/ui/theme.css';
import '../../src/ui/markdown/markdown.css';
import enRest from '../../src/ui/i18n/en.json?rest';
import { createBlockDecorator } from '../../src/ui/markdown/dress-blocks';
import { createMarkdownRenderer } from '../../src/ui/markdown/stream-renderer';
import { createFloor } from './floor';
import './page.css';
import { replies, type Kind } from './replies';

export type Way = 'floor' | 'renderer' | 'nothing';

export interface Options {
  kind: Kind;
  way: Way;
  /** Characters per frame. */
  piece: number;
  /** Number of characters of the reply to draw. */
  length: number;
  /** Whether to add heads, colours and formulas, as in a chat. */
  isDecorated: boolean;
}

export interface Run {
  /** Whether the nodes at the end equal those of parsing the whole text at once. */
  isEqual: boolean;
  /** Duration of the longest single update in milliseconds, without layout. */
  longest: number;
}

const words = { ...enRest.reading.blocks, copied: 'Copied' };

declare global {
  interface Window {
    draw: (options: Options) => Promise<Run>;
  }
}

window.draw = async ({ kind, way, piece, length, isDecorated }) => {
  const text = replies[kind]().slice(0, length);
  const chat = document.querySelector('#chat');
  if (!chat) throw new Error('The page has no chat.');
  const finished = place(chat);
  createRenderer(finished, isDecorated)(text, true);
  await isStill(finished, isDecorated);

  const target = place(chat);
  await frame();

  const update = createUpdate(way, target, finished, text, isDecorated);
  let longest = 0;
  for (let end = 0; end < text.length;) {
    end = Math.min(text.length, end + piece);
    const start = performance.now();
    update(end);
    longest = Math.max(longest, performance.now() - start);
    chat.scrollTop = chat.scrollHeight;
    await frame();
  }
  await isStill(target, isDecorated);
  return { isEqual: way === 'nothing' || target.isEqualNode(finished), longest };
};

/** Creates an empty reply, alone on the page. */
function place(chat: Element): HTMLElement {
  const target = document.createElement('div');
  target.className = 'markdown';
  chat.replaceChildren(target);
  return target;
}

/** Waits for the work of idle time: every formula is drawn and every code block has its colours. */
async function isStill(target: Element, isDecorated: boolean): Promise<void> {
  const waits = () =>
    target.querySelector('[data-math]:not(:has(math)), code[data-colored]:not(:has(.code-lines))');
  while (isDecorated && waits()) await new Promise((resolve) => setTimeout(resolve, 20));
  // The last block gets its colours step by step.
  if (isDecorated) await new Promise((resolve) => setTimeout(resolve, 300));
}

function createRenderer(target: HTMLElement, isDecorated: boolean): (text: string, isWhole: boolean) => void {
  const decorator = isDecorated ? createBlockDecorator(target) : undefined;
  const renderer = createMarkdownRenderer(target, (element) => decorator?.redecorate(element));
  return (text, isWhole) => {
    renderer.update(text);
    if (isWhole) renderer.end();
    decorator?.decorate({ words, isWhole });
  };
}

/** Returns a function that updates the target to a given number of characters of the text. */
function createUpdate(
  way: Way,
  target: HTMLElement,
  finished: Element,
  text: string,
  isDecorated: boolean,
): (end: number) => void {
  if (way === 'nothing') return () => undefined;
  if (way === 'floor') {
    const floor = createFloor(target, finished);
    return (end: number) => {
      floor.show(end / text.length);
    };
  }
  const show = createRenderer(target, isDecorated);
  return (end: number) => {
    show(text.slice(0, end), end === text.length);
  };
}

function frame(): Promise<number> {
  return new Promise(requestAnimationFrame);
}
