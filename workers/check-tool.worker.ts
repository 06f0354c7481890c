/** Checks custom tools, which are untrusted. Without top-level await, because messages that arrive during it would be lost. */
import { expose } from 'comlink';
import { checkerApi } from '../src/tools/custom/serve-checks';

expose(checkerApi);
