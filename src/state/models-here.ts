/** The models that could answer in a chat at once: those on this device, and the chosen one, also while its files are gone. */
import type { ModelName } from '../contracts/model-library';
import type { App } from './app.svelte';
import { nameOf } from './models.svelte';

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
