/** What a person types of a model on a server, and what was found when it was tried. */
import type { ErrorCode } from './error-code';

export interface EndpointForm {
  address: string;
  /** What stands before `/chat/completions`, where that is known: it was tried, or is kept so. */
  base?: string | undefined;
  /** '' keeps the one that is kept, where there is one. */
  key: string;
  /** As the server calls it; '' before it was chosen. */
  model: string;
  isNative: boolean;
  canSee: boolean;
  /** Tokens of prompt and reply together. */
  contextTokens: number;
}

export interface ListedModel {
  id: string;
  /** Tokens; missing where the server does not say. */
  contextTokens?: number;
}

export interface EndpointReport {
  /** What stands before `/chat/completions`; '' where the address is none. */
  address: string;
  /** Missing where the server has no list that could be read. */
  models?: readonly ListedModel[];
  /** The one that was asked; missing where none was chosen, or nothing was asked. */
  model?: string;
  /** How its answer came; missing where none did. */
  reply?: 'streams' | 'whole';
  /** Missing where it was not found out. */
  isNative?: boolean;
  /** It said what is in a picture of ours. Missing where it was not found out. */
  canSee?: boolean;
  /** What went wrong first. `detail` is in English. */
  fault?: { code: ErrorCode; detail: string };
}

export type EndpointProblem = 'address' | 'model' | 'known';
export type SavedEndpoint = { ok: true; id: string } | { ok: false; problem: EndpointProblem };
