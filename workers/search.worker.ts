/** Searches the chats. Without top-level await, because messages that arrive during it would be lost. */
import { expose } from 'comlink';
import { serveSearch } from '../src/search/serve-search';

expose(serveSearch());
