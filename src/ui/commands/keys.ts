/** The keyboard shortcuts. None is a shortcut of a browser or a screen reader: see docs/decisions/2026-11-27-keys.md. */

/** `main` is Ctrl or ⌘, `control` is Ctrl even on a Mac, `app` is Alt+Shift (Ctrl+Shift on a Mac, where Alt types letters). */
export interface KeyPress {
  with: 'main' | 'control' | 'app' | 'none';
  /** An upper-case letter, a digit, or the name of another key as in `KeyboardEvent.key`. */
  key: string;
}

const app = (key: string): KeyPress => ({ with: 'app', key });

/** In the order in which the palette and the list of shortcuts show them. */
export const keys = {
  palette: { with: 'main', key: 'K' },
  'new-chat': app('O'),
  'temporary-chat': app('Y'),
  'search-chats': app('S'),
  find: { with: 'main', key: 'F' },
  stop: { with: 'none', key: 'Escape' },
  'answer-again': app('G'),
  'copy-answer': app('C'),
  attach: app('U'),
  dictate: app('K'),
  'tools-of-chat': app('X'),
  rename: app('R'),
  pin: app('J'),
  archive: app('H'),
  export: app('D'),
  delete: app('Delete'),
  list: app('L'),
  theme: app('M'),
  'go-tools': app('1'),
  'go-personas': app('2'),
  'go-notes': app('3'),
  'go-models': app('4'),
  'go-settings': app('5'),
  'go-archive': app('6'),
  'go-bin': app('7'),
  'go-servers': app('8'),
  'go-prompts': app('9'),
  'go-ask': app('0'),
  shortcuts: { with: 'control', key: '/' },
} satisfies Record<string, KeyPress>;
export type ActionName = keyof typeof keys;
export const actionNames = Object.keys(keys) as ActionName[];

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

export function isPressed({ with: held, key }: KeyPress, event: Pressed, isMac: boolean): boolean {
  const modifiers = { ctrl: event.ctrlKey, meta: event.metaKey, alt: event.altKey, shift: event.shiftKey };
  const expected = modifiersFor(held, isMac);
  if ((['ctrl', 'meta', 'alt', 'shift'] as const).some((name) => modifiers[name] !== expected.has(name)))
    return false;
  return keyOf(event) === key;
}

function modifiersFor(held: KeyPress['with'], isMac: boolean): ReadonlySet<string> {
  switch (held) {
    case 'main':
      return new Set([isMac ? 'meta' : 'ctrl']);
    case 'control':
      return new Set(['ctrl']);
    case 'app':
      return new Set([isMac ? 'ctrl' : 'alt', 'shift']);
    case 'none':
      return new Set();
  }
}

/** Returns the label of a key. Uses its position for non-Latin layouts and for digits typed with Shift. */
function keyOf({ key, code }: Pick<Pressed, 'key' | 'code'>): string {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  const place = /^(?:Key|Digit)(.)$/.exec(code)?.[1];
  if (place !== undefined) return place;
  if (code === 'Slash') return '/';
  // Small Mac keyboards have no Delete key.
  return key === 'Backspace' ? 'Delete' : key;
}

/** Returns the names of the keys to press, modifiers first, as shown to the user. */
export function keyNames({ with: held, key }: KeyPress, isMac: boolean): readonly string[] {
  const names: Readonly<Record<string, string>> = isMac
    ? { ctrl: '⌃', meta: '⌘', alt: '⌥', shift: '⇧' }
    : { ctrl: 'Ctrl', meta: 'Meta', alt: 'Alt', shift: 'Shift' };
  const shown: Readonly<Record<string, string>> = { Escape: 'Esc', Delete: isMac ? '⌫' : 'Del' };
  return [...[...modifiersFor(held, isMac)].map((name) => names[name] ?? name), shown[key] ?? key];
}

export const isMacLike = (userAgent: string) => /Mac|iPhone|iPad/.test(userAgent);
