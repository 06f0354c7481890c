/**
 * Tests whether a model on a GPU writes text at all: some drivers compute wrong numbers without any error, mostly with 16-bit floats. The model
 * continues a row of numbers, so the next number shows after one token that all is well. Only if it is wrong do we ask a question, and only text
 * that no working model writes counts as garbage: a false alarm would deny the user a working model.
 */
import { AppError } from '../../contracts/app-error';
import { readError } from '../../contracts/error-code';
import type { GenerateRequest, PromptMessage, TextDelta } from '../../contracts/model';

type Generate = (request: GenerateRequest, signal: AbortSignal) => AsyncIterable<TextDelta>;

const row: readonly PromptMessage[] = [
  { role: 'user', content: 'Count from 1 to 9.' },
  { role: 'assistant', content: '1, 2, 3, 4, 5, 6,' },
];
const question: readonly PromptMessage[] = [{ role: 'user', content: 'Say hello in one sentence.' }];

/** Rejects with an `AppError`: `model-garbled`, or the engine's own. A user's own model may be an experiment, so for it any reply is enough. */
export async function testModel(generate: Generate, isOwn: boolean): Promise<void> {
  if (isOwn) {
    await write(generate, question, 1);
    return;
  }
  if (await says(generate, row, 4, /^\W*7/)) return;
  const text = await write(generate, question, 16);
  const fault = findGarbage(text);
  if (fault !== undefined) {
    throw new AppError('model-garbled', `${fault}: ${JSON.stringify(text.slice(0, 80))}`);
  }
}

/** What is wrong with a short English text. Undefined for anything that a working model may write. */
export function findGarbage(text: string): string | undefined {
  const letters = Array.from(text.trim()).filter((character) => !/\s/.test(character));
  const share = (pattern: RegExp) => letters.filter((one) => pattern.test(one)).length / letters.length;
  if (letters.length === 0) return 'It wrote nothing';
  if (share(/\uFFFD/) > 0.2) return 'It wrote what are no characters';
  if (share(/[\p{Cc}\p{Co}\p{Cn}]/u) > 0.2) return 'It wrote control characters';
  if (letters.length >= 8 && new Set(letters).size === 1) return 'It wrote one character over and over';
  if (/^(.{1,12}?)\1{5,}.{0,11}$/su.test(text.trim())) return 'It wrote one word over and over';
  const found = scripts.filter((script) => script.test(text)).length;
  if (found >= 3) return `It mixed ${found} scripts`;
  return undefined;
}

/** Scripts that are mixed in writing, as in Japanese, count as one. */
const scripts = [
  /\p{Script=Latin}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Devanagari}/u,
];

/** True as soon as `pattern` matches: a token may take a second on a slow GPU. */
async function says(
  generate: Generate,
  messages: readonly PromptMessage[],
  maxTokens: number,
  pattern: RegExp,
): Promise<boolean> {
  const enough = new AbortController();
  let text = '';
  for await (const delta of generate(greedy(messages, maxTokens), enough.signal)) {
    // Some templates cannot leave a reply open. Such a model is asked a question instead.
    if (delta.type === 'text-delta') text += delta.text;
    if (pattern.test(text)) enough.abort();
  }
  return enough.signal.aborted;
}

async function write(
  generate: Generate,
  messages: readonly PromptMessage[],
  maxTokens: number,
): Promise<string> {
  let text = '';
  for await (const delta of generate(greedy(messages, maxTokens), new AbortController().signal)) {
    if (delta.type === 'text-delta') text += delta.text;
    else if (delta.type === 'finish' && delta.finishReason === 'error') {
      const { code = 'model-damaged', detail } = readError(delta.errorMessage ?? 'No token came.');
      throw new AppError(code, detail);
    }
  }
  return text;
}

function greedy(messages: readonly PromptMessage[], maxTokens: number): GenerateRequest {
  return { messages, sampling: { temperature: 0 }, maxTokens };
}
