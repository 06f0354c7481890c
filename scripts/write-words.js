/** `npm run words`: writes the types of the messages of `en.json`. The build and `npm ci` do so too. */
import { saveTypes } from './languages.js';

saveTypes();
