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
