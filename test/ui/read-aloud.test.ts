/** Reading a reply aloud with a fake of the browser's voices: what is said, with which voice, and that no text leaves the device unasked. */
import { onTestFinished, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { languageOfText, toSpokenPieces } from '../../src/ui/chat/aloud/speech.svelte';
import { phone, show } from './show';
import { text, Told } from './told';
import { slow } from '../support/matrix';

interface Said {
  text: string;
  voice: string | undefined;
  end: () => void;
}

const voiceOf = (name: string, lang: string, localService = true) => ({
  voiceURI: name,
  name,
  lang,
  localService,
  default: false,
});

/** Provides these voices, and records what they say. */
function stageVoices(voices: readonly ReturnType<typeof voiceOf>[]) {
  const said: Said[] = [];
  const calls: string[] = [];
  const fake = {
    getVoices: () => voices,
    speak: ({
      text: words,
      voice,
      onend,
    }: {
      text: string;
      voice: { name: string } | null;
      onend: () => void;
    }) => void said.push({ text: words, voice: voice?.name, end: () => onend() }),
    pause: () => void calls.push('pause'),
    resume: () => void calls.push('resume'),
    cancel: () => void calls.push('cancel'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  vi.stubGlobal('speechSynthesis', fake);
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class {
      voice = null;
      lang = '';
      readonly text: string;
      constructor(words: string) {
        this.text = words;
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return { said, calls };
}

const answer = (words: string) => new Told().you('Hi').hearth([text(words)], 'answered').chat;

test('reading an answer aloud can be started, paused, resumed and ended by keyboard', async () => {
  const { said, calls } = stageVoices([
    voiceOf('Anna', 'de-DE'),
    voiceOf('Amy', 'en-GB'),
    voiceOf('Far', 'en-US', false),
  ]);
  const { screen } = await show({
    ...answer('# Title\n\nSome **words**.\n\n```js\na\nb\n```\n'),
    size: phone,
  });
  const open = screen.getByRole('button', { name: 'Read aloud' });
  await expect.element(open).toHaveAttribute('aria-expanded', 'false');
  (open.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const panel = screen.getByRole('group', { name: 'Reading aloud' });
  const press = async (name: string) => {
    const button = panel.getByRole('button', { name });
    await expect.element(button).toBeVisible();
    (button.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
  };
  await expect.element(panel.getByLabelText('Voice')).toHaveValue('Amy');
  // A voice that is not on this device is not offered.
  expect(panel.getByRole('option').elements()).toHaveLength(2);
  await press('Speak');
  await expect.element(panel.getByRole('button', { name: 'Pause speech' })).toHaveFocus();
  expect(said.at(-1)).toMatchObject({ text: 'Title', voice: 'Amy' });
  said.at(-1)?.end();
  expect(said.at(-1)?.text).toBe('Some words.');
  await press('Pause speech');
  expect(calls.at(-1)).toBe('pause');
  await press('Resume speech');
  said.at(-1)?.end();
  expect(said.at(-1)?.text).toBe('Code of 2 lines, not read.');
  await press('End speech');
  said.at(-1)?.end();
  expect(said).toHaveLength(3);
  await expect.element(panel.getByRole('button', { name: 'Speak' })).toHaveFocus();
  // The focus was on the button that ends reading, and reading has ended by itself.
  await userEvent.keyboard('{Enter}{Tab}');
  await expect.element(panel.getByRole('button', { name: 'End speech' })).toHaveFocus();
  for (let piece = 0; piece < 3; piece++) said.at(-1)?.end();
  await expect.element(panel.getByRole('button', { name: 'Speak' })).toHaveFocus();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
});

slow('an online voice is used only after the user learns where the text is sent', async () => {
  const { said } = stageVoices([voiceOf('Far', 'en-US', false)]);
  const { screen } = await show(answer('Words.'));
  await screen.getByRole('button', { name: 'Read aloud' }).click();
  const panel = screen.getByRole('group', { name: 'Reading aloud' });
  await expect.element(panel).toHaveTextContent(/would be sent there/);
  expect(panel.getByRole('button', { name: 'Speak' }).elements()).toHaveLength(0);
  await panel.getByRole('button', { name: 'Use such a voice' }).click();
  await expect.element(panel.getByRole('button', { name: 'Speak' })).toHaveFocus();
  await panel.getByRole('button', { name: 'Speak' }).click();
  expect(said).toMatchObject([{ text: 'Words.', voice: 'Far' }]);
});

test('reading aloud in a browser without voices shows a message', async () => {
  stageVoices([]);
  const { screen } = await show(answer('Words.'));
  await screen.getByRole('button', { name: 'Read aloud' }).click();
  await expect
    .element(screen.getByRole('group', { name: 'Reading aloud' }))
    .toHaveTextContent(/has no voice/);
});

test('text to be read aloud is split at sentence ends, and tables are read row by row', () => {
  const part = document.createElement('div');
  const add = (tag: string, words: string) => {
    const element = document.createElement(tag);
    element.textContent = words;
    part.append(element);
    return element;
  };
  const sentence = 'These are a few words that say nothing. ';
  add('p', sentence.repeat(20).trim());
  const formula = document.createElement('span');
  formula.className = 'math';
  add('p', 'Then ').append(formula, ' holds.');
  const row = add('tr', '');
  for (const cell of ['a', 'b'])
    row.append(Object.assign(document.createElement('td'), { textContent: cell }));
  const pieces = toSpokenPieces([part], { formula: 'a formula', codeLeftOut: String });
  expect(pieces.every(({ length }) => length <= 240)).toBe(true);
  expect(pieces.slice(0, -2).every((piece) => piece.endsWith('.'))).toBe(true);
  expect(pieces.slice(-2)).toEqual(['Then a formula holds.', 'a, b']);
  expect(toSpokenPieces([], { formula: '', codeLeftOut: String })).toEqual([]);
});

test.for<[words: string, language: string]>([
  ['Hello there', 'en'],
  ['你好，世界 hello', 'zh'],
  ['こんにちは世界', 'ja'],
  ['안녕하세요', 'ko'],
  ['Привет', 'ru'],
])('the language of a text to be read aloud is detected: “%s” is %s', ([words, language]) => {
  expect(languageOfText(words, 'en')).toBe(language);
});
