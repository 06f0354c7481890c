/** Worker entry: checks untrusted text. No top-level await, because early messages would be lost. */
import { expose } from 'comlink';
import { checks } from '../src/tools/custom/serve-checks';

expose(checks);
