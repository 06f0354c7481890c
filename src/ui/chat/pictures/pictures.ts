/**
 * Pictures of answers: fetched after a press, shown from the page's own memory, and let go of when they are hidden or gone. What the
 * browser is given is the bytes that were checked, under the type that they have.
 */
import type { FetchedPicture, PictureProblem } from '../../../contracts/attachment';
import type { LateWords } from '../../i18n/en-late';
import { readLink, type SafeLink } from '../../markdown/safe-link';

interface PictureParts {
  load: (address: string, signal: AbortSignal) => Promise<FetchedPicture>;
  words: () => LateWords['reading'];
  /** Whether the whole address is shown before it is asked: the model put it together. */
  mustAsk: (address: string) => boolean;
  /** Shows where it leads, and goes on where the person wants that. */
  ask: (link: SafeLink, onShow: () => void) => void;
}

export class Pictures {
  readonly #parts: PictureParts;
  /** What ends what is fetched or shown in each place. */
  readonly #ends = new Map<Element, () => void>();

  constructor(parts: PictureParts) {
    this.#parts = parts;
  }

  /** The button in this place was pressed: what is not there is shown, what is there goes. */
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

  /** The chat is no longer on the screen. */
  end(): void {
    for (const end of [...this.#ends.values()]) end();
  }

  async #show(place: HTMLElement, address: string): Promise<void> {
    const words = this.#parts.words();
    const button = place.querySelector('button');
    if (!button || this.#ends.has(place)) return;
    const label = button.textContent;
    const over = new AbortController();
    const status = statusOf(place);
    status.textContent = '';
    this.#ends.set(place, () => {
      over.abort();
      this.#ends.delete(place);
      button.textContent = label;
    });
    button.textContent = words.pictures.stop;
    const picture = await this.#parts.load(address, over.signal).catch(fail);
    const shown = !over.signal.aborted && picture.ok ? await draw(picture) : undefined;
    // Pressed again meanwhile, or gone: a picture that came all the same is not kept.
    if (over.signal.aborted || !place.isConnected) {
      shown?.letGo();
      this.#ends.delete(place);
      return;
    }
    if (!shown) {
      this.#ends.get(place)?.();
      status.textContent = sentence(picture.ok ? 'damaged' : picture.problem, words);
      return;
    }
    const { element, letGo } = shown;
    element.alt = place.dataset['description'] || words.pictures.unnamed;
    place.append(element);
    button.textContent = words.pictures.hide;
    over.signal.addEventListener('abort', () => {
      element.remove();
      letGo();
    });
  }

  /** What the text no longer holds: it was drawn anew. */
  #sweep(): void {
    for (const [place, end] of [...this.#ends]) if (!place.isConnected) end();
  }
}

/** The part of the page that fetches is not there, as when the app was replaced meanwhile. */
const fail = (): FetchedPicture => ({ ok: false, problem: 'unreachable' });

function statusOf(place: HTMLElement): Element {
  const before = place.querySelector('[role=status]');
  if (before) return before;
  const status = document.createElement('span');
  status.role = 'status';
  place.append(status);
  return status;
}

/** Drawn before it is shown, so that its room is known by then. Undefined where the browser cannot. */
async function draw({ bytes, type }: { bytes: Uint8Array<ArrayBuffer>; type: string }) {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const letGo = () => URL.revokeObjectURL(url);
  const element = document.createElement('img');
  element.src = url;
  try {
    await element.decode();
    return { element, letGo };
  } catch {
    letGo();
    return undefined;
  }
}

function sentence(problem: PictureProblem, { pictures: { problems } }: LateWords['reading']): string {
  switch (problem) {
    case 'stopped':
      return '';
    case 'refused-address':
    case 'refused-request':
    case 'refused-redirect':
      return problems.refused;
    case 'wrong-type':
      return problems.other;
    case 'too-long':
      return problems.large;
    case 'offline':
    case 'timeout':
    case 'unreachable':
    case 'none':
    case 'other':
    case 'large':
    case 'damaged':
      return problems[problem];
  }
}
