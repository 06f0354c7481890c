/** Code that engines share: a timeout, reading weights, crashes, and the prompt as one string. */
import { AppError, writeError } from '../contracts/app-error';
import type { LoadOptions, ModelSpec, ChatTemplate, PromptMessage } from '../contracts/model';
import { untilAborted } from '../contracts/until-aborted';
import { openStoredFile } from '../egress/kept-files';
import { readSiteFile } from '../egress/own-files';
import { isOutOfMemory } from './engine';

const startTimeoutMs = 60_000;

/** Settles like `start`, or rejects with an `AppError` (`engine-timeout`) if `restart` is not called for `ms` milliseconds. */
export async function settleInTime<T>(
  start: (restart: () => void) => Promise<T>,
  signal: AbortSignal,
  ms = startTimeoutMs,
  detail = `The engine did not start within ${startTimeoutMs / 1000} s.`,
): Promise<T> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new AppError('engine-timeout', detail)), ms);
  };
  restart();
  try {
    return await untilAborted(start(restart), AbortSignal.any([signal, silence.signal]));
  } finally {
    clearTimeout(timer);
  }
}

export async function readWeights(model: ModelSpec, options: LoadOptions): Promise<Blob> {
  const { path } = model.file;
  if (isSiteFile(path)) return readSiteFile(path, createWeightReadOptions(model, options));
  // No check is needed, because we checked the bytes before we stored them.
  const file = await openStoredFile('files', path);
  if (!file) throw new AppError('model-not-downloaded', `Not on this device: ${path}`);
  return file;
}

export function isSiteFile(path: string): boolean {
  return new URL(path).origin === globalThis.location.origin;
}

export function createWeightReadOptions({ file: { bytes } }: ModelSpec, { signal, onProgress }: LoadOptions) {
  return {
    signal,
    magic: 'GGUF',
    expectedBytes: bytes,
    onProgress: (loadedBytes: number) => onProgress({ step: 'weights', loadedBytes, totalBytes: bytes }),
  };
}

export function toEngineCrash(error: unknown): AppError {
  const detail = writeError(error);
  return new AppError(isOutOfMemory(detail) ? 'out-of-memory' : 'engine-crashed', detail, { cause: error });
}

export function systemMessagesOf(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const end = messages.findIndex(({ role }) => role !== 'system');
  return end === -1 ? messages : messages.slice(0, end);
}

/** Leaves a final assistant message open, so the model continues it. */
export function renderPrompt(messages: readonly PromptMessage[], template: ChatTemplate): string {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return renderMessages(messages, template) + template.assistant.before;
  return renderMessages(messages.slice(0, -1), template) + template.assistant.before + last.content;
}

export function renderMessages(messages: readonly PromptMessage[], template: ChatTemplate): string {
  return messages.map(({ role, content }) => template[role].before + content + template[role].after).join('');
}
