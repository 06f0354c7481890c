/** What the person can fix: each code has its sentence and next step in the table of each language. */

export const errorCodes = [
  /** Code of Hearth itself cannot be fetched: no network, or the server is away. */
  'part-missing',
  /** The model's file cannot be fetched: offline before the first visit ended, or the server is away. */
  'model-unreachable',
  /** The server is there, and has no such file. */
  'model-missing',
  /** The file is not a GGUF, is cut off, or is another page served in its place. */
  'model-damaged',
  /** WebAssembly, JSPI or workers are missing. */
  'browser-too-old',
  /** The engine did not start in time. */
  'engine-timeout',
  /** The engine or its worker died. */
  'engine-crashed',
  /** The tab that had the engine, and let this one use it, is gone or asleep. */
  'engine-moved',
  /** Its files are not on this device, or not all of them. */
  'model-not-downloaded',
  /** The program compiled for the model cannot be read, or is of another version of the engine. */
  'library-unusable',
  /** No WebGPU, or no adapter. */
  'gpu-missing',
  /** The GPU lacks what the model was compiled for: 16-bit numbers, say, or large enough buffers. */
  'gpu-unfit',
  /** The browser took the GPU away: after sleep, for a new driver, or for lack of memory. */
  'gpu-lost',
  /** The GPU or the tab has no room for the model. */
  'out-of-memory',
  /** What it writes is no text: numbers of the GPU that went wrong. */
  'model-garbled',
  /** Another tab has a model on the GPU, and whether a second one is wanted only the person can say. */
  'model-elsewhere',
  /** By the person. */
  'load-cancelled',
  /** Of a model that a server answers with. Its address is of a private network, and was not allowed. */
  'endpoint-address',
  /** There is no network. */
  'endpoint-offline',
  /** No such server, no connection, or no leave to read it (CORS): a browser does not say which. */
  'endpoint-unreachable',
  /** It wants a key, or another one. */
  'endpoint-key',
  /** It has no such path, or no such model. */
  'endpoint-missing',
  /** It has too much to do, or the person's quota is used up. The detail is the seconds to wait; '' where it did not say. */
  'endpoint-busy',
  /** It failed by itself. The detail is what it said. */
  'endpoint-failed',
  /** Its answer broke off. */
  'endpoint-cut',
  /** It sent nothing for too long. */
  'endpoint-silent',
  /** It sent more than is read. */
  'endpoint-too-long',
  /** It passes the request on to another address. */
  'endpoint-redirect',
  /** It answered in another form: a web page, other JSON. */
  'endpoint-form',
  /** It refused what it was asked. The detail is what it said. */
  'endpoint-refused',
  /** Of the browser's own model: it does not read or write this language. */
  'browser-model-language',
  /** The browser held its answer back. */
  'browser-model-withheld',
  /** The browser lets this page not use it, by the person's choice or a policy. */
  'browser-model-refused',
  /** The browser could not fetch it. */
  'browser-model-download',
  /** There is one, but not for this device. */
  'browser-model-unfit',
  /** It failed, and the browser does not say why. The detail is what it said. */
  'browser-model-failed',
  /** The message alone is longer than what the model can read. */
  'message-too-long',
  /** The list of tools leaves no room for a message. */
  'tools-too-long',
  'storage-unavailable',
  'storage-newer',
  'storage-full',
  'storage-shortened',
  /** The index of the chats cannot be opened, read or written. The chats are whole. */
  'search-broken',
  /** A write came for a chat, or a message of it, that is gone: deleted in another tab, or while its turn was ending. */
  'chat-deleted',
  /** The file is no backup, nor anything else that can be read in. */
  'backup-unknown',
  /** It is cut off, or was changed since it was written. */
  'backup-damaged',
  /** It holds what no backup holds: names of files that lead elsewhere, a row twice, messages below themselves. */
  'backup-refused',
  /** A newer Hearth wrote it. */
  'backup-newer',
  /** It holds more than there is room for. */
  'backup-too-large',
  /** It is encrypted, with another passphrase than the one given. */
  'backup-passphrase',
  /** The browser could not read the file: it was moved, changed meanwhile, or may not be read. */
  'backup-unread',
  /** The browser could not write the file. */
  'backup-unwritable',
  /** What was read in is not there any more. */
  'backup-gone',
  /** The worker that writes and reads backups broke down. */
  'backup-broken',
  /** As many notes are kept as can be. */
  'notes-full',
  /** An edit came for a note that is gone: deleted in another tab. */
  'note-deleted',
  /** As many prompts of one's own are kept as can be. */
  'prompts-full',
  /** As `note-deleted`, of a prompt. */
  'prompt-deleted',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

const prefix = /^\[([a-z-]+)\] /;

/** The code in such a text, if it has one, and the rest. */
export function readError(text: string): { code?: ErrorCode; detail: string } {
  const code = errorCodes.find((known) => known === prefix.exec(text)?.[1]);
  return code ? { code, detail: text.replace(prefix, '') } : { detail: text };
}

/** That code of Hearth itself could not be fetched: there is no network, or the server is away. It is no fault of what the code was given. */

/** Each browser says so in its own words, and Vite of styles. */
const said = /dynamically imported module|Importing a module script failed|Unable to preload CSS/;

/** Whether an error, as text, says so. */
export function tellsMissing(text: string): boolean {
  return said.test(text);
}

/** Of a worker, whose code a browser does not name. Its message is a sentence for a model, or for the details. */
export class NotLoaded extends Error {
  override readonly message = 'What does this could not be loaded. Go online, then try again.';
}
