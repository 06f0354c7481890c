/** Scrolls to a turn or a match in it: unfolds what contains it, opens the file it is in and marks it for a moment. */
import './find.css';
import { tick } from 'svelte';
import { on } from 'svelte/events';
import type { SearchHit } from '../../../contracts/search';
import { drawnText, placeOfHit, saidIn } from './drawn-text';

/** Elements that scroll into view find their final height over several frames: we scroll again in each. */
const turnFrames = 12;
const rangeFrames = 8;
const fileFrames = 300;
const markedMs = 2400;
const inputEvents = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

interface Target {
  turnId: string;
  part: 'question' | 'reply';
  /** The match to show; undefined if the user followed an address. */
  hit?: SearchHit | undefined;
  textOfFile: (fileId: string) => Promise<string | undefined>;
}

/** Resolves when the turn stays in view. Does nothing if the turn is not drawn. */
export async function showTurn(list: HTMLElement, { turnId, part, hit, textOfFile }: Target): Promise<void> {
  const turn = list.querySelector(`[data-turn="${CSS.escape(turnId)}"]`);
  const articles = turn?.querySelectorAll(':scope > article');
  const shown = (part === 'question' ? articles?.[0] : articles?.[articles.length - 1]) ?? turn;
  if (!shown) return;
  // A chat that has just opened scrolls to its end first.
  await nextFrame();
  await nextFrame();
  const isLeft = watchReader();
  await keepInView(shown, isLeft);
  const inFile = part === 'question' && hit?.place === 'rest';
  const range =
    hit && ((inFile && (await showInFile(shown, hit, textOfFile))) || (await findHit(shown, hit)));
  if (range) {
    markFor(range);
    await scrollToRange(range, isLeft);
    return;
  }
  const cut = hit?.place === 'rest' ? cardsOfCutResults(shown) : [];
  if (!isLeft()) cut[0]?.scrollIntoView({ block: 'center', behavior: 'instant' });
  for (const lit of cut.length > 0 ? cut : [shown]) markBriefly(lit);
}

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

/** Centres `range` in every scrolling element around it. Resolves when it stays there, or when `isLeft` says the reader scrolls. */
export async function scrollToRange(range: Range, isLeft = () => false): Promise<void> {
  for (let count = 0; count < rangeFrames && !isLeft(); count++) {
    for (let part = range.startContainer.parentElement; part; part = part.parentElement)
      scrollIn(part, range);
    await nextFrame();
  }
}

function scrollIn(part: Element, range: Range): void {
  const { overflowY, overflowX } = getComputedStyle(part);
  const place = range.getBoundingClientRect();
  const frame = part.getBoundingClientRect();
  if (isScrollable(overflowY) && part.scrollHeight > part.clientHeight) {
    const away = place.top + place.height / 2 - (frame.top + frame.height / 2);
    // In the middle half it may stay where it is, so that the text does not jump from match to match.
    if (Math.abs(away) > frame.height / 4) part.scrollTop += away;
  }
  if (isScrollable(overflowX) && (place.left < frame.left || place.right > frame.right)) {
    part.scrollLeft += place.left - frame.left - frame.width / 2;
  }
}

function isScrollable(overflow: string): boolean {
  return overflow === 'auto' || overflow === 'scroll';
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    // A hidden page draws no frames.
    setTimeout(resolve, 100);
  });
}

/** Cards of results that were cut for the model. A match that is not drawn is in the cut part, one press away. */
function cardsOfCutResults(shown: Element): Element[] {
  return [...shown.querySelectorAll('[role="group"]:has(> .kept > [aria-haspopup="dialog"])')];
}

function markBriefly(shown: Element): void {
  const lit = {
    boxShadow: '0 0 0 0.5rem var(--warn-soft)',
    background: 'var(--warn-soft)',
    borderRadius: '0.25rem',
  };
  shown.animate([lit, { ...lit, offset: 0.6 }, { borderRadius: '0.25rem' }], markedMs);
}

function markFor(range: Range): void {
  if (!('highlights' in CSS)) return;
  const mark = new Highlight(range);
  CSS.highlights.set('found-now', mark);
  setTimeout(() => {
    if (CSS.highlights.get('found-now') === mark) CSS.highlights.delete('found-now');
  }, markedMs);
}

/** The range of a hit; undefined if it is not drawn, because it is in the cut part of a result. */
async function findHit(shown: Element, { place, snippet }: SearchHit): Promise<Range | undefined> {
  const said = saidIn(shown).filter((element) => isPlace(element, place));
  for (const certainty of ['sure', 'any'] as const) {
    for (const element of said) {
      const { text, rangeOf } = drawnText(element);
      const found = placeOfHit(text, snippet, certainty);
      if (!found) continue;
      await unfold(element);
      return rangeOf(found);
    }
  }
  return undefined;
}

/** The answer is the Markdown outside of tool cards; everything else is a step on the way to it. */
function isPlace(element: Element, place: SearchHit['place']): boolean {
  const isAnswer = element.matches('.markdown') && element.closest('[role="group"]') === null;
  return place === 'question' || isAnswer === (place === 'answer');
}

/** Opens the attached file that contains the hit. Undefined if no file contains it. */
async function showInFile(
  question: Element,
  { snippet }: SearchHit,
  textOf: (fileId: string) => Promise<string | undefined>,
): Promise<Range | undefined> {
  const chips = [...question.querySelectorAll<HTMLElement>('[data-file]')];
  const texts = await Promise.all(chips.map((chip) => textOf(chip.dataset['file'] ?? '')));
  for (const certainty of ['sure', 'any'] as const) {
    const at = texts.findIndex((text = '') => placeOfHit(text, snippet, certainty));
    const opener = chips[at]?.querySelector('button');
    if (!opener) continue;
    opener.click();
    const drawn = await textInDialog();
    const found = drawn && drawnText(drawn);
    const place = found ? placeOfHit(found.text, snippet, certainty) : undefined;
    return place && found?.rangeOf(place);
  }
  return undefined;
}

async function textInDialog(): Promise<Element | null> {
  for (let count = 0; count < fileFrames; count++) {
    const drawn = document.querySelector('dialog[open] [role="figure"] > pre')?.parentElement;
    if (drawn) return drawn;
    await nextFrame();
  }
  return null;
}

/** Returns a function that says whether the reader has scrolled since. From then on we must not scroll. */
function watchReader(): () => boolean {
  let isLeft = false;
  const leave = () => {
    isLeft = true;
    for (const end of ends) end();
  };
  const ends = inputEvents.map((type) => on(window, type, leave, { capture: true, passive: true }));
  setTimeout(() => ends.forEach((end) => end()), markedMs);
  return () => isLeft;
}

async function keepInView(shown: Element, isLeft: () => boolean): Promise<void> {
  for (let count = 0; count < turnFrames && !isLeft(); count++) {
    shown.scrollIntoView({ block: 'start', behavior: 'instant' });
    await nextFrame();
  }
}
