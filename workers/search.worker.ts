/** Worker entry: finds chats by their words, behind Comlink. No top-level await: early messages would be lost. */
import { expose } from 'comlink';
import { serveSearch } from '../src/search/serve-search';

expose(serveSearch());
