/** Footnotes: labels (`[^1]`) and notes (`[^1]: text`). Notes stay in place: moving them would shift the text. */
import type { RestWords } from '../i18n/words';
import { createElement } from './create-element';

export interface FootnoteToken {
  type: 'note';
  raw: string;
  label: string;
  /** True for the label that begins a note, as in `[^1]: text`. */
  isText: boolean;
}

const footnotePattern = /^\[\^([^\s[\]^]{1,32})\](:(?=[ \t]))?/;

export function readFootnote(text: string): FootnoteToken | undefined {
  const [raw, label, colon] = footnotePattern.exec(text) ?? [];
  return raw === undefined || label === undefined
    ? undefined
    : { type: 'note', raw, label, isText: colon !== undefined };
}

/** Builds a label that is not a link yet. `linkFootnotes` adds the link. */
export function buildFootnoteLabel({ raw, label, isText }: FootnoteToken): HTMLElement {
  const element = createElement('sup', { className: 'note', textContent: raw });
  element.dataset[isText ? 'noteText' : 'note'] = label;
  return element;
}

/** In a text with more labels, they stay text: linking them would block the page. */
const maxLinkedLabels = 1000;

/** Links each label of a complete text to its note, and the note to its first label. Skips labels without a note. */
export function linkFootnotes(target: Element, words: RestWords['reading']['blocks']): void {
  const places = target.querySelectorAll<HTMLElement>('[data-note]');
  if (places.length > maxLinkedLabels) return;
  const texts = new Map<string, HTMLElement>();
  for (const text of target.querySelectorAll<HTMLElement>('[data-note-text]')) {
    const label = text.dataset['noteText'] ?? '';
    if (!texts.has(label)) texts.set(label, text);
  }
  for (const place of places) {
    const label = place.dataset['note'] ?? '';
    const text = texts.get(label);
    if (!text) continue;
    const back = addFootnoteButton(text, label, words.noteBack(label));
    const to = addFootnoteButton(place, label, words.note(label));
    to.onclick = () => scrollToButton(back);
    back.onclick ??= () => scrollToButton(to);
  }
}

function addFootnoteButton(parent: HTMLElement, label: string, name: string): HTMLButtonElement {
  const button = parent.querySelector('button') ?? document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.ariaLabel = name;
  if (!button.parentElement) parent.replaceChildren(button);
  return button;
}

function scrollToButton(button: HTMLElement): void {
  button.scrollIntoView({ block: 'center' });
  button.focus({ preventScroll: true });
}
