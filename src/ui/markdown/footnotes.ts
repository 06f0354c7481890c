/**
 * Footnotes: `[^1]` in a line, and `[^1]: what it says` at the beginning of one. What a note says stays where the answer has it: an answer
 * is drawn while it comes, and what is drawn does not move.
 */

export interface NoteToken {
  type: 'note';
  raw: string;
  label: string;
  /** It stands before what the note says. */
  isText: boolean;
}

const note = /^\[\^([^\s[\]^]{1,32})\](:(?=[ \t]))?/;

/** The footnote that `text` begins with. */
export function noteAt(text: string): NoteToken | undefined {
  const [raw, label, colon] = note.exec(text) ?? [];
  return raw === undefined || label === undefined
    ? undefined
    : { type: 'note', raw, label, isText: colon !== undefined };
}

/** A label that leads nowhere yet, see `linkNotes`. */
export function buildNote({ raw, label, isText }: NoteToken): HTMLElement {
  const element = document.createElement('sup');
  element.className = 'note';
  element.dataset[isText ? 'noteText' : 'note'] = label;
  element.textContent = raw;
  return element;
}

export interface NoteWords {
  /** Leads to the note. */
  note: (label: string) => string;
  /** Leads back. */
  noteBack: (label: string) => string;
}

/** In a text that is whole: from each label to what its note says, and back to the first place that names it. Others stay as written. */
export function linkNotes(target: Element, words: NoteWords): void {
  const texts = new Map<string, HTMLElement>();
  for (const text of target.querySelectorAll<HTMLElement>('[data-note-text]')) {
    const label = text.dataset['noteText'] ?? '';
    if (!texts.has(label)) texts.set(label, text);
  }
  for (const place of target.querySelectorAll<HTMLElement>('[data-note]')) {
    const label = place.dataset['note'] ?? '';
    const text = texts.get(label);
    if (!text) continue;
    const back = buttonIn(text, label, words.noteBack(label));
    const to = buttonIn(place, label, words.note(label));
    to.onclick = () => goTo(back);
    back.onclick ??= () => goTo(to);
  }
}

/** The one that is there, or one in the place of the label as it was written. */
function buttonIn(parent: HTMLElement, label: string, name: string): HTMLButtonElement {
  const button = parent.querySelector('button') ?? document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.ariaLabel = name;
  if (!button.parentElement) parent.replaceChildren(button);
  return button;
}

function goTo(button: HTMLElement): void {
  button.scrollIntoView({ block: 'center' });
  button.focus({ preventScroll: true });
}
