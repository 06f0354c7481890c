/** A new version of Hearth that is already downloaded. */
import { z } from './schema';

export interface AppUpdate {
  /** `ready`: the user can apply it. `applying`: it is starting. `held`: the old version is still busy. `elsewhere`: another tab already runs it. */
  phase: 'ready' | 'applying' | 'held' | 'elsewhere';
  /** New features, a few words each, newest first. Empty if unknown. */
  news: readonly string[];
  apply: () => void;
}

/** Headlines of the changelog, newest first. A service worker reports them to the page. */
export const Headlines = z.array(z.string().check(z.maxLength(200))).check(z.maxLength(2000));
