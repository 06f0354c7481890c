/** Worker entry. No top-level await, because early messages would be lost. */
import { expose } from 'comlink';
import { serveParts } from '../src/tools/relevant-part/serve-parts';

expose(serveParts());
