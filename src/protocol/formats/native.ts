/** A server that is handed the tools and says calls in fields of their own: the prompt only tells what a result is. */
import type { ToolCallFormat } from '../format';
import { resultRules } from '../teach';
import { hermes } from './hermes';

if (!hermes.dialect) throw new Error('The format that calls are written down in has a dialect.');

export const native: ToolCallFormat = {
  id: 'native',
  dialect: {
    // What the server says in fields its engine writes down so: to be read, kept, and told to another model.
    ...hermes.dialect,
    describe: (_tools, language) => resultRules(language),
    isNative: true,
  },
};
