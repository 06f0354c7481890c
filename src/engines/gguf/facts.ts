/** What a GGUF file says about its model: the family, and the context length. */
import type { OwnModel } from '../../contracts/model-library';
import { readGguf } from './header';
import { contextSizes } from '../library/entry';

export type GgufFacts = Pick<OwnModel, 'family' | 'contextTokens'>;

/** Marks in a model's template, most reliable first. Spaces as models write them. */
const marks: readonly (readonly [mark: RegExp, family: NonNullable<OwnModel['family']>])[] = [
  [/<\|start_header_id\|>/, 'llama3'],
  [/<\|im_start\|>/, 'chatml'],
  [/<\|end\|>/, 'phi4'],
  [/<start_of_turn>/, 'gemma'],
  [/<\|turn>/, 'gemma4'],
  [/\[SYSTEM_PROMPT\]/, 'mistral'],
  [/\[INST\]/, 'mistral-inst'],
];

/** Leaves out what the file does not say. Rejects with an `AppError` (`model-damaged`) if it cannot be read. */
export async function readGgufFacts(file: Blob): Promise<GgufFacts> {
  const { header } = await readGguf(file);
  const text = (key: string) => {
    const value = header.get(key);
    return typeof value === 'string' ? value : '';
  };
  const family = familyOf(text('general.name'), text('tokenizer.chat_template'));
  const trained = Number(header.get(`${text('general.architecture')}.context_length`) ?? 0);
  const contextTokens = Math.min(trained, contextSizes[0]);
  return { ...(family && { family }), ...(contextTokens >= 256 && { contextTokens }) };
}

function familyOf(name: string, template: string): OwnModel['family'] {
  // Its template looks like another family's, and its weights were trained on its tools.
  if (/^Ember\b/.test(name) && template.includes('<|end|>')) return 'ember';
  const family = marks.find(([mark]) => mark.test(template))?.[1];
  return family === 'chatml' && /hermes/i.test(name) ? 'hermes' : family;
}
