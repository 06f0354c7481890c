import type { Usage } from '../../contracts/model';
import type { Language } from '../i18n/language.svelte';

/** Tokens per second from the first to the last token. Undefined if the engine reports no time or only one token. */
export function tokensPerSecondOf({ outputTokens, decodeMs }: Usage): number | undefined {
  if (decodeMs === undefined || decodeMs <= 0 || outputTokens < 2) return undefined;
  return ((outputTokens - 1) * 1000) / decodeMs;
}

export function formatSpeed(usage: Usage, language: Language): string | undefined {
  const speed = tokensPerSecondOf(usage);
  return speed === undefined
    ? undefined
    : language.words.model.speed(language.number(speed, speed < 10 ? 1 : 0));
}
