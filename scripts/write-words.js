/** `npm run words`: writes the types of the messages in `en.json`. The build and `npm ci` do this too. */
import { saveTypes } from './languages.js';

saveTypes();
