/**
 * Applies a persona: its instructions come first in the system text. Small models get none, because they were not trained to follow
 * instructions. Also tracks who speaks: an engine that holds one conversation must read the prompt again for each speaker.
 */
import type { Message } from '../contracts/message';
import type { ModelSpec, ModelEvent, PrefillReason } from '../contracts/model';
import type { PersonaContent } from '../contracts/persona';
import type { ModelStage } from '../contracts/pipeline';

export type PersonaVoice = Pick<PersonaContent, 'instructions' | 'sampling' | 'language' | 'outputSchema'>;

export interface PersonaStageOptions {
  /** The current model, which a fallback may replace within a turn. */
  spec: () => Pick<ModelSpec, 'sampling'>;
  isSmall: () => boolean;
  /** True if the persona was called as a tool. Its answer must then follow its schema. */
  isCalledAsTool?: boolean;
  isConstrained?: boolean;
}

export function createPersonaStage(
  voice: PersonaVoice,
  { spec, isSmall, isCalledAsTool = false, isConstrained = false }: PersonaStageOptions,
): ModelStage {
  const { sampling, outputSchema } = voice;
  const instructions = writeInstructions(voice, isCalledAsTool);
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
        ...(isConstrained && outputSchema && { answer: outputSchema }),
      };
    },
    measure: (rest, messages, ...others) => rest.measure(spoken(messages), ...others),
  };
}

const languageInstructions: Record<string, string> = { en: 'Answer in English.', zh: '用中文回答。' };

function writeInstructions(voice: PersonaVoice, isCalledAsTool: boolean): string {
  const { instructions, language, outputSchema } = voice;
  const form = `Your answer is nothing but JSON of this schema:\n${JSON.stringify(outputSchema)}`;
  const texts = [
    instructions.trim(),
    language === null ? '' : (languageInstructions[language] ?? ''),
    isCalledAsTool && outputSchema ? form : '',
  ];
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Call this once per turn. Call the returned function once for the chat and once for each sub-agent. */
export function createConversationStages(): () => ModelStage {
  let last: object | undefined;
  const known = new Set<object>();
  return () => {
    const me = {};
    return {
      name: 'conversation',
      async *wrapStream(request, signal, model) {
        const isOther = last !== undefined && last !== me;
        // `agent` means that another agent's prompt replaced this agent's prompt in the engine's cache. A new agent had no prompt there.
        const reason = known.has(me) ? { code: 'agent' as const } : undefined;
        last = me;
        known.add(me);
        for await (const event of model.respond(request, signal)) {
          yield isOther ? setPrefillReason(event, reason) : event;
        }
      },
    };
  };
}

export function setPrefillReason(event: ModelEvent, prefillReason: PrefillReason | undefined): ModelEvent {
  if (event.type !== 'finish' || !event.usage.prefillReason) return event;
  return { ...event, usage: { ...event.usage, prefillReason } };
}
