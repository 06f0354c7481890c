/** What is said of a step beside its name and its times: what it cost, who allowed it, and where its text is from. */
import type { TraceCall, TraceRound, TraceStep } from '../../state/trace';
import type { Language } from '../i18n/language.svelte';

export function describeStep(step: TraceStep, language: Language): string[] {
  return step.type === 'round' ? describeRound(step, language) : describeCall(step, language);
}

function describeRound({ usage, context, takenFrom }: TraceRound, language: Language): string[] {
  const words = language.late.trace;
  const said = takenFrom === undefined ? [] : [words.marks.taken];
  if (usage) {
    const { promptTokens, prefilledTokens, outputTokens } = usage;
    const kept = Math.max(0, promptTokens - prefilledTokens);
    const numbers = [promptTokens, prefilledTokens, kept, outputTokens].map((value) =>
      language.number(value),
    );
    said.push(words.tokens(...(numbers as [string, string, string, string])));
  }
  if (context?.summedUpMessages) said.push(words.summedUp(context.summedUpMessages));
  if (context && context.droppedMessages > 0) said.push(words.dropped(context.droppedMessages));
  if (context?.maskedMessages) said.push(words.masked(context.maskedMessages));
  return said;
}

function describeCall(step: TraceCall, language: Language): string[] {
  const words = language.late.trace;
  if (step.isError === undefined) return [words.unanswered];
  const said: string[] = [];
  // What could not be run at all came to no such decision.
  if (step.permission || !step.isError) said.push(words.allowedBy[permissionOf(step)]);
  for (const what of step.changed ?? []) said.push(words.marks[what]);
  // What was changed is of this version, though its call was not made again.
  if (step.isTaken && !step.changed) said.push(words.marks.taken);
  if (step.cachedAt !== undefined) said.push(words.cached);
  if (step.sources && step.sources.length > 0) said.push(words.outside(step.sources.join(words.between)));
  if (step.wholeCharacters !== undefined) said.push(words.wholeCut(language.number(step.wholeCharacters)));
  return said;
}

function permissionOf({ permission }: TraceCall): keyof Language['late']['trace']['allowedBy'] {
  if (!permission) return 'unknown';
  if (permission.by !== 'person') return permission.by;
  return permission.answer ?? 'unknown';
}
