/** One turn as the app builds it, with a scripted model and tools that are functions. */
import type { TurnRules } from '../../src/app/turn-tools';
import {
  readAhead,
  type ReadAheadOptions,
  runTurn,
  type TurnOptions,
  type TurnDependencies,
} from '../../src/app/run-turn';
import { createToolOffers } from '../../src/app/tool-offers';
import type { AssistantMessage, Message } from '../../src/contracts/message';
import type { Tool } from '../../src/contracts/tool';
import type { TurnFallback } from '../../src/engines/host/fallbacks';
import { collect } from './collect';
import { findPartsHere } from './find-parts';
import { scriptedModel } from './scripted-model';
import { smallModel } from './small-model';
import { tool } from './tools';
import { small } from './web-llm-model';

/** A model of an engine that reads ahead. */
const large = { ...small, engine: 'llama' };

export const noRules: TurnRules = {
  around: [],
  preview: async () => undefined,
  answerAhead: () => undefined,
};

/** The chosen model answers, and nothing recovers it if it fails. */
export const noFallback: TurnFallback = { stage: { name: 'fallback' }, recover: async () => undefined };

type Changed = Partial<Omit<TurnDependencies, 'host'>> & { host?: Partial<TurnDependencies['host']> };

/** `host` runs a scripted model by default. */
export function stageTurn(
  { host, ...changed }: Changed = {},
  replies: AssistantMessage['content'][] = [[{ type: 'text', text: 'Yes.' }]],
  more: readonly Tool[] = [],
) {
  const model = scriptedModel(...replies);
  const log: string[] = [];
  const searched: unknown[] = [];
  const kept = new Map<string, string>();
  const tools = [
    tool('web_search', async (_signal, input) => (searched.push(input), 'Herons eat fish.')),
    tool('clock', async () => '12:00'),
    ...more,
  ];
  const parts: TurnDependencies = {
    host: {
      spec: large,
      hold: async ({ id }) => {
        log.push(`hold ${id}`);
        return () => void log.push('release');
      },
      ...model,
      ...host,
    },
    fallbacks: {
      specFor: async () => large,
      untold: () => undefined,
      forTurn: () => noFallback,
    },
    hands: undefined,
    toolsFor: async () => tools,
    offers: createToolOffers({
      openEmbedder: () => ({ embed: async () => [], end: () => undefined }),
      readTools: async () => tools,
      kept: { load: async () => undefined, save: async () => undefined },
      settings: () => ({ pins: { clock: true } }),
      pinnedAtFirst: new Set(),
      loadResult: async (id) => kept.get(id),
      spec: () => parts.host.spec,
      isSmall: () => smallModel.appliesTo(parts.host.spec),
    }),
    personas: { find: async () => undefined, personaOf: () => undefined },
    beside: { isThere: () => false, open: () => Promise.reject(new Error('No other model is there.')) },
    fileTools: () => Promise.resolve([]),
    findTableQuery: () => Promise.resolve(undefined),
    showing: () => ({ name: 'pictures' }),
    loads: { follow: () => () => undefined },
    readAttached: async ({ title, serverId }) => ({
      content: [{ type: 'text', text: `All of ${title}.` }],
      isError: false,
      origins: [{ door: 'resource', name: 'mcp.example', serverId }],
    }),
    checkJson: async (_schema, json) => ({ ok: true, value: json }),
    rulesFor: () => noRules,
    smallModel,
    questions: { isAsking: () => false, choose: async () => undefined, chooseAndAllow: async () => 'none' },
    isSearchingFirst: () => false,
    language: () => 'en',
    results: { keep: async ({ id, text: all }) => void kept.set(id, all) },
    findParts: findPartsHere,
    date: () => 5,
    newId: () => 'id',
    ...changed,
  };
  const run = (history: Message[], options: Partial<TurnOptions> = {}) =>
    collect(
      runTurn(
        history,
        {
          chatId: 'chat',
          model: { id: 'small', name: 'Small' },
          toolsOff: [],
          rounds: 4,
          isCancelled: () => false,
          toolSearch: undefined,
          toolOffer: undefined,
          persona: undefined,
          agentHistory: () => undefined,
          signal: new AbortController().signal,
          ...options,
        },
        parts,
      ),
    );
  const readBefore = (options: Partial<ReadAheadOptions> = {}) =>
    readAhead(
      {
        model: { id: 'small', name: 'Small' },
        toolsOff: [],
        toolSearch: undefined,
        toolOffer: undefined,
        persona: undefined,
        signal: new AbortController().signal,
        ...options,
      },
      parts,
    );
  return { run, readBefore, model, log, searched, kept, parts };
}
