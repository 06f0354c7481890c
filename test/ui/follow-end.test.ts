/** A growing text stays scrolled to its end until the reader scrolls. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AutoScroller } from '../../src/ui/chat/follow-end.svelte';

const frame = () => new Promise(requestAnimationFrame);
const frames = async (count = 4) => {
  for (let left = count; left > 0; left--) await frame();
};

/** Resolves after a frame is drawn, before the next one begins. */
const drawn = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(undefined);
  });

let scroller: HTMLElement;
let above: HTMLElement;
let text: HTMLElement;
let follow: AutoScroller;
let detach: () => void;

beforeEach(async () => {
  scroller = document.createElement('div');
  scroller.style.cssText = 'height: 300px; overflow-y: auto; overflow-anchor: none';
  const content = scroller.appendChild(document.createElement('div'));
  above = content.appendChild(document.createElement('div'));
  text = content.appendChild(document.createElement('div'));
  above.style.height = '600px';
  text.style.height = '400px';
  document.body.append(scroller);
  follow = new AutoScroller();
  detach = follow.attach(scroller);
  await frames();
});
afterEach(() => {
  detach();
  scroller.remove();
});

const left = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
const grow = (element: HTMLElement, by: number) => {
  element.style.height = `${element.offsetHeight + by}px`;
};

test('the view follows the end of the chat while the chat grows and shrinks', async () => {
  for (const by of [200, -120, 30]) {
    grow(text, by);
    await frames();
    expect(left()).toBe(0);
    expect(follow.isAtEnd).toBe(true);
  }
});

test('the view still follows the end of the chat if the chat shrinks before the scroll event', async () => {
  const box = document.body.appendChild(document.createElement('textarea'));
  box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  box.remove();
  await drawn();
  grow(above, -44);
  // Reading `scrollTop` makes the browser update it, and nothing is left at the old end.
  expect(scroller.scrollTop).toBe(656);
  grow(text, 100);
  await frames();
  expect(follow.isAtEnd).toBe(true);
  expect(left()).toBe(0);
});

test.for([
  ['wheel', 'the text'],
  ['pointerdown', 'the text'],
  ['touchmove', 'the text'],
  ['keydown', 'the text'],
  ['keydown', 'the page'],
] as const)(
  'the view stops following the end of the chat when the user scrolls up: %s in %s',
  async ([type, place]) => {
    (place === 'the page' ? document.body : text).dispatchEvent(new Event(type, { bubbles: true }));
    await drawn();
    scroller.scrollTop -= 5;
    grow(text, 100);
    await frames();
    expect(follow.isAtEnd).toBe(false);
    const top = scroller.scrollTop;
    grow(text, 100);
    await frames();
    expect(scroller.scrollTop).toBe(top);
  },
);

test('the view stops following the end of the chat when it is scrolled without a key or pointer', async () => {
  // As a screen reader or the browser's own search does.
  scroller.scrollTop -= 5;
  await frames();
  expect(follow.isAtEnd).toBe(false);
});

test('the view stops following the end of a growing chat when the user scrolls far up', async () => {
  await drawn();
  scroller.scrollTop -= 500;
  grow(text, 100);
  await frames();
  expect(follow.isAtEnd).toBe(false);
  expect(scroller.scrollTop).toBe(200);
});
