import { expose } from 'comlink';
import { serveParts } from '../src/tools/relevant-part/serve-parts';

expose(serveParts());
