import { expose } from 'comlink';
import { serveSearch } from '../src/search/serve-search';

expose(serveSearch());
