/** The keyboard shortcuts. None conflicts with a browser or screen reader. See docs/decisions/2026-11-27-keys.md. */

/** `main` is Ctrl or ⌘, `control` is always Ctrl, `app` is Alt+Shift (on a Mac Ctrl+Shift, because Alt types letters). */
export interface KeyPress {
  with: 'main' | 'control' | 'app' | 'none';
  /** An upper-case letter, a digit, or another name as in `KeyboardEvent.key`. */
  key: string;
}

const appKey = (key: string): KeyPress => ({ with: 'app', key });

export const shortcutKeys = {
  palette: { with: 'main', key: 'K' },
  'new-chat': appKey('O'),
  'temporary-chat': appKey('Y'),
  'search-chats': appKey('S'),
  find: { with: 'main', key: 'F' },
  stop: { with: 'none', key: 'Escape' },
  'answer-again': appKey('G'),
  'copy-answer': appKey('C'),
  attach: appKey('U'),
  dictate: appKey('K'),
  'tools-of-chat': appKey('X'),
  rename: appKey('R'),
  pin: appKey('J'),
  archive: appKey('H'),
  export: appKey('D'),
  delete: appKey('Delete'),
  list: appKey('L'),
  theme: appKey('M'),
  'go-tools': appKey('1'),
  'go-personas': appKey('2'),
  'go-notes': appKey('3'),
  'go-models': appKey('4'),
  'go-settings': appKey('5'),
  'go-archive': appKey('6'),
  'go-bin': appKey('7'),
  'go-servers': appKey('8'),
  'go-prompts': appKey('9'),
  'go-ask': appKey('0'),
  shortcuts: { with: 'control', key: '/' },
} satisfies Record<string, KeyPress>;
export type ActionName = keyof typeof shortcutKeys;
export const actionNames = Object.keys(shortcutKeys) as ActionName[];

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

export function isPressed({ with: held, key }: KeyPress, event: Pressed, isMac: boolean): boolean {
  const modifiers = { ctrl: event.ctrlKey, meta: event.metaKey, alt: event.altKey, shift: event.shiftKey };
  const expected = modifiersFor(held, isMac);
  const isHeld = Object.entries(modifiers).every(([name, isDown]) => isDown === expected.includes(name));
  return isHeld && keyLabel(event) === key;
}

function modifiersFor(held: KeyPress['with'], isMac: boolean): readonly string[] {
  const modifiers = {
    main: [isMac ? 'meta' : 'ctrl'],
    control: ['ctrl'],
    app: [isMac ? 'ctrl' : 'alt', 'shift'],
    none: [],
  };
  return modifiers[held];
}

/** The label of a pressed key. Uses its position in non-Latin layouts, and for digits typed with Shift. */
function keyLabel({ key, code }: Pick<Pressed, 'key' | 'code'>): string {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  const place = /^(?:Key|Digit)(.)$/.exec(code)?.[1];
  if (place !== undefined) return place;
  if (code === 'Slash') return '/';
  // Small Mac keyboards have no Delete key.
  return key === 'Backspace' ? 'Delete' : key;
}

/** The names of the keys to press, as shown to the user, modifiers first. */
export function keyNames({ with: held, key }: KeyPress, isMac: boolean): readonly string[] {
  const names: Readonly<Record<string, string>> = isMac
    ? { ctrl: '⌃', meta: '⌘', alt: '⌥', shift: '⇧' }
    : { ctrl: 'Ctrl', meta: 'Meta', alt: 'Alt', shift: 'Shift' };
  const shown: Readonly<Record<string, string>> = { Escape: 'Esc', Delete: isMac ? '⌫' : 'Del' };
  return [...modifiersFor(held, isMac).map((name) => names[name] ?? name), shown[key] ?? key];
}

export const isMacLike = (userAgent: string) => /Mac|iPhone|iPad/.test(userAgent);
