/** The user's settings and their defaults, and the description of search providers. */
import { BinnedModel, ModelName, OwnModel } from './model-library';
import { z } from './schema';

/** Settings of one search provider. Hearth sends the key only to that provider and never puts it into prompts, logs or exports. */
export const ProviderSetting = z.object({
  isOn: z.boolean(),
  url: z.optional(z.string()),
  key: z.optional(z.string()),
  /** For custom providers: paths to the parts of a response, such as `web.results`. */
  paths: z.optional(z.record(z.string(), z.string())),
  perMinute: z.optional(z.int().check(z.minimum(1), z.maximum(600))),
});
export type ProviderSetting = z.infer<typeof ProviderSetting>;

/** Sampling that the user chose. Absent fields keep the catalog's values for the model. */
export const SamplingChoice = z.object({
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  topP: z.optional(z.number().check(z.minimum(0.05), z.maximum(1))),
});
export type SamplingChoice = z.infer<typeof SamplingChoice>;

export const Settings = z.object({
  /** A language code of `ui/i18n/registry.ts`. Null: the browser's language. */
  language: z._default(z.catch(z.nullable(z.string()), null), null),
  theme: z._default(z.catch(z.enum(['system', 'light', 'dark']), 'system'), 'system'),
  /** In percent of the browser's font size. Default: 100. */
  textSize: z.optional(z.catch(z.number().check(z.minimum(50), z.maximum(300)), 100)),
  contrast: z.optional(z.catch(z.enum(['system', 'more']), 'system')),
  isIntroduced: z.optional(z.catch(z.boolean(), false)),
  rounds: z._default(z.catch(z.int().check(z.minimum(1), z.maximum(32)), 8), 8),
  /** Origins that tools may contact although Hearth blocks them by default, such as `http://192.168.1.5:8080`. */
  allowedAddresses: z._default(z.catch(z.array(z.string()), []), []),
  /** The user's proxy for pages that Hearth cannot fetch directly. '' for none. */
  proxyUrl: z._default(z.catch(z.string(), ''), ''),
  /** Keyed by provider id (`tools/web-search/providers.ts`). A provider without an entry keeps its defaults. */
  providers: z._default(z.catch(z.record(z.string(), ProviderSetting), {}), {}),
  /** Whether to mark claims in an answer that no tool result or message supports. Default: true. */
  areClaimsChecked: z.optional(z.catch(z.boolean(), true)),
  /** Whether to notify the user when a long answer is ready. Absent until Hearth asks the user. */
  isTellingWhenReady: z.optional(z.catch(z.optional(z.boolean()), undefined)),
  /** BCP 47 tag. '' or absent: the app's language. */
  dictationLanguage: z.optional(z.catch(z.string(), '')),
  /** The browser maker (`Maker`) whose servers may receive dictated audio. '' or absent: none. */
  soundMayGoTo: z.optional(z.catch(z.string(), '')),
  isSearchingFirst: z._default(z.catch(z.boolean(), false), false),
  /** Whether to ask the user when the model is unsure what a request means. Default: true. */
  isAskingWhenUnsure: z.optional(z.catch(z.boolean(), true)),
  toolsOff: z._default(z.catch(z.array(z.string()), []), []),
  /** Keyed by tool name: whether every model always sees the tool. Default: true for built-in tools. */
  pins: z._default(z.catch(z.record(z.string(), z.boolean()), {}), {}),
  /** Id of the embedding model for finding tools. Null or absent: search by words only. */
  meaningModel: z.optional(z.catch(z.nullable(z.string()), null)),
  model: z._default(z.catch(z.nullable(ModelName), null), null),
  ownModels: z._default(z.catch(z.array(OwnModel), []), []),
  binnedModels: z.optional(z.catch(z.array(BinnedModel), [])),
  /** Keyed by host: the address to use instead of `https://host`. */
  mirrors: z._default(z.catch(z.record(z.string(), z.string()), {}), {}),
  isThinking: z._default(z.catch(z.boolean(), false), false),
  /** Whether GGUF models use several CPU threads if possible. Default: true. */
  isUsingCores: z.optional(z.catch(z.boolean(), true)),
  isUsingGpuForGguf: z.optional(z.catch(z.boolean(), false)),
  /** Keyed by model id: whether the small model chooses the tools for this model. A model without an entry: see `contracts/hands.ts`. */
  smallModelChooses: z.optional(z.catch(z.record(z.string(), z.boolean()), {})),
  sampling: z._default(z.catch(SamplingChoice, {}), {}),
});
export type Settings = z.infer<typeof Settings>;

export interface ProviderInfo {
  /** Stored in settings and permissions, so it must never change. */
  id: string;
  name: string;
  fields: Readonly<Partial<Record<'url' | 'key' | 'paths', 'needed' | 'optional'>>>;
  isOnByDefault: boolean;
}

export const defaultSearchesPerMinute = 10;
export const defaultResultPaths = { list: 'results', title: 'title', url: 'url', content: 'content' };
