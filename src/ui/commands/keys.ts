/** The keyboard shortcuts. None conflicts with a browser or screen reader. See docs/decisions/2026-11-27-keys.md. */

/** `main` is Ctrl or ⌘. `control` is Ctrl. `app` is Alt+Shift, or Ctrl+Shift on a Mac, where Alt types letters. */
export interface Shortcut {
  with: 'main' | 'control' | 'app' | 'none';
  /** An upper-case letter, a digit, or another name as in `KeyboardEvent.key`. */
  key: string;
}

const createAppShortcut = (key: string): Shortcut => ({ with: 'app', key });

export const shortcutKeys = {
  palette: { with: 'main', key: 'K' },
  'new-chat': createAppShortcut('O'),
  'temporary-chat': createAppShortcut('Y'),
  'search-chats': createAppShortcut('S'),
  find: { with: 'main', key: 'F' },
  stop: { with: 'none', key: 'Escape' },
  'answer-again': createAppShortcut('G'),
  'copy-answer': createAppShortcut('C'),
  attach: createAppShortcut('U'),
  dictate: createAppShortcut('K'),
  'tools-of-chat': createAppShortcut('X'),
  rename: createAppShortcut('R'),
  pin: createAppShortcut('J'),
  archive: createAppShortcut('H'),
  export: createAppShortcut('D'),
  delete: createAppShortcut('Delete'),
  list: createAppShortcut('L'),
  theme: createAppShortcut('M'),
  'go-tools': createAppShortcut('1'),
  'go-personas': createAppShortcut('2'),
  'go-notes': createAppShortcut('3'),
  'go-models': createAppShortcut('4'),
  'go-settings': createAppShortcut('5'),
  'go-archive': createAppShortcut('6'),
  'go-bin': createAppShortcut('7'),
  'go-servers': createAppShortcut('8'),
  'go-prompts': createAppShortcut('9'),
  'go-ask': createAppShortcut('0'),
  shortcuts: { with: 'control', key: '/' },
} satisfies Record<string, Shortcut>;
export type ActionName = keyof typeof shortcutKeys;
export const actionNames = Object.keys(shortcutKeys) as ActionName[];

type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

export function isPressed({ with: held, key }: Shortcut, event: PressedKey, isMac: boolean): boolean {
  const modifiers = { ctrl: event.ctrlKey, meta: event.metaKey, alt: event.altKey, shift: event.shiftKey };
  const expected = modifiersFor(held, isMac);
  const isHeld = Object.entries(modifiers).every(([name, isDown]) => isDown === expected.includes(name));
  return isHeld && keyLabelOf(event) === key;
}

function modifiersFor(held: Shortcut['with'], isMac: boolean): readonly string[] {
  const modifiers = {
    main: [isMac ? 'meta' : 'ctrl'],
    control: ['ctrl'],
    app: [isMac ? 'ctrl' : 'alt', 'shift'],
    none: [],
  };
  return modifiers[held];
}

/** Uses the position of the key in non-Latin layouts, and for digits typed with Shift. */
function keyLabelOf({ key, code }: Pick<PressedKey, 'key' | 'code'>): string {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  const place = /^(?:Key|Digit)(.)$/.exec(code)?.[1];
  if (place !== undefined) return place;
  if (code === 'Slash') return '/';
  // Small Mac keyboards have no Delete key, so Backspace counts as Delete.
  return key === 'Backspace' ? 'Delete' : key;
}

export function keyNamesOf({ with: held, key }: Shortcut, isMac: boolean): readonly string[] {
  const names: Readonly<Record<string, string>> = isMac
    ? { ctrl: '⌃', meta: '⌘', alt: '⌥', shift: '⇧' }
    : { ctrl: 'Ctrl', meta: 'Meta', alt: 'Alt', shift: 'Shift' };
  const shown: Readonly<Record<string, string>> = { Escape: 'Esc', Delete: isMac ? '⌫' : 'Del' };
  return [...modifiersFor(held, isMac).map((name) => names[name] ?? name), shown[key] ?? key];
}

export const isMacLike = (userAgent: string) => /Mac|iPhone|iPad/.test(userAgent);
