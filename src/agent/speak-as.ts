/**
 * Applies a persona: its instructions come first in the system text, word for word. A small model was not trained on instructions, so it
 * gets none and the screen says so.
 */
import type { Message } from '../contracts/message';
import type { ModelSpec } from '../contracts/model';
import type { PersonaContent } from '../contracts/persona';
import type { ModelStage } from '../contracts/pipeline';

export type Voice = Pick<PersonaContent, 'instructions' | 'sampling' | 'language' | 'outputSchema'>;

export interface PersonaStageOptions {
  /** The model that answers at this moment: a fallback may replace it within a turn. */
  spec: () => Pick<ModelSpec, 'sampling'>;
  isSmall: () => boolean;
  /** The persona is asked as a tool, so its answer has the form of its schema. */
  isAsked?: boolean;
  /** Whether the next replies are constrained to that schema. */
  isHeld?: boolean;
}

export function personaStage(
  voice: Voice,
  { spec, isSmall, isAsked = false, isHeld = false }: PersonaStageOptions,
): ModelStage {
  const { sampling, outputSchema } = voice;
  const instructions = writeInstructions(voice, isAsked);
  const spoken = (messages: readonly Message[]): readonly Message[] =>
    instructions === '' || isSmall() ? messages : [{ role: 'system', content: instructions }, ...messages];
  const { temperature, topP } = sampling;
  const chosen = { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { topP }) };
  const isChosen = Object.keys(chosen).length > 0;

  return {
    name: 'persona',
    isActive: () => !isSmall(),
    transformRequest(request) {
      if (isSmall()) return request;
      return {
        ...request,
        messages: spoken(request.messages),
        ...(isChosen && { sampling: { ...spec().sampling, ...request.sampling, ...chosen } }),
        ...(isHeld && outputSchema && { answer: outputSchema }),
      };
    },
    measure: (rest, messages, ...others) => rest.measure(spoken(messages), ...others),
  };
}

const languages: Record<string, string> = { en: 'Answer in English.', zh: '用中文回答。' };

/** '' if the persona says nothing. */
function writeInstructions(voice: Voice, isAsked: boolean): string {
  const { instructions, language, outputSchema } = voice;
  const form =
    isAsked && outputSchema
      ? `Your answer is nothing but JSON of this schema:\n${JSON.stringify(outputSchema)}`
      : '';
  const texts = [instructions.trim(), language === null ? '' : (languages[language] ?? ''), form];
  return texts.filter((text) => text !== '').join('\n\n');
}
