/** Brings a turn of a chat before the eye, and in it the words that were looked for; marks them for a moment. */
import './find.css';
import type { SearchHit } from '../../../contracts/search';
import { on } from 'svelte/events';
import { drawnText, saidIn } from './drawn-text';
import { placeOfHit } from './hit-place';
import { showInFile } from './show-file';
import { nextFrame, scrollToRange, unfold } from './show-place';

/** Frames in which what comes into view finds its height: the turn is brought back to its place in each. */
const settlingFrames = 12;
const markedMs = 2400;
/** What a reader goes elsewhere by. */
const signs = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
interface Shown {
  turnId: string;
  part: 'question' | 'reply';
  /** What of it was found; missing where somebody followed an address. */
  hit?: SearchHit | undefined;
  /** What was read of a file, by its id. */
  textOfFile: (fileId: string) => Promise<string | undefined>;
}

/** Resolves when it stays where it is; does nothing where the turn is not drawn. */
export async function showTurn(list: HTMLElement, { turnId, part, hit, textOfFile }: Shown): Promise<void> {
  const turn = list.querySelector(`[data-turn="${CSS.escape(turnId)}"]`);
  const articles = turn?.querySelectorAll(':scope > article');
  const shown = (part === 'question' ? articles?.[0] : articles?.[articles.length - 1]) ?? turn;
  if (!shown) return;
  // A chat that has just been opened goes to its end first.
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
  const cut = hit?.place === 'rest' ? cutCards(shown) : [];
  if (!isLeft()) cut[0]?.scrollIntoView({ block: 'center', behavior: 'instant' });
  for (const lit of cut.length > 0 ? cut : [shown]) glow(lit);
}

/** What is not drawn stands in the part of a result that no model was given: one press from here. */
function cutCards(shown: Element): Element[] {
  return [...shown.querySelectorAll('[role="group"]:has(> .kept > [aria-haspopup="dialog"])')];
}

function glow(shown: Element): void {
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
    // Another may be marked by then.
    if (CSS.highlights.get('found-now') === mark) CSS.highlights.delete('found-now');
  }, markedMs);
}

/** Where the words of a hit stand. Undefined where they are not drawn: in the part of a result that no model was given. */
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

/** What a reply says is Markdown outside of cards; all else is a step on the way to it. */
function isPlace(element: Element, place: SearchHit['place']): boolean {
  const isAnswer = element.matches('.markdown') && element.closest('[role="group"]') === null;
  return place === 'question' || isAnswer === (place === 'answer');
}

/** Whether the reader has gone elsewhere since: from then on nothing scrolls but by them. */
function watchReader(): () => boolean {
  let isLeft = false;
  const leave = () => {
    isLeft = true;
    for (const end of ends) end();
  };
  const ends = signs.map((sign) => on(window, sign, leave, { capture: true, passive: true }));
  setTimeout(() => ends.forEach((end) => end()), markedMs);
  return () => isLeft;
}

async function keepInView(shown: Element, isLeft: () => boolean): Promise<void> {
  for (let count = 0; count < settlingFrames && !isLeft(); count++) {
    shown.scrollIntoView({ block: 'start', behavior: 'instant' });
    await nextFrame();
  }
}
