/** What is said of dictating, in English. */
import type { Maker } from '../chat/dictation/recognition';
import type { Trouble } from '../chat/dictation/dictation.svelte';

export const enDictation = {
  label: 'Dictate',
  title: 'Dictation',
  hint: 'Speak instead of typing (press again, or Esc, to end)',
  starting: 'Asking for the microphone …',
  listening: (language: string) => `Listening: ${language}.`,
  ending: 'Writing down the last words …',
  ended: 'Not listening any more.',
  here: 'The sound stays on this device.',
  goesTo: (maker: string) => `The sound goes to ${maker}.`,
  makers: {
    google: 'Google',
    microsoft: 'Microsoft',
    apple: 'Apple',
    unknown: 'the maker of this browser',
  } satisfies Record<Maker, string>,
  leave: (language: string, maker: string) =>
    `This browser does not promise to recognise ${language} on the device: it may send what the microphone hears to ${maker}. Nothing of your chats goes with it, and Hearth never gets the sound. Is that all right?`,
  agree: 'It may go there',
  notNow: 'Rather not',
  pack: (language: string) =>
    `For ${language} the browser can fetch a language pack, once. After that it is recognised on this device, and no sound leaves it.`,
  fetchPack: 'Get the language pack',
  withoutPack: 'Without it',
  fetching: 'The browser fetches the language pack. That can take minutes; you can go on typing.',
  fetched: 'The language pack is there. Press the microphone again to speak.',
  troubles: {
    denied:
      'The browser does not let Hearth use the microphone. Allow it in the settings of this site, beside the address, then press the microphone again.',
    'no-microphone':
      'No microphone was found. Connect one, or choose one in the settings of the browser, then press the microphone again.',
    'nothing-heard':
      'Nothing was heard. See that the right microphone is on, then press the microphone again.',
    unreachable:
      'What recognises speech cannot be reached. Check the connection, then press the microphone again, or type.',
    'no-language': 'The browser does not recognise this language. Choose another beside it, or type.',
    'not-allowed':
      'The browser, or whoever manages it, does not allow speech to be recognised here. Type, or open Hearth in another browser.',
    taken: 'The browser ended it, perhaps because another page listens. Press the microphone again.',
    'no-pack':
      'The browser could not get the language pack. Check the connection and the room on this device, then try again, or choose another language.',
    broken: 'The browser could not begin to listen. Load the page again, then press the microphone.',
  } satisfies Record<Trouble, string>,
  language: 'You speak',
  settings: {
    languageHint: 'What you speak when you dictate a message. Dialects differ.',
    ofScreen: (language: string) => `As the screen: ${language}`,
    leave: (maker: string) => `Sound may go to ${maker}`,
    leaveHint:
      'Only while you dictate, and only where the browser does not recognise the language on this device. Off, you are asked first.',
    none: 'This browser recognises no speech, so there is no microphone beside the message box. Chrome, Edge and Safari do.',
  },
};
