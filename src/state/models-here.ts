/** Finds the models that can answer in a chat now, and a larger model that could replace the built-in one. */
import type { DownloadState, ModelCard, ModelsView } from '../contracts/model-library';
import type { App } from './app.svelte';
import { nameOf } from './models.svelte';

export function listUsableModels({ models, chosen }: Pick<App, 'models' | 'chosen'>) {
  const { view } = models;
  const usable = (view?.cards ?? []).filter(({ kept }) => kept.isWhole).map(nameOf);
  const isHere = usable.some(({ id }) => id === chosen.id);
  return { models: isHere ? usable : [chosen, ...usable], isMissing: view !== undefined && !isHere };
}

export type LargerModelOffer = { type: 'use' | 'get' | 'coming'; card: ModelCard } | { type: 'none' };

/** Finds a larger model to offer. Undefined if the recommended model is already chosen, so there is nothing better to offer. */
export function findLargerModel(
  { cards }: ModelsView,
  downloads: Readonly<Record<string, DownloadState>>,
  chosenId: string,
): LargerModelOffer | undefined {
  const best = cards.find(({ isRecommended }) => isRecommended);
  const isHere = ({ id, origin, isSmall, kept }: ModelCard) =>
    kept.isWhole && origin !== 'built-in' && !isSmall && id !== chosenId;
  const larger = best && isHere(best) ? best : cards.find(isHere);
  if (larger) return { type: 'use', card: larger };
  if (!best) return { type: 'none' };
  if (best.kept.isWhole) return undefined;
  return { type: downloads[best.id] ? 'coming' : 'get', card: best };
}
