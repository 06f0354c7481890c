/** Worker entry: looks through one long result behind Comlink. No top-level await: early messages would be lost. */
import { expose } from 'comlink';
import { serveParts } from '../src/tools/relevant-part/serve-parts';

expose(serveParts());
