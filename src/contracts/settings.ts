import { BinnedModel, ModelName, OwnModel } from './model-library';
import { z } from './schema';

/** What a person can set, and what it is until then. */

/** Of one search provider. A key goes to that provider only, never into a prompt, a log or an export. */
export const ProviderSetting = z.object({
  isOn: z.boolean(),
  /** Address of the person's own server, or a template; missing where the provider has one address for all. */
  url: z.optional(z.string()),
  /** Missing where none was typed. */
  key: z.optional(z.string()),
  /** Where in a reply its parts are, for a provider whose replies are not known: `web.results`. */
  paths: z.optional(z.record(z.string(), z.string())),
  /** Searches in a minute. Missing: `defaultPerMinute`. */
  perMinute: z.optional(z.int().check(z.minimum(1), z.maximum(600))),
});
export type ProviderSetting = z.infer<typeof ProviderSetting>;

/** Each as in `Sampling`; missing where the person leaves it to the model's entry. */
export const SamplingChoice = z.object({
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  topP: z.optional(z.number().check(z.minimum(0.05), z.maximum(1))),
});
export type SamplingChoice = z.infer<typeof SamplingChoice>;

export const Settings = z.object({
  /** A code of `ui/i18n/registry.ts`; the browser's own until it is chosen. */
  language: z._default(z.catch(z.nullable(z.string()), null), null),
  theme: z._default(z.catch(z.enum(['system', 'light', 'dark']), 'system'), 'system'),
  /** Of letters, in percent of what the browser is set to. Missing: 100. */
  textSize: z.optional(z.catch(z.number().check(z.minimum(50), z.maximum(300)), 100)),
  /** Missing: as the system says. */
  contrast: z.optional(z.catch(z.enum(['system', 'more']), 'system')),
  /** The steps of a first visit were gone through, or skipped. Missing: no. */
  isIntroduced: z.optional(z.catch(z.boolean(), false)),
  /** How often the model may be asked again in one turn. */
  rounds: z._default(z.catch(z.int().check(z.minimum(1), z.maximum(32)), 8), 8),
  /** Literal addresses that tools may ask although the gate would refuse them: `http://192.168.1.5:8080`. */
  allowedAddresses: z._default(z.catch(z.array(z.string()), []), []),
  /** The person's own proxy for pages that cannot be read otherwise; '' is none. */
  proxyUrl: z._default(z.catch(z.string(), ''), ''),
  /** By id of `tools/web-search/providers/registry.ts`; one that is missing is as that registry says. */
  providers: z._default(z.catch(z.record(z.string(), ProviderSetting), {}), {}),
  /** Name what an answer says that nothing stands behind. Missing: it is named. */
  areClaimsChecked: z.optional(z.catch(z.boolean(), true)),
  /** Tell the person when a long answer is ready while they are elsewhere. Missing: they were not asked yet. */
  isTellingWhenReady: z.optional(z.catch(z.optional(z.boolean()), undefined)),
  /** In which one dictates, as a BCP 47 tag. '' or missing: in that of the screen. */
  dictationLanguage: z.optional(z.catch(z.string(), '')),
  /** A `Maker` whose servers the sound of a dictation may go to, where the browser keeps it not on the device. '' or missing: nobody. */
  soundMayGoTo: z.optional(z.catch(z.string(), '')),
  /** Search before the first round, for a question that plainly needs the web. */
  isSearchingFirst: z._default(z.catch(z.boolean(), false), false),
  /** Where a model that can tell is not sure which call is meant, the person chooses among its readings. Missing: yes. */
  isAskingWhenUnsure: z.optional(z.catch(z.boolean(), true)),
  /** Built-in tools that are off in a new chat, until they are switched on in it. */
  toolsOff: z._default(z.catch(z.array(z.string()), []), []),
  /** By the name of a tool: whether every model is shown it in every chat. One that is missing is if it is built in. */
  pins: z._default(z.catch(z.record(z.string(), z.boolean()), {}), {}),
  /** Id of the model on this device by which tools are found by meaning too. Missing or null: by their words alone. */
  meaningModel: z.optional(z.catch(z.nullable(z.string()), null)),
  /** For chats that have none of their own; null is the one that ships with the app. */
  model: z._default(z.catch(z.nullable(ModelName), null), null),
  /** Models the person added. */
  ownModels: z._default(z.catch(z.array(OwnModel), []), []),
  /** Those of them that are in the bin. Missing: none. */
  binnedModels: z.optional(z.catch(z.array(BinnedModel), [])),
  /** By host that would be asked: the address to ask instead of `https://host`. */
  mirrors: z._default(z.catch(z.record(z.string(), z.string()), {}), {}),
  /** Let a model think aloud before it answers, where it can. */
  isThinking: z._default(z.catch(z.boolean(), false), false),
  /** GGUF models use several processor cores, where the host lets the page. Missing: yes. */
  isUsingCores: z.optional(z.catch(z.boolean(), true)),
  /** GGUF models run on the graphics chip, where there is one. Missing: no. */
  isUsingGpuForGguf: z.optional(z.catch(z.boolean(), false)),
  /** In the place of what a model's entry says. */
  sampling: z._default(z.catch(SamplingChoice, {}), {}),
});
export type Settings = z.infer<typeof Settings>;

/** What Settings shows of a search provider. */

/** What a person can fill in: an address, a key, and where in a reply its parts are. */
export type ProviderField = 'url' | 'key' | 'paths';

export interface ProviderInfo {
  /** Kept in Settings and in what was allowed: never changes. */
  id: string;
  /** As its makers write it. */
  name: string;
  /** What the person fills in, and whether it works without. */
  fields: Readonly<Partial<Record<ProviderField, 'needed' | 'optional'>>>;
  isOnByDefault: boolean;
}

/** Searches a minute, where the person has not said. */
export const defaultPerMinute = 10;
/** Where in a reply its parts are, where the person has not said. */
export const defaultPaths = { list: 'results', title: 'title', url: 'url', content: 'content' };
