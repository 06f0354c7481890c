/**
 * Takes the value of a key out of what a server sends back: as it is, and in the spellings in which a server might repeat
 * a header. A server that wants to tell the value in another one can: it was sent the key.
 */
import type { ToolSecret } from '../../contracts/custom-tool';

/** Characters. What is shorter also stands where it means something else: it is hidden as it is, and no further. */
const telling = 6;

/** `text` with the name of the key in the place of its value. */
export function createHider({ name }: ToolSecret, value: string): (text: string) => string {
  // `Bearer abc`: the second word alone is the secret.
  const parts = [value, ...value.split(/\s+/).filter((part) => part !== value && part.length >= telling)];
  const spellings = new Set(parts.flatMap((part) => (part.length < telling ? [part] : spellingsOf(part))));
  // The longest first, so that nothing is left of it.
  const sorted = [...spellings].filter((text) => text !== '').sort((a, b) => b.length - a.length);
  if (sorted.length === 0) return (text) => text;
  const flags = value.length < telling ? 'g' : 'gi';
  const pattern = new RegExp(
    sorted.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
    flags,
  );
  return (text) => text.replace(pattern, () => `[${name}]`);
}

function spellingsOf(part: string): string[] {
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
