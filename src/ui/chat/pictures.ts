import type { FetchedPicture, PictureProblem } from '../../contracts/attachment';
import type { RestWords } from '../i18n/words';
import { createElement } from '../markdown/create-element';
import { readLink, type SafeLink } from '../markdown/safe-link';

interface PictureParts {
  load: (address: string, signal: AbortSignal) => Promise<FetchedPicture>;
  words: () => RestWords['reading'];
  /** Whether the user must confirm the address before we request it, because the model made it up. */
  mustAsk: (address: string) => boolean;
  ask: (link: SafeLink, onShow: () => void) => void;
}

/** Loads pictures in replies when the user clicks their buttons. The browser gets only bytes that we have checked. */
export class Pictures {
  readonly #parts: PictureParts;
  /** Functions that cancel the load or hide the picture, by its place in the reply. */
  readonly #ends = new Map<Element, () => void>();

  constructor(parts: PictureParts) {
    this.#parts = parts;
  }

  press(place: HTMLElement): void {
    this.#sweep();
    const end = this.#ends.get(place);
    if (end) {
      end();
      return;
    }
    const address = place.dataset['address'] ?? '';
    const link = readLink(address);
    if (link && this.#parts.mustAsk(link.href)) {
      this.#parts.ask(link, () => void this.#show(place, address));
    } else void this.#show(place, address);
  }

  end(): void {
    for (const end of [...this.#ends.values()]) end();
  }

  async #show(place: HTMLElement, address: string): Promise<void> {
    const words = this.#parts.words();
    const button = place.querySelector('button');
    if (!button || this.#ends.has(place)) return;
    const label = button.textContent;
    const over = new AbortController();
    const status = statusElement(place);
    status.textContent = '';
    this.#ends.set(place, () => {
      over.abort();
      this.#ends.delete(place);
      button.textContent = label;
    });
    button.textContent = words.pictures.stop;
    const picture = await this.#parts.load(address, over.signal).catch(unreachablePicture);
    const shown = !over.signal.aborted && picture.ok ? await decodePicture(picture) : undefined;
    // While the picture loaded, the user cancelled or the place left the document.
    if (over.signal.aborted || !place.isConnected) {
      shown?.release();
      this.#ends.delete(place);
      return;
    }
    if (!shown) {
      this.#ends.get(place)?.();
      status.textContent = problemText(picture.ok ? 'damaged' : picture.problem, words);
      return;
    }
    const { element, release } = shown;
    element.alt = place.dataset['description'] || words.pictures.unnamed;
    place.append(element);
    button.textContent = words.pictures.hide;
    over.signal.addEventListener('abort', () => {
      element.remove();
      release();
    });
  }

  /** Releases pictures whose place a redraw has removed from the document. */
  #sweep(): void {
    for (const [place, end] of [...this.#ends]) if (!place.isConnected) end();
  }
}

/** Used if the chunk that fetches pictures fails to load, for example after an update of the app. */
const unreachablePicture = (): FetchedPicture => ({ ok: false, problem: 'unreachable' });

function statusElement(place: HTMLElement): Element {
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

function problemText(problem: PictureProblem, { pictures: { problems } }: RestWords['reading']): string {
  if (problem === 'stopped') return '';
  if (problem === 'wrong-type') return problems.other;
  if (problem === 'too-long') return problems.large;
  if (problem === 'refused-address' || problem === 'refused-request' || problem === 'refused-redirect')
    return problems.refused;
  return problems[problem];
}
