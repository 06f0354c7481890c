/** `npm run words`: writes the types of the messages, `src/ui/i18n/words.ts`, after a change of `en.json`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { writeTypes } from './languages.js';

const folder = new URL('../src/ui/i18n/', import.meta.url);
const english = JSON.parse(readFileSync(new URL('en.json', folder), 'utf8'));
writeFileSync(new URL('words.ts', folder), writeTypes(english));
