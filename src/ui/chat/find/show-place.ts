/** Brings a place of a text before the eye: what it is folded into is opened, and what scrolls is scrolled. */
import { tick } from 'svelte';

/** Frames in which what comes into view finds its height. */
const settlingFrames = 8;

/** Opens what an element is folded into, the outermost first. */
export async function unfold(element: Element): Promise<void> {
  const around: Element[] = [];
  for (let part: Element | null = element; part; part = part.parentElement) around.unshift(part);
  for (const part of around) {
    if (part instanceof HTMLDetailsElement) part.open = true;
    const opener = part.id === '' ? null : document.querySelector(`[aria-controls="${CSS.escape(part.id)}"]`);
    if (opener?.getAttribute('aria-expanded') !== 'false' || !(opener instanceof HTMLElement)) continue;
    opener.click();
    await tick();
  }
}

/** To the middle of all that scrolls around it. Resolves when it stays there, or the reader has gone elsewhere. */
export async function scrollToRange(range: Range, isLeft = () => false): Promise<void> {
  for (let count = 0; count < settlingFrames && !isLeft(); count++) {
    for (let part = range.startContainer.parentElement; part; part = part.parentElement)
      scrollIn(part, range);
    await nextFrame();
  }
}

function scrollIn(part: Element, range: Range): void {
  const { overflowY, overflowX } = getComputedStyle(part);
  const place = range.getBoundingClientRect();
  const frame = part.getBoundingClientRect();
  if (scrolls(overflowY) && part.scrollHeight > part.clientHeight) {
    const away = place.top + place.height / 2 - (frame.top + frame.height / 2);
    // Within its middle half it is left where it is: what is read does not jump from one place to the next.
    if (Math.abs(away) > frame.height / 4) part.scrollTop += away;
  }
  if (scrolls(overflowX) && (place.left < frame.left || place.right > frame.right)) {
    part.scrollLeft += place.left - frame.left - frame.width / 2;
  }
}

function scrolls(overflow: string): boolean {
  return overflow === 'auto' || overflow === 'scroll';
}

export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    // A hidden page draws no frames.
    setTimeout(resolve, 100);
  });
}
