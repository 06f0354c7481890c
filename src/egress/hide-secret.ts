/**
 * Takes the value of a key out of what a server sends back: as it is, and in the spellings in which a server might repeat
 * a header. A server that wants to tell the value in another one can: it was sent the key.
 */
import type { Secret } from '../contracts/egress';

/** Characters. What is shorter also stands where it means something else: it is hidden as it is, and no further. */
const telling = 6;

/** Takes the value of one secret out of a text: its name is put in the place of each spelling. */
export function createHider(secret: Secret): (text: string) => string {
  const spellings = spellingsOf(secret.value);
  const pattern = patternOf(spellings, secret.value);
  return (text) => (spellings.length === 0 ? text : text.replace(pattern, () => `[${secret.name}]`));
}

/** The same of a text that comes in pieces, for several secrets. */
export interface PieceHider {
  /** The text so far that can be passed on: its end is kept back while it may be the beginning of a value. */
  push: (piece: string) => string;
  /** The text that was kept back. */
  end: () => string;
}

export function createPieceHider(secrets: readonly Secret[]): PieceHider {
  const hiders = secrets.filter(({ value }) => value !== '').map(hideInPieces);
  return {
    push: (piece) => hiders.reduce((text, hider) => hider.push(text), piece),
    end: () => hiders.reduce((text, hider) => hider.push(text) + hider.end(), ''),
  };
}

function hideInPieces(secret: Secret): PieceHider {
  const hide = createHider(secret);
  const spellings = spellingsOf(secret.value);
  const pattern = patternOf(spellings, secret.value);
  const longest = spellings[0]?.length ?? 0;
  const fold = (text: string) => (pattern.ignoreCase ? text.toLowerCase() : text);
  const folded = spellings.map(fold);
  let kept = '';

  /** Where a spelling may begin whose end has not come. */
  const openAt = (text: string) => {
    for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
      const end = fold(text.slice(at));
      if (folded.some((spelling) => spelling.length > end.length && spelling.startsWith(end))) return at;
    }
    return text.length;
  };
  return {
    push(piece) {
      const text = kept + piece;
      const open = openAt(text);
      // A value that is whole and reaches beyond that place is not cut in two.
      const across = [...text.matchAll(pattern)].find(({ index, 0: { length } }) => index + length > open);
      const cut = Math.min(open, across?.index ?? open);
      kept = text.slice(cut);
      return hide(text.slice(0, cut));
    },
    end() {
      const rest = hide(kept);
      kept = '';
      return rest;
    },
  };
}

function patternOf(spellings: readonly string[], value: string): RegExp {
  const escaped = spellings.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(escaped.join('|'), value.length < telling ? 'g' : 'gi');
}

/** The spellings of the value and of each of its words, as in `Bearer abc`. The longest come first, so that nothing is left of it. */
function spellingsOf(value: string): string[] {
  const parts = [value, ...value.split(/\s+/).filter((part) => part !== value && part.length >= telling)];
  const spellings = new Set(
    parts.flatMap((part) => (part.length < telling ? [part] : spellingsOfPart(part))),
  );
  return [...spellings].filter((text) => text !== '').sort((a, b) => b.length - a.length);
}

function spellingsOfPart(part: string): string[] {
  const bytes = [...new TextEncoder().encode(part)];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  const inText = [part, Array.from(part).reverse().join('')];
  return [
    ...inText.flatMap((text) => [
      text,
      encodeURIComponent(text),
      JSON.stringify(text).slice(1, -1),
      escapeHtml(text),
    ]),
    hex.map((byte) => `%${byte}`).join(''),
    hex.join(''),
    ...inBase64(bytes),
  ];
}

/** Also as a part of something longer, `user:key`: what stands before it moves its letters by none, one or two bytes. */
function inBase64(bytes: readonly number[]): string[] {
  return [0, 1, 2].flatMap((before) => {
    const all = btoa(String.fromCharCode(...Array<number>(before).fill(0), ...bytes)).replace(/=+$/, '');
    // The letters at either end hold bits of its neighbours too.
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    const inner = all.slice(start, end);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function escapeHtml(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}
