/** A new version of the app that is on the device already, and waits to take the place of the one in use. */
import { z } from './schema';

export interface AppUpdate {
  /**
   * `ready` until the person wants it, `applying` from then on, `held` where the old one does not let go; `elsewhere`: another tab
   * has switched to it, and this one still runs the old.
   */
  phase: 'ready' | 'applying' | 'held' | 'elsewhere';
  /** What it has and the one in use has not, a few words each, newest first; none where that is not known. */
  news: readonly string[];
  /** Has it take over, which starts the page anew. */
  apply: () => void;
}

/** What a service worker of any version says is in it: newest first. */
export const Headlines = z.array(z.string().check(z.maxLength(200))).check(z.maxLength(2000));
