import type { DownloadState, ModelCard, ModelName, ShelfView } from '../contracts/model-library';
import type { App } from './app.svelte';
import { nameOf } from './models.svelte';

/** The models that could answer in a chat at once: those on this device, and the chosen one, also while its files are gone. */

export function modelsHere({ models, chosen }: Pick<App, 'models' | 'chosen'>): {
  models: readonly ModelName[];
  /** The files of the chosen one are not there. */
  isMissing: boolean;
} {
  const { view } = models;
  const here = (view?.cards ?? []).filter(({ kept }) => kept.isWhole).map(nameOf);
  const isHere = here.some(({ id }) => id === chosen.id);
  return { models: isHere ? here : [chosen, ...here], isMissing: view !== undefined && !isHere };
}

/** PURE: what could do what the built-in model cannot, on this device. */

export type WayOn =
  /** Nothing has to be fetched: it can answer at once. */
  | { type: 'use'; card: ModelCard }
  | { type: 'get'; card: ModelCard }
  /** Its download is under way. */
  | { type: 'coming'; card: ModelCard }
  /** None suits this device. */
  | { type: 'none' };

/** Undefined where the model that was chosen is one, and cannot answer now: another part of the screen says why. */
export function wayOnFrom(
  { cards }: ShelfView,
  downloads: Readonly<Record<string, DownloadState>>,
  chosenId: string,
): WayOn | undefined {
  const best = cards.find(({ isRecommended }) => isRecommended);
  const isHere = ({ id, origin, isSmall, kept }: ModelCard) =>
    kept.isWhole && origin !== 'built-in' && !isSmall && id !== chosenId;
  const here = best && isHere(best) ? best : cards.find(isHere);
  if (here) return { type: 'use', card: here };
  if (!best) return { type: 'none' };
  if (best.kept.isWhole) return undefined;
  return { type: downloads[best.id] ? 'coming' : 'get', card: best };
}
