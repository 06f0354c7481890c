/**
 * Lists the shortcuts of browsers and screen readers, which ours must not use. docs/decisions/2026-11-27-keys.md says which of them come
 * from source code. The only exception is Orca's browse mode.
 */
import { expect, test } from 'vitest';
import {
  actionNames,
  isPressed,
  type Shortcut,
  keyNamesOf,
  shortcutKeys,
} from '../../../../src/ui/commands/keys';

/** The keys as in `aria-keyshortcuts`. */
function ariaKeys({ with: held, key }: Shortcut, isMac: boolean): string {
  const main = isMac ? 'Meta' : 'Control';
  const app = isMac ? 'Control+Shift' : 'Alt+Shift';
  return [...{ main: [main], control: ['Control'], app: [app], none: [] }[held], key].join('+');
}

const letters = (modifiers: string, all: string) => all.split(' ').map((key) => `${modifiers}+${key}`);

/** Windows and Linux. */
const reservedOnPc = new Set([
  // Chrome and Edge.
  ...letters(
    'Control',
    'A B C D E F G H J K L M N O P Q R S T U V W X Y Z 0 1 2 3 4 5 6 7 8 9 + - Tab Enter F4 F5',
  ),
  ...letters('Control+Shift', 'A B C D E G I J K L M N O P Q R S T U V W X Y Z Tab Delete'),
  ...letters('Alt', 'A D E F H S T V ArrowLeft ArrowRight Home Enter F4 1 2 3 4 5 6 7 8 9 Space'),
  // A, B, I and T are in chrome/browser/ui/views/accelerator_table.cc.
  ...letters('Alt+Shift', 'A B I N T Tab Enter F10'),
  ...letters('Shift', 'Escape F5 F6 F9 F10'),
  ...['F1', 'F3', 'F5', 'F6', 'F7', 'F10', 'F11', 'F12'],
  // Firefox, from browser/base/content/browser-sets.inc.xhtml. It keeps Alt+Shift for the `accesskey` of pages.
  ...letters('Control+Alt', 'X Z'),
  ...letters('Control+Shift', 'H Y F5 F'),
  ...letters('Control', ', . [ ]'),
  ...["'"],
  // NVDA, JAWS and Narrator. Most of their shortcuts use Insert, Caps Lock or Scroll Lock, which ours never do.
  ...letters('Control+Alt', 'N R ArrowUp ArrowDown ArrowLeft ArrowRight Home End Delete'),
  ...letters('Control+Shift', 'F12'),
  ...letters('Alt+Shift', 'ArrowUp ArrowDown ArrowLeft ArrowRight Home End'),
]);

/** Orca's browse mode, from src/orca/structural_navigator_command_definitions.py. */
const reservedByOrca = new Set(letters('Alt+Shift', 'A B C E F G H I K L M O P Q R T U V X 1 2 3 4 5 6'));

const reservedOnMac = new Set([
  // Safari, Chrome and Firefox.
  ...letters(
    'Meta',
    'A B C D E F G H I J K L M N O P Q R S T V W X Y Z , . [ ] + - 0 1 2 3 4 5 6 7 8 9 / ArrowUp',
  ),
  ...letters('Meta+Shift', 'A B C D E G H I J K L M N O P R S T V W Y Z [ ] / 3 4 5'),
  ...letters(
    'Control',
    'Tab A B D E F H K L M N O P T V X Y Z ArrowUp ArrowDown ArrowLeft ArrowRight 1 2 3 4 5 6 7 8 9 F2 F3 F7',
  ),
  // Selecting text in a text field.
  ...letters('Control+Shift', 'Tab A B E F N P V'),
  // VoiceOver uses Control and Option, or Caps Lock.
  ...letters('Control+Alt', 'A B C D F G H I J K L M N O P Q R S T U V W X Y Z Space'),
]);

/** Shortcuts that browsers also have. A second press reaches the browser. */
const shared = new Set(['palette', 'find', 'stop']);

test.for([
  { name: 'Windows and Linux', isMac: false, reserved: reservedOnPc },
  { name: 'a Mac', isMac: true, reserved: reservedOnMac },
])(
  'invariant: no shortcut is a bare letter or taken by a browser or screen reader: $name',
  ({ isMac, reserved }) => {
    const own = actionNames.map((action) => ({ action, key: ariaKeys(shortcutKeys[action], isMac) }));
    expect(new Set(own.map(({ key }) => key)).size).toBe(own.length);
    const clashes = own.filter(({ action, key }) => !shared.has(action) && reserved.has(key));
    expect(clashes).toEqual([]);
    // A letter without a modifier would type text or be a command of a screen reader.
    for (const { action, key } of own) if (action !== 'stop') expect(key).toMatch(/^(Control|Alt|Meta)/);
  },
);

test('the command palette works in the browse mode of the screen reader Orca', () => {
  const own = actionNames.filter((action) => reservedByOrca.has(ariaKeys(shortcutKeys[action], false)));
  expect(own).toContain('new-chat');
  for (const action of ['palette', 'find', 'stop', 'shortcuts'] as const) expect(own).not.toContain(action);
});

test('no element has an access key, which Firefox would trigger with Alt+Shift', () => {
  const sources = import.meta.glob<string>('../../../../src/**/*.svelte', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const named = Object.entries(sources).filter(([, source]) => /accesskey/i.test(source));
  expect(named.map(([file]) => file)).toEqual([]);
});

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test.for<
  [string, Partial<Parameters<typeof isPressed>[1]>, boolean, (typeof actionNames)[number] | undefined]
>([
  ['Ctrl+K', { key: 'k', code: 'KeyK', ctrlKey: true }, false, 'palette'],
  ['⌘K on a Mac', { key: 'k', code: 'KeyK', metaKey: true }, true, 'palette'],
  ['Ctrl+K on a Mac belongs to text fields', { key: 'k', code: 'KeyK', ctrlKey: true }, true, undefined],
  [
    'a letter is matched by its label',
    { key: 'O', code: 'KeyS', altKey: true, shiftKey: true },
    false,
    'new-chat',
  ],
  [
    'a non-Latin letter is matched by its position',
    { key: 'Щ', code: 'KeyO', altKey: true, shiftKey: true },
    false,
    'new-chat',
  ],
  [
    'a digit is matched with Shift',
    { key: '!', code: 'Digit1', altKey: true, shiftKey: true },
    false,
    'go-tools',
  ],
  [
    'AltGr is not Alt',
    { key: 'O', code: 'KeyO', altKey: true, shiftKey: true, ctrlKey: true },
    false,
    undefined,
  ],
  [
    'Backspace deletes on a Mac',
    { key: 'Backspace', code: 'Backspace', ctrlKey: true, shiftKey: true },
    true,
    'delete',
  ],
  ['a letter alone does nothing', { key: 'o', code: 'KeyO' }, false, undefined],
  ['Ctrl+/', { key: '/', code: 'Slash', ctrlKey: true }, false, 'shortcuts'],
])('a key press is matched to its action: %s', ([, pressed, isMac, action]) => {
  const event = { key: '', code: '', ...none, ...pressed };
  expect(actionNames.find((name) => isPressed(shortcutKeys[name], event, isMac))).toBe(action);
});

test('a shortcut is shown with the key symbols of the platform', () => {
  expect(keyNamesOf(shortcutKeys['new-chat'], false)).toEqual(['Alt', 'Shift', 'O']);
  expect(keyNamesOf(shortcutKeys['new-chat'], true)).toEqual(['⌃', '⇧', 'O']);
  expect(keyNamesOf(shortcutKeys.palette, true)).toEqual(['⌘', 'K']);
});
