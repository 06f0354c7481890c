/** For `node --import`: registers the hooks beside it. */
import { register } from 'node:module';

register('./hooks.js', import.meta.url);
