/** Worker entry: checks of what a stranger wrote, behind Comlink. No top-level await: early messages would be lost. */
import { expose } from 'comlink';
import { checks } from '../src/tools/custom/serve-checks';

expose(checks);
