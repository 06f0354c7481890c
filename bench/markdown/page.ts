/** The measured page: draws a reply piece by piece, one a frame, as the app does or in the cheapest way there is. */
import '../../src/ui/theme.css';
import '../../src/ui/markdown/markdown.css';
import { createMarkdownRenderer } from '../../src/ui/markdown/stream-renderer';
import { createFloor } from './floor';
import './page.css';
import { replies, type Kind } from './replies';

export type Way = 'floor' | 'renderer' | 'nothing';

export interface Options {
  kind: Kind;
  way: Way;
  /** Characters a frame. */
  piece: number;
  /** Characters of the reply to draw. */
  length: number;
}

export interface Run {
  /** Whether the nodes at the end are those of one reading of the whole. */
  isEqual: boolean;
  /** Milliseconds of the longest single update, without layout. */
  longest: number;
}

declare global {
  interface Window {
    draw: (options: Options) => Promise<Run>;
  }
}

window.draw = async ({ kind, way, piece, length }) => {
  const text = replies[kind]().slice(0, length);
  const finished = document.createElement('div');
  finished.className = 'markdown';
  const whole = createMarkdownRenderer(finished);
  whole.update(text);
  whole.end();

  const chat = document.querySelector('#chat');
  if (!chat) throw new Error('The page has no chat.');
  const target = document.createElement('div');
  target.className = 'markdown';
  chat.replaceChildren(target);
  await frame();

  const update = createUpdate(way, target, finished, text);
  let longest = 0;
  for (let end = 0; end < text.length;) {
    end = Math.min(text.length, end + piece);
    const start = performance.now();
    update(end);
    longest = Math.max(longest, performance.now() - start);
    chat.scrollTop = chat.scrollHeight;
    await frame();
  }
  return { isEqual: way === 'nothing' || target.isEqualNode(finished), longest };
};

/** What brings the target up to so many characters of the text. */
function createUpdate(way: Way, target: HTMLElement, finished: Element, text: string) {
  if (way === 'nothing') return () => undefined;
  if (way === 'floor') {
    const floor = createFloor(target, finished);
    return (end: number) => {
      floor.show(end / text.length);
    };
  }
  const renderer = createMarkdownRenderer(target);
  return (end: number) => {
    renderer.update(text.slice(0, end));
    if (end === text.length) renderer.end();
  };
}

function frame(): Promise<number> {
  return new Promise(requestAnimationFrame);
}
