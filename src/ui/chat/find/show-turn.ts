/** Scrolls to a turn, or to a match in a turn. Opens whatever hides the match, and highlights the match briefly. */
import { tick } from 'svelte';
import { on } from 'svelte/events';
import type { SearchHit } from '../../../contracts/search';
import { scrollInputEvents } from '../follow-end.svelte';
import { readDrawnText, locateHit, searchableElementsIn } from './drawn-text';

/** Elements reach their final height only after several frames, so we scroll again in each frame. */
const maxTurnScrollFrames = 12;
const maxRangeScrollFrames = 8;
const maxDialogWaitFrames = 300;
const highlightMs = 2400;

/** Matches the tool cards whose results we shortened for the model. */
const cutResultCardSelector = '[role="group"]:has(> .kept > [aria-haspopup="dialog"])';

interface Target {
  turnId: string;
  part: 'question' | 'reply';
  /** The match to show. Undefined if the user followed a link to the message. */
  hit?: SearchHit | undefined;
  textOfFile: (fileId: string) => Promise<string | undefined>;
}

/** Resolves when the turn is in place on the screen. Does nothing if the turn is not drawn. */
export async function showTurn(list: HTMLElement, { turnId, part, hit, textOfFile }: Target): Promise<void> {
  const turn = list.querySelector(`[data-turn="${CSS.escape(turnId)}"]`);
  const articles = turn?.querySelectorAll(':scope > article');
  const shown = (part === 'question' ? articles?.[0] : articles?.[articles.length - 1]) ?? turn;
  if (!shown) return;
  // A chat that has just opened scrolls to its end first.
  await waitForFrame();
  await waitForFrame();
  const hasReaderActed = detectReaderInput();
  for (let frame = 0; frame < maxTurnScrollFrames && !hasReaderActed(); frame++) {
    shown.scrollIntoView({ block: 'start', behavior: 'instant' });
    await waitForFrame();
  }
  const inFile = part === 'question' && hit?.place === 'rest';
  const range =
    hit && ((inFile && (await showHitInFile(shown, hit, textOfFile))) || (await findHitRange(shown, hit)));
  if (range) {
    highlightBriefly(range);
    return scrollToRange(range, hasReaderActed);
  }
  // No drawn text matches, so the match is in the part of a result that we cut off.
  const cutCards = hit?.place === 'rest' ? [...shown.querySelectorAll(cutResultCardSelector)] : [];
  if (!hasReaderActed()) cutCards[0]?.scrollIntoView({ block: 'center', behavior: 'instant' });
  for (const lit of cutCards.length > 0 ? cutCards : [shown]) flashElement(lit);
}

export async function unfoldAncestors(element: Element): Promise<void> {
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

/** Centres `range` in every scrolling element around it. Stops early if the reader scrolls. */
export async function scrollToRange(range: Range, hasReaderActed = () => false): Promise<void> {
  for (let count = 0; count < maxRangeScrollFrames && !hasReaderActed(); count++) {
    for (let part = range.startContainer.parentElement; part; part = part.parentElement)
      centreRangeWithin(part, range);
    await waitForFrame();
  }
}

function centreRangeWithin(part: Element, range: Range): void {
  const { overflowY, overflowX } = getComputedStyle(part);
  const place = range.getBoundingClientRect();
  const frame = part.getBoundingClientRect();
  if (isScrollable(overflowY) && part.scrollHeight > part.clientHeight) {
    const away = place.top + place.height / 2 - (frame.top + frame.height / 2);
    // A match in the middle half needs no scrolling, which would make the text jump.
    if (Math.abs(away) > frame.height / 4) part.scrollTop += away;
  }
  if (isScrollable(overflowX) && (place.left < frame.left || place.right > frame.right)) {
    part.scrollLeft += place.left - frame.left - frame.width / 2;
  }
}

const isScrollable = (overflow: string) => overflow === 'auto' || overflow === 'scroll';

function waitForFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    // A hidden page draws no frames, so wait at most this long.
    setTimeout(resolve, 100);
  });
}

function flashElement(shown: Element): void {
  const lit = {
    boxShadow: '0 0 0 0.5rem var(--warn-soft)',
    background: 'var(--warn-soft)',
    borderRadius: '0.25rem',
  };
  shown.animate([lit, { ...lit, offset: 0.6 }, { borderRadius: '0.25rem' }], highlightMs);
}

function highlightBriefly(range: Range): void {
  if (!('highlights' in CSS)) return;
  const mark = new Highlight(range);
  CSS.highlights.set('found-now', mark);
  setTimeout(() => {
    if (CSS.highlights.get('found-now') === mark) CSS.highlights.delete('found-now');
  }, highlightMs);
}

/** The range of a hit. Undefined if the hit is in the part of a result that we cut off. */
async function findHitRange(shown: Element, { place, snippet }: SearchHit): Promise<Range | undefined> {
  const said = searchableElementsIn(shown).filter((element) => canContainHit(element, place));
  for (const certainty of ['sure', 'any'] as const) {
    for (const element of said) {
      const { text, rangeOf } = readDrawnText(element);
      const found = locateHit(text, snippet, certainty);
      if (!found) continue;
      await unfoldAncestors(element);
      return rangeOf(found);
    }
  }
  return undefined;
}

/** True if this element may contain the hit. The answer of a turn is its Markdown outside of tool cards. */
function canContainHit(element: Element, place: SearchHit['place']): boolean {
  const isAnswer = element.matches('.markdown') && element.closest('[role="group"]') === null;
  return place === 'question' || isAnswer === (place === 'answer');
}

/** Opens the attached file that contains the hit. Resolves to undefined if there is none. */
async function showHitInFile(
  question: Element,
  { snippet }: SearchHit,
  textOf: (fileId: string) => Promise<string | undefined>,
): Promise<Range | undefined> {
  const chips = [...question.querySelectorAll<HTMLElement>('[data-file]')];
  const texts = await Promise.all(chips.map((chip) => textOf(chip.dataset['file'] ?? '')));
  for (const certainty of ['sure', 'any'] as const) {
    const at = texts.findIndex((text = '') => locateHit(text, snippet, certainty));
    const opener = chips[at]?.querySelector('button');
    if (!opener) continue;
    opener.click();
    const drawn = await waitForDialogText();
    const found = drawn && readDrawnText(drawn);
    const place = found ? locateHit(found.text, snippet, certainty) : undefined;
    return place && found?.rangeOf(place);
  }
  return undefined;
}

async function waitForDialogText(): Promise<Element | null> {
  for (let count = 0; count < maxDialogWaitFrames; count++) {
    const drawn = document.querySelector('dialog[open] [role="figure"] > pre')?.parentElement;
    if (drawn) return drawn;
    await waitForFrame();
  }
  return null;
}

/** The returned function tells whether the reader has scrolled, clicked or pressed a key since this call. We must then stop scrolling. */
function detectReaderInput(): () => boolean {
  let hasReaderActed = false;
  const leave = () => {
    hasReaderActed = true;
    for (const end of ends) end();
  };
  const ends = scrollInputEvents.map((type) => on(window, type, leave, { capture: true, passive: true }));
  setTimeout(() => ends.forEach((end) => end()), highlightMs);
  return () => hasReaderActed;
}
