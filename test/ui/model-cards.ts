/** Model cards for the Models page and the model menu of a chat. */
import type { ModelCard } from '../../src/contracts/model-library';

const about = { en: 'Good for this and that.', zh: '适合各种事情。' };

export function modelCard(id: string, changed: Partial<ModelCard> = {}): ModelCard {
  return {
    id,
    name: id,
    engine: 'web-llm',
    bytes: 1e9,
    isSizeKnown: false,
    about,
    licence: 'MIT',
    memoryMb: 1500,
    contextTokens: 4096,
    verdict: 'good',
    isLarge: false,
    findings: [],
    isRecommended: false,
    origin: 'catalog',
    canThink: false,
    makesVectors: false,
    languages: ['en'],
    isFromDisk: false,
    kept: { isWhole: false, bytes: 0 },
    ...changed,
  };
}

export const kept = { isWhole: true, bytes: 1e9 };
export const emberCard = modelCard('ember', {
  name: 'Ember',
  engine: 'llama',
  bytes: 6_200_000,
  origin: 'built-in',
  kept,
  isSizeKnown: true,
  makesVectors: true,
});
