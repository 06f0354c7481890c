/** What was found in a file that came with a question: the file is opened, as a person would, where the words stand. */
import type { SearchHit } from '../../../contracts/search';
import { drawnText } from './drawn-text';
import { placeOfHit } from './hit-place';
import { nextFrame } from './show-place';

/** Frames in which its text is fetched and drawn. */
const openingFrames = 300;

/** `textOf` resolves to what was read of a file by its id. Undefined where the words stand in none that is here. */
export async function showInFile(
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
  for (let count = 0; count < openingFrames; count++) {
    const drawn = document.querySelector('dialog[open] [role="figure"] > pre')?.parentElement;
    if (drawn) return drawn;
    await nextFrame();
  }
  return null;
}
