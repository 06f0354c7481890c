/** Errors that the user can fix. The files in `ui/i18n` have a message and a next step for each code. */

export const errorCodes = [
  'part-missing',
  'model-unreachable',
  'model-missing',
  'model-damaged',
  'browser-too-old',
  'engine-timeout',
  'engine-crashed',
  /** The tab that ran the engine for this tab is closed or asleep. */
  'engine-moved',
  'model-not-downloaded',
  /** The model's compiled library is unreadable or made for another engine version. */
  'library-unusable',
  'gpu-missing',
  /** The GPU lacks a feature that the model needs, such as 16-bit floats or large buffers. */
  'gpu-unfit',
  /** The browser took the GPU away, for example after sleep, a driver update or a lack of memory. */
  'gpu-lost',
  'out-of-memory',
  'model-garbled',
  /** Another tab uses the GPU. The user must decide whether to load a second model. */
  'model-elsewhere',
  'load-cancelled',
  /** The model server is in a private network, and the user has not allowed its address. */
  'endpoint-address',
  'endpoint-offline',
  /** No such server, no connection, or blocked by CORS. Browsers do not tell which. */
  'endpoint-unreachable',
  'endpoint-key',
  'endpoint-missing',
  /** The server is overloaded or the quota is used up. The detail is the number of seconds to wait, or ''. */
  'endpoint-busy',
  'endpoint-failed',
  'endpoint-cut',
  'endpoint-silent',
  'endpoint-too-long',
  'endpoint-redirect',
  'endpoint-form',
  'endpoint-refused',
  'browser-model-language',
  'browser-model-withheld',
  'browser-model-refused',
  'browser-model-download',
  'browser-model-unfit',
  /** The browser's model failed for an unknown reason. The detail is the browser's message. */
  'browser-model-failed',
  'message-too-long',
  'tools-too-long',
  'storage-unavailable',
  'storage-newer',
  'storage-full',
  'storage-shortened',
  'search-broken',
  'chat-deleted',
  'backup-unknown',
  'backup-damaged',
  /** The file contains data that Hearth never writes to a backup, such as duplicate rows or messages in a cycle. */
  'backup-refused',
  'backup-newer',
  'backup-too-large',
  'backup-passphrase',
  'backup-unread',
  'backup-unwritable',
  'backup-gone',
  'backup-broken',
  'notes-full',
  'note-deleted',
  'prompts-full',
  'prompt-deleted',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

const errorCodePattern = /^\[([a-z-]+)\] /;

/** Splits text from `writeError` into code and detail. Returns no code if the text has none. */
export function readError(text: string): { code?: ErrorCode; detail: string } {
  const code = errorCodes.find((known) => known === errorCodePattern.exec(text)?.[1]);
  return code ? { code, detail: text.replace(errorCodePattern, '') } : { detail: text };
}

/** True if the error message means that a part of Hearth's code did not load. Browsers and Vite word it differently. */
export function isMissingPartError(text: string): boolean {
  return /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(text);
}

/** Thrown if a worker's code did not load. The message is for the model, and for the technical details that the user can open. */
export class MissingPartError extends Error {
  override readonly message = 'What does this could not be loaded. Go online, then try again.';
}
