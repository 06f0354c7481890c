import type { FetchedPicture, PictureProblem } from '../../contracts/attachment';
import type { RestWords } from '../i18n/words';
import { createElement } from '../markdown/create-element';
import { readLink, type SafeLink } from '../markdown/safe-link';

interface PictureLoaderOptions {
  load: (address: string, signal: AbortSignal) => Promise<FetchedPicture>;
  words: () => RestWords['reading'];
  /** True if the model made the address up, so the user must confirm it. */
  mustAsk: (address: string) => boolean;
  ask: (link: SafeLink, onShow: () => void) => void;
}

/** Loads a picture when the user clicks its button. The browser gets only bytes that we have checked. */
export function createPictureLoader({ load, words: wordsNow, mustAsk, ask }: PictureLoaderOptions) {
  /** Functions that cancel a load or hide a picture. The keys are the elements that contain the pictures. */
  const ends = new Map<Element, () => void>();

  async function show(place: HTMLElement, address: string): Promise<void> {
    const words = wordsNow();
    const button = place.querySelector('button');
    if (!button || ends.has(place)) return;
    const label = button.textContent;
    const controller = new AbortController();
    const status = findOrCreateStatus(place);
    status.textContent = '';
    const end = () => {
      controller.abort();
      ends.delete(place);
      button.textContent = label;
    };
    ends.set(place, end);
    button.textContent = words.pictures.stop;
    const picture = await load(address, controller.signal).catch(reportUnreachable);
    const shown = !controller.signal.aborted && picture.ok ? await decodePicture(picture) : undefined;
    // While the picture loaded, the user cancelled, or the reply was redrawn without this element.
    if (controller.signal.aborted || !place.isConnected) {
      shown?.release();
      ends.delete(place);
      return;
    }
    if (!shown) {
      end();
      status.textContent = problemTextOf(picture.ok ? 'damaged' : picture.problem, words);
      return;
    }
    const { element, release } = shown;
    element.alt = place.dataset['description'] || words.pictures.unnamed;
    place.append(element);
    button.textContent = words.pictures.hide;
    controller.signal.addEventListener('abort', () => {
      element.remove();
      release();
    });
  }

  return {
    press(place: HTMLElement): void {
      // Release pictures that a redraw has removed from the document.
      for (const [shown, end] of ends) if (!shown.isConnected) end();
      const endShown = ends.get(place);
      const address = place.dataset['address'] ?? '';
      const link = readLink(address);
      if (endShown) endShown();
      else if (link && mustAsk(link.href)) ask(link, () => void show(place, address));
      else void show(place, address);
    },
    end(): void {
      for (const end of ends.values()) end();
    },
  };
}

/** Used if the code that fetches pictures fails to load, for example after an update. */
const reportUnreachable = (): FetchedPicture => ({ ok: false, problem: 'unreachable' });

function findOrCreateStatus(place: HTMLElement): Element {
  const before = place.querySelector('[role=status]');
  if (before) return before;
  const status = createElement('span', { role: 'status' });
  place.append(status);
  return status;
}

/** Decodes a picture before it appears, so that its size is known. Undefined if the browser cannot decode it. */
async function decodePicture({ bytes, type }: { bytes: Uint8Array<ArrayBuffer>; type: string }) {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const release = () => URL.revokeObjectURL(url);
  const element = createElement('img', { src: url });
  try {
    await element.decode();
    return { element, release };
  } catch {
    release();
    return undefined;
  }
}

function problemTextOf(problem: PictureProblem, { pictures: { problems } }: RestWords['reading']): string {
  if (problem === 'stopped') return '';
  if (problem === 'wrong-type') return problems.other;
  if (problem === 'too-long') return problems.large;
  if (problem === 'refused-address' || problem === 'refused-request' || problem === 'refused-redirect')
    return problems.refused;
  return problems[problem];
}
