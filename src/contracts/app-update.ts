/** A new version of Hearth that is downloaded and can replace the running one. */
import { z } from './schema';

export interface AppUpdate {
  /** `ready`: waits for the user. `applying`: takes over. `held`: blocked by the old version. `elsewhere`: runs in another tab only. */
  phase: 'ready' | 'applying' | 'held' | 'elsewhere';
  /** New features, a few words each, newest first. Empty if unknown. */
  news: readonly string[];
  apply: () => void;
}

/** The headlines of the changelog, newest first, as a service worker reports them. */
export const Headlines = z.array(z.string().check(z.maxLength(200))).check(z.maxLength(2000));
