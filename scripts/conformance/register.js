/** For `node --import`: registers the hooks in `hooks.js`. */
import { register } from 'node:module';

register('./hooks.js', import.meta.url);
