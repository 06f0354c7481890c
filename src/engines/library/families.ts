/** What the models of a family share: how each was trained to be spoken to, and how its makers let it choose. */
import type { Thinking } from './entry';
import { chatMl, hermesChatMl, llama3 } from './templates';

/** Small ones follow examples, larger ones the description. */
export const fewExamples = { mostExamples: 1 };
export const qwenLanguages = ['en', 'zh', 'de', 'fr', 'es', 'ja', 'ko', 'ru', 'ar'];
const llamaLanguages = ['en', 'de', 'fr', 'it', 'pt', 'es', 'hi', 'th'];

/** Both of them, for thinking before exact work. */
const thoughtfully = { temperature: 0.6, topP: 0.95 };
/** Qwen 3 decides by itself whether it thinks, unless an empty thought stands there already. */
const qwen3Thinking: Thinking = {
  on: '',
  off: '<think>\n\n</think>\n\n',
  sampling: thoughtfully,
};
/** Qwen 3.5 is put into its thought. */
const qwen35Thinking: Thinking = {
  on: '<think>\n',
  off: '<think>\n\n</think>\n\n',
  sampling: thoughtfully,
};

export const qwen3 = {
  family: 'Qwen 3',
  format: 'hermes',
  template: chatMl,
  thinking: qwen3Thinking,
  sampling: { temperature: 0.7, topP: 0.8 },
  licence: 'Apache-2.0',
  languages: qwenLanguages,
};
export const qwen35 = {
  family: 'Qwen 3.5',
  format: 'function-tag',
  template: chatMl,
  thinking: qwen35Thinking,
  sampling: { temperature: 0.7, topP: 0.8 },
  licence: 'Apache-2.0',
  languages: qwenLanguages,
};
export const qwen25 = {
  family: 'Qwen 2.5',
  format: 'hermes',
  template: chatMl,
  sampling: { temperature: 0.3, topP: 0.8 },
  licence: 'Apache-2.0',
  languages: qwenLanguages,
};
export const llama32 = {
  family: 'Llama 3.2',
  format: 'json',
  template: llama3,
  sampling: { temperature: 0.3, topP: 0.9 },
  licence: 'Llama 3.2 Community',
  languages: llamaLanguages,
};
export const hermes3 = {
  family: 'Hermes 3',
  format: 'hermes',
  template: hermesChatMl,
  sampling: { temperature: 0.5, topP: 0.9 },
  languages: ['en'],
};
