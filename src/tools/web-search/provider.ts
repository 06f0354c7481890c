/** A search provider builds the request and reads the reply. The engine handles rate limits, retries and errors. */
import type { EgressRequest } from '../../contracts/egress';
import type { ProviderInfo, ProviderSetting } from '../../contracts/settings';

export interface Hit {
  title: string;
  url: string;
  content: string;
  /** Relevance by the provider's own measure, usually 0 to 1. */
  score?: number | undefined;
}

export interface SearchReply {
  /** A direct answer by the provider, in addition to the hits. */
  answer?: string | undefined;
  hits: Hit[];
}

export interface Search {
  query: string;
  /** `quick`: few hits at low cost. `deep`: the best search, with a direct answer if the provider has one. */
  depth: 'quick' | 'deep';
  count: number;
  /** ISO 639 code of the query's language. */
  language: string;
}

export type ProviderRequest = Pick<EgressRequest, 'url' | 'method' | 'headers' | 'body'>;

export interface SearchProvider extends ProviderInfo {
  /** Must put the key into a header or the body, never into the address. Throws without a valid address. */
  request: (search: Search, setting: ProviderSetting) => ProviderRequest;
  /** `reply` is untrusted JSON. Throws an `Error` with a readable message if it has the wrong shape. */
  read: (reply: unknown, setting: ProviderSetting) => SearchReply;
}
