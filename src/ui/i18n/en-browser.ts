/** What is said of the model that the browser brings along, in English. */
import type { ErrorCode } from '../../contracts/error-code';
import type { BroughtState } from '../../contracts/model-library';

type BrowserModelError = Extract<ErrorCode, `browser-model-${string}`>;

const said = (detail: string) => (detail === '' ? '' : ` (${detail})`);

export const enBrowserErrors = {
  'browser-model-language': (model, detail) =>
    `${model} does not read or write this language, or the browser does not vouch for it${said(detail)}. Your question is kept. Ask in English, or choose another model.`,
  'browser-model-withheld': (model, detail) =>
    `The browser held back what ${model} wrote${said(detail)}. What had arrived is kept. Ask in other words, or choose another model.`,
  'browser-model-refused': (model, detail) =>
    `The browser does not let this page use ${model}: by its settings or a policy, or because it wants another press${said(detail)}. Your chats are kept. Press again; if it refuses again, allow AI on this device in the browser’s settings, or choose another model.`,
  'browser-model-download': (model, detail) =>
    `The browser could not download ${model}${said(detail)}. Connect to a network without a data limit, see that the disk has room (Chrome wants 22 GB free), then press “Download” again.`,
  'browser-model-unfit': (model) =>
    `The browser has ${model}, but not for this device: it wants a graphics chip with more than 4 GB of memory, or 16 GB of memory in all. Choose another model.`,
  'browser-model-failed': (model, detail) =>
    `${model} failed in the browser${said(detail)}. What had arrived is kept. Continue; if it fails again, start the browser anew, or choose another model.`,
} satisfies Record<BrowserModelError, (model: string, detail: string) => string>;

export const enBrowser = {
  about:
    'The model that this browser brings along. The browser runs it: Chrome and Edge do so on this device, which a page cannot see for itself. Good for sums, searches and short texts.',
  states: {
    here: 'It is in this browser, for all sites. Nothing more is to be downloaded.',
    coming: 'The browser is downloading it, for all sites.',
    'can-come':
      'The browser can download it, some gigabytes, once for all sites. It begins when you press “Download”.',
    unfit: '',
  } satisfies Record<BroughtState, string>,
  window: 'How much it reads at once the browser says when it has started.',
  follow: 'Show progress',
  progress: (percent: string) => `The browser is downloading it: ${percent} %`,
  begins: 'The browser begins the download',
  leave: 'Stop watching',
  left: 'A download that has begun may go on in the browser.',
};

export type BrowserWords = typeof enBrowser;
