/** A new version of Hearth that is downloaded and can replace the running one. */
import { z } from './schema';

export interface AppUpdate {
  /**
   * `ready`: waiting for the user. `applying`: taking over. `held`: the old version still controls the page. `elsewhere`: another tab
   * already runs the new version, but this one does not.
   */
  phase: 'ready' | 'applying' | 'held' | 'elsewhere';
  /** New features, a few words each, newest first. Empty if unknown. */
  news: readonly string[];
  apply: () => void;
}

/** The headlines of the changelog, newest first, as a service worker reports them. */
export const Headlines = z.array(z.string().check(z.maxLength(200))).check(z.maxLength(2000));
