/** Facts about models on servers that the app needs before it loads the engine's code. */
import type { ModelSpec } from '../../contracts/model';
import { networkScopeOf } from '../../egress/nearness';
import type { EngineKind } from '../engine';

const placeByServerLocation = { loopback: 'loopback', local: 'network' } as const;

export const endpoint: EngineKind = {
  id: 'endpoint',
  place: 'elsewhere',
  placeOf: ({ file }: ModelSpec) => {
    const near = URL.canParse(file.path) ? networkScopeOf(new URL(file.path).hostname) : undefined;
    return near === undefined ? 'elsewhere' : placeByServerLocation[near];
  },
  answersBeside: true,
  mayPause: true,
  runsIn: 'page',
  create: async (parts) => (await import('./engine')).createEndpoint(parts),
  canSee: ({ canSee = false }) => Promise.resolve(canSee),
  own: {
    spec: ({ endpoint: server, contextTokens = 4096 }) => ({
      ...(server && { served: server.model, name: server.model }),
      ...(server?.isNative && { format: 'native' }),
      ...(server?.canSee && { canSee: true }),
      maxReplyTokens: Math.min(Math.floor(contextTokens / 4), 4096),
    }),
  },
};
