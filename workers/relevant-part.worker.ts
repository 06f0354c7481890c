/** Finds the relevant parts of a text. Without top-level await, because messages that arrive during it would be lost. */
import { expose } from 'comlink';
import { serveParts } from '../src/tools/relevant-part/serve-parts';

expose(serveParts());
