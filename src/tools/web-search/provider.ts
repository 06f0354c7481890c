/** What a search provider is: how it is asked and how its reply is read. Who asks, how often and what comes of it is not its business. */
import type { EgressRequest } from '../../contracts/egress';
import type { ProviderInfo, ProviderSetting } from '../../contracts/settings';

export interface Hit {
  title: string;
  /** http or https. */
  url: string;
  /** A summary or a part of the page; '' where there is none. */
  content: string;
  /** How well it fits, as the provider says; most say it from 0 to 1. */
  score?: number | undefined;
}

export interface SearchReply {
  /** The provider's own, beside its hits. */
  answer?: string | undefined;
  /** Best first. */
  hits: Hit[];
}

export interface Search {
  query: string;
  /** `quick`: cheap and few. `deep`: as well as the provider can, with its own answer. */
  depth: 'quick' | 'deep';
  /** Of hits. */
  count: number;
  /** ISO 639, of the query. */
  language: string;
}

export type ProviderRequest = Pick<EgressRequest, 'url' | 'method' | 'headers' | 'body'>;

export interface SearchProvider extends ProviderInfo {
  /** The key goes into a header or the body, never into the address. Throws where `setting` holds no address. */
  request: (search: Search, setting: ProviderSetting) => ProviderRequest;
  /** `reply`: JSON from outside. Throws a sentence where it is not what was asked for. */
  read: (reply: unknown, setting: ProviderSetting) => SearchReply;
}
