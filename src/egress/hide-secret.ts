/** Removes secrets from responses, in all common spellings, because some servers repeat our headers. */
import type { Secret } from '../contracts/egress';

/** Length in characters. If a secret is shorter, we hide only its exact form: other spellings would match by chance. */
const minSecretLength = 6;

export function createSecretHider({ name, value }: Secret): (text: string) => string {
  const spellings = spellingsOf(value);
  const pattern = secretPatternOf(spellings, value);
  return (text) => (spellings.length === 0 ? text : text.replace(pattern, () => `[${name}]`));
}

export function createStreamRedactor(secrets: readonly Secret[]) {
  const hiders = secrets.filter(({ value }) => value !== '').map(createSecretStreamHider);
  return {
    /** Returns text that is safe to pass on. Holds back its end if that may be the start of a secret. */
    push: (piece: string): string => hiders.reduce((text, hider) => hider.push(text), piece),
    /** Returns the held-back text. Call this once. */
    end: (): string => hiders.reduce((text, hider) => hider.push(text) + hider.end(), ''),
  };
}

function createSecretStreamHider(secret: Secret) {
  const hide = createSecretHider(secret);
  const spellings = spellingsOf(secret.value);
  const pattern = secretPatternOf(spellings, secret.value);
  const longest = spellings[0]?.length ?? 0;
  const fold = (text: string) => (pattern.ignoreCase ? text.toLowerCase() : text);
  const folded = spellings.map(fold);
  let kept = '';

  const openAt = (text: string) => {
    for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
      const end = fold(text.slice(at));
      if (folded.some((spelling) => spelling.length > end.length && spelling.startsWith(end))) return at;
    }
    return text.length;
  };
  return {
    push(piece: string): string {
      const text = kept + piece;
      const open = openAt(text);
      // Do not cut a complete secret in two, or neither half would be hidden.
      const across = [...text.matchAll(pattern)].find(({ index, 0: { length } }) => index + length > open);
      const cut = Math.min(open, across?.index ?? open);
      kept = text.slice(cut);
      return hide(text.slice(0, cut));
    },
    end: (): string => hide(kept),
  };
}

function secretPatternOf(spellings: readonly string[], value: string): RegExp {
  const escaped = spellings.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(escaped.join('|'), value.length < minSecretLength ? 'g' : 'gi');
}

/** Returns a value and its longer words, such as `abc123` in `Bearer abc123`, in all encodings. Longest first, so no part of a secret stays visible. */
function spellingsOf(value: string): string[] {
  const words = value.split(/\s+/).filter((word) => word !== value && word.length >= minSecretLength);
  const parts = value.length < minSecretLength ? [] : [value, ...words];
  const spellings = new Set([value, ...parts.flatMap(spellingsOfWord)]);
  return [...spellings].filter((text) => text !== '').sort((a, b) => b.length - a.length);
}

function spellingsOfWord(part: string): string[] {
  const bytes = [...new TextEncoder().encode(part)];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  const inText = [part, Array.from(part).reverse().join('')];
  return [
    ...inText.flatMap((text) => [
      text,
      encodeURIComponent(text),
      JSON.stringify(text).slice(1, -1),
      // Encoders of JSON, HTML and forms escape different characters.
      JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
      ...[/[=<>&']/g, /[+<>&'"`]/g, /[^a-z\d]/gi].map((marks) => escapeJson(text, marks)),
      escapeHtml(text),
      ...[10, 16].map((base) => text.replace(/[^a-z\d]/gi, (mark) => toEntity(mark, base))),
      encodeURIComponent(text).replace(/[!'()*~._-]/g, toPercent),
      encodeURIComponent(text).replace(/[!'()*]/g, toPercent),
    ]),
    hex.map((byte) => `%${byte}`).join(''),
    hex.join(''),
    ...base64SpellingsOf(bytes),
  ];
}

/** Returns the Base64 of a value at each of the three possible byte offsets: it may be part of a longer text, as in `user:key`. */
function base64SpellingsOf(bytes: readonly number[]): string[] {
  return [0, 1, 2].flatMap((before) => {
    const all = btoa(String.fromCharCode(...Array<number>(before).fill(0), ...bytes)).replace(/=+$/, '');
    // Drop the first and last characters, which also contain bits of neighbouring bytes.
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    const inner = all.slice(start, end);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function escapeJson(text: string, marks: RegExp): string {
  return text.replace(marks, (mark) => `\\u${hexOf(mark).padStart(4, '0')}`);
}

function toEntity(mark: string, base: number): string {
  return base === 16 ? `&#x${hexOf(mark)};` : `&#${mark.charCodeAt(0)};`;
}

function toPercent(mark: string): string {
  return `%${hexOf(mark)}`;
}

function hexOf(mark: string): string {
  return mark.charCodeAt(0).toString(16);
}

function escapeHtml(text: string): string {
  const marks: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}
