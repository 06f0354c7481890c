/** Beside each picture of a reply: what shows it. Nothing is fetched before a press (`chat/pictures/pictures.ts`). */
import { readLink } from './safe-link';

export interface PictureWords {
  picture: (host: string) => string;
  /** For one whose bytes stand in the text. */
  ownPicture: string;
}

/** Of those in `root`; which has its place already is left as it is. */
export function addPicturePlaces(root: Element, words: PictureWords): void {
  for (const image of root.querySelectorAll<HTMLElement>('.image[data-picture]')) {
    // Nothing that is pressed may stand in a link.
    const before = image.parentElement?.closest('a') ?? image;
    const address = image.dataset['picture'] ?? '';
    if ('place' in image.dataset) continue;
    image.dataset['place'] = '';
    const place = document.createElement('span');
    place.className = 'picture';
    place.dataset['added'] = '';
    place.dataset['address'] = address;
    place.dataset['description'] = describe(image);
    const button = document.createElement('button');
    button.type = 'button';
    const host = readLink(address)?.host;
    button.textContent = host === undefined ? words.ownPicture : words.picture(host);
    place.append(button);
    lastPlaceBehind(before).after(place);
  }
}

/** Before they are said in another language. What is shown goes with them. */
export function removePicturePlaces(target: Element): void {
  for (const added of target.querySelectorAll('.picture')) added.remove();
  for (const image of target.querySelectorAll<HTMLElement>('.image[data-place]'))
    delete image.dataset['place'];
}

/** A link may hold several pictures. */
function lastPlaceBehind(element: Element): Element {
  const next = element.nextElementSibling;
  return next?.matches('.picture') ? lastPlaceBehind(next) : element;
}

function describe(image: HTMLElement): string {
  return Array.from(image.childNodes)
    .filter((node) => !(node instanceof Element && node.matches('.host')))
    .map((node) => node.textContent ?? '')
    .join('')
    .trim();
}
