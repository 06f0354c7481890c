/** What a person can set, and what it is until then. */
import { z } from './schema';

export const Settings = z.object({
  /** A code of `ui/i18n/registry.ts`; the browser's own until it is chosen. */
  language: z._default(z.catch(z.nullable(z.string()), null), null),
  theme: z._default(z.catch(z.enum(['system', 'light', 'dark']), 'system'), 'system'),
  /** How often the model may be asked again in one turn. */
  rounds: z._default(z.catch(z.int().check(z.minimum(1), z.maximum(32)), 8), 8),
});
export type Settings = z.infer<typeof Settings>;
