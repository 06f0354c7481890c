/** Where a model computes, also where an earlier version of the app has written its name down. */
import type { ModelName, ModelPlace } from '../contracts/model-library';

export function placeOf({ place, engine }: Pick<ModelName, 'place' | 'engine'>): ModelPlace {
  // Earlier versions wrote no place down, and had one engine on the GPU.
  return place ?? (engine === 'web-llm' ? 'gpu' : 'processor');
}
