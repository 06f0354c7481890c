/** The options of a session: languages and sampling. */
import type { Sampling } from '../../contracts/model';
import type { ApiAvailability, ApiCoreOptions, PromptApi, SamplingMode } from './api';

/**
 * The only language that we declare: tools and instructions are written in it. Some browsers check replies for safety in a few languages only and
 * want to know the language; an unsupported one is an error in the console. Chinese works without being declared, and no browser supports
 * declaring it (measured in Chromium 156, which knows de, en, es, fr and ja).
 */
const language = 'en';

export interface Asked {
  options: ApiCoreOptions;
  availability: ApiAvailability;
  canSee: boolean;
}

const wishes = [
  { languages: [language], canSee: true },
  { languages: [language], canSee: false },
  { languages: [], canSee: true },
  { languages: [], canSee: false },
];

/** The best options that the browser has available, or else can fetch. Rejects with the browser's error. */
export async function askFor(api: PromptApi): Promise<Asked> {
  let best: Asked | undefined;
  for (const { languages, canSee } of wishes) {
    const options = optionsFor(languages, canSee);
    const availability = await askAvailability(api, options, canSee);
    if (availability === 'available') return { options, availability, canSee };
    if (availability !== 'unavailable') best ??= { options, availability, canSee };
  }
  return best ?? { options: {}, availability: 'unavailable', canSee: false };
}

/** The first browsers with this API know only text, and reject the names of other inputs. */
async function askAvailability(
  api: PromptApi,
  options: ApiCoreOptions,
  canSee: boolean,
): Promise<ApiAvailability> {
  try {
    return await api.availability(options);
  } catch (error) {
    if (canSee) return 'unavailable';
    throw error;
  }
}

function optionsFor(languages: readonly string[], canSee: boolean): ApiCoreOptions {
  const text = languages.length > 0 ? [{ type: 'text' as const, languages }] : [];
  const pictures = canSee ? [{ type: 'image' as const }] : [];
  return {
    ...(text.length + pictures.length > 0 && { expectedInputs: [...text, ...pictures] }),
    ...(text.length > 0 && { expectedOutputs: text }),
  };
}

/** Pages cannot set a temperature, only one of these modes. */
export function samplingMode({ temperature }: Sampling): SamplingMode {
  if (temperature <= 0) return 'most-predictable';
  if (temperature <= 0.4) return 'predictable';
  if (temperature <= 0.9) return 'balanced';
  return temperature <= 1.2 ? 'creative' : 'most-creative';
}
