/**
 * Tests whether a model on a GPU writes proper text, because some drivers compute wrong numbers without an error, mostly in 16 bits.
 * The model continues a row of numbers. If it cannot, it answers a question, and we look for text that no working model writes.
 */
import { AppError } from '../../contracts/app-error';
import { readError } from '../../contracts/error-code';
import type { GenerateRequest, PromptMessage, TextDelta } from '../../contracts/model';

type Generate = (request: GenerateRequest, signal: AbortSignal) => AsyncIterable<TextDelta>;

const numberRowPrompt: readonly PromptMessage[] = [
  { role: 'user', content: 'Count from 1 to 9.' },
  { role: 'assistant', content: '1, 2, 3, 4, 5, 6,' },
];
const helloQuestion: readonly PromptMessage[] = [{ role: 'user', content: 'Say hello in one sentence.' }];

/** Tests whether the model writes sensible text. A user's own model only has to write a token. Rejects with an `AppError`, such as `model-garbled`. */
export async function testModel(generate: Generate, isOwn: boolean): Promise<void> {
  if (isOwn) {
    await askForHello(generate, 1);
    return;
  }
  if (await canContinueNumbers(generate)) return;
  const text = await askForHello(generate, 16);
  const fault = findGarbage(text);
  if (fault) throw new AppError('model-garbled', `${fault}: ${JSON.stringify(text.slice(0, 80))}`);
}

/** Returns what is wrong with a short English text. Undefined if a working model might write the text. */
export function findGarbage(text: string): string | undefined {
  const letters = Array.from(text.trim()).filter((character) => !/\s/.test(character));
  const share = (pattern: RegExp) => letters.filter((one) => pattern.test(one)).length / letters.length;
  if (letters.length === 0) return 'It wrote nothing';
  if (share(/\uFFFD/) > 0.2) return 'It wrote what are no characters';
  if (share(/[\p{Cc}\p{Co}\p{Cn}]/u) > 0.2) return 'It wrote control characters';
  if (letters.length >= 8 && new Set(letters).size === 1) return 'It wrote one character over and over';
  if (/^(.{1,12}?)\1{5,}.{0,11}$/su.test(text.trim())) return 'It wrote one word over and over';
  const found = scriptPatterns.filter((script) => script.test(text)).length;
  return found >= 3 ? `It mixed ${found} scripts` : undefined;
}

/** Scripts that one language mixes, such as the Japanese ones, count as one. */
const scriptPatterns = [
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

/** Stops as soon as the next number is right, because one token may take a second on a slow GPU. */
async function canContinueNumbers(generate: Generate): Promise<boolean> {
  const enough = new AbortController();
  let text = '';
  for await (const delta of generate(createGreedyRequest(numberRowPrompt, 4), enough.signal)) {
    // Ignore errors, because some templates cannot continue a partial reply. `testModel` then asks the model a question instead.
    if (delta.type === 'text-delta') text += delta.text;
    if (/^\W*7/.test(text)) enough.abort();
  }
  return enough.signal.aborted;
}

async function askForHello(generate: Generate, maxTokens: number): Promise<string> {
  let text = '';
  const request = createGreedyRequest(helloQuestion, maxTokens);
  for await (const delta of generate(request, new AbortController().signal)) {
    if (delta.type === 'text-delta') text += delta.text;
    else if (delta.type === 'finish' && delta.finishReason === 'error') {
      const { code = 'model-damaged', detail } = readError(delta.errorMessage ?? 'No token came.');
      throw new AppError(code, detail);
    }
  }
  return text;
}

function createGreedyRequest(messages: readonly PromptMessage[], maxTokens: number): GenerateRequest {
  return { messages, sampling: { temperature: 0 }, maxTokens };
}
