/** Finds out whether the model of a server sees: it is shown a picture, and says what is in it. */
import { AppError } from '../../contracts/app-error';
import type { ErrorCode } from '../../contracts/error-code';
import type { PromptMessage } from '../../contracts/model';
import type { AnswerPart } from './read-answer';
import { type WireRequest, writeRequest } from './write-request';

/** Says with these that it takes no pictures. */
const withoutPictures: ReadonlySet<ErrorCode> = new Set([
  'endpoint-refused',
  'endpoint-failed',
  'endpoint-missing',
  'endpoint-form',
]);

/** A yellow square, 64 pixels wide: yellow is what nobody guesses who sees nothing. */
const square =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAATklEQVR42u3PQQkAAAgEsOuf0S5eBN/CYAWWnbwWAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAYFLARrQsbSIGdsRAAAAAElFTkSuQmCC';
const question = 'Which colour has this picture? Answer with one word.';

const shown: PromptMessage = {
  role: 'user',
  content: question,
  parts: {
    type: 'question',
    content: [
      { type: 'image', data: square, mimeType: 'image/png' },
      { type: 'text', text: question },
    ],
    pictureTokens: 64,
  },
};

/** `ask` gives all parts of an answer. Many servers take a picture and leave it out: only the right colour counts. */
export async function tryPicture(
  model: string,
  maxTokens: number,
  ask: (request: WireRequest) => Promise<readonly AnswerPart[]>,
): Promise<boolean> {
  try {
    const parts = await ask(
      writeRequest(model, { messages: [shown], sampling: { temperature: 0 }, maxTokens }),
    );
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return /yellow|gold|黄/i.test(text);
  } catch (error) {
    if (error instanceof AppError && withoutPictures.has(error.code)) return false;
    throw error;
  }
}
