/** Dictation with a fake of the browser's recognition: where the sound goes, which words get into the message, and how failures are reported. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { stageRecognition } from './fake-recognition';
import { getBrowserMaker } from '../../src/ui/chat/dictation/recognition';
import { phone, show } from './show';
import { text, Told } from './told';
import { slow } from '../support/matrix';

const here = { 'en-US': 'available' as const };

async function dictate(
  stage: Parameters<typeof stageRecognition>[0],
  options: Parameters<typeof show>[0] = {},
) {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US', 'en']);
  const fake = stageRecognition(stage);
  const shown = await show(options);
  const button = shown.screen.getByRole('button', { name: 'Dictate' });
  return { ...shown, ...fake, button, strip: shown.screen.getByRole('group', { name: 'Dictation' }) };
}

test('dictation on the device inserts words at the caret and keeps typed text', async () => {
  const { button, strip, message, last, calls } = await dictate({ packs: here });
  await message.fill('Please for me');
  const box = message.element() as HTMLTextAreaElement;
  box.setSelectionRange(6, 6);
  await button.click();
  await expect.element(button).toHaveAttribute('aria-pressed', 'true');
  await expect.element(strip).toHaveTextContent(/The sound stays on this device/);
  expect(calls).toEqual(['start en-US here']);
  last().hear('summer');
  await expect.element(strip).toHaveTextContent(/summer/);
  await expect.element(message).toHaveValue('Please for me');
  last().hear('summarise this');
  last().say('summarise this');
  await expect.element(message).toHaveValue('Please summarise this for me');
  // The next words come after them.
  last().say('page');
  await expect.element(message).toHaveValue('Please summarise this page for me');
  await button.click();
  await expect.element(strip).not.toBeInTheDocument();
  await expect.element(button).toHaveAttribute('aria-pressed', 'false');
});

slow('Escape or the microphone button ends dictation without losing unfinished words', async () => {
  const { button, strip, message, last, screen } = await dictate({ packs: here });
  await button.click();
  await expect.element(strip).toHaveTextContent(/stays/);
  await message.fill('Typed');
  last().hear('and said');
  await userEvent.keyboard('{Escape}');
  await expect.element(message).toHaveValue('Typed and said');
  await expect.element(strip).not.toBeInTheDocument();
  await expect.element(screen.getByText('Not listening any more.')).toBeInTheDocument();
  await button.click();
  await expect.element(strip).toHaveTextContent(/stays/);
  last().hear('once more');
  last().end();
  await expect.element(message).toHaveValue('Typed and said once more');
});

slow('before sound leaves the device, Hearth says where it goes and asks for permission once', async () => {
  const { app, button, strip, calls, last } = await dictate({}, { size: phone });
  await button.click();
  await expect.element(strip).toHaveTextContent(/English.*may send what the microphone hears to/);
  expect(calls).toEqual([]);
  await strip.getByRole('button', { name: 'Rather not' }).click();
  await expect.element(strip).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
  await button.click();
  await strip.getByRole('button', { name: 'It may go there' }).click();
  await expect.element(strip).toHaveTextContent(/The sound goes to/);
  expect(app.settings.soundMayGoTo).toBeDefined();
  expect(last().isHere).toBe(false);
  await button.click();
  await expect.element(strip).not.toBeInTheDocument();
  await button.click();
  await expect.element(strip).toHaveTextContent(/The sound goes to/);
  expect(calls.filter((call) => call.startsWith('start'))).toHaveLength(2);
});

slow('a user who declines the language pack is asked before sound leaves the device', async () => {
  const { button, strip, calls } = await dictate({ packs: { 'en-US': 'downloadable' } });
  await button.click();
  await strip.getByRole('button', { name: 'Without it' }).click();
  await expect.element(strip).toHaveTextContent(/may send/);
  await userEvent.keyboard('{Escape}');
  expect(calls).toEqual([]);
});

slow('a downloaded language pack is used when dictation is started again', async () => {
  const { button, strip, calls } = await dictate({ packs: { 'en-US': 'downloadable' } });
  await button.click();
  await strip.getByRole('button', { name: 'Get the language pack' }).click();
  await expect.element(strip).toHaveTextContent(/Press the microphone again/);
  await expect.element(button).toHaveFocus();
  expect(calls).toEqual(['install en-US']);
  await button.click();
  await expect.element(strip).toHaveTextContent(/stays on this device/);
  expect(calls.at(-1)).toBe('start en-US here');
});

slow('a failed download of a language pack is reported', async () => {
  const { button, strip } = await dictate({ packs: { 'en-US': 'downloadable' }, canFetch: false });
  await button.click();
  await strip.getByRole('button', { name: 'Get the language pack' }).click();
  await expect.element(strip.getByRole('alert')).toHaveTextContent(/could not get the language pack/);
});

slow.for<[SpeechRecognitionErrorCode, RegExp]>([
  ['not-allowed', /does not let Hearth use the microphone/],
  ['audio-capture', /No microphone was found/],
  ['no-speech', /Nothing was heard/],
  ['network', /cannot be reached/],
  ['language-not-supported', /does not recognise this language/],
  ['aborted', /another page listens/],
])('the dictation error "%s" is reported with a next step', async ([error, said]) => {
  const { button, strip, message } = await dictate({ packs: here, error });
  await message.fill('Typed');
  await button.click();
  await expect.element(strip.getByRole('alert')).toHaveTextContent(said);
  await expect.element(button).toHaveAttribute('aria-pressed', 'false');
  await expect.element(message).toHaveValue('Typed');
});

slow(
  'another dictation language can be chosen next to the microphone button and is used at once',
  async () => {
    const { app, button, strip, last } = await dictate({
      packs: { ...here, 'fr-FR': 'available' },
      unknown: ['ar-EG'],
    });
    await button.click();
    await expect.element(strip).toHaveTextContent(/stays/);
    await strip.getByRole('combobox', { name: 'You speak' }).selectOptions('fr-FR');
    await expect.poll(() => last().lang).toBe('fr-FR');
    expect(app.settings.dictationLanguage).toBe('fr-FR');
    await strip.getByRole('combobox', { name: 'You speak' }).selectOptions('ar-EG');
    await expect.element(strip.getByRole('alert')).toHaveTextContent(/does not recognise this language/);
  },
);

test('switching chats ends dictation and leaves unfinished words in the chat they belong to', async () => {
  const { app, button, strip, calls, message, last } = await dictate(
    { packs: here },
    new Told().you('Hi').hearth([text('Hello')], 'answered').chat,
  );
  await button.click();
  await expect.element(strip).toHaveTextContent(/stays/);
  last().hear('for this chat');
  const { session } = app;
  app.openNewChat();
  await expect.poll(() => calls).toContain('abort');
  await expect.element(strip).not.toBeInTheDocument();
  await expect.element(message).toHaveValue('');
  expect(session?.draft).toBe('for this chat');
});

test('a shortcut starts dictation, and spoken words wait while an input method is open', async () => {
  const { button, strip, message, last } = await dictate({ packs: here });
  await message.click();
  const pressKey = () => userEvent.keyboard('{Alt>}{Shift>}k{/Shift}{/Alt}');
  // The shortcuts load shortly after the first screen.
  await expect
    .poll(async () => {
      if (button.element().ariaPressed !== 'true') await pressKey();
      return button.element().ariaPressed;
    })
    .toBe('true');
  await expect.element(strip).toHaveTextContent(/stays/);
  message.element().dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
  last().say('later');
  await expect.element(message).toHaveValue('');
  message.element().dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
  await expect.element(message).toHaveValue('later');
  await pressKey();
  await expect.element(strip).not.toBeInTheDocument();
});

slow('a browser without speech recognition shows no dictation button, and Settings says so', async () => {
  vi.stubGlobal('SpeechRecognition', undefined);
  vi.stubGlobal('webkitSpeechRecognition', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { app, screen } = await show();
  await expect.element(screen.getByRole('button', { name: 'Use a prompt' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Dictate' }).query()).toBeNull();
  await app.open('#/settings/dictation');
  await expect.element(screen.getByText(/This browser recognises no speech/)).toBeVisible();
});

slow(
  'the user can see in Settings who may receive dictated audio, and can revoke that permission',
  async () => {
    stageRecognition();
    const { app, screen } = await show();
    await app.saveSettings({ soundMayGoTo: getBrowserMaker() });
    await app.open('#/settings/dictation');
    const switched = screen.getByRole('switch', { name: /^Sound may go to/ });
    await expect.element(switched).toBeChecked();
    await switched.click();
    await expect.poll(() => app.settings.soundMayGoTo).toBe('');
    await screen.getByRole('combobox', { name: 'You speak' }).selectOptions('de-DE');
    await expect.poll(() => app.settings.dictationLanguage).toBe('de-DE');
  },
);
