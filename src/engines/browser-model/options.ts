/** What the browser is asked for: languages where it knows them, and how freely the words are chosen. */
import type { Sampling } from '../../contracts/model';
import type { ApiAvailability, ApiCoreOptions, PromptApi, SamplingMode } from './api';

/**
 * Code of the one language of the app that is named: tools and instructions are written in it. A browser may have safety checks for some languages
 * only, and asks to be told which; another than those is an error in its console. Chinese is read without being named: no browser knows it
 * (measured in Chromium 156, which knows de, en, es, fr and ja).
 */
const language = 'en';

export interface Asked {
  options: ApiCoreOptions;
  availability: ApiAvailability;
}

/**
 * With English, or with no language named: the first that the browser has, else the first that it can fetch. Rejects with
 * what the browser rejects with.
 */
export async function askFor(api: PromptApi): Promise<Asked> {
  let best: Asked | undefined;
  for (const named of [[language], []]) {
    const options = optionsFor(named);
    const availability = await api.availability(options);
    if (availability === 'available') return { options, availability };
    if (availability !== 'unavailable') best ??= { options, availability };
  }
  return best ?? { options: {}, availability: 'unavailable' };
}

function optionsFor(named: readonly string[]): ApiCoreOptions {
  if (named.length === 0) return {};
  const expected = [{ type: 'text' as const, languages: named }];
  return { expectedInputs: expected, expectedOutputs: expected };
}

/** Pages may not say a temperature, only one of these. */
export function samplingMode({ temperature }: Sampling): SamplingMode {
  if (temperature <= 0) return 'most-predictable';
  if (temperature <= 0.4) return 'predictable';
  if (temperature <= 0.9) return 'balanced';
  return temperature <= 1.2 ? 'creative' : 'most-creative';
}
