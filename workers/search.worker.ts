/** Worker entry. No top-level await, because early messages would be lost. */
import { expose } from 'comlink';
import { serveSearch } from '../src/search/serve-search';

expose(serveSearch());
